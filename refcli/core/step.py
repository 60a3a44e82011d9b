"""One step of a walk: what each kind of node does with what is known.

A `Machine` works on a position and a trail and replaces both as it goes; it belongs to one call of `walk.py` and
never leaves it. A node that lacks a fact raises UnknownError and leaves everything as it was.
"""

from typing import Any

from refcli.core import chart as c
from refcli.core.errors import LimitError, WalkError
from refcli.core.expr import MAX_NUMBER, shown
from refcli.core.need import MAX_RECORDS, Draw, Need, Outcome, Roll, Slot
from refcli.core.position import Frame, Position, Progress, put
from refcli.core.scope import Given, Handed, Record, Scope, UnknownError
from refcli.core.struct import replace
from refcli.core.tally import add_up
from refcli.core.trail import Line, Step, Trail, Used
from refcli.core.values import Frozen

MAX_DEPTH = 16
"""How deep charts may run each other."""


class Machine:
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

    def charted(self, node: c.RunNode) -> c.Chart:
        """The chart a node runs."""
        return self.position.top.chart.charts[node.chart_id]

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

    def handed(self, name: str | None) -> Any:
        """A roll or card that the caller's `with` hands over, the first time it is needed; else None."""
        frame = self.position.top
        if name is None or frame.via is None or name not in frame.via.given or name in frame.names:
            return None
        scope = self.scope
        return scope.value(Handed(scope.depth, name))

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
            self.counts(node, (node.dice.low,))  # what the counts read is asked before anybody throws
            if pool == 0:
                self.rolled(node, ())
                return None
        frame = self.position.top
        return Roll(node.dice, node.name or node.id, frame.chart.id, node.id, self.label(node), pool)

    def draw(self, node: c.DrawNode) -> Need | None:
        """Need a card, unless the caller handed it over."""
        card = self.handed(node.name)
        if card is not None:
            self.pass_on(node, card, {node.name: card}, kind="given", name=node.name)
            return None
        frame = self.position.top
        live = frame.chart.live
        ahead = frozenset().union(*(live.get(case.target, frozenset()) for case in node.go.cases))
        fields = tuple(f for f in node.deck.fields if f"{node.name}.{f}" in ahead or f"{node.name}.*" in ahead)
        first = node.deck.first if node.deck.first.name in fields and not node.deck.first.columns else None
        return Draw(node.deck, node.name, frame.chart.id, node.id, self.label(node), first, fields)

    def take(self, value: Any) -> None:
        """Take the value of the roll or draw that is needed."""
        self.used = {}
        node = self.position.top.chart.nodes[self.position.top.node]
        if isinstance(node, c.RollNode):
            if node.pool is not None:
                node.pool(self.scope)  # so that the trail tells what the number of dice was read from
            self.rolled(node, value)
        elif isinstance(node, c.DrawNode):
            self.pass_on(node, value, {node.name: value}, name=node.name)

    def rolled(self, node: c.RollNode, value: Any) -> None:
        """Take a throw: its total, or what a pool's faces count."""
        if node.pool is None:
            name = node.name or node.id
            return self.pass_on(node, value, {name: value}, value, name=name)
        made = self.counts(node, value)
        first = next(iter(made.values()), None)
        return self.pass_on(node, value, made, first, name=node.id)

    def counts(self, node: c.RollNode, faces: tuple[int, ...]) -> dict[str, int]:
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

    def call(self, node: c.RunNode, frame: Frame) -> None:
        """Enter a chart."""
        if len(self.position.frames) >= MAX_DEPTH:
            raise LimitError("charts running each other", MAX_DEPTH, self.where)
        self.position = replace(self.position, frames=(*self.position.frames, frame))

    def each(self, node: c.EachNode) -> None:
        """Choose the records, run the next one, or go on when all are done."""
        frame = self.position.top
        scope = self.scope
        slot = scope.list_slot(node.records)
        records = scope.value(slot)
        now = frame.progress
        if now is None:
            progress = Progress(tuple(self.chosen(node, slot, len(records))))
            label = self.label(node)
            step = Step(frame.chart.id, node.id, "each", scope.depth, label, len(progress.todo), (), "", node.page)
            self.log(replace(step, notes=(node.note,) if node.note else ()))
            self.set_top(replace(frame, progress=progress))
            return
        if not now.todo:
            results = now.results
            target = node.go.cases[0].target
            if node.name:
                frame = replace(frame, names=frame.names.put(node.name, results))
            self.set_top(frame.at(target))
            return
        number = now.todo[0]
        chart = self.charted(node)
        record = Slot(slot.depth, slot.name, number)
        subject = scope.subject(record)
        step = Step(frame.chart.id, node.id, "record", scope.depth, subject, number + 1, (), chart.id, node.page)
        self.log(step)
        self.call(node, Frame(chart, chart.start, via=node, record=record, changed=now.changed))

    def chosen(self, node: c.EachNode, slot: Slot, count: int) -> list[int]:
        """The records that `when` picks; what is unknown is gathered over all of them."""
        missing, chosen = [], []
        for number in range(count):
            try:
                inner = Record(Slot(slot.depth, slot.name, number))
                if node.when is None or node.when(self.scope.within(inner)):
                    chosen.append(number)
            except UnknownError as unknown:
                missing += unknown.missing
        if missing:
            raise UnknownError(missing)
        return chosen

    def end(self, node: c.OutcomeNode) -> Outcome | None:
        """Come to an outcome: the walk's, or that of a chart that was run."""
        scope = self.scope
        chart = self.position.top.chart
        effects = tuple(text.fill(scope) for when, text in node.effects if when is None or when(scope))
        gives = Frozen({name: expr(scope) for name, expr in node.gives.items()})
        changes = Frozen({name: expr(scope) for name, expr in node.changes.items()})
        says = node.says.fill(scope)
        notes = (node.note,) if node.note else ()
        step = Step(chart.id, node.id, "outcome", scope.depth, node.title, says, page=node.page or chart.page)
        outcome = Outcome(
            chart.id, node.id, node.title, node.tone, says, effects, gives, changes, node.then, node.note,
            node.page or chart.page, node,
        )  # fmt: skip
        if scope.depth == 0:
            if not (self.trail.step and self.trail.step.kind == "outcome" and self.trail.step.depth == 0):
                self.log(replace(step, notes=notes, effects=effects))
            return outcome
        self.log(replace(step, notes=notes, effects=effects))
        self.come_back(outcome)
        return None

    def come_back(self, outcome: Outcome) -> None:
        """Apply what a chart changed, leave it, and hand its result to the caller."""
        scope = self.scope
        for name, value in outcome.changes.items():
            where = scope.locate(name)
            if isinstance(where, Handed):
                self.change_handed(where, value)
            else:
                self.position = put(self.position, where, value)
        done = self.position.top
        self.position = replace(self.position, frames=self.position.frames[:-1])
        depth = len(self.position.frames)
        self.seen = frozenset(slot for slot in self.seen if slot.depth < depth)
        self.sources = Frozen({slot: source for slot, source in self.sources.items() if slot.depth < depth})
        result = Frozen({**outcome.gives, **outcome.changes, "outcome": outcome.id})
        frame = self.position.top
        node = frame.chart.nodes[frame.node]
        if isinstance(node, c.EachNode):
            self.next_record(node, frame, done, result)
        elif isinstance(node, c.RunNode):
            names = frame.names.put(node.name, result) if node.name else frame.names
            self.set_top(replace(frame, names=names).at(self.target(node, outcome.id)))

    def next_record(self, node: c.EachNode, frame: Frame, done: Frame, result: Frozen) -> None:
        """Keep a record's result and make the next one due."""
        progress = frame.progress or Progress(())
        results = progress.results
        if node.name:
            live = frame.chart.live[node.id]
            kept = result.only({part for part in result if part in live or f"{node.name}.{part}" in live})
            results = results.put(kept, results.get(kept, 0) + 1)
        todo = progress.todo[1:]
        if node.until is not None and done.record is not None:
            scope = Scope(
                self.position, len(self.position.frames) - 1, self.used, (Given(result), Record(done.record))
            )
            if node.until(scope):
                todo = ()
        self.set_top(replace(frame, progress=Progress(todo, done.changed, results)))

    def change_handed(self, where: Handed, value: Any) -> None:
        """Change a fact for the run that was handed it, and for the runs of its each to come."""
        frames = list(self.position.frames)
        frame = frames[where.depth]
        frames[where.depth] = replace(frame, changed=frame.changed.put(where.name, value))
        self.position = replace(self.position, frames=tuple(frames))


def kind_of(node: c.Node) -> str:
    """The word for a kind of node, as its key in a chart."""
    return type(node).__name__.removesuffix("Node").lower()


def c_type(node: c.Node) -> Any:
    """The type of what a node tests, to show its value."""
    return node.test.type if isinstance(node, c.DecideNode) else None
