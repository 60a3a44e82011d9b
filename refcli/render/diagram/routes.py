"""Which way each arrow of a diagram takes: straight down, along a lane beside the boxes, or by a number.

The boxes stand one below the other. What leads to the next box goes down. What leads to a box nearby runs along a
lane at the right, which all arrows to that box share. What leads far, or would need one lane too many, is told by the
number of the box: a line that leaves the screen is harder to follow than a number.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum

from refcli.core.struct import Struct

NEAR = 6
"""The most boxes that a lane may pass."""


class Way(Enum):
    """How an arrow is drawn."""

    DOWN = "down"
    LANE = "lane"
    NUMBER = "number"


class Routes(Struct):
    """The ways of all arrows between boxes.

    Attributes:
        ways: by start and end, both as places from the top, from 0.
        lanes: the lane of a box that arrows lead to, from 0 at the left, by the box's place.
    """

    ways: Mapping[tuple[int, int], Way]
    lanes: Mapping[int, int]

    @property
    def width(self) -> int:
        """How many lanes there are."""
        return max(self.lanes.values(), default=-1) + 1


def routes(arrows: Sequence[tuple[int, int]], most: int) -> Routes:
    """Ways for arrows, with as few lines as there can be.

    Args:
        arrows: start and end of each, as places from the top.
        most: how many lanes there may be.
    """
    ways = {arrow: Way.DOWN if arrow[1] == arrow[0] + 1 else Way.NUMBER for arrow in arrows}
    lanes: list[list[tuple[int, int]]] = [[] for _ in range(most)]
    found: dict[int, int] = {}
    for low, high, end, starts in sorted(_wanted(ways), key=lambda wish: (wish[1] - wish[0], wish[0])):
        for lane, taken in enumerate(lanes):
            if all(high < other_low or other_high < low for other_low, other_high in taken):
                taken.append((low, high))
                found[end] = lane
                ways.update(((start, end), Way.LANE) for start in starts)
                break
    return Routes(ways, found)


def _wanted(ways: Mapping[tuple[int, int], Way]) -> Iterator[tuple[int, int, int, list[int]]]:
    """The lanes that would be good to have: from and to which height, to which box, from which boxes.

    Heights are in half boxes: a lane enters at the top of a box, and leaves at its middle.
    """
    ends: dict[int, list[int]] = {}
    for (start, end), way in ways.items():
        if way is Way.NUMBER and abs(end - start) <= NEAR:
            ends.setdefault(end, []).append(start)
    for end, starts in ends.items():
        heights = [2 * end, *(2 * start + 1 for start in starts)]
        yield min(heights), max(heights), end, starts
