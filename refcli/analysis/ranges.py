"""What an expression can come to, worked out from the ranges of what it reads.

It may say too much (facts are taken to be independent of each other), never too little.
"""

from collections.abc import Callable
from typing import Any

from refcli.analysis.boxes import Axis, axis_of
from refcli.core import types as t
from refcli.core.chart import Chart
from refcli.core.compile import Tree
from refcli.core.expr import Expr

Types = Callable[[str], t.Type | None]
Known = t.Number | frozenset[Any] | None
"""A range of numbers, the set of words or yes/no values that are possible, or nothing known."""

BOTH: frozenset[Any] = frozenset({True, False})


def types_of(chart: Chart) -> Types:
    """The types of the facts and made names that a chart's expressions read."""

    def type_of(name: str) -> t.Type | None:
        made: t.Type | None = chart.made.get(name)
        fact = chart.fact(name)
        return made or (t.type_of_fact(fact) if fact else None)

    return type_of


def known(kind: t.Type | None) -> Known:
    """What a type alone says."""
    match kind:
        case t.Number():
            return kind
        case t.YesNo():
            return BOTH
        case t.Word():
            return kind.keys
    return None


def axis_of_expr(expr: Expr, types: Types) -> Axis | None:
    """The values an expression can have, as an axis; None where it has none to choose by."""
    found = possible(expr.tree, types)
    match expr.type:
        case t.YesNo():
            truths = [word for word, truth in (("yes", True), ("no", False)) if truth in _truths(found)]
            return Axis((0, len(truths) - 1), tuple(truths))
        case t.Number() if isinstance(found, t.Number):
            return axis_of(found)
        case t.Word() if isinstance(found, frozenset) and found:
            return axis_of(t.Word(expr.type.keys & found or expr.type.keys, expr.type.fact))
    return axis_of(expr.type)


def possible(tree: Tree, types: Types) -> Known:
    """The values a checked expression can have."""

    def sub(part: Tree) -> Known:
        return possible(part, types)

    match tree:
        case ("const", value):
            is_number = isinstance(value, int) and not isinstance(value, bool)
            return t.Number(value, value) if is_number else frozenset({value})
        case ("name", name):
            return known(types(name))
        case ("field", name, field, _):
            kind = types(name)
            return known(t.type_of_fact(kind.deck.fields[field])) if isinstance(kind, t.Card) else None
        case ("part", name, field):
            kind = types(name)
            return known(kind.fields.get(field)) if isinstance(kind, t.Result) else None
        case ("and" | "or" as word, parts):
            return _logic(word, [_truths(sub(part)) for part in parts])
        case ("not", part):
            return frozenset(not truth for truth in _truths(sub(part)))
        case ("if", test, yes, no):
            truths = _truths(sub(test))
            return _either([sub(part) for part, truth in ((yes, True), (no, False)) if truth in truths])
        case ("in", part, options):
            return _logic("or", [_compare("==", sub(part), sub(option)) for option in options])
        case ("data", part, table):
            keys = sub(part)
            return _data([v for k, v in table.items() if not isinstance(keys, frozenset) or k in keys])
        case ("count", name, where):
            kind = types(name)
            least, most = kind.fact.size if isinstance(kind, t.Records) else (0, None)
            return t.Number(least if where is None else 0, most)
        case ("total", *_):
            return t.NUMBER
        case ("==" | "!=" | "<" | "<=" | ">" | ">=" as sign, a, b):
            return _compare(sign, sub(a), sub(b))
    return _number(tree, types)


def _number(tree: Tree, types: Types) -> Known:
    """Arithmetic: the ranges of the parts put together."""

    def sub(part: Tree) -> t.Number:
        return as_number(possible(part, types))

    match tree:
        case ("+" | "-" as sign, a, b):
            return t.add(sub(a), sub(b), 1 if sign == "+" else -1)
        case ("*", a, b):
            return t.multiply(sub(a), sub(b))
        case ("//", a, ("const", by)):
            return t.divide(sub(a), by)
        case ("neg", part):
            return t.negate(sub(part))
        case ("call", "min", parts):
            return t.least(map(sub, parts))
        case ("call", "max", parts):
            return t.most(map(sub, parts))
        case ("half_up", part):
            return t.divide(t.add(sub(part), t.Number(1, 1)), 2)
        case ("half_down", part):
            return t.divide(sub(part), 2)
    return None


def as_number(found: Known) -> t.Number:
    """A range of numbers; any number where nothing is known."""
    return found if isinstance(found, t.Number) else t.NUMBER


def _truths(found: Known) -> frozenset[Any]:
    return found & BOTH if isinstance(found, frozenset) and found & BOTH else BOTH


def _logic(word: str, parts: list[frozenset[Any]]) -> frozenset[Any]:
    decides = word == "or"
    if frozenset({decides}) in parts:
        return frozenset({decides})
    return BOTH if any(decides in part for part in parts) else frozenset({not decides})


def _either(parts: list[Known]) -> Known:
    numbers = [part for part in parts if isinstance(part, t.Number)]
    if len(numbers) == len(parts):
        joined = t.join(numbers)
        return joined if isinstance(joined, t.Number) else None
    words = [part for part in parts if isinstance(part, frozenset)]
    return frozenset().union(*words) if len(words) == len(parts) else None


def _data(values: list[Any]) -> Known:
    if values and all(isinstance(value, int) and not isinstance(value, bool) for value in values):
        return t.Number(min(values), max(values))
    return frozenset(values)


def _compare(sign: str, a: Known, b: Known) -> frozenset[Any]:
    """Which of yes and no a comparison can come to."""
    if sign in ("!=", ">=", "<="):
        opposite = {"!=": "==", ">=": "<", "<=": ">"}[sign]
        return frozenset(not truth for truth in _compare(opposite, a, b))
    if isinstance(a, frozenset) and isinstance(b, frozenset):
        one = a == b and len(a) == 1
        return frozenset({True}) if one else BOTH if a & b else frozenset({False})
    if not isinstance(a, t.Number) or not isinstance(b, t.Number):
        return BOTH
    gap = t.add(a, b, -1) if sign != "<" else t.add(b, a, -1)
    low, high = gap.low, gap.high
    if sign == "==":
        if (low is not None and low > 0) or (high is not None and high < 0):
            return frozenset({False})
        return frozenset({True}) if low == high == 0 else BOTH
    if low is not None and low > 0:
        return frozenset({True})
    return frozenset({False}) if high is not None and high <= 0 else BOTH
