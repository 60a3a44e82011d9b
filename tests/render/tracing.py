"""Reads a diagram off its lines, as somebody does who follows the arrows with a finger. Knows nothing of the code."""

import re
from dataclasses import dataclass, field

TOPS = {"┌": "┐", "╱": "╲", "╓": "╖"}
BOTTOMS = {"┌": "└", "╱": "╲", "╓": "╙"}
SIDES = {
    "─": "LR", "│": "UD", "┐": "LD", "┘": "LU", "┤": "LUD", "┼": "LRUD",
}  # fmt: skip
MOVES = {"L": (0, -1, "R"), "R": (0, 1, "L"), "U": (-1, 0, "D"), "D": (1, 0, "U")}


@dataclass
class Traced:
    """A box: its number, its kind by its corner, all that is written in it, and who is said to lead to it."""

    number: int
    corner: str
    text: str
    top: int
    bottom: int
    right: int
    callers: list[int] = field(default_factory=list)


@dataclass
class Drawing:
    """What a diagram says: boxes, and arrows as (number, words, where), texts without any space.

    Where is the number of a box, or what is written at an end.
    """

    boxes: list[Traced]
    arrows: list[tuple[int, str, int | str]]


def squeezed(text: str) -> str:
    """The text without any space, so that it does not matter where lines were broken."""
    return "".join(text.split())


def trace(lines: list[str]) -> Drawing:
    """Read a diagram. It fails where lines lead nowhere, or to two places."""
    return _Finger(lines).drawing()


class _Finger:
    def __init__(self, lines: list[str]) -> None:
        self.width = max(map(len, lines), default=0)
        self.lines = [line.ljust(self.width + 2) for line in lines]
        self.boxes = list(self._boxes())

    def at(self, row: int, column: int) -> str:
        inside = 0 <= row < len(self.lines) and 0 <= column < self.width + 2
        return self.lines[row][column] if inside else " "

    def _boxes(self):  # type: ignore[no-untyped-def]
        row = 0
        while row < len(self.lines):
            corner = self.at(row, 0)
            if corner not in TOPS:
                assert corner in " ", f"line {row} begins with {corner!r}"
                row += 1
                continue
            top, right = row, self.lines[row].index(TOPS[corner], 1)
            while self.at(row, 0) != BOTTOMS[corner] or row == top:
                row += 1
            inner = "\n".join(line[1:right].strip() for line in self.lines[top + 1 : row])
            number, text = re.fullmatch(r"(\d+) (.*)", inner, re.DOTALL).groups()  # type: ignore[union-attr]
            told = re.search(r" from ([\d, ]+)", self.lines[top][:right])
            callers = [int(one) for one in re.findall(r"\d+", told[1])] if told else []
            yield Traced(int(number), corner, text, top, row, right, callers)
            row += 1

    def drawing(self) -> Drawing:
        arrows: list[tuple[int, str, int | str]] = []
        for box in self.boxes:
            leaving = [row for row in range(box.top + 1, box.bottom) if self.at(row, box.right) in "├╟"]
            arrows += [(box.number, *self._aside(box, row)) for row in leaving]
            if self.at(box.bottom, 3) == "┬":
                arrows.append((box.number, *self._down(box)))
        return Drawing(self.boxes, arrows)

    def _down(self, box: Traced) -> tuple[str, int]:
        row, words = box.bottom + 1, []
        while self.at(row, 3) == "│":
            words.append(re.sub(r"(?<=  )[ │┼┤┘┐─]*$", "", self.lines[row][5:]))
            row += 1
        assert self.at(row, 3) == "▼", f"the arrow down from {box.number} has no head"
        return squeezed(" ".join(words)), self._box_at(row).number

    def _box_at(self, top: int) -> Traced:
        return next(box for box in self.boxes if box.top == top)

    def _aside(self, box: Traced, row: int) -> tuple[str, int | str]:
        column = box.right + 1
        told = re.match(r"─ (?! )(.+?) (?=[─►┐┘┤┼])", self.lines[row][column:])
        words = [told[1]] if told else []
        column += told.end() if told else 0
        below = row + 1
        while told and below <= box.bottom and self.at(below, box.right) not in "├╟":
            more = re.match(r"  (\S+(?: \S+)*)", self.lines[below][box.right + 1 :])
            if not more:
                break
            words.append(more[1])
            below += 1
        while self.at(row, column) in "─┼":
            column += 1
        sign = self.at(row, column)
        if sign == "►":
            return squeezed(" ".join(words)), self._end(row, column + 1)
        assert sign in "┐┘┤", f"an arrow from {box.number} ends in {sign!r}"
        return squeezed(" ".join(words)), self._along(row, column)

    def _along(self, row: int, column: int) -> int:
        """Where a lane leads that is entered from the left: to the one head that its lines come to."""
        heads = set()
        todo = [(row, column, side) for side in SIDES[self.at(row, column)] if side != "L"]
        done = set(todo)
        while todo:
            row, column, side = todo.pop()
            down, across, back = MOVES[side]
            row, column = row + down, column + across
            sign = self.at(row, column)
            if sign == "◄" and side == "L":
                heads.add((row, column))
                continue
            if sign not in SIDES:
                assert side == "L", f"a line breaks off at {row}, {column}: {sign!r}"
                continue  # the words on another arrow that joins
            assert back in SIDES[sign], f"a line breaks off at {row}, {column}: {sign!r}"
            ways = side if sign == "┼" else [way for way in SIDES[sign] if way != back]
            for way in ways:
                if (row, column, way) not in done:
                    done.add((row, column, way))
                    todo.append((row, column, way))
        assert len(heads) == 1, f"a lane leads to {sorted(heads)}"
        top, column = heads.pop()
        box = self._box_at(top)
        assert column == box.right + 1
        return box.number

    def _end(self, row: int, column: int) -> int | str:
        if self.at(row, column) == "│":
            assert self.at(row - 1, column) == "╭"
            right = self.lines[row - 1].index("╮", column)
            told = []
            while self.at(row, column) == "│":
                told.append(self.lines[row][column + 1 : right].strip())
                row += 1
            assert self.lines[row][column : right + 1] == f"╰{'─' * (right - column - 1)}╯"
            return squeezed(" ".join(told))
        rest = self.lines[row][column:]
        if not rest.startswith(" ( "):
            return int(re.match(r" (\d+) ", rest)[1])  # type: ignore[index]
        told = []
        while not told or (
            self.lines[row][column - 1 : column + 3] == "    " and self.at(row, column + 3) not in " │"
        ):
            told.append(re.split("  | [│┼┤┘┐─]", self.lines[row][column + 3 :])[0])
            row += 1
            if row == len(self.lines):
                break
        return squeezed(re.sub(r" \)$", "", "\n".join(told), count=1, flags=re.MULTILINE))
