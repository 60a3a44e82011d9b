"""What a name means at a point of a walk: made names, facts and who answers them, records, cards, results."""

from collections.abc import Callable, Iterator
from typing import Any

from refcli.core.expr import Expr
from refcli.core.fact import Fact
from refcli.core.need import Slot
from refcli.core.position import Frame, Position
from refcli.core.records import record_name
from refcli.core.struct import Struct
from refcli.core.values import EMPTY, Frozen


class Missing(Struct):
    """A fact that nobody has answered yet: where its answer goes, whose chart asks, and what it is about."""

    slot: Slot
    fact: Fact
    chart: str
    subject: str = ""


class UnknownError(Exception):
    """A value cannot be worked out before these facts are answered."""

    def __init__(self, missing: list[Missing]) -> None:
        self.missing = missing
        super().__init__()


class Handed(Struct):
    """A fact answered by the `with` of the run that made frame `depth`."""

    depth: int
    name: str


class Scope:
    """The names in sight of the frame at `depth`; `inner` (a record or result) comes first.

    Every fact that is read is noted in `used`, by slot.
    """

    __slots__ = ("depth", "frame", "inner", "position", "used")

    def __init__(
        self, position: Position, depth: int, used: dict[Slot, Any], inner: "tuple[Inner, ...]" = ()
    ) -> None:
        self.position = position
        self.depth = depth
        self.frame: Frame = position.frames[depth]
        self.used = used
        self.inner = inner

    def within(self, inner: "Inner") -> "Scope":
        """This scope with a record or result in front."""
        return Scope(self.position, self.depth, self.used, (inner, *self.inner))

    def __getitem__(self, name: str) -> Any:
        for inner in self.inner:
            if inner.has(name):
                return inner.get(name, self)
        if name in self.frame.names:
            return self.frame.names[name]
        return self.value(self.locate(name))

    def locate(self, name: str) -> Slot | Handed:
        """Who answers a fact: the nearest `with`, the innermost record, the run itself, or the walk."""
        frames = self.position.frames
        if name in self.frame.chart.facts:
            if self.frame.via is not None and name in self.frame.via.given:
                return Handed(self.depth, name)
            return Slot(self.depth, name)
        in_record = False
        for depth in range(self.depth, -1, -1):
            frame = frames[depth]
            if frame.via is not None and name in frame.via.given:
                return Handed(depth, name)
            if frame.record is not None and not in_record:
                in_record = True
                fact = self.fact_of(frame.record)
                if any(field.name == name for field in fact.fields):
                    return Slot(frame.record.depth, frame.record.name, frame.record.record, name)
        return Slot(-1, name)

    def value(self, where: Slot | Handed) -> Any:
        """The answer kept there.

        Raises:
            UnknownError: there is none yet.
        """
        if isinstance(where, Handed):
            frame = self.position.frames[where.depth]
            if where.name in frame.changed:
                return frame.changed[where.name]
            expr, caller = self.handed(where)
            return expr(caller)
        found = self.stored(where)
        if found is None:
            fact = self.fact_of(where)
            owner = self.frame.chart.id if where.depth < 0 else self.position.frames[where.depth].chart.id
            raise UnknownError([Missing(where, fact, owner, self.subject(where))])
        self.used[where] = found
        return found

    def handed(self, where: Handed) -> tuple[Expr, "Scope"]:
        """The expression of a `with` and the scope it is worked out in."""
        frame = self.position.frames[where.depth]
        if frame.via is None:
            raise AssertionError("only a run hands facts on")
        inner = (Record(frame.record),) if frame.record is not None else ()
        return frame.via.given[where.name], Scope(self.position, where.depth - 1, self.used, inner)

    def stored(self, slot: Slot) -> Any:
        """The answer in a slot, None without one."""
        position = self.position
        store = position.shared if slot.depth < 0 else position.frames[slot.depth].facts
        if slot.record is None and not slot.field:
            return store.get(slot.name)
        if slot.record is not None:
            records = store.get(slot.name)
            return None if records is None else records[slot.record].get(slot.field)
        card = position.frames[slot.depth].names.get(slot.name, EMPTY)
        found = card.get(slot.field)
        return found.get(slot.column) if slot.column is not None and found is not None else found

    def fact_of(self, slot: Slot) -> Fact:
        """The fact that a slot answers."""
        chart = self.frame.chart if slot.depth < 0 else self.position.frames[slot.depth].chart
        if slot.field and slot.record is None:
            fact: Fact = chart.made[slot.name].deck.fields[slot.field]
            return fact.at(slot.column)
        owner = self.shared_fact(slot.name) if slot.depth < 0 else chart.facts[slot.name]
        if not slot.field:
            return owner
        return next(field for field in owner.fields if field.name == slot.field)

    def shared_fact(self, name: str) -> Fact:
        """The fact of that name in the book of the innermost chart that has it."""
        books = (frame.chart.book for frame in reversed(self.position.frames[: self.depth + 1]))
        return next(book.facts[name] for book in books if name in book.facts)

    def subject(self, slot: Slot) -> str:
        """Whom or what a question is about: a record by its name, a card's column."""
        if slot.record is None and slot.field:
            return f"column {slot.column}" if slot.column is not None else ""
        if slot.record is None:
            run_for = self.position.frames[slot.depth].record if slot.depth >= 0 else None
            return self.subject(run_for) if run_for is not None else ""
        store = self.position.shared if slot.depth < 0 else self.position.frames[slot.depth].facts
        owner = self.fact_of(Slot(slot.depth, slot.name))
        return record_name(owner, slot.record, store.get(slot.name, ())[slot.record])

    def field(self, name: str, field: str, column: int | None) -> Any:
        """A field of a card, asked when it is first read."""
        if column is not None:
            low, high = self.frame.chart.made[name].deck.fields[field].columns
            column = min(max(column, low), high)
        return self.value(Slot(self.depth, name, None, field, column))

    def part(self, name: str, field: str) -> Any:
        """A part of a chart's result."""
        return self.frame.names[name][field]

    def list_slot(self, name: str) -> Slot:
        """Where the list of that name is kept, through every `with` that hands it on."""
        where = self.locate(name)
        if isinstance(where, Handed):
            expr, caller = self.handed(where)
            return caller.list_slot(expr.tree[1])
        return where

    def inners(self, name: str) -> "Iterator[tuple[Inner, int]]":
        """The records or results of a list, each with how often it counts."""
        if name in self.frame.names:
            for fields, times in self.frame.names[name].items():
                yield Given(fields), times
            return
        slot = self.list_slot(name)
        for number in range(len(self.value(slot))):
            yield Record(Slot(slot.depth, slot.name, number)), 1

    def over(self, name: str, measure: "Callable[[Scope], int]") -> int:
        """The sum of a measure over a list; what is unknown is gathered over all of it."""
        missing: list[Missing] = []
        total = 0
        for inner, times in self.inners(name):
            try:
                total += times * measure(self.within(inner))
            except UnknownError as unknown:
                missing += unknown.missing
        if missing:
            raise UnknownError(missing)
        return total

    def count(self, name: str, where: "Callable[[Scope], bool] | None") -> int:
        """How many of the list hold the condition."""
        return self.over(name, lambda s: 1 if where is None or where(s) else 0)

    def total(self, name: str, what: "Callable[[Scope], int]", where: "Callable[[Scope], bool] | None") -> int:
        """The sum of a field over those that hold the condition."""
        return self.over(name, lambda s: what(s) if where is None or where(s) else 0)


class Record(Struct):
    """A record as inner scope; its `slot` names the list and the number."""

    slot: Slot

    def has(self, name: str) -> bool:
        """Whether the name may be the record's: settled against its fact when it is read."""
        return True

    def get(self, name: str, scope: Scope) -> Any:
        """The record's field, its place, or else the name outside."""
        if name == "place":
            return (self.slot.record or 0) + 1
        fact = scope.fact_of(Slot(self.slot.depth, self.slot.name))
        if any(field.name == name for field in fact.fields):
            return scope.value(Slot(self.slot.depth, self.slot.name, self.slot.record, name))
        rest = scope.inner[scope.inner.index(self) + 1 :]
        return Scope(scope.position, scope.depth, scope.used, rest)[name]


class Given(Struct):
    """Fixed values as inner scope: a result, or the face of a die."""

    values: Frozen

    def has(self, name: str) -> bool:
        """Whether it has that value."""
        return name in self.values

    def get(self, name: str, scope: Scope) -> Any:
        """The value."""
        return self.values[name]


Inner = Record | Given
