"""Questions as prompts on a terminal. The only file that knows the prompt library, and only once a prompt opens.

Every prompt takes Escape or `u` for back, `q` or Ctrl-D for save and quit, Ctrl-C likewise. A prompt that cannot
open, for whatever reason, becomes plain lines, and so do all that follow.
"""

import os
import shutil
import sys
from collections.abc import Callable
from functools import partial
from io import StringIO
from typing import TYPE_CHECKING, Any, TextIO

from refcli.core.errors import RefcliError
from refcli.core.fact import Kind
from refcli.core.need import Question
from refcli.drivers.answers import matching
from refcli.drivers.chance import Chance
from refcli.drivers.loop import Back, Quit
from refcli.drivers.plain import Plain
from refcli.drivers.player import Player, Prompt, checked, options, prompt_for, shown_default

if TYPE_CHECKING:
    from prompt_toolkit.key_binding import KeyPressEvent
    from questionary import Question as Opened

ENDS = {"escape": Back(), "c-d": EOFError(), "c-c": KeyboardInterrupt(), "<sigint>": KeyboardInterrupt()}
"""The keys that end every prompt, and the signal that does."""


class Terminal(Player):
    """Prompts with keys, on the terminal that stdin and stdout are.

    Args:
        plain: asks where a prompt cannot open; talk goes where its talk goes.
        chance: rolls and draws when the player says so.
    """

    forms = True

    def __init__(self, plain: Plain, chance: Chance | None = None) -> None:
        super().__init__(plain.writer, chance)
        self.plain = plain
        self.is_broken = False

    def ask(self, prompt: Prompt) -> Any:
        """The answer to one prompt."""
        opening = {Kind.CHOICE: _select, Kind.YES_NO: _confirm}.get(prompt.kind, _text)
        long = [title for title in options(prompt) if len(title) > _room()]
        try:
            answer = self._open(partial(opening, prompt), (*prompt.more, *long))
        except _NoPromptError:
            return self.plain.ask(prompt)
        if opening is not _text or answer in {word for word, _ in prompt.extra}:
            return answer
        if answer.strip() in ("u", "q"):
            raise Back if answer.strip() == "u" else Quit
        return prompt.read(answer) if answer.strip() else prompt.default

    def tick(self, questions: list[Question]) -> dict[str, Any]:
        """The answers to several yes/no questions at once: what is ticked is yes."""
        prompts = [prompt_for(question) for question in questions]
        more = [f"{prompt.text} {line}" for prompt in prompts for line in prompt.more]
        long = [prompt.text for prompt in prompts if len(prompt.text) > _room() and not prompt.more]
        try:
            ticked = self._open(partial(_checkbox, prompts), (*more, *long))
        except _NoPromptError:
            return {questions[0].key: self.plain.ask(prompts[0])}
        return {question.key: str(number) in ticked for number, question in enumerate(questions)}

    def _open(self, opening: "Callable[[], Opened]", more: tuple[str, ...]) -> Any:
        """What an opened prompt gives.

        Raises:
            _NoPromptError: it cannot open; from now on none is tried.
        """
        if self.is_broken:
            raise _NoPromptError
        for line in more:
            self.say(f"  {line}")
        try:
            opened = opening()
            _bind(opened, {key: partial(_leave, end=end) for key, end in ENDS.items()} | {"c-z": _suspend})
            opened.application.ttimeoutlen = 0.05  # how long a lone Escape waits for the rest of an arrow key
            return opened.unsafe_ask()
        except (Back, Quit, EOFError, KeyboardInterrupt, RefcliError):
            raise
        except Exception as fault:
            self.is_broken = True
            self.forms = False
            self.say(f"(no prompts here, plain lines instead: {type(fault).__name__})")
            raise _NoPromptError from fault


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


def _select(prompt: Prompt) -> "Opened":
    """A list to pick from: with the arrows, or by typing what a plain line would take; Enter picks."""
    import questionary

    titles = options(prompt)
    room = _room()
    extra = "".join(f", {word} {what}" for word, what in prompt.extra)
    opened = questionary.select(
        prompt.text,
        [questionary.Choice(_cut(title, room), c.key) for title, c in zip(titles, prompt.choices, strict=True)],
        default=prompt.default,
        instruction=f"(number, word or arrows, then Enter{extra})",
        use_jk_keys=False,
    )
    _type_ahead(opened, prompt)
    return opened


def _type_ahead(opened: "Opened", prompt: Prompt) -> None:
    """Typing points at the choice it means; a command's letter acts at once where no choice begins with it."""
    from questionary.prompts.common import InquirerControl

    control = next(c for c in opened.application.layout.find_all_controls() if isinstance(c, InquirerControl))
    keys = [choice.key for choice in prompt.choices]
    typed = ""

    def write(event: "KeyPressEvent") -> None:
        nonlocal typed
        longer = typed + event.data
        if (end := _command(prompt, longer)) and not matching(prompt.choices, longer):
            _leave(event, end)
        elif end or (near := matching(prompt.choices, longer)):
            typed = longer
            if not end:
                control.pointed_at = keys.index(near[0].key)

    def erase(event: "KeyPressEvent") -> None:
        nonlocal typed
        typed = typed[:-1]

    def enter(event: "KeyPressEvent") -> None:
        nonlocal typed
        near = matching(prompt.choices, typed)
        if (end := _command(prompt, typed)) and typed not in keys:
            _leave(event, end)
        elif len(near) < 2:  # of several, more has to be typed
            control.is_answered = True
            event.app.exit(result=control.get_pointed_at().value)

    def move(by: int) -> "Callable[[KeyPressEvent], None]":
        def moved(event: "KeyPressEvent") -> None:
            nonlocal typed
            typed = ""
            control.pointed_at = (control.pointed_at + by) % len(keys)

        return moved

    _bind(opened, {"<any>": write, "backspace": erase, "c-m": enter, "down": move(1), "up": move(-1)})


def _confirm(prompt: Prompt) -> "Opened":
    """Yes or no by one key; Enter alone only where there is a default."""
    import questionary

    yes, no = ("Y" if prompt.default is True else "y"), ("N" if prompt.default is False else "n")
    opened = questionary.confirm(prompt.text, default=bool(prompt.default), instruction=f"({yes}/{no}) ")
    words = ["u", "q", *(word for word, _ in prompt.extra)]
    _bind(opened, {word: partial(_leave, end=_command(prompt, word)) for word in words})
    if prompt.default is None:
        _bind(opened, {"c-m": lambda event: None})
    return opened


def _text(prompt: Prompt) -> "Opened":
    """A line to type, looked at before it is taken."""
    import questionary

    def valid(text: str) -> bool | str:
        word = text.strip()
        if word in ("u", "q") or (not word and prompt.default is not None):
            return True
        if word == "?" or not word:
            return f"Answer: {prompt.legal}"
        return checked(prompt, text) or True

    default = shown_default(prompt)
    legal = "; ".join([prompt.legal, *(f"{word} {what}" for word, what in prompt.extra)])
    return questionary.text(
        prompt.text, validate=valid, instruction=f"({legal}) " + (f"[{default}] " if default else "")
    )


def _checkbox(prompts: list[Prompt]) -> "Opened":
    """A list of questions to tick; those that default to yes are ticked."""
    import questionary

    room = _room()
    choices = [
        questionary.Choice(_cut(prompt.text, room), str(number), checked=prompt.default is True)
        for number, prompt in enumerate(prompts)
    ]
    opened = questionary.checkbox("Tick what applies", choices, instruction="(Space ticks, Enter when done)")
    _bind(opened, {"u": partial(_leave, end=Back()), "q": partial(_leave, end=Quit())})
    return opened


def _room() -> int:
    """How many columns a line of a list may take."""
    return max(shutil.get_terminal_size().columns - 8, 20)


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else text[: room - 1] + "…"


def _command(prompt: Prompt, word: str) -> Exception | str:
    """What a command does: an exception to end with, an answer as it stands, or nothing (an empty text)."""
    if word in ("u", "q"):
        return Back() if word == "u" else Quit()
    return word if word in {extra for extra, _ in prompt.extra} else ""


def _leave(event: "KeyPressEvent", end: BaseException | str) -> None:
    if isinstance(end, BaseException):
        event.app.exit(exception=end, style="class:aborting")
    else:
        event.app.exit(result=end)


def _suspend(event: "KeyPressEvent") -> None:
    event.app.suspend_to_background()


def _bind(opened: "Opened", keys: "dict[str, Callable[[KeyPressEvent], None]]") -> None:
    """Add keys to a prompt, before all that it has."""
    from prompt_toolkit.key_binding import KeyBindings, merge_key_bindings

    bindings = KeyBindings()
    for key, handler in keys.items():
        bindings.add(key, eager=key != "<any>")(handler)
    app = opened.application
    app.key_bindings = merge_key_bindings([bound for bound in (app.key_bindings, bindings) if bound is not None])
