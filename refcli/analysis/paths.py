"""The edges of a chart, which one a value takes, and the shortest way to a node, an outcome or an edge."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from refcli.core.chart import Band, Case, Chart, Node, TableNode
from refcli.core.place import Place


@dataclass(frozen=True, slots=True)
class Edge:
    """One way on: from `node` by the case `key` (as written; `next` where there is no choice) to `target`.

    The cells of a table that lead to one target are one edge, with that target as its key.
    """

    node: str
    key: str
    target: str
    place: Place
    width: int

    def __str__(self) -> str:
        return f"{self.node} -> {self.target}" if self.key == "next" else f"{self.node} ({self.key}) -> {self.target}"


def edges_of(node: Node) -> Iterator[Edge]:
    """The edges of a node, in the order written."""
    for case in node.go.cases:
        yield Edge(node.id, case.key, case.target, case.place, len(case.target))
    if isinstance(node, TableNode):
        seen = set()
        for row in node.rows:
            for cell in row.cells:
                if isinstance(cell, str) and cell not in seen:
                    seen.add(cell)
                    yield Edge(node.id, cell, cell, row.place, len(row.key))


def find_case(node: Node, value: Any) -> Case | None:
    """The case of a node that a value takes; None where no case holds it."""
    cases = node.go.cases
    if len(cases) == 1 and cases[0].key == "next":
        return cases[0]
    is_number = isinstance(value, int) and not isinstance(value, bool)
    for case in cases:
        if case.pattern.holds(value) if isinstance(case.pattern, Band) and is_number else case.pattern == value:
            return case
    return next((case for case in cases if case.key == "else"), None)


def path_to(chart: Chart, goal: str) -> list[Edge] | None:
    """The fewest edges from the start to a node or outcome; None where no path leads there."""
    before: dict[str, Edge | None] = {chart.start: None}
    todo = deque([chart.start])
    while todo:
        name = todo.popleft()
        if name == goal:
            return list(reversed(list(_back(before, name))))
        for edge in edges_of(chart.nodes[name]) if name in chart.nodes else ():
            if edge.target not in before:
                before[edge.target] = edge
                todo.append(edge.target)
    return None


def _back(before: dict[str, Edge | None], name: str) -> Iterator[Edge]:
    while edge := before[name]:
        yield edge
        name = edge.node


def show_path(chart: Chart, goal: str | Edge) -> str:
    """The shortest way to a node, outcome or edge in words: `throw -> score -> bogged`; empty where there is none."""
    path = path_to(chart, goal.node if isinstance(goal, Edge) else goal)
    if path is None:
        return ""
    more = [goal] if isinstance(goal, Edge) else []
    return " -> ".join([chart.start, *(edge.target for edge in [*path, *more])])
