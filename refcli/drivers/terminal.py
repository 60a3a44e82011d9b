"""The front end of a terminal: prompts with keys, and plain lines wherever a prompt cannot open."""

import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from io import StringIO
from typing import Any, TextIO

from refcli.core.errors import RefcliError, ReplyError
from refcli.core.fact import Kind
from refcli.drivers.chance import Chance
from refcli.drivers.choosing import Entry
from refcli.drivers.crumbs import MARK, trimmed
from refcli.drivers.form import Edit, Form
from refcli.drivers.loop import Back, Quit
from refcli.drivers.plain import Plain
from refcli.drivers.player import HINT, Player
from refcli.drivers.prompt import Command, Prompt, read_line, value_shown
from refcli.drivers.words import room, wrapped


class Terminal(Player):
    """Prompts with keys, on the terminal that stdin and stdout are.

    Args:
        plain: asks where a prompt cannot open; talk goes where its talk goes.
        chance: rolls and draws when the player says so.
    """

    def __init__(self, plain: Plain, chance: Chance | None = None) -> None:
        super().__init__(plain.writer, chance)
        self.plain = plain
        self.is_broken = False
        self._is_begun = False
        self._told_of = ""
        self._helped: set[str] = set()
        self._pasted: list[str] = []
        self._typed: Sequence[str] | None = None

    def prepare(self) -> None:
        """Say once which keys there are."""
        if not self._is_begun:
            self._is_begun = True
            self.plain.views = self.views
            self.say(HINT)

    def ask(self, prompt: Prompt) -> Any:
        """The answer to one prompt."""
        from refcli.drivers import prompts

        opening = {Kind.CHOICE: prompts.pick, Kind.YES_NO: prompts.confirm}.get(prompt.kind, prompts.text)
        try:
            answer = self._prompted(prompt, partial(opening, prompt, self.shown), (*prompt.more, *prompt.offers))
        except _NoPromptError:
            return self.plain.ask(prompt)
        if not isinstance(answer, Command):
            self.echo(prompt.text, value_shown(prompt, answer))
        return answer

    def fill(self, form: Form) -> Any:
        """Let the player fill in a form."""
        from refcli.drivers import prompts

        try:
            answer = self._prompted(form.prompt, partial(prompts.fill, form, self.shown), ())
        except _NoPromptError:
            return self.plain.fill(form)
        if not isinstance(answer, Command | Edit):
            self.echo(form.title, "; ".join(filter(None, [form.brief(), form.told()])))
        return answer

    def choose(self, text: str, entries: Sequence[Entry]) -> str | None:
        """The key of one of many entries, found by typing; None where he leaves."""
        from refcli.drivers import prompts

        try:
            answer = self._open(partial(prompts.choose, text, entries, self.shown))
        except _NoPromptError:
            return self.plain.choose(text, entries)
        return None if isinstance(answer, Command | prompts.Pasted) else str(answer)

    def _prompted(self, prompt: Prompt, opening: Callable[[], Any], more: Sequence[str]) -> Any:
        """What a prompt gives, or a line that was pasted for it."""
        from refcli.drivers import prompts

        while True:
            if self._pasted:
                line = self._pasted.pop(0)
                try:
                    return read_line(prompt, line)
                except ReplyError as fault:
                    rest = f"; the {len(self._pasted)} lines behind it are dropped" if self._pasted else ""
                    self._pasted = []
                    self.say(f"? {prompt.text} {line[:100]}")
                    self.say(f"  {fault}{rest}")
            if prompt.text != self._told_of:  # not again after an aid
                self._told_of = prompt.text
                for text in more:
                    if text not in self._helped:
                        self.say(f"  {text}")
                self._helped.update(prompt.more)  # what helps is told once, offers whenever they are made
            answer = self._open(opening)
            if isinstance(answer, prompts.Pasted):
                self._pasted = list(answer.lines)
            else:
                return read_line(prompt, answer) if isinstance(answer, prompts.Line) else answer

    def shown(self, text: str) -> str:
        """A text with signs that the screen can show."""
        return self.views.showable(text, getattr(sys.stdout, "encoding", None))

    def echo(self, text: str, answer: str) -> None:
        """Tell in one line what was answered, where the prompt stood."""
        self.say(f"? {text}{'' if text.endswith(('?', ':')) else ':'} {answer}")

    def say_way(self, way: Sequence[str]) -> None:
        """Tell where the walk stands: the book and page, and the way, shortened in the middle where it is long."""
        whole = f"{way[0]} · {MARK.join(way[1:])}"
        lines = [whole] if len(whole) < room() else [trimmed(way[:1], room() - 1), trimmed(way[1:], room() - 1)]
        self.writer.write("\n")
        for line in lines:
            self.say(line, is_bold=True)

    def say(self, text: str, *, is_bold: bool = False) -> None:
        """Print a line of talk; bold where it tells where the walk stands."""
        is_bold = is_bold and self.writer.isatty()
        if is_bold:
            self.writer.write("\x1b[1m")
        super().say(text)
        if is_bold:
            self.writer.write("\x1b[0m")
            self.writer.flush()

    def laid_out(self, text: str) -> str:
        """A line in lines that fit."""
        return "\n".join(wrapped(text))

    def _open(self, opening: Callable[[], Any]) -> Any:
        """What an opened prompt gives.

        Raises:
            _NoPromptError: it cannot open; from now on none is tried.
        """
        from refcli.drivers import prompts

        if self.is_broken:
            raise _NoPromptError
        try:
            answer = prompts.run(opening(), self._typed)
        except (Back, Quit, EOFError, KeyboardInterrupt, RefcliError):
            raise
        except Exception as fault:
            self.is_broken = True
            self.say(f"(no prompts here, plain lines instead: {type(fault).__name__})")
            raise _NoPromptError from fault
        self._typed = None
        if isinstance(answer, prompts.Quick):
            self._typed = answer.tails
            return answer.answer
        return answer


class _NoPromptError(Exception):
    """A prompt cannot open here."""


def choose_player(
    *,
    plain: bool = False,
    chance: Chance | None = None,
    stdin: TextIO | None = None,
    stdout: TextIO | None = None,
    stderr: TextIO | None = None,
) -> Player:
    """The front end that fits: prompts on a terminal, plain lines everywhere else.

    Args:
        plain: plain lines, whatever the terminal can do.
        chance: rolls and draws when the player says so.
        stdin: where answers come from; the process's own when None, as are the others.
        stdout: where rulings go; prompts open only where it is a terminal.
        stderr: where talk goes.
    """
    reader = stdin or sys.stdin or StringIO()
    if hasattr(reader, "reconfigure"):
        reader.reconfigure(errors="replace")
    lines = Plain(reader, stderr or sys.stderr or StringIO(), chance)
    screen = stdout or sys.stdout
    # a closed stdin, stdout or a TERM that cannot move its cursor is no place for prompts
    able = os.name == "nt" or os.environ.get("TERM", "dumb") not in ("", "dumb", "unknown")
    if plain or not able or not lines.is_terminal or screen is None or not screen.isatty():
        return lines
    return Terminal(lines, chance)
