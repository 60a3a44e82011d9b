"""What would be if one answer were another: the answers so far, and two walks compared. Nothing is changed."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from refcli.core.errors import ReplyError
from refcli.core.fact import Fact
from refcli.core.need import Ask, Draw, Need, Outcome, Question, Reply, Roll, accept
from refcli.core.struct import Struct
from refcli.core.walk import Walk
from refcli.drivers.answers import clean
from refcli.drivers.chance import Chance
from refcli.drivers.history import Done, History, Supplies, Watches
from refcli.drivers.memory import Known
from refcli.drivers.words import about, describe, value_words

SHOWN = ("asked", "told", "given", "rolled", "drawn", "placeholder")
"""The sources of replies that are listed: not the defaults that nobody was asked for."""


class Answer(Struct):
    """One thing that was answered: the place of its reply in the history (from 0), its question or throw, its value.

    `question` is None for a roll or card; `field` is the card's field.
    """

    place: int
    need: Need
    value: Any
    question: Question | None = None
    field: str = ""

    @property
    def fact(self) -> Fact | None:
        """The fact it answers; None for a roll."""
        if self.question is not None:
            return self.question.fact
        return self.need.deck.fields.get(self.field) if isinstance(self.need, Draw) else None

    def __str__(self) -> str:
        return clean(f"{_name(self)}: {value_words(self.fact, self.value)}")


def _name(answer: Answer) -> str:
    if answer.question is not None:
        return about(answer.question).removesuffix("?").removesuffix(":")
    need = answer.need
    if isinstance(need, Draw) and answer.fact is not None:
        return answer.fact.ask.rstrip("?:")
    return (need.label or need.name.replace("_", " ")) if isinstance(need, Roll | Draw) else ""


def answers_so_far(history: History) -> list[Answer]:
    """Everything that was answered, rolled or drawn, oldest first, one by one."""
    found: list[Answer] = []
    for place, done in enumerate(history.done):
        if done.source in SHOWN:
            found += answers_of_reply(place, done)
    return found


def answers_of_reply(place: int, done: Done) -> list[Answer]:
    """What one reply answered."""
    need = done.need
    try:
        value = accept(need, done.reply)
    except ReplyError:  # it was taken once, so this cannot be
        return []
    if isinstance(need, Ask):
        asked = [(need.question(key), answer) for key, answer in value.items()]
        return [Answer(place, need, answer, question) for question, answer in asked if question is not None]
    if isinstance(need, Draw):
        return [
            Answer(place, need, part, None, field)
            for field, part in value.items()
            if not need.deck.fields[field].columns
        ]
    return [Answer(place, need, value)]


def changed_reply(done: Done, answer: Answer, value: Any) -> Reply:
    """The reply with one of its answers changed."""
    key = answer.question.key if answer.question is not None else answer.field
    if not key:
        reply: Reply = value
        return reply
    return {**(done.reply if isinstance(done.reply, Mapping) else {}), key: value}


def what_if(history: History, answer: Answer, value: Any) -> Walk:
    """The walk as it would stand had that answer been another, as far as all else is known.

    Raises:
        ReplyError: the value does not fit.
        WalkError: the walk cannot go on.
    """
    done = history.done[answer.place]
    rest: list[Supplies] = [Known(history.done[answer.place + 1 :])]
    # those who know answers beforehand, or take what nobody is asked; not the player, and no new dice
    rest += [one for one in history.suppliers if not isinstance(one, Watches | Chance)]
    return history.trial(answer.place, changed_reply(done, answer, value), rest)


def compared(now: Walk, then: Walk, ledger: Callable[[Walk], Sequence[str]]) -> list[str]:
    """What would be different, in lines.

    Args:
        now: the walk as it stands.
        then: the walk as it would stand.
        ledger: what has counted on a walk, in lines.
    """
    lines = []
    is_lines, would_lines = _ledgers(now, then, ledger)
    lines += [f"Now: {line}" for line in is_lines] + [f"Then: {line}" for line in would_lines]
    need, other = now.need, then.need
    if isinstance(other, Outcome):
        lines.append(f"Then the ruling is: {_ruling(other)}")
        if isinstance(need, Outcome):
            lines.append("The ruling is the same." if _same(need, other) else f"Now it is: {_ruling(need)}")
            lines += _effects(now, then)
        return lines
    if need == other and not lines:
        return ["Nothing is different so far; the same comes next."]
    if need == other:
        return [*lines, "The same comes next."]
    return [*lines, f"Then comes next: {describe(other).rpartition(' (')[0]}"]


def _ledgers(now: Walk, then: Walk, ledger: Callable[[Walk], Sequence[str]]) -> tuple[list[str], list[str]]:
    """The lines of either ledger that the other has not, at most 8 each."""
    mine, other = [line.strip() for line in ledger(now)], [line.strip() for line in ledger(then)]
    # of a walk that goes on, what the other has not come to yet is no difference
    is_whole = isinstance(then.need, Outcome) or now.need == then.need
    gone = [line for line in mine if line not in other] if is_whole else []
    fresh = [line for line in other if line not in mine]
    return gone[:8], fresh[:8]


def _ruling(outcome: Outcome) -> str:
    return clean(f"{outcome.title.upper()}. {outcome.says}".strip())


def _same(one: Outcome, other: Outcome) -> bool:
    return (one.chart, one.id, one.says, one.effects) == (other.chart, other.id, other.says, other.effects)


def _effects(now: Walk, then: Walk) -> list[str]:
    mine, other = ([clean(effect) for step in walk.trail for effect in step.effects] for walk in (now, then))
    gone = [f"No longer: {effect}" for effect in mine if effect not in other]
    return gone + [f"Also: {effect}" for effect in other if effect not in mine]


__all__ = ["Answer", "answers_of_reply", "answers_so_far", "changed_reply", "compared", "what_if"]
