"""What does no harm but helps nobody: facts and names that nothing reads, charts without examples."""

from collections.abc import Iterable, Iterator
from itertools import chain

from refcli.core.chart import Chart, Node, OutcomeNode, RollNode, SetNode, TallyNode
from refcli.core.fact import Fact, Kind
from refcli.core.family import family
from refcli.core.parts import exprs_of, makes_of, names_of, reads_of, targets_of
from refcli.core.place import Place
from refcli.core.problem import Code, Problem, Severity


def check_examples_exist(chart: Chart) -> list[Problem]:
    """A chart without examples."""
    if chart.examples:
        return []
    place = Place(chart.place.file)
    return [_warning(Code.NO_EXAMPLES, place, "no example shows that this chart is right", "add `examples:`", 0)]


def check_facts_used(chart: Chart) -> list[Problem]:
    """The chart's own facts that nothing reads."""
    read = names_read(chart)
    return [
        _warning(Code.UNUSED, fact.place, f"nothing reads the fact '{name}'", "read it, or delete it", len(name))
        for name, fact in chart.facts.items()
        if name not in read
    ] + list(_fields(chart.facts.values(), read | _read_by_called(chart)))


def _fields(facts: Iterable[Fact], read: frozenset[str]) -> Iterator[Problem]:
    """Fields of a list that neither the chart nor one it runs reads; the first text names the record."""
    for fact in facts:
        name = next((field.name for field in fact.fields if field.kind is Kind.TEXT), "")
        for field in fact.fields:
            if field.name not in read and field.name != name:
                message = f"nothing reads '{field.name}' of a {fact.noun}"
                yield _warning(Code.UNUSED, fact.place, message, "read it, or take it off the list", len(fact.name))


def names_read(chart: Chart) -> frozenset[str]:
    """Every name that a chart itself reads, hands on or changes."""
    parts: list[Node | OutcomeNode] = [*chart.nodes.values(), *chart.outcomes.values()]
    found = frozenset().union(*map(reads_of, parts), *(outcome.changes for outcome in chart.outcomes.values()))
    defaults = (fact.default for fact in all_facts(chart.facts.values()) if fact.default is not None)
    return found.union(*map(names_of, defaults))


def all_facts(facts: Iterable[Fact]) -> Iterator[Fact]:
    """Facts, and the fields of those that are lists."""
    return chain.from_iterable((fact, *fact.fields) for fact in facts)


def _read_by_called(chart: Chart) -> frozenset[str]:
    return frozenset().union(*map(names_read, family(chart.charts.values()).values()))


def check_names_used(chart: Chart) -> list[Problem]:
    """Made names that nothing behind their node reads."""
    problems = []
    for node in chart.nodes.values():
        for name in sorted(makes_of(node) - _read_behind(chart, node) - _chooses(node)):
            message = f"nothing behind '{node.id}' reads '{name}'"
            problems.append(_warning(Code.UNUSED, node.place, message, "read it, or do not make it", len(node.id)))
    return problems


def _read_behind(chart: Chart, node: Node) -> frozenset[str]:
    """The names that a later node, or a later line of a set, reads."""
    live = [chart.live.get(target, frozenset()) for target, _ in targets_of(node)]
    own = [names_of(expr) for expr in exprs_of(node)] if isinstance(node, SetNode) else []
    names = frozenset().union(*live, *own)
    return names | {name.split(".")[0] for name in names}


def _chooses(node: Node) -> frozenset[str]:
    """The names that are needed where they are made: a throw is addressed by its name, a total chooses the case."""
    if isinstance(node, RollNode) and node.name:
        return frozenset({node.name}) if _has_cases(node) else frozenset()
    if isinstance(node, RollNode):
        return frozenset(name for name, _ in node.counts[:1]) if _has_cases(node) else frozenset()
    return makes_of(node) if isinstance(node, TallyNode) and _has_cases(node) else frozenset()


def _has_cases(node: Node) -> bool:
    return len(node.go.cases) > 1 or any(case.key != "next" for case in node.go.cases)


def _warning(code: Code, place: Place, message: str, mend: str, width: int) -> Problem:
    return Problem(code, place, message, mend=mend, width=width, severity=Severity.WARNING)
