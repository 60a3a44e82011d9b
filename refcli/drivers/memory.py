"""What a player has answered before and may want to answer again: offered, never assumed.

Answers that were taken back are offered again where they are still asked; those of the last walk of the same chart
in this sitting stand in for them. A question is known again by its place: the runs it is asked in (by the names of
the records they are run for) and its fact.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from refcli.core.errors import ReplyError
from refcli.core.fact import Fact
from refcli.core.need import Ask, Draw, Need, Question, Roll, Slot, accept, read_answer
from refcli.core.position import Position
from refcli.core.ruling import plain
from refcli.core.scope import Scope
from refcli.core.walk import Walk
from refcli.drivers.history import Done
from refcli.drivers.loop import Supplied

Place = tuple[Any, ...]
"""Where something is asked; equal places ask the same."""

AGAIN, LAST = "as before", "as last time"


def place_of(walk: Walk, question: Question) -> Place:
    """The place of a question."""
    slot, position = question.slot, walk.position
    record = "" if slot.record is None else subject(position, slot)
    return (
        *_runs(position, slot.depth),
        question.chart if slot.depth < 0 else "",
        slot.name,
        record,
        slot.field,
        slot.column,
    )


def kind_of(walk: Walk, question: Question) -> Place:
    """The place of a question without the records: the same for every man who is asked it."""
    slot = question.slot
    charts = tuple(frame.chart.id for frame in walk.position.frames[: slot.depth + 1])
    return (*charts, slot.name, slot.field, slot.column)


def throw_of(walk: Walk, need: Roll | Draw) -> Place:
    """The place of a roll or draw."""
    return (*_runs(walk.position, len(walk.position.frames) - 1), need.node, need.name)


def _runs(position: Position, depth: int) -> tuple[Any, ...]:
    """The runs down to a depth: which node ran which chart for which record."""
    return tuple(
        (frame.via.id if frame.via else "", frame.chart.id, subject(position, frame.record) if frame.record else "")
        for frame in position.frames[: depth + 1]
    )


def subject(position: Position, record: Slot) -> str:
    """What a record is called."""
    slot = Slot(record.depth, record.name, record.record)
    return Scope(position, len(position.frames) - 1, {}).subject(slot)


def answers_in(done: Iterable[Done], *, throws: bool = True) -> list[tuple[Place, Any]]:
    """The places that were answered, each with its value, in order; `throws` has rolls and draws among them."""
    found: list[tuple[Place, Any]] = []
    for one in done:
        need = one.need
        try:
            value = accept(need, one.reply)
        except ReplyError:  # it was taken once, so this cannot be
            continue
        if isinstance(need, Ask):
            for key, answer in value.items():
                question = need.question(key)
                if question is not None:
                    found.append((place_of(one.walk, question), answer))
        elif isinstance(need, Roll | Draw) and throws:
            found.append((throw_of(one.walk, need), value))
    return found


class Memory:
    """Answers to offer: those taken back, then those of the last walk.

    Args:
        last: answers of the last walk of the chart, by place, in order.
    """

    def __init__(self, last: Mapping[Place, list[Any]] | None = None) -> None:
        self.again: dict[Place, list[Any]] = {}
        self.last = {place: list(values) for place, values in (last or {}).items()}

    def keep(self, cut: Iterable[Done]) -> None:
        """Keep what has been taken back; what was taken back before comes after it."""
        fresh: dict[Place, list[Any]] = {}
        for place, value in answers_in(
            one for one in cut if one.source not in ("default", "rolled", "drawn", "placeholder")
        ):
            fresh.setdefault(place, []).append(value)
        for place, values in fresh.items():
            self.again[place] = values + self.again.get(place, [])

    def offer(self, place: Place, fact: Fact | None = None) -> tuple[Any, str] | None:
        """The answer to offer at a place and where it comes from; None without one that is legal there."""
        for store, origin in ((self.again, AGAIN), (self.last, LAST)):
            for value in store.get(place, ())[:1]:
                if fact is None or _fits(fact, value):
                    return value, origin
        return None

    def spent(self, place: Place) -> None:
        """A place has been answered: what was offered there is not offered a second time."""
        for store in (self.again, self.last):
            if store.get(place):
                del store[place][0]


def _fits(fact: Fact, value: Any) -> bool:
    try:
        read_answer(fact, plain(value))
    except ReplyError:
        return False
    return True


class Known:
    """A supplier of what was answered, rolled and drawn on a walk, each at its own place; it knows nothing else."""

    def __init__(self, done: Iterable[Done]) -> None:
        self.values: dict[Place, list[Any]] = {}
        for place, value in answers_in(done):
            self.values.setdefault(place, []).append(value)

    def supply(self, walk: Walk, need: Need) -> Supplied | None:
        """The answers that are known; None where none is."""
        if isinstance(need, Ask):
            answers = {}
            for question in (*need.questions, *need.behind):
                values = self.values.get(place_of(walk, question))
                if values:
                    answers[question.key] = plain(values.pop(0))
            return Supplied(answers, "asked") if answers else None
        if isinstance(need, Roll | Draw):
            values = self.values.get(throw_of(walk, need))
            return Supplied(plain(values.pop(0)), "asked") if values else None
        return None
