"""Gaps, overlaps and dead cases of every node that chooses by a value, and of what tallies look up."""

from collections.abc import Iterable

from refcli.analysis.boxes import Axis, axis_of
from refcli.analysis.checks.patterns import Choosing, Written, check_dead, check_gaps, check_overlaps
from refcli.analysis.ranges import Types, as_number, axis_of_expr, possible, tally_range, types_of
from refcli.core import types as t
from refcli.core.chart import Chart, DecideNode, EachNode, Modifier, Node, Op, RollNode, RunNode, TableNode, TallyNode
from refcli.core.expr import Expr
from refcli.core.fact import Fact
from refcli.core.need import MAX_RECORDS
from refcli.core.problem import Code, Problem


def check_cases(chart: Chart) -> list[Problem]:
    """Values without a case, with two, and cases without a value: of decisions, totals, dice, tables and runs."""
    types = types_of(chart)
    problems = []
    for node in chart.nodes.values():
        if choosing := _choosing(chart, node, types):
            problems += check_gaps(choosing) + check_overlaps(choosing) + check_dead(choosing)
    return problems


def _choosing(chart: Chart, node: Node, types: Types) -> Choosing | None:
    """What a node's cases choose by; None where there is only one way on."""
    cases = node.go.cases
    if not cases or cases[0].key == "next":
        return None
    subject, axis, fact = _tested(chart, node, types)
    if axis is None:
        return None
    written = tuple(Written(case.pattern, case.key, case.place) for case in cases)
    return Choosing("case", subject, axis, written, node.place, len(node.id), fact)


def _tested(chart: Chart, node: Node, types: Types) -> tuple[str, Axis | None, Fact | None]:
    """What a node's cases look at: in words, the values it can have, and the fact its words come from."""
    match node:
        case DecideNode():
            return node.test.text, axis_of_expr(node.test, types), _fact_of(node.test)
        case TallyNode():
            return node.name, axis_of(tally_range(node, types)), None
        case RollNode() if node.pool is None:
            return node.name or str(node.dice), axis_of(t.Number(node.dice.low, node.dice.high)), None
        case RollNode() if node.counts:
            most = as_number(possible(node.pool.tree, types)).high if node.pool else None
            return node.counts[0][0], axis_of(t.Number(0, max(0, min(most or MAX_RECORDS, MAX_RECORDS)))), None
        case TableNode():
            numbers = sorted({cell for row in node.rows for cell in row.cells if isinstance(cell, int)})
            return node.name or node.id, Axis(tuple((number, number) for number in numbers)), None
        case EachNode():
            return "", None, None
        case RunNode():
            outcomes = tuple(chart.charts[node.chart_id].outcomes)
            return f"{node.chart_id}'s outcome", Axis(((0, len(outcomes) - 1),), outcomes), None
    return "", None, None


def _fact_of(expr: Expr) -> Fact | None:
    return expr.type.fact if isinstance(expr.type, t.Word) else None


def check_look_ups(chart: Chart) -> list[Problem]:
    """Keys of a tally's look-ups that meet, never come up or are no choice (a key may lack); divisors below 1."""
    types = types_of(chart)
    problems = []
    for node in chart.nodes.values():
        for modifier in node.modifiers if isinstance(node, TallyNode) else ():
            if modifier.op is Op.DIVIDE:
                problems += _divisors((expr for _, expr in modifier.amounts), types)
            if choosing := _looking_up(modifier, types):
                problems += check_overlaps(choosing) + check_dead(choosing)
    return problems


def _looking_up(modifier: Modifier, types: Types) -> Choosing | None:
    if modifier.by is None or (axis := axis_of_expr(modifier.by, types)) is None:
        return None
    written = tuple(
        Written(pattern, key_of(pattern), expr.place) for pattern, expr in modifier.amounts if pattern is not None
    )
    by = modifier.by
    return Choosing("key", by.text, axis, written, modifier.place, 1, _fact_of(by))


def _divisors(amounts: Iterable[Expr], types: Types) -> list[Problem]:
    """Divisors that may be zero or less."""
    return [
        Problem(
            Code.OUT_OF_RANGE,
            expr.place,
            f"'{expr.text}' divides, and can be {by}",
            mend=f"divide by `max({expr.text}, 1)`, or by numbers above zero",
            width=len(expr.text),
        )
        for expr in amounts
        if (by := as_number(possible(expr.tree, types))).low is None or by.low < 1
    ]


def key_of(pattern: object) -> str:
    """A pattern as a chart writes it."""
    return ("yes" if pattern else "no") if isinstance(pattern, bool) else str(pattern)
