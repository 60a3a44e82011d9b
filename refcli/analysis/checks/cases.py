"""Gaps, overlaps and dead cases of every node that chooses by a value, and of what tallies look up."""

from refcli.analysis.boxes import Axis, axis_of
from refcli.analysis.checks.patterns import Choosing, Written, check_dead, check_gaps, check_overlaps
from refcli.analysis.ranges import Types, axis_of_expr, types_of
from refcli.core.chart import Chart, DecideNode, Modifier, Node, RollNode, RunNode, TallyNode
from refcli.core.problem import Problem
from refcli.load.ranges import pool_range, roll_range, tally_range


def check_cases(chart: Chart) -> list[Problem]:
    """Values without a case, with two, and cases without a value: of decisions, totals, dice and runs."""
    types = types_of(chart)
    problems = []
    for node in chart.nodes.values():
        if choosing := choosing_of(chart, node, types):
            problems += check_gaps(choosing) + check_overlaps(choosing) + check_dead(choosing)
    return problems


def choosing_of(chart: Chart, node: Node, types: Types) -> Choosing | None:
    """What a node's cases choose by; None where there is only one way on."""
    cases = node.go.cases
    if not cases or cases[0].key == "next":
        return None
    subject, axis = _tested(chart, node, types)
    if axis is None:
        return None
    written = tuple(Written(case.pattern, case.key, case.place, len(case.target)) for case in cases)
    return Choosing("case", subject, axis, written, node.place, len(node.id))


def _tested(chart: Chart, node: Node, types: Types) -> tuple[str, Axis | None]:
    """What a node's cases look at, in words and as the values it can have."""
    match node:
        case DecideNode():
            return node.test.text, axis_of_expr(node.test, types)
        case TallyNode():
            return node.name, axis_of(tally_range(node))
        case RollNode() if node.pool is None:
            return node.name or node.id, axis_of(roll_range(node))
        case RollNode():
            return node.counts[0][0], axis_of(pool_range(node))
    assert isinstance(node, RunNode), f"'{node.id}' has cases, but nothing to choose by"
    outcomes = tuple(chart.charts[node.chart_id].outcomes)
    return f"outcome of {node.chart_id}", Axis((0, len(outcomes) - 1), outcomes)


def check_look_ups(chart: Chart) -> list[Problem]:
    """Keys of a tally's look-ups that meet or never come up; a value may lack a key, and then adds nothing."""
    types = types_of(chart)
    problems = []
    for node in chart.nodes.values():
        for modifier in node.modifiers if isinstance(node, TallyNode) else ():
            if choosing := _looking_up(modifier, types):
                problems += check_overlaps(choosing) + check_dead(choosing)
    return problems


def _looking_up(modifier: Modifier, types: Types) -> Choosing | None:
    if modifier.by is None or (axis := axis_of_expr(modifier.by, types)) is None:
        return None
    written = tuple(
        Written(pattern, key_of(pattern), expr.place, len(expr.text))
        for pattern, expr in modifier.amounts
        if pattern is not None
    )
    return Choosing("key", modifier.by.text, axis, written, modifier.place, 1)


def key_of(pattern: object) -> str:
    """A pattern as a chart writes it."""
    return ("yes" if pattern else "no") if isinstance(pattern, bool) else str(pattern)
