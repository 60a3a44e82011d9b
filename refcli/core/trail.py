"""The audit trail: what a walk did, step by step, for people. It never decides anything."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from refcli.core.struct import Struct


class Used(Struct):
    """A fact that a step read for the first time: its `value` and how it was answered.

    `source` is 'given', 'asked', 'default', 'rolled' or 'drawn'; `card` tells for a card's field the depth and name
    of the card and the column, if it has one.
    """

    name: str
    value: Any
    source: str
    note: str = ""
    card: tuple[int, str, int | None] | None = None


class Line(NamedTuple):
    """One line of a tally: where it started, what was added, or what it was multiplied or divided by (`op`)."""

    label: str
    amount: int
    op: str = "add"


class Step(Struct):
    """One step: the node, what kind it is, its label and value, and the way on.

    `kind` is do, decide, set, tally, roll, draw, table, run, each, record, back or outcome; `depth` counts calls
    from 0. `value` is the node's value (None where it has none); `to` the next node or outcome. `notes` are the
    readings met, `effects` what an outcome has the players do, `name` the name a roll or draw made,
    `origin` what the caller called the roll or card that he handed over; `deck` the full name of the deck that a
    card was drawn from, and `placeholder` whether from its placeholder only. `changed` is what an outcome changed in
    records: each slot with its new value.
    """

    chart: str
    node: str
    kind: str
    depth: int
    label: str
    value: Any = None
    lines: tuple[Line, ...] = ()
    to: str = ""
    page: str = ""
    notes: tuple[str, ...] = ()
    used: tuple[Used, ...] = ()
    effects: tuple[str, ...] = ()
    name: str = ""
    origin: str = ""
    deck: str = ""
    placeholder: bool = False
    changed: tuple[tuple[Any, Any], ...] = ()


class Trail:
    """The steps so far; adding one leaves the old trail as it was."""

    __slots__ = ("before", "length", "step")

    def __init__(self, before: "Trail | None" = None, step: Step | None = None) -> None:
        self.before = before
        self.step = step
        self.length: int = before.length + 1 if before is not None else 0

    def plus(self, step: Step) -> "Trail":
        """This trail and one more step."""
        return Trail(self, step)

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps, first to last."""
        found: list[Step] = []
        trail: Trail | None = self
        while trail is not None and trail.step is not None:
            found.append(trail.step)
            trail = trail.before
        return tuple(reversed(found))

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __len__(self) -> int:
        return self.length

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trail) and self.steps == other.steps

    def __hash__(self) -> int:
        return hash((self.length, self.step))
