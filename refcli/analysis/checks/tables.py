"""Tables: the rows and columns that lack, those that meet and those that never come up."""

from refcli.analysis.boxes import Box, remainder
from refcli.analysis.checks.patterns import Choosing, Written, check_dead, check_overlaps, listed
from refcli.analysis.ranges import Types, axis_of_expr, types_of
from refcli.core.chart import Chart, TableNode
from refcli.core.problem import Code, Problem


def check_tables(chart: Chart) -> list[Problem]:
    """Every value of row and column must have its cell, and only one."""
    types = types_of(chart)
    problems = []
    for node in chart.nodes.values():
        if not isinstance(node, TableNode):
            continue
        sides = _sides(node, types)
        for side in sides:
            problems += check_overlaps(side) + check_dead(side)
        if sides:
            problems += _gaps(node, sides)
    return problems


def _sides(node: TableNode, types: Types) -> list[Choosing]:
    """The rows, and the columns where there are any; nothing where their values are not known."""
    rows = tuple(Written(row.pattern, row.key, row.place, len(row.key)) for row in node.rows)
    columns = tuple(Written(pattern, key, node.place, len(node.id)) for pattern, key in node.columns)
    sides = []
    for what, expr, written in (("row", node.row, rows), ("column", node.column, columns)):
        if expr is None:
            continue
        axis = axis_of_expr(expr, types)
        if axis is None:
            return []
        sides.append(Choosing(what, expr.text, axis, written, node.place, len(node.id)))
    return sides


def _gaps(node: TableNode, sides: list[Choosing]) -> list[Problem]:
    """What no cell holds: what is left of rows times columns, told as the rows and columns to add."""
    space: list[Box] = [()]
    held: list[Box] = [()]
    for side in sides:
        space = [(*box, side.axis.span) for box in space]
        held = [(*box, span) for box in held for spans in side.spans for span in spans]
    left = remainder(space, held)
    whole = sides[-1].axis.span
    rows = [box[0] for box in left if len(sides) == 1 or box[1] == whole]
    columns = sorted({box[1] for box in left if len(sides) > 1 and box[1] != whole})
    problems = []
    for side, spans in zip(sides, (rows, columns), strict=False):
        if keys := [key for span in spans for key in side.axis.keys(span)]:
            many = "has" if len(keys) == 1 else "have"
            problems.append(
                Problem(
                    Code.GAP,
                    side.place,
                    f"{listed(keys)} of '{side.subject}' {many} no {side.what}",
                    side.range,
                    _mend(node, side, keys),
                    side.width,
                )
            )
    return problems


def _mend(node: TableNode, side: Choosing, keys: list[str]) -> str:
    """The rows or columns to add."""
    if side.what == "column":
        return f"add to `columns`: {', '.join(keys)}, with a cell in every row"
    cells = ", ".join(["…"] * max(1, len(node.columns)))
    return "add " + ", ".join(f"`{key}: [{cells}]`" for key in keys[:6])
