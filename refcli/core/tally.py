"""Adding up a tally: modifiers in order, rounded down once at the end, then held within its cap."""

from collections.abc import Callable
from typing import TypeVar

from refcli.core import types as t
from refcli.core.chart import Band, Modifier, Op, TallyNode, matches
from refcli.core.errors import LimitError
from refcli.core.expr import MAX_NUMBER, Expr, shown
from refcli.core.scope import Missing, Scope, UnknownError
from refcli.core.trail import Line

T = TypeVar("T")
NEUTRAL = {Op.ADD: 0, Op.MULTIPLY: 1, Op.DIVIDE: 1}


def add_up(node: TallyNode, scope: Scope, where: str) -> tuple[int, tuple[Line, ...], tuple[str, ...]]:
    """The total, the lines that applied (a modifier that changes nothing is left out), and their notes.

    Raises:
        UnknownError: facts are missing; the next one of every modifier is named, so that they make one form.
        LimitError: the total is out of all bounds.
    """
    missing: list[Missing] = []

    def attempt(work: Callable[[], T], otherwise: T) -> T:
        try:
            return work()
        except UnknownError as unknown:
            missing.extend(unknown.missing)
            return otherwise

    start = node.start
    total, parts = attempt(lambda: start(scope), 0) if start is not None else 0, 1
    lines = [] if start is None else [Line(start_label(start), total, "start")]
    notes: list[str] = []
    for modifier in node.modifiers:
        found = attempt(lambda modifier=modifier: applied(modifier, scope), None)  # type: ignore[misc]
        if found is None or found[0] == NEUTRAL[modifier.op]:
            continue
        amount, label = found
        if modifier.op is Op.ADD:
            total += amount * parts
        elif modifier.op is Op.MULTIPLY:
            total *= amount
        else:
            parts *= amount
        if not -MAX_NUMBER <= total <= MAX_NUMBER or parts > MAX_NUMBER:
            raise LimitError(f"as the size of '{node.name}'", MAX_NUMBER, where)
        lines.append(Line(label, amount, modifier.op.value))
        if modifier.note:
            notes.append(modifier.note)
    if missing:
        raise UnknownError(missing)
    return held(total // parts, node.cap), tuple(lines), tuple(notes)


def held(value: int, cap: Band | None) -> int:
    """The total held within the cap."""
    if cap is not None and cap.low is not None:
        value = max(value, cap.low)
    if cap is not None and cap.high is not None:
        value = min(value, cap.high)
    return value


def applied(modifier: Modifier, scope: Scope) -> tuple[int, str] | None:
    """A modifier's amount and label where it applies; None where it does not."""
    if modifier.when is not None and not modifier.when(scope):
        return None
    if modifier.by is None:
        amount = modifier.amounts[0][1](scope)
        return amount, label_of(modifier, None, scope)
    key = modifier.by(scope)
    expr = amount_for(modifier, key)
    return None if expr is None else (expr(scope), label_of(modifier, key, scope))


def amount_for(modifier: Modifier, key: object) -> Expr | None:
    """What a look-up holds for a key."""
    return next((expr for pattern, expr in modifier.amounts if pattern is not None and matches(pattern, key)), None)


def label_of(modifier: Modifier, key: object, scope: Scope) -> str:
    """A modifier's label; without one the choice it looked up, or what makes it apply."""
    if modifier.label:
        return modifier.label.fill(scope)
    return plain_label(modifier, key)


def plain_label(modifier: Modifier, key: object) -> str:
    """The label of a modifier that was given none."""
    if modifier.by is not None:
        if isinstance(modifier.by.type, t.Word) and modifier.by.type.fact:
            return shown(key, modifier.by.type)
        return f"{words(modifier.by)} {shown(key, modifier.by.type)}"
    return words(modifier.when or modifier.amounts[0][1])


def start_label(start: Expr) -> str:
    """What a tally starts with; a plain number needs no name."""
    return "" if start.is_constant else words(start)


def words(expr: Expr) -> str:
    """An expression as a label: `wire_bound` reads `Wire bound`."""
    text = expr.text.strip().replace("_", " ")
    return text[:1].upper() + text[1:]
