"""A walk while it runs: its position and trail, and how a step is logged and passed.

A runner belongs to one call of `walk.py` and never leaves it.
"""

from typing import Any

from refcli.core import chart as c
from refcli.core.errors import LimitError, WalkError
from refcli.core.expr import MAX_NUMBER, shown
from refcli.core.need import Slot
from refcli.core.position import Frame, Position
from refcli.core.scope import Handed, Scope
from refcli.core.struct import replace
from refcli.core.trail import Line, Step, Trail, Used
from refcli.core.values import Frozen


class Runner:
    """A walk while it runs."""

    def __init__(self, position: Position, trail: Trail, sources: Frozen, seen: frozenset[Slot]) -> None:
        self.position = position
        self.trail = trail
        self.sources = sources
        self.seen = seen
        self.used: dict[Slot, Any] = {}

    @property
    def state(self) -> tuple[Position, Trail, Frozen, frozenset[Slot]]:
        """What a walk is made of."""
        return self.position, self.trail, self.sources, self.seen

    @property
    def where(self) -> str:
        """Chart and node, for messages."""
        return f"{self.position.top.chart.id}, node '{self.position.top.node}'"

    @property
    def scope(self) -> Scope:
        """The names in sight of the top frame."""
        return Scope(self.position, len(self.position.frames) - 1, self.used)

    def set_top(self, frame: Frame) -> None:
        """Replace the top frame."""
        self.position = replace(self.position, frames=(*self.position.frames[:-1], frame))

    def log(self, step: Step) -> None:
        """Add a step to the trail, with the facts it was the first to read."""
        fresh = [slot for slot in self.used if slot not in self.seen]
        scope = self.scope
        used = []
        for slot in fresh:
            fact = scope.fact_of(slot)
            source = self.sources.get(slot, "given")
            card = (slot.depth, slot.name, slot.column) if slot.field and slot.record is None else None
            used.append(Used(slot.field or slot.name, self.used[slot], source, fact.note, card))
        notes = tuple(dict.fromkeys((*(u.note for u in used if u.note), *step.notes)))
        self.trail = self.trail.plus(replace(step, used=tuple(used), notes=notes))
        self.seen = self.seen.union(fresh)
        self.used = {}

    def pass_on(
        self,
        node: c.Node,
        value: Any,
        made: dict[str, Any] | None = None,
        test: Any = None,
        *,
        to: str = "",
        kind: str = "",
        label: str | None = None,
        name: str = "",
        origin: str = "",
        deck: str = "",
        placeholder: bool = False,
        lines: tuple[Line, ...] = (),
        notes: tuple[str, ...] = (),
    ) -> None:
        """Log a node, keep what it made, and go where `test` (or `to`) leads."""
        target = to or self.target(node, test)
        for word, part in (made or {}).items():
            if isinstance(part, int) and abs(part) > MAX_NUMBER:
                raise LimitError(f"as the size of '{word}'", MAX_NUMBER, self.where)
        frame = self.position.top
        self.log(
            Step(
                chart=frame.chart.id,
                node=node.id,
                kind=kind or kind_of(node),
                depth=len(self.position.frames) - 1,
                label=self.label(node) if label is None else label,
                value=value,
                lines=lines,
                to=target,
                page=node.page,
                notes=tuple(filter(None, (node.note, *notes))),
                name=name,
                origin=origin,
                deck=deck,
                placeholder=placeholder,
            )
        )
        if made:
            frame = replace(frame, names=Frozen({**frame.names, **made}))
        self.set_top(frame.at(target))

    def target(self, node: c.Node, test: Any) -> str:
        """Where a value leads.

        Raises:
            WalkError: no case holds it.
        """
        cases = node.go
        if len(cases.cases) == 1 and cases.cases[0].key == "next":
            return cases.cases[0].target
        found = cases.find(test)
        if found is None:
            raise WalkError(f"{node.place}: {self.where} has no case for {shown(test, c_type(node))}")
        return found

    def label(self, node: c.Node) -> str:
        """A node's label with its words filled in."""
        return node.label.fill(self.scope) if node.label else ""

    def handed(self, name: str | None) -> Any:
        """A roll or card that the caller's `with` hands over, the first time it is needed; else None."""
        frame = self.position.top
        if name is None or frame.via is None or name not in frame.via.given or name in frame.names:
            return None
        scope = self.scope
        return scope.value(Handed(scope.depth, name))

    def forget(self, card: str) -> None:
        """Forget what was told of the card of that name: another one takes its place."""
        depth = len(self.position.frames) - 1

        def old(slot: Slot) -> bool:
            return bool(slot.field) and slot.record is None and (slot.depth, slot.name) == (depth, card)

        self.seen = frozenset(slot for slot in self.seen if not old(slot))
        self.sources = Frozen({slot: source for slot, source in self.sources.items() if not old(slot)})

    def origin(self, name: str) -> str:
        """What the caller calls what he hands over as `name`."""
        via = self.position.top.via
        return via.given[name].text.strip() if via is not None else ""


def kind_of(node: c.Node) -> str:
    """The word for a kind of node, as its key in a chart."""
    return type(node).__name__.removesuffix("Node").lower()


def c_type(node: c.Node) -> Any:
    """The type of what a node tests, to show its value."""
    return node.test.type if isinstance(node, c.DecideNode) else None
