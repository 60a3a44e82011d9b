"""Gaps, overlaps and dead cases of every node that chooses by a value."""

from collections.abc import Iterator

from refcli.analysis.boxes import axis_of
from refcli.analysis.checks.patterns import Choosing, Written, check_dead, check_gaps, check_overlaps
from refcli.analysis.ranges import (
    Types,
    as_number,
    looked_up_type,
    possible,
    tally_range,
    types_of,
)
from refcli.core import types as t
from refcli.core.chart import (
    Chart,
    DecideNode,
    EachNode,
    Node,
    Op,
    RollNode,
    RunNode,
    TableNode,
    TallyNode,
)
from refcli.core.expr import Expr
from refcli.core.need import MAX_RECORDS
from refcli.core.problem import Code, Problem


def check_cases(chart: Chart) -> list[Problem]:
    """Values without a case, with two, and cases without a value: of decisions, totals, dice and runs."""
    types = types_of(chart)
    problems = []
    for node in chart.nodes.values():
        if choosing := _of_node(chart, node, types):
            problems += check_gaps(choosing) + check_overlaps(choosing) + check_dead(choosing)
    return problems


def check_tables(chart: Chart) -> list[Problem]:
    """Rows and columns that a table lacks, those that meet, and those that never come up."""
    types = types_of(chart)
    problems = []
    for node in chart.nodes.values():
        if isinstance(node, TableNode):
            for choosing in _of_table(node, types):
                problems += check_gaps(choosing) + check_overlaps(choosing) + check_dead(choosing)
    return problems


def check_look_ups(chart: Chart) -> list[Problem]:
    """Keys of a tally's look-ups that meet, never come up, or are no choice; a key may be missing."""
    types = types_of(chart)
    problems = []
    for node in chart.nodes.values():
        for modifier in node.modifiers if isinstance(node, TallyNode) else ():
            if modifier.op is Op.DIVIDE:
                problems += _divisors([expr for _, expr in modifier.amounts], types)
            if modifier.by is None:
                continue
            written = [
                Written(pattern, key_of(pattern), expr.place)
                for pattern, expr in modifier.amounts
                if pattern is not None
            ]
            choosing = _choosing("key", modifier.by, types, written, node)
            if choosing is not None:
                problems += check_overlaps(choosing) + check_dead(choosing)
    return problems
