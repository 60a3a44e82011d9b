"""How much of each chart the worked examples reach: nodes, edges, outcomes and modifiers."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from refcli.analysis.paths import Edge, edges_of, show_path
from refcli.analysis.trace import Passed, trace
from refcli.core.chart import Chart, Modifier, TallyNode
from refcli.core.family import family
from refcli.core.place import Place
from refcli.core.problem import Code, Problem, Severity
from refcli.core.tally import plain_label, words
from refcli.core.trail import Step


@dataclass(frozen=True, slots=True)
class Share:
    """How many of how many."""

    done: int
    total: int

    @property
    def percent(self) -> int:
        """Whole per cent, rounded down: 100 only where nothing is left."""
        return 100 * self.done // self.total if self.total else 100

    def __str__(self) -> str:
        return f"{self.done}/{self.total}"


@dataclass(frozen=True, slots=True, eq=False)
class Coverage:
    """What the examples passed of one chart; its own and those of charts that run it."""

    chart: Chart
    passed: Passed

    @property
    def nodes(self) -> Share:
        """Nodes reached."""
        return Share(len(self.passed.nodes & self.chart.nodes.keys()), len(self.chart.nodes))

    @property
    def edges(self) -> Share:
        """Edges taken."""
        edges = list(all_edges(self.chart))
        return Share(sum(self.took(edge) for edge in edges), len(edges))

    @property
    def outcomes(self) -> Share:
        """Outcomes reached."""
        return Share(len(self.passed.outcomes & self.chart.outcomes.keys()), len(self.chart.outcomes))

    @property
    def modifiers(self) -> Share:
        """Modifiers of tallies that changed a total."""
        modifiers = list(all_modifiers(self.chart))
        return Share(sum((node.id, n) in self.passed.modifiers for node, n, _ in modifiers), len(modifiers))

    @property
    def shares(self) -> dict[str, Share]:
        """All four by name."""
        return {"nodes": self.nodes, "edges": self.edges, "outcomes": self.outcomes, "modifiers": self.modifiers}

    def took(self, edge: Edge) -> bool:
        """Whether some example took that edge."""
        return (edge.node, edge.key) in self.passed.edges

    def reached(self, name: str) -> bool:
        """Whether some example came to that node or outcome."""
        return name in self.passed.nodes or name in self.passed.outcomes


def coverage(walks: Iterable[tuple[Chart, Iterable[Step]]], charts: Iterable[Chart]) -> dict[str, Coverage]:
    """What finished walks, as (chart, its steps), passed of these charts and of all that they run, by chart id."""
    found = {chart.id: Coverage(chart, Passed()) for chart in family(charts).values()}
    for chart, steps in walks:
        for name, part in trace(chart, steps).items():
            if name in found:
                whole = found[name].passed
                whole.nodes |= part.nodes
                whole.edges |= part.edges
                whole.outcomes |= part.outcomes
                whole.modifiers |= part.modifiers
    return found


def total(covers: Iterable[Coverage]) -> dict[str, Share]:
    """The shares of several charts added up."""
    found = {word: Share(0, 0) for word in ("nodes", "edges", "outcomes", "modifiers")}
    for cover in covers:
        for word, share in cover.shares.items():
            found[word] = Share(found[word].done + share.done, found[word].total + share.total)
    return found


def all_edges(chart: Chart) -> Iterator[Edge]:
    """Every edge of a chart, in the order written."""
    for node in chart.nodes.values():
        yield from edges_of(node)


def all_modifiers(chart: Chart) -> Iterator[tuple[TallyNode, int, Modifier]]:
    """Every modifier of a chart's tallies, with its number (from 0)."""
    for node in chart.nodes.values():
        if isinstance(node, TallyNode):
            yield from ((node, number, modifier) for number, modifier in enumerate(node.modifiers))


def check_coverage(cover: Coverage) -> list[Problem]:
    """What no example reaches; what lies behind a node that is never reached goes unsaid."""
    chart = cover.chart
    problems = [
        _uncovered(part.place, f"no example reaches {what} '{name}'", show_path(chart, name), len(name))
        for what, parts in (("node", chart.nodes), ("outcome", chart.outcomes))
        for name, part in parts.items()
        if not cover.reached(name)
    ]
    problems += [
        _uncovered(edge.place, f"no example takes {_named(edge)}", show_path(chart, edge), edge.width)
        for edge in all_edges(chart)
        if not cover.took(edge) and cover.reached(edge.node) and cover.reached(edge.target)
    ]
    for node, number, modifier in all_modifiers(chart):
        if (node.id, number) not in cover.passed.modifiers and cover.reached(node.id):
            named = words(modifier.by) if modifier.by is not None else plain_label(modifier, None)
            label = modifier.label.source if modifier.label else named
            message = f"no example applies '{label}' in '{node.id}'"
            problems.append(_uncovered(modifier.place, message, show_path(chart, node.id), 1))
    return problems


def _named(edge: Edge) -> str:
    return f"'{edge.node}' to '{edge.target}'" + ("" if edge.key in ("next", edge.target) else f" by '{edge.key}'")


def _uncovered(place: Place, message: str, path: str, width: int) -> Problem:
    hint = f"shortest way: {path}" if path else ""
    return Problem(Code.UNCOVERED, place, message, hint, "add an example that does", width, Severity.WARNING)
