"""A position: everything that decides how a walk goes on, and nothing else."""

from typing import Any

from refcli.core.chart import Chart, RunNode
from refcli.core.need import Slot
from refcli.core.struct import Struct, replace
from refcli.core.values import EMPTY, Frozen


class Progress(Struct):
    """How far an each has come: record numbers still to run (from 0), what runs have changed, results so far.

    Results keep no order: each distinct one stands once, with how often it came.
    """

    todo: tuple[int, ...]
    changed: Frozen = EMPTY
    results: Frozen = EMPTY


class Frame(Struct):
    """One run of a chart: where it stands, its own answers, the names it made, and how it was called.

    `via` is the caller's node; `record` the list (as a slot) and number of the record it is run for; `changed`
    are values of the caller's `with` that were changed since; `handed` the cards that still are the caller's own.
    """

    chart: Chart
    node: str
    facts: Frozen = EMPTY
    names: Frozen = EMPTY
    via: RunNode | None = None
    record: Slot | None = None
    changed: Frozen = EMPTY
    progress: Progress | None = None
    handed: frozenset[str] = frozenset()

    def at(self, node: str) -> "Frame":
        """The frame moved on to another node."""
        return replace(self, node=node, progress=None)


class Position(Struct):
    """The calls, outermost first, and the shared facts that are known."""

    frames: tuple[Frame, ...]
    shared: Frozen = EMPTY
    house_rules: bool = False

    @property
    def top(self) -> Frame:
        """The run that is going on."""
        return self.frames[-1]

    def trimmed(self) -> "Position":
        """Only what some node still ahead can read."""
        ahead = [frame.chart.live.get(frame.node, frozenset()) for frame in self.frames]
        every = frozenset().union(*ahead)
        frames = tuple(_trim_frame(frame, live, every) for frame, live in zip(self.frames, ahead, strict=True))
        return replace(self, frames=frames, shared=_trim(self.shared, every, every))


def _trim_frame(frame: Frame, live: frozenset[str], every: frozenset[str]) -> Frame:
    facts, names = _trim(frame.facts, live, every), _trim(frame.names, live, every)
    if facts is frame.facts and names is frame.names:
        return frame
    return replace(frame, facts=facts, names=names)


def _trim(values: Frozen, live: frozenset[str], every: frozenset[str]) -> Frozen:
    kept = {name: _trim_value(name, value, every) for name, value in values.items() if name in live}
    same = len(kept) == len(values) and all(kept[name] is values[name] for name in kept)
    return values if same else Frozen(kept)


def _trim_value(name: str, value: Any, every: frozenset[str]) -> Any:
    """Cards and results keep the parts that are read, records the fields that are read and their names."""
    if isinstance(value, Frozen) and f"{name}.*" not in every:
        return value.only({part for part in value if f"{name}.{part}" in every or not isinstance(part, str)})
    if isinstance(value, tuple) and value and isinstance(value[0], Frozen):
        return tuple(one.only({part for part in one if part in every or isinstance(one[part], str)}) for one in value)
    return value


def put(position: Position, slot: Slot, value: Any) -> Position:
    """The position with an answer in its slot."""
    if slot.depth < 0:
        return replace(position, shared=_put_in(position.shared, slot, value))
    frame = position.frames[slot.depth]
    if slot.field and slot.record is None:
        card = frame.names[slot.name]
        if slot.column is not None:
            value = card.get(slot.field, EMPTY).put(slot.column, value)
        frame = replace(frame, names=frame.names.put(slot.name, card.put(slot.field, value)))
    else:
        frame = replace(frame, facts=_put_in(frame.facts, slot, value))
    frames = (*position.frames[: slot.depth], frame, *position.frames[slot.depth + 1 :])
    return replace(position, frames=frames)


def noted(records: Frozen, slot: Slot, value: Any) -> Frozen:
    """The lists of a walk, by their slots, with an answer noted where it is one of them or of their records.

    Unlike a position they keep what no later node reads. Lists of charts that were run are left out.
    """
    if slot.depth > 0 or (slot.field and slot.record is None):
        return records
    if slot.record is None:
        return records.put(slot, value) if isinstance(value, tuple) else records
    place = Slot(slot.depth, slot.name)
    found = list(records[place])
    found[slot.record] = found[slot.record].put(slot.field, value)
    return records.put(place, tuple(found))


def origin_of(position: Position, slot: Slot) -> Slot | None:
    """The same field of the caller's card, where a card was handed over by its name; else None."""
    frame = position.frames[slot.depth] if slot.depth > 0 else None
    if frame is None or frame.via is None or not slot.field or slot.name not in frame.handed:
        return None
    return replace(slot, depth=slot.depth - 1, name=frame.via.given[slot.name].text.strip())


def _put_in(store: Frozen, slot: Slot, value: Any) -> Frozen:
    if slot.record is None:
        return store.put(slot.name, value)
    records = list(store[slot.name])
    records[slot.record] = records[slot.record].put(slot.field, value)
    return store.put(slot.name, tuple(records))
