"""Rows parted into columns."""

from collections.abc import Sequence
from itertools import pairwise

_UNEVEN = 1.1
"""How much higher a column may be to end where the flow does."""


def parted(heights: Sequence[float], goes_on: Sequence[bool], count: int) -> list[range]:
    """The rows in columns as even as can be; cut where the flow does not go on to the next row, if that costs little.

    Args:
        heights: of the rows; one or more.
        goes_on: whether an arrow leads from each row to the next.
        count: the most columns.
    """
    low, high = max(heights), sum(heights)
    while high - low > 1:
        middle = (low + high) / 2
        if len(_filled(heights, middle)) > count:
            low = middle
        else:
            high = middle
    starts = _filled(heights, high)
    for at in range(1, len(starts)):
        for by in (0, -1, 1, -2, 2, -3, 3):
            moved = [*starts[:at], starts[at] + by, *starts[at + 1 :]]
            if _highest(heights, moved) <= high * _UNEVEN and not goes_on[moved[at] - 1]:
                starts = moved
                break
    return [range(a, b) for a, b in pairwise([*starts, len(heights)])]


def _filled(heights: Sequence[float], most: float) -> list[int]:
    """Where columns start that are filled one after the other."""
    starts = [0]
    used = 0.0
    for at, high in enumerate(heights):
        if used + high > most and at > starts[-1]:
            starts.append(at)
            used = 0.0
        used += high
    return starts


def _highest(heights: Sequence[float], starts: Sequence[int]) -> float:
    """The height of the highest column; endless where one has no row."""
    columns = [heights[a:b] for a, b in pairwise([*starts, len(heights)])]
    return max(sum(column) or float("inf") for column in columns)
