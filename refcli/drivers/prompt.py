"""One thing to be typed or picked: its words, what may be answered, and what a typed line means.

Both front ends, plain lines and the keys of a terminal, read a line by `read_line`: they take the same answers.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from refcli.core.errors import ReplyError
from refcli.core.fact import Choice, Fact, Kind
from refcli.core.need import Question
from refcli.core.records import shown_name
from refcli.core.struct import Struct
from refcli.drivers.answers import clean, read_text
from refcli.drivers.words import about, legal_answers, more_about, notes_on

AIDS = {
    "?": "explains",
    "u": "takes the last answer back; u 3 the last three, U picks one from a list",
    "w": "why: all that has counted so far, and where it stands in the source",
    "i": "what if: change one answer and see what would come of it; nothing is changed",
    "g": "explains the abbreviations on the screen; G any other",
    "q": "keeps what you have entered, and quits",
}
"""What can be asked for at every prompt, each with what it does."""

WORDS = {*AIDS, "U", "G"}
LIKE = ("=", "all like the one before")
"""Told beside a question that somebody before was asked too."""
TAKES_MORE = {"u", "g"}
"""Aids after which more may be typed."""


class Command(Struct):
    """Something other than an answer: an aid, or one of a prompt's `extra` words; `rest` is what was typed behind."""

    word: str
    rest: str = ""


class Prompt(Struct, kw_only=True):
    """One thing to be typed or picked. All its words are clean.

    `legal` says in a few words what may be answered, `more` are lines of help, `notes` what only
    whoever asks for help is told, `offers` lines to pick from. `read`
    makes a value of what was typed. `default` is taken for nothing typed, None where something must be; `origin`
    tells where it comes from where that is not the chart. `extra` are words that act, each with what it does; those
    in `quiet` are told of only in the help. A name (`is_name`) may be any text; choices with `has_keys` are typed by
    their keys too.
    """

    text: str
    read: Callable[[str], Any]
    kind: Kind = Kind.TEXT
    legal: str = ""
    more: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()
    default: Any = None
    origin: str = ""
    extra: tuple[tuple[str, str], ...] = ()
    quiet: tuple[tuple[str, str], ...] = ()
    is_name: bool = False
    has_keys: bool = True

    @property
    def words(self) -> set[str]:
        """All words that act here without being answers."""
        return {word for word, _ in (*self.extra, *self.quiet)}

    @property
    def hints(self) -> list[str]:
        """The words that act, as they are told of beside the question."""
        shown = (*self.extra, LIKE) if any(word == LIKE[0] for word, _ in self.quiet) else self.extra
        return [f"{word} {what}" for word, what in shown]


def prompt_for(
    question: Question, default: Any = None, origin: str = "", quiet: tuple[tuple[str, str], ...] = ()
) -> Prompt:
    """The prompt of a question that has one answer; `default` goes over the question's own."""
    fact = question.fact
    return Prompt(
        text=about(question),
        kind=fact.kind,
        legal=legal_answers(fact),
        read=partial(read_text, fact),
        more=more_about(fact, question.slot.column),
        notes=notes_on(fact, question.slot.column),
        choices=clean_choices(fact),
        default=question.default if default is None else default,
        origin=origin if default is not None else "",
        quiet=quiet,
        is_name=fact.kind is Kind.TEXT,
    )


def clean_choices(fact: Fact) -> tuple[Choice, ...]:
    """A fact's choices with labels that are safe to print."""
    return tuple(Choice(choice.key, clean(choice.label) or choice.key) for choice in fact.choices)


def read_line(prompt: Prompt, text: str) -> Any:
    """What a line means that was typed at a prompt: a value, or a Command.

    A choice of the very name of a command comes first. Where a name is asked for, only the bare letter is a command.

    Raises:
        ReplyError: it is no answer; says what would be.
    """
    word, _, rest = text.strip().partition(" ")
    whole = text.strip()
    own = {choice.key for choice in prompt.choices}
    if whole in prompt.words - own:
        return Command(whole)
    if whole in WORDS - own:
        return Command(whole)
    if rest and word in TAKES_MORE and not prompt.is_name and prompt.kind is not Kind.CHOICE:
        return Command(word, rest.strip())
    if rest and word in TAKES_MORE and prompt.kind is Kind.CHOICE and not _reads(prompt, text):
        return Command(word, rest.strip())
    if not whole and prompt.default is not None:
        return prompt.default
    if not whole:
        raise ReplyError(f"an answer is needed: {prompt.legal}")
    return prompt.read(text)


def _reads(prompt: Prompt, text: str) -> bool:
    try:
        prompt.read(text)
    except ReplyError:
        return False
    return True


def checked(prompt: Prompt, text: str) -> str:
    """Why a text is no answer to the prompt, nor a command; nothing where it is one."""
    try:
        read_line(prompt, text)
    except ReplyError as fault:
        return clean(str(fault))
    return ""


def is_complete(prompt: Prompt, text: str) -> bool:
    """Whether a typed number is an answer that no further digit could make another: Enter is not needed."""
    if not text or not text.lstrip("-−").isdigit() or not _reads(prompt, text):
        return False
    return not any(_reads(prompt, text + more) for more in (*"0123456789", " 1"))


def options(prompt: Prompt) -> list[str]:
    """The choices as lines: number, label, and the key where it is another word."""
    lines = []
    for number, choice in enumerate(prompt.choices, 1):
        same = choice.key.replace("_", " ").casefold() == choice.label.casefold()
        lines.append(f"{number} {choice.label}" + ("" if same or not prompt.has_keys else f" ({choice.key})"))
    return lines


def shown_value(value: Any) -> str:
    """A value as the player would type it."""
    if isinstance(value, bool):
        return "y" if value else "n"
    return clean(" ".join(map(str, value)) if isinstance(value, tuple | list) else str(value))


def value_shown(prompt: Prompt, value: Any) -> str:
    """A value as it reads: a choice by its label."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    label = next((choice.label for choice in prompt.choices if choice.key == value), None)
    if isinstance(value, list) and any(isinstance(one, dict) for one in value):
        named = [shown_name(next((part for part in one.values() if isinstance(part, str)), "")) for one in value]
        return clean(", ".join(named)) if all(named) else str(len(value))
    return shown_value(value) if label is None else label


def shown_default(prompt: Prompt) -> str:
    """The preselected answer, a choice by its label, with where it comes from; nothing where there is none."""
    if prompt.default is None or prompt.default == "":
        return ""
    is_picked = prompt.kind is Kind.CHOICE or isinstance(prompt.default, list)
    shown = value_shown(prompt, prompt.default) if is_picked else shown_value(prompt.default)
    return f"{shown}, {prompt.origin}" if prompt.origin else shown
