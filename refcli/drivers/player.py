"""A player at the table: which question comes next, and what he is told on the way; how it looks is left to others.

Both front ends, plain and terminal, are this player with a way of their own to `ask` one prompt, so they take the
same answers in the same order. One question is asked at a time and answered on its own: so each can be taken back.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from typing import Any, TextIO

from refcli.core.errors import ReplyError
from refcli.core.fact import Choice, Fact, Kind
from refcli.core.need import MAX_RECORDS, Ask, Draw, Need, Question, Roll
from refcli.core.struct import Struct
from refcli.core.walk import Walk
from refcli.drivers.answers import clean, plural, read_count, read_roll, read_text
from refcli.drivers.chance import Chance
from refcli.drivers.loop import Back, Supplied
from refcli.drivers.words import about, legal_answers, more_about, passed


class Prompt(Struct, kw_only=True):
    """One thing to be typed or picked. All its words are clean.

    `legal` says in a few words what may be answered, `more` are lines of help. `read` makes a value of what was
    typed. `default` is taken for nothing typed, None where something must be. `extra` are words that are answers as
    they stand, each with what it does.
    """

    text: str
    read: Callable[[str], Any]
    kind: Kind = Kind.TEXT
    legal: str = ""
    more: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()
    default: Any = None
    extra: tuple[tuple[str, str], ...] = ()


class NoInputError(Exception):
    """There is nobody to ask: the input ended before anything was read from it."""


class Player(ABC):
    """Supplies what a person answers.

    Args:
        writer: where talk goes.
        chance: rolls and draws when the player says so; without it he has dice of his own.
    """

    forms = False
    """Whether several yes/no questions may be ticked in one list."""

    def __init__(self, writer: TextIO, chance: Chance | None = None) -> None:
        self.writer = writer
        self.chance = chance
        self.auto = False
        self._told = 0
        self._own: set[int] = set()
        self._chart = ""

    @abstractmethod
    def ask(self, prompt: Prompt) -> Any:
        """The answer to one prompt: a value that its `read` gave, its default, or one of its `extra` words.

        Raises:
            Back, Quit, EOFError, KeyboardInterrupt: see `Supplier`.
            NoInputError: there is nobody to ask.
        """

    def tick(self, questions: list[Question]) -> dict[str, Any]:
        """The answers to several yes/no questions at once, by key; only where `forms` is set."""
        raise NotImplementedError

    def supply(self, walk: Walk, need: Need) -> Supplied | None:
        """The player's reply: one question's answer, a form's, a roll or a card."""
        try:
            self.prepare()
        except NoInputError:
            return None
        self.tell(walk)
        if isinstance(need, Ask | Roll | Draw) and need.chart != self._chart:
            self._chart = need.chart
            self.say(f"— {walk.position.top.chart.title} —")
        match need:
            case Ask(questions=questions):
                return Supplied(self._answers(list(questions)), "asked")
            case Roll():
                return self._roll(walk, need)
            case Draw():
                return self._draw(walk, need)
        return None

    def prepare(self) -> None:  # noqa: B027 -- most players are there
        """See that there is somebody to ask, before anything is said.

        Raises:
            NoInputError: there is not.
        """

    def say(self, text: str) -> None:
        """Print a line of talk."""
        self.writer.write(clean(text) + "\n")
        self.writer.flush()

    def tell(self, walk: Walk, *, dice_only: bool = False) -> None:
        """Tell what the walk has passed since the last time: instructions, whose turn it is, dice and cards.

        Args:
            walk: where it stands now.
            dice_only: leave out what the ruling will say.
        """
        steps = walk.trail.steps
        self._own = {index for index in self._own if index < len(steps)}  # going back takes steps away
        for index in range(min(self._told, len(steps)), len(steps)):
            step = steps[index]
            line = "" if index in self._own or (dice_only and step.kind not in ("roll", "draw")) else passed(step)
            if line:
                self.say(line)
        self._told = len(steps)

    def _answers(self, questions: list[Question]) -> dict[str, Any]:
        first = questions[0]
        together = [q for q in questions if q.fact.kind is Kind.YES_NO]
        if self.forms and first.fact.kind is Kind.YES_NO and len(together) > 1:
            return self.tick(together)
        if first.fact.kind is Kind.LIST:
            return {first.key: self._records(first)}
        return {first.key: self.ask(prompt_for(first))}

    def _records(self, question: Question) -> list[dict[str, Any]]:
        """How many records, then the text fields of each: all else is asked when the path needs it."""
        fact = question.fact
        names = [field for field in fact.fields if field.kind is Kind.TEXT]
        some = plural(fact.noun)
        asked = about(question)
        asked = asked if asked.endswith(("?", ".", ":")) else f"{asked}:"
        count_prompt = Prompt(
            text=f"{asked} How many {some}?",
            legal=f"0 to {MAX_RECORDS}",
            read=lambda text: read_count(text, MAX_RECORDS, fact.noun),
            more=more_about(fact),
        )
        at = -1
        records: list[dict[str, Any]] = []
        while at < len(records) * len(names):  # from -1, the count, on through all names; Back goes down
            try:
                if at < 0:
                    records = [{} for _ in range(self.ask(count_prompt))]
                else:
                    number, field = at // len(names), names[at % len(names)]
                    text = self.ask(_name_prompt(field, f"{fact.noun} {number + 1}"))
                    records[number] = {**records[number], field.name: text} if text else records[number]
                at += 1
            except Back:
                if at < 0:
                    raise
                at -= 1
        return records

    def _roll(self, walk: Walk, need: Roll) -> Supplied:
        name = need.label or need.name.replace("_", " ")
        if self.auto and self.chance is not None:
            return Supplied(self.chance.roll(need), "rolled")
        if need.pool is None:
            what, legal = f"roll {need.dice}", f"{need.dice.low} to {need.dice.high}"
        else:
            what, legal = f"roll {need.pool} × {need.dice}", f"the {need.pool} dice, such as 3 5 1"
        prompt = Prompt(
            text=f"{clean(name)}: {what}", legal=legal, read=partial(read_roll, need), extra=self._extra("rolls")
        )
        reply = self.ask(prompt)
        if self.by_chance(reply) and self.chance is not None:
            return Supplied(self.chance.roll(need), "rolled")
        self._own.add(len(walk.trail))
        return Supplied(reply, "asked")

    def _draw(self, walk: Walk, need: Draw) -> Supplied:
        known = self.chance is not None and need.deck.can_be_drawn
        if self.auto and known and self.chance is not None:
            return self.chance.draw(walk, need)
        self.say(f"{need.label or 'Draw a card'}: {need.deck.title}")
        self._own.add(len(walk.trail))
        if need.first is None:
            return Supplied({}, "told")
        fact = need.first
        prompt = Prompt(
            text=clean(fact.ask),
            kind=fact.kind,
            legal=legal_answers(fact),
            read=partial(read_text, fact),
            more=more_about(fact),
            choices=_clean_choices(fact),
            extra=self._extra("draws from a placeholder" if need.deck.uses_placeholder else "draws") if known else (),
        )
        reply = self.ask(prompt)
        if known and self.by_chance(reply) and self.chance is not None:
            self._own.discard(len(walk.trail))
            return self.chance.draw(walk, need)
        return Supplied({fact.name: reply}, "asked")

    def _extra(self, verb: str) -> tuple[tuple[str, str], ...]:
        return (("r", f"{verb} for you"), ("R", f"{verb} from now on")) if self.chance is not None else ()

    def by_chance(self, reply: Any) -> bool:
        """Whether the reply leaves it to chance, this time or (R) from now on."""
        if not isinstance(reply, str) or reply not in ("r", "R"):
            return False
        self.auto = self.auto or reply == "R"
        return True

    def mark(self) -> Any:
        """What is used of chance by now."""
        return self.chance.mark() if self.chance is not None else None

    def rewind(self, mark: Any) -> None:
        """Be as at that mark again."""
        if self.chance is not None:
            self.chance.rewind(mark)


def prompt_for(question: Question) -> Prompt:
    """The prompt of a question that has one answer."""
    fact = question.fact
    default = question.default
    return Prompt(
        text=about(question),
        kind=fact.kind,
        legal=legal_answers(fact),
        read=partial(read_text, fact),
        more=more_about(fact, question.slot.column),
        choices=_clean_choices(fact),
        default=default,
    )


def _name_prompt(field: Fact, subject: str) -> Prompt:
    return Prompt(
        text=clean(f"{subject}: {field.ask}"), legal="or nothing", read=partial(read_text, field), default=""
    )


def options(prompt: Prompt) -> list[str]:
    """The choices as lines: number, label, and the key where it is another word."""
    lines = []
    for number, choice in enumerate(prompt.choices, 1):
        same = choice.key.replace("_", " ").casefold() == choice.label.casefold()
        lines.append(f"{number} {choice.label}" + ("" if same else f" ({choice.key})"))
    return lines


def shown_default(prompt: Prompt) -> str:
    """The preselected answer as the player would type it; nothing where there is none."""
    if prompt.default is None:
        return ""
    if isinstance(prompt.default, bool):
        return "y" if prompt.default else "n"
    return clean(str(prompt.default))


def _clean_choices(fact: Fact) -> tuple[Choice, ...]:
    return tuple(Choice(choice.key, clean(choice.label) or choice.key) for choice in fact.choices)


def checked(prompt: Prompt, text: str) -> str:
    """Why a text is no answer to the prompt; nothing where it is one."""
    if text.strip() in {word for word, _ in prompt.extra}:
        return ""
    try:
        prompt.read(text)
    except ReplyError as fault:
        return clean(str(fault))
    return ""
