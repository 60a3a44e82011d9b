"""What a walk of a chart may ask for: facts, rolls and cards, of the chart and of all that it runs."""

from collections.abc import Iterator

from refcli.core.chart import Chart, DrawNode, EachNode, RollNode, RunNode
from refcli.core.fact import Fact
from refcli.core.parts import Part, exprs_of
from refcli.core.struct import Struct

Key = tuple[str, str]
"""The chart that asks, and the name; facts of the book have no chart."""


class Wanted(Struct):
    """What may be asked for, in the order in which the charts are met.

    A roll or a draw may stand for several nodes of its chart, here by their ids.
    """

    facts: dict[Key, Fact]
    rolls: dict[Key, dict[str, RollNode]]
    draws: dict[Key, dict[str, DrawNode]]


class _Run(Struct):
    """A run of a chart: what it is told by name (`handed`), and by the record it is run for."""

    chart: Chart
    handed: frozenset[str] = frozenset()
    record: frozenset[str] = frozenset()


def wanted(chart: Chart) -> Wanted:
    """What a case for a chart may have to give. What a chart that is run is told by its caller is not asked for."""
    found = Wanted({}, {}, {})
    done: set[tuple[str, frozenset[str], frozenset[str]]] = set()
    todo = [_Run(chart)]
    while todo:
        run = todo.pop(0)
        mark = (run.chart.id, run.handed, run.record)
        if mark not in done:
            done.add(mark)
            _note(found, run)
            todo += _runs(run)
    return found


def _note(found: Wanted, run: _Run) -> None:
    """Add what one run asks for itself."""
    chart = run.chart
    for name, fact in _facts(run):
        found.facts.setdefault((chart.id if name in chart.facts else "", name), fact)
    for node in chart.nodes.values():
        if isinstance(node, RollNode) and (node.name or node.id) not in run.handed:
            found.rolls.setdefault((chart.id, node.name or node.id), {})[node.id] = node
        elif isinstance(node, DrawNode) and node.name not in run.handed:
            found.draws.setdefault((chart.id, node.name), {})[node.id] = node


def _facts(run: _Run) -> Iterator[tuple[str, Fact]]:
    """The facts that a run reads and is not told, and those that their defaults read, in the order of the chart."""
    chart = run.chart
    parts: list[Part] = [*chart.nodes.values(), *chart.outcomes.values()]
    todo = [name for part in parts for expr in exprs_of(part) for name in sorted(expr.reads)]
    todo += [node.records for node in chart.nodes.values() if isinstance(node, EachNode)]
    met: dict[str, Fact] = {}
    while todo:
        name = todo.pop()
        fact = chart.fact(name)
        told = run.handed if name in chart.facts else run.handed | run.record
        if fact is None or name in told or name in met:
            continue
        met[name] = fact
        if fact.default is not None:
            todo += fact.default.reads
        for field in fact.fields:
            todo += field.default.reads if field.default is not None else ()
    for name, fact in (*chart.facts.items(), *chart.book.facts.items()):
        if met.get(name) is fact:
            yield name, fact


def _runs(run: _Run) -> Iterator[_Run]:
    """The runs that a run makes, with what each is told: by `with`, by its record, and what the book's facts are."""
    chart = run.chart
    kept = (run.handed - chart.facts.keys()) & chart.book.facts.keys()
    for node in chart.nodes.values():
        if isinstance(node, RunNode):
            record = run.record
            if isinstance(node, EachNode):
                records = chart.fact(node.records)
                record = frozenset(field.name for field in records.fields) if records is not None else record
            yield _Run(chart.charts[node.chart_id], frozenset(kept | node.given.keys()), record)


def fields_read(node: DrawNode, chart: Chart) -> list[Fact]:
    """The fields of a card that may be read after it is drawn."""
    live = {name for case in node.go.cases for name in chart.live[case.target]}
    return [field for name, field in node.deck.fields.items() if f"{node.name}.{name}" in live]
