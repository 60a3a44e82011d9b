"""One step of a walk: what each kind of node does with what is known.

A node that lacks a fact raises UnknownError and leaves everything as it was.
"""

from collections.abc import Iterable
from typing import Any

from refcli.core import chart as c
from refcli.core.calls import Caller
from refcli.core.errors import LimitError, WalkError
from refcli.core.fact import MAX_RECORDS
from refcli.core.need import Draw, Need, Roll
from refcli.core.position import Frame
from refcli.core.scope import Given, UnknownError
from refcli.core.struct import replace
from refcli.core.tally import add_up
from refcli.core.values import Frozen


class Machine(Caller):
    """Takes a walk from node to node."""

    def step(self) -> Need | None:
        """Pass the current node; or say what it needs.

        Raises:
            UnknownError: facts are missing.
            WalkError: the walk cannot go on.
        """
        before = self.state
        self.used = {}
        try:
            return self.work()
        except UnknownError:
            self.position, self.trail, self.sources, self.seen = before
            raise

    def work(self) -> Need | None:
        """The step itself; it may leave things half done where a fact is missing."""
        frame = self.position.top
        node = frame.chart.nodes.get(frame.node)
        if node is None:
            return self.end(frame.chart.outcomes[frame.node])
        match node:
            case c.DoNode():
                self.pass_on(node, node.text.fill(self.scope))
            case c.DecideNode():
                self.decide(node)
            case c.SetNode():
                self.set(node)
            case c.TallyNode():
                total, lines, notes = add_up(node, self.scope, self.where)
                self.pass_on(node, total, {node.name: total}, total, lines=lines, notes=notes)
            case c.RollNode():
                return self.roll(node)
            case c.DrawNode():
                return self.draw(node)
            case c.TableNode():
                self.table(node)
            case c.EachNode():
                self.each(node)
            case c.RunNode():
                chart = self.charted(node)
                self.call(node, Frame(chart, chart.start, via=node))
        return None

    def decide(self, node: c.DecideNode) -> None:
        """Pick the edge by the value of the test."""
        value = node.test(self.scope)
        self.pass_on(node, value, None, value)

    def set(self, node: c.SetNode) -> None:
        """Make values top to bottom; later ones see the earlier."""
        before = self.position
        made: dict[str, Any] = {}
        label = self.label(node)
        try:
            for name, expr in node.values:
                made[name] = expr(self.scope)
                top = self.position.top
                self.set_top(replace(top, names=top.names.put(name, made[name])))
        finally:
            self.position = before
        self.pass_on(node, Frozen(made), made, label=label)

    def roll(self, node: c.RollNode) -> Need | None:
        """Need the dice, unless the caller handed the roll over."""
        value = self.handed(node.name)
        if value is not None:
            self.pass_on(node, value, {node.name or "": value}, value, kind="given", name=node.name or "")
            return None
        pool = None
        if node.pool is not None:
            pool = node.pool(self.scope)
            if pool > MAX_RECORDS:
                raise LimitError("dice in a pool", MAX_RECORDS, self.where)
            pool = max(pool, 0)
            # what the counts read is asked before anybody throws
            self.counts(node, range(node.dice.low, node.dice.high + 1))
            if pool == 0:
                self.rolled(node, ())
                return None
        frame = self.position.top
        return Roll(node.dice, node.name or node.id, frame.chart.id, node.id, self.label(node), pool)

    def draw(self, node: c.DrawNode) -> Need | None:
        """Need a card, unless the caller handed it over."""
        card = self.handed(node.name)
        if card is not None:
            self.forget(node.name)
            # no more of it than is read here: the rest may have been forgotten on the way
            value = card.only(set(fields_ahead(self.position.top.chart, node)))
            origin = self.origin(node.name)
            self.pass_on(node, value, {node.name: card}, kind="given", name=node.name, origin=origin)
            top = self.position.top
            self.set_top(replace(top, handed=top.handed | {node.name}))
            return None
        frame = self.position.top
        fields = fields_ahead(frame.chart, node)
        first = node.deck.first if node.deck.first.name in fields and not node.deck.first.columns else None
        return Draw(node.deck, node.name, frame.chart.id, node.id, self.label(node), first, fields)

    def take(self, value: Any, source: str = "") -> None:
        """Take the value of the roll or draw that is needed, from that source."""
        self.used = {}
        node = self.position.top.chart.nodes[self.position.top.node]
        if isinstance(node, c.RollNode):
            if node.pool is not None:
                node.pool(self.scope)  # so that the trail tells what the number of dice was read from
            self.rolled(node, value)
        elif isinstance(node, c.DrawNode):
            stands_in = source == "placeholder"
            self.forget(node.name)
            self.pass_on(node, value, {node.name: value}, name=node.name, deck=node.deck.id, placeholder=stands_in)
            top = self.position.top
            self.set_top(replace(top, handed=top.handed - {node.name}))

    def rolled(self, node: c.RollNode, value: Any) -> None:
        """Take a throw: its total, or what a pool's faces count."""
        if node.pool is None:
            name = node.name or node.id
            return self.pass_on(node, value, {name: value}, value, name=name)
        made = self.counts(node, value)
        first = next(iter(made.values()), None)
        return self.pass_on(node, value, made, first, name=node.id)

    def counts(self, node: c.RollNode, faces: Iterable[int]) -> dict[str, int]:
        """How many of a pool's dice pass each test."""
        scopes = [self.scope.within(Given(Frozen(die=face))) for face in faces]
        return {name: sum(1 for scope in scopes if test(scope)) for name, test in node.counts}

    def table(self, node: c.TableNode) -> None:
        """Look the cell up: a way on, or a number."""
        row_value = node.row(self.scope)
        row = next((row for row in node.rows if c.matches(row.pattern, row_value)), None)
        index: int | None = 0
        if node.column is not None:
            value = node.column(self.scope)
            index = next((i for i, (pattern, _) in enumerate(node.columns) if c.matches(pattern, value)), None)
        if row is None or index is None:
            raise WalkError(f"{node.place}: {self.where} has no cell for {row_value}")
        cell = row.cells[index if len(row.cells) > 1 else 0]
        if isinstance(cell, str):
            return self.pass_on(node, None, to=cell)
        return self.pass_on(node, cell, {node.name: cell} if node.name else None, cell)


def fields_ahead(chart: c.Chart, node: c.DrawNode) -> tuple[str, ...]:
    """The fields of a card that a chart may still read behind the node that draws it."""
    ahead = frozenset().union(*(chart.live.get(case.target, frozenset()) for case in node.go.cases))
    return tuple(f for f in node.deck.fields if f"{node.name}.{f}" in ahead or f"{node.name}.*" in ahead)
