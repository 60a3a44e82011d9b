"""Numbers that a chart hands on or changes, and lists: they must stay within what the fact or dice allow.

Every other check trusts the range of a fact; this one makes that trust safe where a value comes from a chart
instead of a player.
"""

from collections.abc import Iterator, Mapping

from refcli.analysis.ranges import Types, as_number, possible, types_of
from refcli.core import types as t
from refcli.core.chart import Chart, EachNode, OutcomeNode, RollNode, RunNode
from refcli.core.expr import Expr, record_types
from refcli.core.fact import Fact
from refcli.core.problem import Code, Problem


def check_handed(chart: Chart) -> list[Problem]:
    """Values of `with` and `changes` that may lie outside the range of their fact, or of the dice they stand for."""
    types = types_of(chart)
    problems: list[Problem] = []
    for node in chart.nodes.values():
        if isinstance(node, RunNode):
            called = chart.charts[node.chart_id]
            problems += _outside(node.given, _limits(called), _inside(node, types), f"{called.id} takes")
            problems += _too_many(node.given, called)
    seen: set[int] = set()
    for outcome in chart.outcomes.values():
        # what stands beside `outcomes` is the same expression in every outcome: told of once
        changes = {name: expr for name, expr in outcome.changes.items() if id(expr) not in seen}
        seen.update(map(id, changes.values()))
        problems += _outside(changes, _facts(chart, outcome), types, "it takes")
    return problems


def _outside(
    given: Mapping[str, Expr], limits: Mapping[str, t.Number], types: Types, takes: str
) -> Iterator[Problem]:
    for name, expr in given.items():
        legal = limits.get(name)
        if legal is None or not isinstance(expr.type, t.Number):
            continue
        found = as_number(possible(expr.tree, types))
        if _within(found, legal):
            continue
        held = expr.text
        held = f"max({legal.low}, {held})" if legal.low is not None else held
        held = f"min({legal.high}, {held})" if legal.high is not None else held
        yield Problem(
            Code.OUT_OF_RANGE,
            expr.place,
            f"'{expr.text}' for '{name}' can be {shown(found)}",
            f"{takes} {shown(legal)}",
            f"write `{held}`, or widen '{name}'",
            len(expr.text),
        )


def _too_many(given: Mapping[str, Expr], called: Chart) -> Iterator[Problem]:
    """Lists that may have fewer or more records than the one they stand for."""
    for name, expr in given.items():
        fact = called.fact(name)
        if fact is None or not isinstance(expr.type, t.Records):
            continue
        handed = expr.type.fact
        if fact.size[0] <= handed.size[0] and handed.size[1] <= fact.size[1]:
            continue
        yield Problem(
            Code.OUT_OF_RANGE,
            expr.place,
            f"'{expr.text}' for '{name}' can be a list of {handed.many}",
            f"{called.id} takes {fact.many}",
            f"give '{handed.name}' the same `size:`",
            len(expr.text),
        )


def _within(found: t.Number, legal: t.Number) -> bool:
    low = legal.low is None or (found.low is not None and found.low >= legal.low)
    return low and (legal.high is None or (found.high is not None and found.high <= legal.high))


def _limits(called: Chart) -> dict[str, t.Number]:
    """The numbers that a chart may be handed: its facts, those of its book, and its throws."""
    facts = {**called.book.facts, **called.facts}
    found = {name: t.Number(fact.low, fact.high) for name, fact in facts.items() if is_number(fact)}
    for node in called.nodes.values():
        if isinstance(node, RollNode) and node.name and node.pool is None:
            found[node.name] = t.Number(node.dice.low, node.dice.high)
    return found


def _facts(chart: Chart, outcome: OutcomeNode) -> dict[str, t.Number]:
    facts = {name: chart.fact(name) for name in outcome.changes}
    return {name: t.Number(fact.low, fact.high) for name, fact in facts.items() if fact and is_number(fact)}


def is_number(fact: Fact) -> bool:
    """Whether a fact is answered by a number."""
    return isinstance(t.type_of_fact(fact), t.Number)


def _inside(node: RunNode, types: Types) -> Types:
    """The names that a run's `with` sees: in an each those of the record first."""
    kind = types(node.records) if isinstance(node, EachNode) else None
    first = record_types(kind) if kind is not None else {}
    return lambda name: first.get(name) or types(name)


def shown(numbers: t.Number) -> str:
    """A range as a chart writes it."""
    low = "" if numbers.low is None else numbers.low
    return str(low) if low != "" and low == numbers.high else f"{low}..{'' if numbers.high is None else numbers.high}"
