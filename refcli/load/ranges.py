"""How large the numbers can be that nodes make: totals of tallies, throws, pools, cells of tables."""

from refcli.core import types as t
from refcli.core.chart import ELSE, Band, Modifier, Op, Pattern, RollNode, TableNode, TallyNode
from refcli.core.fact import MAX_RECORDS

MAX_SCALE = 10**12
"""Beyond this the exact range of a divided total is given up for an open one."""
Ends = tuple[int | None, int | None]


def tally_range(node: TallyNode) -> t.Number:
    """The range of a total whose expressions have been typed; exact until it is rounded down at the end."""
    low, high = _ends(node.start.type) if node.start is not None else (0, 0)
    scale = 1
    for modifier in node.modifiers:
        always = modifier.when is None and _always_found(modifier)
        amounts = [_ends(amount.type) for _, amount in modifier.amounts]
        if modifier.op is Op.DIVIDE:
            factor, bounds = _divided((low, high), amounts, always)
            scale *= factor
        elif modifier.op is Op.ADD:
            bounds = [_plus((low, high), amount, scale) for amount in amounts]
        else:
            bounds = [_times((low, high), amount) for amount in amounts]
        if not always and modifier.op is not Op.DIVIDE:
            bounds.append((low, high))
        low, high = _span(bounds)
        if scale > MAX_SCALE or any(abs(end) > MAX_SCALE * scale for end in (low, high) if end is not None):
            low, high, scale = None, None, 1
    kind = t.Number(None if low is None else low // scale, None if high is None else high // scale)
    return _capped(kind, node.cap)


def roll_range(node: RollNode) -> t.Number:
    """The range of a throw's total."""
    return t.Number(node.dice.low, node.dice.high)


def pool_range(node: RollNode) -> t.Number:
    """The range of what is counted in a pool."""
    kind = node.pool.type if node.pool is not None else t.NUMBER
    high = kind.high if isinstance(kind, t.Number) else None
    return t.Number(0, MAX_RECORDS if high is None else max(0, min(high, MAX_RECORDS)))


def table_range(node: TableNode) -> t.Number:
    """The range of the numbers in a table."""
    numbers = [cell for row in node.rows for cell in row.cells if isinstance(cell, int)]
    return t.Number(min(numbers), max(numbers)) if numbers else t.NUMBER


def covers(patterns: list[Pattern], kind: t.Type) -> bool:
    """Whether every value of the type is matched by one of the patterns."""
    if ELSE in patterns:
        return True
    match kind:
        case t.YesNo():
            return True in patterns and False in patterns
        case t.Word(keys=keys):
            return keys <= {pattern for pattern in patterns if isinstance(pattern, str)}
        case t.Number(low=low, high=high):
            return _bands_cover([pattern for pattern in patterns if isinstance(pattern, Band)], low, high)
    return False


def _bands_cover(bands: list[Band], low: int | None, high: int | None) -> bool:
    """Whether the bands leave no gap between the ends."""
    reached: int | None = None
    for band in sorted(bands, key=lambda band: (band.low is not None, band.low or 0)):
        if reached is None:
            if band.low is not None and (low is None or band.low > low):
                return False
        elif band.low is not None and band.low > reached + 1:
            return False
        if band.high is None:
            return True
        reached = band.high if reached is None else max(reached, band.high)
    return reached is not None and high is not None and reached >= high


def _always_found(modifier: Modifier) -> bool:
    return modifier.by is None or covers([p for p, _ in modifier.amounts if p is not None], modifier.by.type)


def _ends(kind: t.Type) -> Ends:
    return (kind.low, kind.high) if isinstance(kind, t.Number) else (None, None)


def _span(bounds: list[Ends]) -> Ends:
    lows, highs = [low for low, _ in bounds], [high for _, high in bounds]
    low = None if not lows or None in lows else min(end for end in lows if end is not None)
    return low, None if not highs or None in highs else max(end for end in highs if end is not None)


def _plus(total: Ends, amount: Ends, scale: int) -> Ends:
    low = None if total[0] is None or amount[0] is None else total[0] + amount[0] * scale
    return low, None if total[1] is None or amount[1] is None else total[1] + amount[1] * scale


def _times(total: Ends, amount: Ends) -> Ends:
    kind = t.multiply(t.Number(*total), t.Number(*amount))
    return kind.low, kind.high


def _divided(total: Ends, amounts: list[Ends], always: bool) -> tuple[int, list[Ends]]:
    """The total over a common denominator: each divisor's share of it, and the total itself where none applies."""
    divisors = [low if low is not None and low > 0 else 1 for low, _ in amounts] + ([] if always else [1])
    factor = 1
    for divisor in divisors:
        factor *= divisor
    shares = [factor // divisor for divisor in divisors]
    return factor, [
        (None if total[0] is None else total[0] * share, None if total[1] is None else total[1] * share)
        for share in shares
    ]


def _capped(kind: t.Number, cap: Band | None) -> t.Number:
    if cap is None:
        return kind
    low, high = kind.low, kind.high
    if cap.low is not None:
        low = cap.low if low is None else max(low, cap.low)
        high = None if high is None else max(high, cap.low)
    if cap.high is not None:
        high = cap.high if high is None else min(high, cap.high)
        low = None if low is None else min(low, cap.high)
    return t.Number(low, high)
