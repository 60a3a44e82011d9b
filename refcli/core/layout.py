"""How a chart is laid out as code: the order of its nodes, its loops, and how a case is tested."""

from collections.abc import Callable, Iterator
from typing import Any

from refcli.core import chart as c
from refcli.core.expr import Expr, shown
from refcli.core.parts import Part, exprs_of, targets_of
from refcli.core.types import Word


class GiveUpError(Exception):
    """The fast path met something it leaves to the walk."""


class _Open:
    """Stands for a fact without an answer: using it in any way gives up."""

    def _give_up(self, *_: object) -> Any:
        raise GiveUpError

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __hash__ = _give_up
    __str__ = __repr__ = __format__ = __int__ = __index__ = _give_up
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __neg__ = __floordiv__ = __rfloordiv__ = _give_up


OPEN = _Open()


def condition(pattern: c.Pattern | None, value: str) -> str:
    """Source that tests a case's pattern."""
    if isinstance(pattern, bool):
        return value if pattern else f"not {value}"
    if pattern == c.ELSE:
        return "True"
    if not isinstance(pattern, c.Band):
        return f"{value} == {pattern!r}"
    if pattern.low is not None and pattern.low == pattern.high:
        return f"{value} == {pattern.low}"
    low = f"{pattern.low} <= " if pattern.low is not None else ""
    high = f" <= {pattern.high}" if pattern.high is not None else ""
    return f"{low}{value}{high}" if low or high else "True"


def shower(expr: Expr) -> Callable[[Any], str]:
    """A function that shows a value of the expression as a player reads it."""
    return lambda value: shown(value, expr.type)


def word_keys(expr: Expr | None) -> frozenset[str] | None:
    """The choice keys an expression can be; None where it is no choice."""
    return expr.type.keys if expr is not None and isinstance(expr.type, Word) else None


def topological(chart: c.Chart) -> list[str]:
    """Nodes so that every edge but those that close a loop leads forward."""
    done: list[str] = []
    state: dict[str, int] = {}
    stack: list[tuple[str, Iterator[Any]]] = [(chart.start, targets_of(chart.nodes[chart.start]))]
    state[chart.start] = 1
    while stack:
        name, edges = stack[-1]
        edge = next(edges, None)
        if edge is None:
            stack.pop()
            done.append(name)
        elif edge[0] in chart.nodes and edge[0] not in state:
            state[edge[0]] = 1
            stack.append((edge[0], targets_of(chart.nodes[edge[0]])))
    return done[::-1]


def entries(chart: c.Chart) -> dict[str, int]:
    """How many edges lead to each node."""
    count = dict.fromkeys(chart.nodes, 0)
    for node in chart.nodes.values():
        for target, _ in targets_of(node):
            if target in count:
                count[target] += 1
    return count


def has_loop(chart: c.Chart, order: list[str]) -> bool:
    """Whether some edge leads back."""
    place = {name: index for index, name in enumerate(order)}
    return any(
        place.get(target, len(order)) <= place[name] for name in order for target, _ in targets_of(chart.nodes[name])
    )


def always_looked_up(chart: c.Chart, name: str) -> bool:
    """Whether a choice is read by plain look-ups of tallies alone, which find an illegal key by themselves."""
    plain = {
        id(modifier.by)
        for node in chart.nodes.values()
        if isinstance(node, c.TallyNode) and not any(m.op is not c.Op.ADD for m in node.modifiers)
        for modifier in node.modifiers
        if modifier.by is not None and modifier.by.tree == ("name", name)
        and all(expr.is_constant and isinstance(pattern, str) for pattern, expr in modifier.amounts)
        and not (modifier.label and modifier.label.exprs)
    }  # fmt: skip
    parts: list[Part] = [*chart.nodes.values(), *chart.outcomes.values()]
    return all(id(expr) in plain for part in parts for expr in exprs_of(part) if name in expr.reads)
