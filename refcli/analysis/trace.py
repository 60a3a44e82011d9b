"""What a walk went through, read off its trail: nodes, edges, outcomes, and which modifiers applied.

The trail is written for people: it has no step for a run itself, none where an each goes on, and names a tally's
lines by their labels. This file puts back what follows from the charts.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from refcli.analysis.paths import find_case
from refcli.core import types as t
from refcli.core.chart import Chart, EachNode, Modifier, Node, RollNode, RunNode, TableNode, TallyNode
from refcli.core.tally import plain_label, words
from refcli.core.trail import Line, Step
from refcli.core.values import Frozen


def added(step: Step) -> tuple[Line, ...]:
    """The lines of a tally without where it started."""
    return tuple(line for line in step.lines if line.op != "start")


@dataclass(slots=True)
class Passed:
    """What was passed of one chart.

    Nodes and outcomes are kept by id, edges by node and case key, modifiers by node and number (from 0).
    """

    nodes: set[str] = field(default_factory=set)
    edges: set[tuple[str, str]] = field(default_factory=set)
    outcomes: set[str] = field(default_factory=set)
    modifiers: set[tuple[str, int]] = field(default_factory=set)


@dataclass(slots=True)
class _Frame:
    """One run of a chart: where it stands, and the values that its steps told of."""

    chart: Chart
    at: str
    values: dict[str, Any]


def trace(chart: Chart, steps: Iterable[Step]) -> dict[str, Passed]:
    """What the steps of a finished walk of this chart passed, by the id of each chart."""
    tracer = _Tracer(chart)
    for step in steps:
        tracer.take(step)
    return tracer.found


class _Tracer:
    def __init__(self, chart: Chart) -> None:
        self.found: dict[str, Passed] = {}
        self.shared: dict[str, Any] = {}
        self.frames = [_Frame(chart, chart.start, {})]
        self.last = ""

    def passed(self, chart: Chart) -> Passed:
        return self.found.setdefault(chart.id, Passed())

    def take(self, step: Step) -> None:
        while len(self.frames) <= step.depth:
            self.enter()
        frame = self.frames[step.depth]
        passed = self.passed(frame.chart)
        for used in step.used:
            (frame.values if used.name in frame.chart.facts else self.shared)[used.name] = used.value
        if step.kind == "outcome":
            passed.outcomes.add(step.node)
            if step.depth:
                self.frames.pop()
                self.come_back(self.frames[-1], step.node)
        elif step.kind in ("each", "record"):
            passed.nodes.add(step.node)
            passed.edges.add((step.node, "next"))
            frame.at = step.node
        else:
            self.go(frame, passed, step)
        self.last = step.kind

    def enter(self) -> None:
        """Follow the run at which the innermost chart stands."""
        frame = self.frames[-1]
        node = frame.chart.nodes[frame.at]
        if isinstance(node, EachNode) and self.last != "record":
            # an each that has ended goes on without a step of its own
            frame.at = node.go.cases[0].target
            node = frame.chart.nodes[frame.at]
        assert isinstance(node, RunNode), (
            f"{frame.chart.id}: the trail goes deeper at '{frame.at}', which runs nothing"
        )
        self.passed(frame.chart).nodes.add(node.id)
        called = frame.chart.charts[node.chart_id]
        self.frames.append(_Frame(called, called.start, {}))

    def come_back(self, frame: _Frame, outcome: str) -> None:
        """Take the edge of a run that its outcome chooses."""
        node = frame.chart.nodes[frame.at]
        if not isinstance(node, EachNode) and (case := find_case(node, outcome)):
            self.passed(frame.chart).edges.add((node.id, case.key))
            frame.at = case.target

    def go(self, frame: _Frame, passed: Passed, step: Step) -> None:
        """A step that says itself where it leads."""
        node = frame.chart.nodes[step.node]
        passed.nodes.add(node.id)
        passed.edges.add((node.id, self.key(frame, node, step)))
        frame.at = step.to
        if isinstance(node, TallyNode):
            values = {**self.shared, **frame.values}
            passed.modifiers.update((node.id, number) for number in applied_modifiers(node, added(step), values))
            frame.values[node.name] = step.value
        elif isinstance(step.value, Frozen) and not step.name:
            frame.values.update(step.value)
        elif step.name:
            frame.values[step.name] = step.value

    def key(self, frame: _Frame, node: Node, step: Step) -> str:
        """The key of the edge that a step took."""
        if isinstance(node, TableNode) and step.value is None:
            return step.to
        value = step.value
        if isinstance(node, RollNode) and node.pool is not None:
            value = self.counted(frame, node, value)
            if value is None:
                return next(case.key for case in node.go.cases if case.target == step.to)
        case = find_case(node, value)
        return case.key if case else ""

    def counted(self, frame: _Frame, node: RollNode, faces: tuple[int, ...]) -> int | None:
        """What a pool's cases look at: how many dice pass the first test; None where that cannot be told."""
        values = {**self.shared, **frame.values}
        try:
            return sum(1 for face in faces if node.counts[0][1]({**values, "die": face}))
        except (LookupError, AttributeError):
            return None


def applied_modifiers(node: TallyNode, lines: Iterable[Line], values: dict[str, Any]) -> list[int]:
    """Which modifiers (from 0) the lines of a tally stand for; `values` settle it where several would fit."""
    found: list[int] = []
    for line in lines:
        after = found[-1] + 1 if found else 0
        fitting = [n for n in range(after, len(node.modifiers)) if _could_be(node.modifiers[n], line)]
        if len(fitting) > 1:
            fitting = [n for n in fitting if _may_apply(node.modifiers[n], values)] or fitting
        found += fitting[:1]
    return found


def _could_be(modifier: Modifier, line: Line) -> bool:
    if modifier.op.value != line.op:
        return False
    kinds = [expr.type for _, expr in modifier.amounts]
    if not any(not isinstance(kind, t.Number) or _in(kind, line.amount) for kind in kinds):
        return False
    if modifier.label is not None and modifier.label:
        parts = (re.escape(part) if isinstance(part, str) else ".*" for part in modifier.label.parts)
        return re.fullmatch("".join(parts), line.label, re.DOTALL) is not None
    match modifier.by:
        case None:
            return plain_label(modifier, None) == line.label
        case by if isinstance(by.type, t.Word):
            return any(plain_label(modifier, key) == line.label for key in by.type.keys)
        case by:
            return line.label.startswith(words(by))


def _in(kind: t.Number, amount: int) -> bool:
    return (kind.low is None or amount >= kind.low) and (kind.high is None or amount <= kind.high)


def _may_apply(modifier: Modifier, values: dict[str, Any]) -> bool:
    try:
        return modifier.when is None or bool(modifier.when(values))
    except (LookupError, AttributeError):
        return True
