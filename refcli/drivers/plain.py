"""Questions as plain lines: for pipes, simple terminals and screen readers, and wherever a prompt cannot open."""

from typing import Any, TextIO

from refcli.core.errors import ReplyError
from refcli.core.fact import Choice, Kind
from refcli.drivers.answers import MAX_TEXT, clean
from refcli.drivers.chance import Chance
from refcli.drivers.player import HINT, NoInputError, Player
from refcli.drivers.prompt import Prompt, options, read_line, shown_default
from refcli.drivers.words import wrapped

FEW = 6
"""So many choices are told every time."""


class Plain(Player):
    """One question at a time; one line answers it.

    Args:
        reader: where answers come from. A reader without a terminal that ends before its first line is nobody to ask.
        writer: where questions go.
        chance: rolls and draws when the player says so.
    """

    def __init__(self, reader: TextIO, writer: TextIO, chance: Chance | None = None) -> None:
        super().__init__(writer, chance)
        self.reader = reader
        self.is_terminal = _is_terminal(reader)
        self._ahead: str | None = None
        self._started = False
        self._told_choices: list[tuple[Choice, ...]] = []

    def prepare(self) -> None:
        """Look for a first answer where they come by a pipe, before anything is said.

        Raises:
            NoInputError: there is none.
        """
        if self._started:
            return
        if self.is_terminal:
            self.say(HINT)
        else:
            self._ahead = self._read()
            if not self._ahead:
                raise NoInputError
        self._started = True

    def ask(self, prompt: Prompt) -> Any:
        """The answer to one prompt."""
        self.say(_headline(prompt))
        for option in (*prompt.offers, *self._options(prompt)):
            self.say(f"  {option}")
        while True:
            try:
                return read_line(prompt, self._line())
            except ReplyError as fault:
                self.say(f"  {fault}")
                self.say(_headline(prompt))

    def _options(self, prompt: Prompt) -> list[str]:
        """The choices; many of them are told only the first time, and to whoever asks."""
        if len(prompt.choices) <= FEW:
            return options(prompt)
        if prompt.choices in self._told_choices:
            return [f"the same {len(prompt.choices)} as before (? lists them)"]
        self._told_choices.append(prompt.choices)
        return options(prompt)

    def explained(self, prompt: Prompt) -> None:
        """Tell the choices once more."""
        if prompt.choices in self._told_choices:
            self._told_choices.remove(prompt.choices)

    def laid_out(self, text: str) -> str:
        """A line as it is printed: on a terminal in lines that fit."""
        return "\n".join(wrapped(text)) if _is_terminal(self.writer) else text

    def _line(self) -> str:
        """The next line, without its end.

        Raises:
            EOFError: there is none.
        """
        if self._ahead is not None:
            line, self._ahead = self._ahead, None
        else:
            if self.is_terminal:
                self.writer.write("> ")
                self.writer.flush()
            line = self._read()
        if not line:
            raise EOFError
        return line.rstrip("\r\n")

    def _read(self) -> str:
        """A line and its end; of a very long one its beginning."""
        line = self.reader.readline(MAX_TEXT)
        more = line
        while len(more) == MAX_TEXT and not more.endswith("\n"):
            more = self.reader.readline(MAX_TEXT)
        return line


def _headline(prompt: Prompt) -> str:
    """The question with what may be answered and the default."""
    legal = [] if prompt.kind is Kind.CHOICE and not prompt.hints else [prompt.legal]
    legal += prompt.hints
    default = shown_default(prompt)
    asked = f"{prompt.text} ({'; '.join(filter(None, legal))})" if any(legal) else prompt.text
    return clean(f"{asked} [{default}]" if default else asked)


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except ValueError:  # it is closed
        return False
