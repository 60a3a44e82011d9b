"""A drawing of a flow chart: where everything stands, in points. `layout` places it, `picture` draws it."""

from refcli.core.struct import Struct
from refcli.render.draw.symbols import SMALL, Symbol, balanced
from refcli.render.graph import Arrow

Point = tuple[float, float]
PAGE = (523.0, 715.0)
"""The width and height that a picture has on paper: A4 and Letter without margins and a heading, in points."""


class Placed(Struct):
    """A symbol and the middle of its place."""

    symbol: Symbol
    x: float
    y: float


class Words(Struct):
    """Words beside an arrow, around their middle."""

    lines: tuple[str, ...]
    x: float
    y: float


class Way(Struct):
    """How an arrow runs.

    Attributes:
        arrow: which.
        points: a start, cubic Bézier pieces and the tip; or the corners of straight lines, the tip last.
        curved: whether they are Bézier pieces.
        words: beside it.
        leap: the number of the step it leads to and the middle of its circle, where it is not drawn to its end.
    """

    arrow: Arrow
    points: tuple[Point, ...]
    curved: bool = False
    words: Words | None = None
    leap: tuple[int, Point] | None = None


class Drawing(Struct):
    """All places of a drawing; y grows downwards from the top left corner."""

    width: float
    height: float
    placed: tuple[Placed, ...]
    ways: tuple[Way, ...]

    @property
    def scale(self) -> float:
        """How large it is on a page of paper; 1 where it fits as it is."""
        return min(1.0, PAGE[0] / max(self.width, 1), PAGE[1] / max(self.height, 1))


def told(arrow: Arrow, room: float) -> tuple[str, ...]:
    """The words of an arrow in lines."""
    return balanced(arrow.words, room, SMALL)
