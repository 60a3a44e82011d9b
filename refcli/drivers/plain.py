"""Questions as plain lines: for pipes, simple terminals and screen readers, and wherever a prompt cannot open."""

from typing import Any, TextIO

from refcli.core.errors import ReplyError
from refcli.core.fact import Kind
from refcli.drivers.answers import MAX_TEXT, clean
from refcli.drivers.chance import Chance
from refcli.drivers.loop import Back, Quit
from refcli.drivers.player import NoInputError, Player, Prompt, options, shown_default

COMMANDS = {"?": "explains", "u": "takes the last answer back", "q": "keeps what you have entered, and quits"}


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
        self._started = self.is_terminal

    def prepare(self) -> None:
        """Look for a first answer where they come by a pipe, before anything is said.

        Raises:
            NoInputError: there is none.
        """
        if not self._started:
            self._ahead = self._read()
            if not self._ahead:
                raise NoInputError
            self._started = True

    def ask(self, prompt: Prompt) -> Any:
        """The answer to one prompt."""
        self._show(prompt)
        while True:
            text = self._line()
            word = text.strip()
            own = {choice.key for choice in prompt.choices}
            if word in {extra for extra, _ in prompt.extra} - own:
                return word
            if word in COMMANDS and word not in own:  # a choice of that name comes first
                self._obey(word, prompt)
                continue
            if not word and prompt.default is not None:
                return prompt.default
            try:
                if not word:
                    raise ReplyError(f"an answer is needed: {prompt.legal}")
                return prompt.read(text)
            except ReplyError as fault:
                self.say(f"  {fault}")
                self.say(_headline(prompt))

    def _show(self, prompt: Prompt) -> None:
        self.say(_headline(prompt))
        self._options(prompt)

    def _options(self, prompt: Prompt) -> None:
        for option in options(prompt):
            self.say(f"  {option}")

    def _obey(self, word: str, prompt: Prompt) -> None:
        if word == "u":
            raise Back
        if word == "q":
            raise Quit
        self.say(f"  Answer: {prompt.legal}")
        if shown_default(prompt):
            self.say(f"  Enter alone: {shown_default(prompt)}")
        for line in prompt.more:
            self.say(f"  {line}")
        for name, what in (*prompt.extra, *COMMANDS.items()):
            self.say(f"  {name} {what}")
        self._show(prompt)

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
    legal = [] if prompt.kind is Kind.CHOICE and not prompt.extra else [prompt.legal]
    legal += [f"{word} {what}" for word, what in prompt.extra]
    default = shown_default(prompt)
    asked = f"{prompt.text} ({'; '.join(filter(None, legal))})" if any(legal) else prompt.text
    return clean(f"{asked} [{default}]" if default else asked)


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except ValueError:  # it is closed
        return False
