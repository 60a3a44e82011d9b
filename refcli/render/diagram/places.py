"""Where things stand in a diagram: boxes at the left, what leaves them beside them, lanes at the right."""

from collections.abc import Iterator, Sequence

from refcli.core.struct import Struct
from refcli.render.diagram.canvas import Canvas, Signs, cells, cut, fold
from refcli.render.diagram.routes import Routes

SPINE = 3
"""The column in which arrows lead down."""

TAIL = 5
"""Columns of an arrow to the right, beside the words on it."""

FRAMED = 3
"""A box that leads to more outcomes than these has them in brackets, not in frames."""

CALLERS = 22
"""Columns of a box, at least, where the numbers of others stand that lead to one."""

HINT = 16
"""Columns that the number of a box far off and the beginning of its title ask for."""


class Exit(Struct):
    """An arrow that leaves a box at the right.

    Attributes:
        words: on it.
        end: the outcome that it leads to; what follows it, each on a line of its own.
        number: the box far off that it leads to, with its title.
        lane: the place of the box nearby that it leads to by a lane.
    """

    words: str
    end: tuple[str, ...] = ()
    number: str = ""
    lane: int = -1


class Step(Struct):
    """A box.

    Attributes:
        number: of it.
        kind: its frame.
        texts: in it, each on a line of its own.
        down: the words on the arrow to the next box; None without one.
        exits: the other arrows that leave it, in order.
        callers: the boxes that lead to it by its number.
    """

    number: str
    kind: str
    texts: tuple[str, ...]
    down: str | None
    exits: tuple[Exit, ...]
    callers: tuple[str, ...]


class _Placed(Struct):
    """An arrow to the right where it leaves its box, with its words and its end in lines.

    The end begins `rise` rows above the arrow.
    """

    exit: Exit
    row: int
    words: list[str]
    end: list[str]
    rise: int

    @property
    def last(self) -> int:
        """The last row that it takes."""
        return max(self.row + len(self.words), self.row - self.rise + len(self.end), self.row + 1) - 1


def drawing(steps: Sequence[Step], ways: Routes, width: int, signs: Signs) -> list[str]:
    """The lines of a diagram, none wider than `width` columns."""
    room = width - 2 * ways.width
    gutter = max((len(step.number) for step in steps), default=0)
    inner = max((cells(text) + gutter + 5 for step in steps for text in step.texts), default=0)
    inner = max(inner, *(CALLERS for step in steps if step.callers), 0)
    needed = max((TAIL + sum(_natural(step, HINT)) for step in steps), default=0)
    box = min(inner, max(room * 9 // 20, room - needed))
    below = max((SPINE + 3 + cells(step.down or "") for step in steps), default=0)
    aside = max((TAIL + sum(_natural(step)) for step in steps), default=0)
    aside = min(room - box, max(aside, below - box))
    sheet = _Sheet(box, gutter, aside, ways, Canvas(width, signs))
    for place, step in enumerate(steps):
        sheet.draw(place, step)
    sheet.draw_lanes()
    return sheet.canvas.lines()


def _natural(step: Step, most: int = 1000) -> tuple[int, int]:
    """The columns that the words on a step's arrows, and what they lead to, would like to have.

    The number of a box with its title needs at most `most`, since its title may be cut.
    """
    words = max((cells(exit_.words) for exit_ in step.exits), default=0)
    ends = [cells(text) + 5 for exit_ in step.exits for text in exit_.end]
    numbers = [min(cells(exit_.number) + 1, most) for exit_ in step.exits if exit_.number]
    return words, max(ends + numbers, default=0)


def _end(exit_: Exit, width: int, signs: Signs, *, framed: bool) -> list[str]:
    """What an arrow leads to, in lines: an outcome in a round frame or in brackets, or the number of a box."""
    if exit_.number:
        return [f" {cut(exit_.number, width - 1, signs)}"]
    if exit_.lane >= 0:
        return []
    title, *more = (fold(text, width - 5) for text in exit_.end)
    rest = [line for lines in more for line in lines]
    if not framed:
        lines = [f" {' ' if at else '('} {line}" for at, line in enumerate(title)]
        return [*lines[:-1], f"{lines[-1]} )", *(f"   {line}" for line in rest)]
    wide = max(map(cells, (*title, *rest)))
    corners, across = signs.frames["end"], signs.across * (wide + 2)
    inner = [f"{corners[4]} {line}{' ' * (wide - cells(line))} {corners[5]}" for line in (*title, *rest)]
    return [corners[0] + across + corners[1], *inner, corners[2] + across + corners[3]]


def _callers(numbers: Sequence[str], width: int, more: str) -> str:
    """Which boxes lead here by number, as many as there is room for."""
    told = f"from {', '.join(numbers)}"
    while len(told) > width:
        told = told[: told.rindex(",")] + more if "," in told else told[:width]
    return told


class _Sheet:
    """The canvas, drawn on from the top down.

    `box` and `aside` are the columns that boxes take, and what leaves them.
    """

    def __init__(self, box: int, gutter: int, aside: int, ways: Routes, canvas: Canvas) -> None:
        self.box, self.gutter, self.aside, self.ways = box, gutter, aside, ways
        self.canvas, self.signs = canvas, canvas.signs
        self.row = 0
        self.led = False  # an arrow leads down to the next box
        self.joins: dict[int, list[int]] = {place: [] for place in ways.lanes}

    def draw(self, place: int, step: Step) -> None:
        """Draw the next box with all that leaves it."""
        indent = " " * (self.gutter + 1)
        texts = [line for text in step.texts for line in fold(text, self.box - self.gutter - 5)]
        texts = [f"{step.number:>{self.gutter}} {texts[0]}", *(indent + text for text in texts[1:])]
        top = self.row
        words = self._words(step)
        exits = list(self._placed(step, words, top, entered=place in self.joins))
        bottom = top + len(texts) + 1
        for exit_ in exits:
            bottom = max(bottom, exit_.row + 1, exit_.last)
        self._frame(step, top, bottom)
        for row, text in enumerate(texts, top + 1):
            self.canvas.text(row, 2, text)
        for exit_ in exits:
            self._exit(step.kind, exit_, words)
        if place in self.joins:
            self.joins[place].append(top)
            self.canvas.across(top, self.box + 1, self._lane(place))
            self.canvas.text(top, self.box, self.signs.heads[1])
        self._down(step, bottom)

    def _words(self, step: Step) -> int:
        """The columns for the words on the arrows of a box, which stand one below the other."""
        words, ends = _natural(step, HINT)
        room = self.aside - TAIL
        return min(words, max(room - ends, room * 3 // 5))

    def _placed(self, step: Step, words: int, top: int, *, entered: bool) -> Iterator[_Placed]:
        """The arrows to the right; the first may have its end beside the top of the box if no lane enters there."""
        framed = sum(1 for exit_ in step.exits if exit_.end) <= FRAMED
        free = top + entered
        for exit_ in step.exits:
            end = _end(exit_, self.aside - TAIL - words, self.signs, framed=framed)
            says = fold(exit_.words, words if end else self.aside - TAIL)
            rise = int(framed and bool(exit_.end))
            placed = _Placed(exit_, max(free + rise, top + 1), says, end, rise)
            yield placed
            free = placed.last + 1

    def _frame(self, step: Step, top: int, bottom: int) -> None:
        frame = self.signs.frames[step.kind]
        line = self.signs.across * (self.box - 2)
        self.canvas.text(top, 0, frame[0] + line + frame[1])
        self.canvas.text(bottom, 0, frame[2] + line + frame[3])
        for row in range(top + 1, bottom):
            self.canvas.text(row, 0, frame[4])
            self.canvas.text(row, self.box - 1, frame[5])
        if self.led:
            self.canvas.text(top, SPINE, self.signs.heads[0])
        if step.callers:
            told = _callers(step.callers, self.box - SPINE - 6, self.signs.cut)
            self.canvas.text(top, SPINE + 2, f" {told} ")

    def _exit(self, kind: str, placed: _Placed, words: int) -> None:
        """An arrow to the right."""
        row, line = placed.row, self.signs.across
        column = self.canvas.text(row, self.box - 1, self.signs.frames[kind][6])
        if placed.words:
            self.canvas.text(row, column, line)
            for at, text in enumerate(placed.words, row):
                self.canvas.text(at, column + 2, text)
            column += 3 + cells(placed.words[0])
        lane = placed.exit.lane
        if lane >= 0:
            self.joins[lane].append(row)
            self.canvas.across(row, column, self._lane(lane))
            return
        head = self.box + (words + TAIL - 1 if words else 2)
        self.canvas.text(row, column, line * (head - column) + self.signs.heads[2])
        for at, text in enumerate(placed.end, row - placed.rise):
            self.canvas.text(at, head + 1, text)

    def _down(self, step: Step, bottom: int) -> None:
        """The way to the next box, with its words beside it; a gap where none leads there."""
        self.led = step.down is not None
        self.row = bottom + 1
        if step.down is None:
            self.row += 1
            return
        self.canvas.text(bottom, SPINE, self.signs.leaves)
        for line in fold(step.down, self.box + self.aside - SPINE - 3):
            self.canvas.text(self.row, SPINE, self.signs.along)
            self.canvas.text(self.row, SPINE + 2, line)
            self.row += 1

    def _lane(self, place: int) -> int:
        """The column of the lane to a box."""
        return self.box + self.aside + 2 * self.ways.lanes[place] + 1

    def draw_lanes(self) -> None:
        """Join what leads to each lane."""
        for place, rows in self.joins.items():
            self.canvas.along(self._lane(place), min(rows), max(rows))
