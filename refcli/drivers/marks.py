"""What a walk has made of the men and vehicles of a roster, and what it scores: to be kept in the roster's file.

A mark is what held before and holds no longer by some outcome. What a chart only notes for the next one, a number or
word that nobody has answered before, is none.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from refcli.core.chart import Chart
from refcli.core.fact import Fact, Kind
from refcli.core.need import Outcome, Slot
from refcli.core.records import shown_name
from refcli.core.roster import Group, Roster, fields_for
from refcli.core.struct import Struct
from refcli.core.values import Frozen
from refcli.core.walk import Walk
from refcli.drivers.answers import clean
from refcli.drivers.rosters import Rosters
from refcli.drivers.words import value_words


class Mark(Struct):
    """What one record of a roster is to say of a fact from now on; `number` is its place in the group, from 0."""

    roster: Roster
    group: Group
    number: int
    fact: Fact
    value: Any

    @property
    def who(self) -> str:
        """What the record is called."""
        return shown_name(self.group.names[self.number]) or f"{self.number + 1} of {self.group.name}"


class Gain(Struct):
    """What a side of a roster scores by a ruling, by name."""

    roster: Roster
    side: str
    adds: dict[str, int]

    def __str__(self) -> str:
        totals = self.roster.scores[self.side]
        adds = ", ".join(f"{_spoken(name)} {totals[name]} {add:+}" for name, add in self.adds.items())
        return f"{_spoken(self.side)}: {adds}".replace("-", "−")


class Marks(Struct):
    """Everything that could be kept of a walk: marks, what each side could score, and who is in no roster."""

    marks: tuple[Mark, ...] = ()
    gains: tuple[Gain, ...] = ()
    strangers: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.marks or self.gains)

    def lines(self) -> list[str]:
        """The marks in words: each fact with the men it is true of."""
        found: dict[str, list[str]] = {}
        for mark in self.marks:
            name = _spoken(mark.fact.name)
            is_no = mark.fact.kind is Kind.YES_NO and not mark.value
            what = f"no longer {name}" if is_no else name
            value = "" if mark.fact.kind is Kind.YES_NO else f" {value_words(mark.fact, mark.value)}"
            found.setdefault(what, []).append(f"{mark.who}{value}")
        lines = [clean(f"{what}: {', '.join(who)}") for what, who in found.items()]
        return lines + ([clean(f"(in no roster: {', '.join(self.strangers)})")] if self.strangers else [])


def marks_of(walk: Walk, rosters: Rosters) -> Marks:
    """What could be kept of a finished walk in the rosters at hand."""
    chart = walk.position.frames[0].chart
    outcome = walk.need
    if not rosters.files or not isinstance(outcome, Outcome):
        return Marks()
    seeker = _Seeker(chart, rosters)
    found: list[Mark] = []
    strangers: dict[str, None] = {}
    for slot, fact, value in _changed(walk, chart):
        owner, record = seeker.owner(slot), walk.records[Slot(slot.depth, slot.name)][slot.record or 0]
        there = seeker.find(slot, owner, record)
        if there is None:
            strangers[_called(owner, record, slot)] = None
        elif there[1].records[there[2]].get(fact.name) != value:
            found.append(Mark(*there, fact, value))
    gains = tuple(_gains(outcome, rosters.files))
    return Marks(tuple(found), gains, tuple(strangers) if found else ())


def _changed(walk: Walk, chart: Chart) -> Iterator[tuple[Slot, Fact, Any]]:
    """Every field of a record that an outcome has changed from what held before, with its value at the end."""
    last: dict[Slot, Any] = {}
    for step in walk.trail.steps:
        last.update((slot, value) for slot, value in step.changed if slot.depth <= 0 and slot.record is not None)
    for slot, value in last.items():
        owner = (chart.facts if slot.depth == 0 else chart.book.facts)[slot.name]
        fact = next(field for field in owner.fields if field.name == slot.field)
        before = walk.records[Slot(slot.depth, slot.name)][slot.record or 0].get(fact.name)
        if before is None and fact.default is not None and fact.default.is_constant:
            before = fact.default(None)
        if value != before and (before is not None or value is True):
            yield slot, fact, value


def _gains(outcome: Outcome, rosters: Iterable[Roster]) -> Iterator[Gain]:
    """What each side could score."""
    for roster in rosters:
        for side, totals in roster.scores.items():
            adds = {name: outcome.gives[name] for name in totals if _is_number(outcome.gives.get(name))}
            if any(adds.values()):
                yield Gain(roster, side, adds)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


class _Seeker:
    """Finds the records of a walk in the rosters again; none stands for two."""

    def __init__(self, chart: Chart, rosters: Rosters) -> None:
        self.chart = chart
        self.all = [
            (roster, group, number)
            for roster in rosters.files
            if roster.book == chart.book.id
            for group in roster.groups
            for number in range(len(group.records))
        ]
        self.found: dict[tuple[Slot, int], tuple[Roster, Group, int] | None] = {}

    def owner(self, slot: Slot) -> Fact:
        """The list that a field's record is in."""
        return (self.chart.facts if slot.depth == 0 else self.chart.book.facts)[slot.name]

    def find(self, slot: Slot, owner: Fact, record: Frozen) -> tuple[Roster, Group, int] | None:
        """The record of a roster that one of the walk was: by its name, else by all that the roster says of it."""
        key = Slot(slot.depth, slot.name), slot.record or 0
        if key not in self.found:
            name = _name(owner, record).casefold()
            taken = [(group, number) for place in self.found.values() if place for _, group, number in [place]]
            near = [one for one in self.all if one[1].names[one[2]].casefold() == name and one[1:] not in taken]
            if len(near) != 1 or not name:
                near = [one for one in near if _agrees(owner, one[1].records[one[2]], record)]
            groups = {one[1].name for one in near}
            self.found[key] = near[0] if len(near) == 1 or (near and len(groups) == 1) else None
        return self.found[key]


def _agrees(owner: Fact, written: Frozen, record: Frozen) -> bool:
    """Whether all that a roster says of a record held of one of the walk, before outcomes changed it."""
    said = fields_for(owner, written)
    return bool(said) and all(record.get(name) == value for name, value in said.items())


def _name(owner: Fact, record: Frozen) -> str:
    texts = (field.name for field in owner.fields if field.kind is Kind.TEXT)
    return next((str(record[name]).strip() for name in texts if str(record.get(name, "")).strip()), "")


def _called(owner: Fact, record: Frozen, slot: Slot) -> str:
    return shown_name(_name(owner, record)) or f"{owner.noun} {(slot.record or 0) + 1}"


def _spoken(name: str) -> str:
    return name.replace("_", " ")
