"""Big flow charts set in columns, step below step, as printed charts of many steps are.

The next step stands below; near steps are joined by lines at the left; ends, and the numbers of steps farther away,
stand at the right.
"""

from collections.abc import Iterable, Sequence

from refcli.core.struct import Struct
from refcli.render.draw.drawing import Drawing, Placed, Point, Way, Words, told
from refcli.render.draw.symbols import LEAD, SMALL, Symbol, symbol, width
from refcli.render.graph import Arrow, Graph
from refcli.render.parted import parted

ROOMS = (112.0, 96.0, 132.0, 152.0)
"""How wide the text of a step may be, the best first; ends and words beside arrows have less."""
_END, _WORDS, _MANY_WORDS = 0.7, 0.58, 0.9  # of the room of a step
_SHORT = 16.0  # what may stand upon the start of a line at the left
SPOT = 8.0
"""The radius of the circle with the number of a step."""
_APART = 3.0  # ways to the right
_BESIDE = 4.0  # from a line downwards to its words
_LANE = 9.0
_NEAR = 4  # a line at the left leads past at most three steps
_LANES = 3
_GUTTER, _MOST = 20.0, 8  # between columns, and how many there may be
_Near = dict[tuple[str, str], int]


class _Exit(Struct):
    """A way to the right of a step: to an end, or to the number of a step."""

    arrow: Arrow
    lines: tuple[str, ...]
    end: Symbol | None
    number: int

    @property
    def wide(self) -> float:
        return self.end.width if self.end is not None else 2 * SPOT

    @property
    def run(self) -> float:
        return max((width(line, SMALL) for line in self.lines), default=4.0) + 12

    @property
    def above(self) -> float:
        """What it takes above its line; the words stand upon the line."""
        high = self.end.height / 2 + self.end.waist if self.end is not None else SPOT
        return max(high, len(self.lines) * SMALL * LEAD + 2)

    @property
    def below(self) -> float:
        """What it takes below its line."""
        return self.end.height / 2 - self.end.waist if self.end is not None else SPOT


class _Row(Struct):
    """A step with its ways."""

    symbol: Symbol
    below: Arrow | None
    lines: tuple[str, ...]
    exits: tuple[_Exit, ...]
    gap: float

    @property
    def run(self) -> float:
        """How long the lines to the right are."""
        return max((way.run for way in self.exits), default=0.0)

    @property
    def exits_at(self) -> tuple[float, ...]:
        """How far below the line that leaves the step each of its ways to the right is."""
        if len(self.exits) == 1:
            return (0.0,)
        high = sum(way.above + way.below + _APART for way in self.exits) - _APART
        # a long list of ways hangs down from the step, a short one is beside it
        top = -self.exits[0].above if self.exits and high > 2 * self.symbol.height else -high / 2
        found = []
        for way in self.exits:
            found.append(top + way.above)
            top += way.above + way.below + _APART
        return tuple(found)

    @property
    def up(self) -> float:
        """How far it reaches above the line that leaves the step."""
        ways = [way.above - at for way, at in zip(self.exits, self.exits_at, strict=True)]
        return max(self.symbol.height / 2 + self.symbol.waist, *ways, 0.0)

    @property
    def down(self) -> float:
        """How far it reaches below that line."""
        ways = [way.below + at for way, at in zip(self.exits, self.exits_at, strict=True)]
        return max(self.symbol.height / 2 - self.symbol.waist, *ways, 0.0)

    @property
    def right(self) -> float:
        """How far it reaches to the right of the middle of its column."""
        ways = self.bus + self.run + max((way.wide for way in self.exits), default=0.0)
        return max(ways, _BESIDE + self.wide)

    @property
    def wide(self) -> float:
        """How wide the words beside the line downwards are."""
        return max((width(line, SMALL) for line in self.lines), default=0.0)

    @property
    def bus(self) -> float:
        """Where the lines to the right begin: at the step, or where several part, from the middle of the column."""
        return self.symbol.width / 2 + (8 if len(self.exits) > 1 else 0)


def in_columns(graph: Graph) -> Drawing:
    """A chart set in as many columns as keep its type largest on a page."""
    best = Drawing(0, 0, (), ())
    largest = 0.0
    steps = [box.id for box in graph.boxes if box.number]
    near = _near(graph, steps, ())
    for room in ROOMS:
        rows = _rows(graph, steps, (), near, room)
        heights, goes_on = [row.gap + row.up + row.down for row in rows], [row.below is not None for row in rows]
        before = 0.0
        for count in range(1, _MOST + 1):
            made = _set(graph, steps, parted(heights, goes_on, count), room)
            if made.scale <= before:
                break
            before = made.scale
            if made.scale > largest * 1.02:
                best, largest = made, made.scale
        if largest == 1:
            break
    return best


def _set(graph: Graph, steps: Sequence[str], parts: Sequence[range], room: float) -> Drawing:
    """A chart with its steps in columns that are known."""
    breaks = [part.start for part in parts]
    near = _near(graph, steps, breaks)
    rows = _rows(graph, steps, breaks, near, room)
    placed: list[Placed] = []
    ways: list[Way] = []
    x = high = 0.0
    for part in parts:
        column = _Column(graph, steps[part.start : part.stop], rows[part.start : part.stop], near)
        placed += column.placed(x)
        ways += column.ways(x)
        x += column.width + _GUTTER
        high = max(high, column.height)
    return Drawing(x - _GUTTER, high, tuple(placed), tuple(ways))


def _near(graph: Graph, steps: Sequence[str], breaks: Sequence[int]) -> _Near:
    """The arrows drawn as lines at the left, each with its lane: short ones within a column, one for each step."""
    at = {name: number for number, name in enumerate(steps)}
    column = [sum(number >= start for start in breaks) for number in range(len(steps))]
    wanted = []
    for arrow in graph.arrows:
        start, end = at[arrow.start], at.get(arrow.end, -9)
        near = end >= 0 and end != start + 1 and abs(end - start) <= _NEAR and column[start] == column[end]
        if near and width(arrow.words, SMALL) <= _SHORT:
            wanted.append((abs(end - start), start, end, arrow))
    lanes: list[list[tuple[int, int]]] = [[] for _ in range(_LANES)]  # ways that do not cross, the short ones inside
    found: dict[tuple[str, str], int] = {}
    left: set[int] = set()
    for _, start, end, arrow in sorted(wanted, key=lambda entry: entry[:3]):
        low, high = min(start, end), max(start, end)
        free = next((n for n, lane in enumerate(lanes) if all(high <= a or low >= b for a, b in lane)), None)
        crosses = any(a < low < b < high or low < a < high < b for lane in lanes for a, b in lane)
        if free is not None and not crosses and start not in left:
            left.add(start)
            lanes[free].append((low, high))
            found[arrow.start, arrow.end] = free
    return found


def _rows(graph: Graph, steps: Sequence[str], breaks: Sequence[int], near: _Near, room: float) -> list[_Row]:
    boxes = {box.id: box for box in graph.boxes}
    arrows: dict[str, list[Arrow]] = {name: [] for name in steps}
    for arrow in graph.arrows:
        arrows[arrow.start].append(arrow)
    seen: set[str] = set()
    rows = []
    before: tuple[str, ...] = ()
    for number, name in enumerate(steps):
        below = None
        exits = []
        for arrow in arrows[name]:
            target = boxes[arrow.end]
            if target.number == boxes[name].number + 1 and number + 1 not in breaks:
                below = arrow
            elif (arrow.start, arrow.end) not in near:
                end = None if target.number else symbol(target, room * _END, brief=target.id in seen)
                seen.add(target.id)
                exits.append(_Exit(arrow, _words(arrow, room), end, target.number))
        gap = max(12.0, len(before) * SMALL * LEAD + 8) if number not in breaks else 4.0
        before = _words(below, room) if below is not None else ()
        rows.append(_Row(symbol(boxes[name], room), below, before, tuple(exits), gap))
    return rows


def _words(arrow: Arrow, room: float) -> tuple[str, ...]:
    """The words of an arrow; on longer lines where they are many."""
    lines = told(arrow, room * _WORDS)
    return lines if len(lines) < 4 else told(arrow, room * _MANY_WORDS)


class _Column:
    """One column: where its rows stand."""

    def __init__(self, graph: Graph, steps: Sequence[str], rows: Sequence[_Row], near: _Near) -> None:
        self.rows = rows
        self.steps = steps
        ends = [(arrow, near.get((arrow.start, arrow.end), -1)) for arrow in graph.arrows if arrow.start in steps]
        self.near = [(arrow, lane) for arrow, lane in ends if lane >= 0]
        self.half = max(row.symbol.width for row in rows) / 2
        lanes = max((lane + 1 for _, lane in self.near), default=0)
        self.left = self.half + (lanes * _LANE + _SHORT if lanes else 2)
        self.width = self.left + max(max(row.right, self.half) for row in rows) + 1
        self.lines: list[float] = []  # the height of the line that leaves each step
        y = 0.0
        for row in rows:
            self.lines.append(y + row.gap + row.up)
            y += row.gap + row.up + row.down
        self.height = y

    def placed(self, x: float) -> Iterable[Placed]:
        """The symbols, with the column's left edge at x."""
        for row, y in zip(self.rows, self.lines, strict=True):
            yield Placed(row.symbol, x + self.left, y - row.symbol.waist)
            for way, at in zip(row.exits, row.exits_at, strict=True):
                if way.end is not None:
                    tip = x + self.left + row.bus + row.run
                    yield Placed(way.end, tip + way.wide / 2, y + at - way.end.waist)

    def ways(self, x: float) -> Iterable[Way]:
        """The arrows, with the column's left edge at x."""
        middle = x + self.left
        for at, (row, y) in enumerate(zip(self.rows, self.lines, strict=True)):
            if row.below is not None:
                yield self._downwards(row.below, row, y, middle, self._top(at + 1))
            yield from self._to_the_right(row, y, middle)
        for arrow, lane in self.near:
            yield self._at_the_left(arrow, lane, middle)

    def _top(self, at: int) -> float:
        """Where the box of a row begins."""
        made = self.rows[at].symbol
        return self.lines[at] - made.waist - made.height / 2

    def _downwards(self, arrow: Arrow, row: _Row, y: float, middle: float, end: float) -> Way:
        start = y - row.symbol.waist + row.symbol.height / 2
        words = None
        if row.lines:
            top = y + row.down + 1.5  # below all that stands to the right
            words = Words(row.lines, middle + row.wide / 2 + _BESIDE, top + len(row.lines) * SMALL * LEAD / 2)
        return Way(arrow, ((middle, start), (middle, end)), False, words)

    def _to_the_right(self, row: _Row, y: float, middle: float) -> Iterable[Way]:
        edge, bus = middle + row.symbol.width / 2, middle + row.bus
        tip = bus + row.run
        for way, at in zip(row.exits, row.exits_at, strict=True):
            points: tuple[Point, ...] = ((edge, y), (bus, y), (bus, y + at), (tip, y + at))
            words = None
            if way.lines:
                up = y + at - 1.5 - len(way.lines) * SMALL * LEAD / 2
                words = Words(way.lines, bus + (row.run - 6) / 2, up)
            leap = (way.number, (tip + SPOT, y + at)) if way.end is None else None
            yield Way(way.arrow, points if at else ((edge, y), (tip, y)), False, words, leap)

    def _at_the_left(self, arrow: Arrow, lane: int, middle: float) -> Way:
        start, end = self.steps.index(arrow.start), self.steps.index(arrow.end)
        edge = middle - self.rows[start].symbol.width / 2
        x = middle - self.half - _SHORT - lane * _LANE
        y, top = self.lines[start], self._top(end)
        join = top - 8
        lines = told(arrow, 2 * _SHORT)
        left = max(8, width(arrow.words, SMALL) / 2 + 2)
        words = Words(lines, edge - left, y - 1.5 - SMALL * LEAD / 2) if lines else None
        return Way(arrow, ((edge, y), (x, y), (x, join), (middle, join), (middle, top)), False, words)
