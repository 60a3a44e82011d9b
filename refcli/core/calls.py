"""Charts that run charts: going in, once or for each record of a list, and coming back with a result."""

from typing import Any

from refcli.core import chart as c
from refcli.core.errors import LimitError
from refcli.core.need import Outcome, Slot
from refcli.core.position import Frame, Progress, put
from refcli.core.runner import Runner
from refcli.core.scope import Given, Handed, Record, Scope, UnknownError
from refcli.core.struct import replace
from refcli.core.trail import Step
from refcli.core.values import Frozen

MAX_DEPTH = 16
"""How deep charts may run each other."""


class Caller(Runner):
    """What run and each nodes do, and outcomes."""

    def charted(self, node: c.RunNode) -> c.Chart:
        """The chart a node runs."""
        return self.position.top.chart.charts[node.chart_id]

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
        then = next((follows for when, follows in node.then if when is None or when(scope)), "")
        notes = (node.note,) if node.note else ()
        step = Step(chart.id, node.id, "outcome", scope.depth, node.title, says, page=node.page or chart.page)
        outcome = Outcome(
            chart.id, node.id, node.title, node.tone, says, effects, gives, changes, then, node.note,
            node.page or chart.page, node,
        )  # fmt: skip
        if scope.depth == 0:
            if not (self.trail.step and self.trail.step.kind == "outcome" and self.trail.step.depth == 0):
                self.log(replace(step, notes=notes, effects=effects))
            return outcome
        places = ((scope.locate(name), value) for name, value in changes.items())
        changed = tuple((slot, value) for slot, value in places if isinstance(slot, Slot) and slot.record is not None)
        self.log(replace(step, notes=notes, effects=effects, changed=changed))
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
