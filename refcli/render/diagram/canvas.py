"""A sheet of cells to draw on: text, lines that join by themselves, and signs that the output can show."""

import unicodedata
from collections.abc import Iterator
from functools import cache

from refcli.core.struct import Struct
from refcli.render.words import clean, showable

UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8


class Signs(Struct):
    """What things are drawn with.

    Attributes:
        lines: by the sides that a cell's lines lead to, the sum of UP, DOWN, LEFT and RIGHT; all four is a crossing.
        frames: of boxes by kind: four corners from the top left on, the left and the right side, and the right side
            where an arrow leaves.
        leaves: the lower side of a box where an arrow leaves.
        heads: of arrows down, left and right.
        page: stands before what is on another page.
        tones: of outcomes.
        cut: ends what is too long.
    """

    lines: str
    frames: dict[str, str]
    leaves: str
    heads: str
    page: str
    tones: dict[str, str]
    cut: str

    @property
    def across(self) -> str:
        """A piece of a line from the left to the right."""
        return self.lines[LEFT | RIGHT]

    @property
    def along(self) -> str:
        """A piece of a line from the top down."""
        return self.lines[UP | DOWN]


DRAWN = Signs(
    lines=" │││─┘┐┤─└┌├─┴┬┼",
    frames={"box": "┌┐└┘││├", "question": "╱╲╲╱││├", "page": "╓╖╙╜║║╟", "end": "╭╮╰╯││"},
    leaves="┬",
    heads="▼◄►",
    page="▷",
    tones={"good": "✓", "bad": "✗", "mixed": "±"},
    cut="…",
)
PLAIN = Signs(
    lines=" |||-+++-+++-++|",
    frames={"box": "++++||+", "question": "/\\\\/||+", "page": "++++[]+", "end": "..''||"},
    leaves="+",
    heads="v<>",
    page=">>",
    tones={"good": "+", "bad": "x", "mixed": "~"},
    cut="~",
)


def signs_for(encoding: str | None) -> Signs:
    """The signs that an output of this encoding can show."""
    drawn = DRAWN
    every = (drawn.lines, *drawn.frames.values(), drawn.heads, drawn.page, *drawn.tones.values())
    try:
        "".join(every).encode(encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return PLAIN
    return drawn


def tidy(text: str, encoding: str | None) -> str:
    """A text in one line, with nothing in it that the output cannot show or that would move what stands beside it."""
    return showable(" ".join(clean(text).split()), encoding)


def cells(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return len(text) if text.isascii() else sum(map(_cells, text))


@cache
def _cells(sign: str) -> int:
    if unicodedata.category(sign) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def fold(text: str, width: int) -> list[str]:
    """A text in lines of at most `width` columns, broken between words where that can be."""
    lines: list[str] = []
    line = ""
    for word in _pieces(text, width):
        longer = f"{line} {word}" if line else word
        if cells(longer) > width:
            lines.append(line)
            longer = word
        line = longer
    return [*lines, line] if line else lines


def _pieces(text: str, width: int) -> Iterator[str]:
    """The words of a text, in pieces where they are too long for a line."""
    for word in text.split():
        piece = ""
        for sign in word if cells(word) > width else ():
            if cells(piece + sign) > width:
                yield piece
                piece = ""
            piece += sign
        yield piece or word


def cut(text: str, width: int, signs: Signs) -> str:
    """The text, shortened to at most `width` columns."""
    if cells(text) <= width:
        return text
    while cells(text) >= width:
        text = text[:-1]
    return text.rstrip() + signs.cut


class Canvas:
    """A sheet that grows downwards as it is drawn on; what is drawn later covers what was there."""

    def __init__(self, width: int, signs: Signs) -> None:
        self.width, self.signs = width, signs
        self._rows: list[list[str]] = []
        self._lines: dict[tuple[int, int], int] = {}

    def _row(self, row: int) -> list[str]:
        while row >= len(self._rows):
            self._rows.append([" "] * self.width)
        return self._rows[row]

    def text(self, row: int, column: int, text: str) -> int:
        """Write a text from a place to the right; the column behind it."""
        line = self._row(row)
        end = column + cells(text)
        if end - column == len(text):
            line[column:end] = text
            return end
        for sign in text:
            wide = _cells(sign)
            if wide:
                line[column : column + wide] = [sign, *[""] * (wide - 1)]
                column += wide
            else:
                line[column - 1] += sign  # it stands upon the one before it
        return end

    def across(self, row: int, start: int, end: int) -> None:
        """Draw a line from the left to the right, ends included."""
        self._join((row, start), RIGHT)
        self._join((row, end), LEFT)
        for column in range(start + 1, end):
            self._join((row, column), LEFT | RIGHT)

    def along(self, column: int, start: int, end: int) -> None:
        """Draw a line from the top down, ends included."""
        self._join((start, column), DOWN)
        self._join((end, column), UP)
        for row in range(start + 1, end):
            self._join((row, column), UP | DOWN)

    def _join(self, place: tuple[int, int], sides: int) -> None:
        self._lines[place] = self._lines.get(place, 0) | sides

    def lines(self) -> list[str]:
        """The sheet as lines, without spaces at their ends."""
        for (row, column), sides in self._lines.items():
            self._row(row)[column] = self.signs.lines[sides]
        return ["".join(row).rstrip() for row in self._rows]
