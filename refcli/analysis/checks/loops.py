"""Whether every walk ends: no node without a way out, no loop that chance alone need not leave.

The loader sees that every way back passes a roll or a draw. That is not enough: a loop may have no exit that its
dice can reach (`die >= 7` on a d6), or one that a fact keeps shut. A walk may stay in a set of nodes for ever when
each node that chooses by facts has a case within the set, and each that chooses by fresh chance may, for some facts,
find all it brings within the set. Facts are taken to be free at every node, so a warning may be too careful.
"""

from collections.abc import Iterable, Mapping

from refcli.analysis.checks.cases import choosing_of
from refcli.analysis.paths import Edge, edges_of
from refcli.analysis.ranges import Types, types_of
from refcli.analysis.spread import Chances
from refcli.core.chart import Chart, Node
from refcli.core.parts import makes_of
from refcli.core.problem import Code, Problem, Severity

Graph = Mapping[str, list[Edge]]


def check_loops(chart: Chart) -> list[Problem]:
    """Nodes that no outcome can follow, and loops that may never be left."""
    types = types_of(chart)
    graph = {name: live_edges(chart, node, types) for name, node in chart.nodes.items()}
    reached = reach(graph, chart.start)
    trapped = [name for name in chart.nodes if name in reached and not reach(graph, name) & chart.outcomes.keys()]
    if trapped:
        node = chart.nodes[trapped[0]]
        ring = " -> ".join(_ring(graph, trapped[0], set(trapped)))
        message = f"no way leads from '{node.id}' to an outcome: {ring}"
        return [Problem(Code.ENDLESS, node.place, message, mend="lead an edge out of it", width=len(node.id))]
    problems = []
    for part in loops(graph, reached & chart.nodes.keys()):
        if kept := staying(chart, graph, part, types):
            first = next(name for name in chart.nodes if name in kept)
            ring = " -> ".join(_ring(graph, first, kept))
            problems.append(
                Problem(
                    Code.ENDLESS,
                    chart.nodes[first].place,
                    f"this loop may never end: {ring}",
                    "no roll or draw in it is sure to lead out, whatever the facts are",
                    "let a roll or draw of the loop decide, or lead an edge out of it",
                    len(first),
                    Severity.WARNING,
                )
            )
    return problems


def live_edges(chart: Chart, node: Node, types: Types) -> list[Edge]:
    """The edges of a node that some value takes."""
    edges = list(edges_of(node))
    choosing = choosing_of(chart, node, types)
    if choosing is None:
        return edges
    dead = {one.key for one, spans in zip(choosing.written, choosing.spans, strict=True) if not spans}
    cases = {case.key for case in node.go.cases}
    return [edge for edge in edges if edge.key not in dead or edge.key not in cases]


def reach(graph: Graph, start: str) -> set[str]:
    """Everything that live edges lead to from a node, itself included."""
    seen, todo = set(), [start]
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += [edge.target for edge in graph.get(name, ())]
    return seen


def loops(graph: Graph, names: Iterable[str]) -> list[set[str]]:
    """The sets of nodes that lead to each other."""
    ahead = {name: set().union(*(reach(graph, edge.target) for edge in graph[name])) for name in names}
    found: list[set[str]] = []
    for name, after in ahead.items():
        if name in after and not any(name in part for part in found):
            found.append({other for other in after if other in ahead and name in ahead[other]})
    return found


def staying(chart: Chart, graph: Graph, part: set[str], types: Types) -> set[str]:
    """The nodes of a loop in which a walk may stay for ever; empty when it surely leaves."""
    chances = {name: _chances(chart, graph, part, name, types) for name in part}
    kept = set(part)
    while True:
        gone = {name for name in kept if not _may_stay(chart.nodes[name], graph[name], kept, chances[name])}
        if not gone:
            return kept
        kept -= gone


def _may_stay(node: Node, edges: list[Edge], kept: set[str], chances: Chances) -> bool:
    inside = [edge for edge in edges if edge.target in kept]
    if not inside or len(inside) == len(edges):
        return bool(inside)
    keys = {edge.key for edge in inside}
    cases = node.go.cases
    if not cases or not keys <= {case.key for case in cases}:
        return True
    return chances.may_stay(node, {number for number, case in enumerate(cases) if case.key in keys})


def _chances(chart: Chart, graph: Graph, part: set[str], at: str, types: Types) -> Chances:
    """What is fresh at a node of a loop: names that just one node makes, and which no round passes by."""
    made = [(name, node) for node in map(chart.nodes.__getitem__, part) for name in makes_of(node)]
    names = [name for name, _ in made]
    makers = {n: node for n, node in made if names.count(n) == 1 and not _round(graph, part - {node.id}, at)}
    return Chances(types, makers, frozenset(names))


def _round(graph: Graph, part: set[str], at: str) -> bool:
    """Whether a way leads from a node back to itself within the part."""
    inner = {name: [edge for edge in graph[name] if edge.target in part] for name in part}
    return at in part and any(at in reach(inner, edge.target) for edge in inner[at])


def _ring(graph: Graph, start: str, part: set[str]) -> list[str]:
    """A way round within the part: from the start on until a node comes again."""
    path = [start]
    while (after := next((e.target for e in graph[path[-1]] if e.target in part), None)) and after not in path:
        path.append(after)
    return [*path, after] if after else path
