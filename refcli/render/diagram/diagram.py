"""A chart drawn in a terminal: boxes one below the other as the steps are numbered, with arrows and their words.

What follows next stands below, how it can end stands at the right, and lines at the right lead to boxes nearby; to
boxes farther off lead their numbers. Where lines run is decided in `routes`, where things stand in
`places`. Every arrow is drawn, in any width from NARROWEST up.
"""

from collections.abc import Iterator, Sequence

from refcli.render.diagram.canvas import signs_for, tidy
from refcli.render.diagram.places import Exit, Step, drawing
from refcli.render.diagram.routes import Routes, Way, routes
from refcli.render.graph import Arrow, Box, Graph, Shape

NARROWEST, WIDEST = 60, 132
"""Columns that a diagram takes at least, and at most: a longer line is hard to follow."""

KINDS = {Shape.QUESTION: "question", Shape.PAGE: "page"}


def diagram(graph: Graph, width: int = 80, encoding: str | None = "utf-8") -> list[str]:
    """A chart, or the map of a book, as lines to be shown on a terminal.

    Args:
        graph: what is to be drawn.
        width: columns that there are; held between NARROWEST and WIDEST.
        encoding: of the output; what it cannot show is drawn with plain signs.
    """
    width = min(max(width, NARROWEST), WIDEST)
    steps = [box for box in graph.boxes if box.shape is not Shape.END]
    places = {box.id: place for place, box in enumerate(steps)}
    between = [(places[arrow.start], places[arrow.end]) for arrow in graph.arrows if arrow.end in places]
    flows = any(box.number for box in steps)  # the charts of a book stand side by side, none leads down to the next
    lanes = 2 if width < 76 else 3
    ways = routes(between, lanes) if flows else Routes(dict.fromkeys(between, Way.NUMBER), {})
    words = _Words(encoding)
    return drawing(list(_steps(graph, steps, ways, words)), ways, width, words.signs)


def key(graph: Graph, encoding: str | None = "utf-8") -> str:
    """What the signs of a diagram mean, in one line; empty where there is nothing to tell."""
    signs = signs_for(encoding)
    if not any(box.number for box in graph.boxes):
        told = [f"{signs.heads[2]} plays", f"then {signs.heads[2]} may follow"] if graph.arrows else []
    else:
        tones = {box.tone for box in graph.boxes}
        told = [f"{sign} {tone}" for tone, sign in signs.tones.items() if tone in tones]
        told += [f"{signs.page} another chart"] if any(box.jumps for box in graph.boxes) else []
    return tidy(" · ".join(told), encoding)


class _Words:
    """What is written where."""

    def __init__(self, encoding: str | None) -> None:
        self.signs = signs_for(encoding)
        self.encoding = encoding

    def tidy(self, text: str) -> str:
        """A text in one line that the output can show."""
        return tidy(text, self.encoding)

    def end(self, box: Box) -> tuple[str, ...]:
        """An outcome with its tone, and the charts that follow it."""
        title = f"{self.signs.tones.get(box.tone, '')} {self.tidy(box.title) or box.id}".strip()
        return (title + _mark(box), *map(self._jump, box.jumps))

    def step(self, box: Box) -> tuple[str, ...]:
        """A step; a chart that is played by its title, and where that is all there is to say, by nothing else."""
        title = self.brief(box)
        jumps = tuple(map(self._jump, box.jumps))
        if any(title == self.tidy(other) for _, other, _ in box.jumps):
            return (jumps[0] + _mark(box), *jumps[1:])
        lines = map(self.tidy, box.lines if box.shape in (Shape.DICE, Shape.CARD) else ())
        return (title + _mark(box), *lines, *jumps)

    def brief(self, box: Box) -> str:
        """A step where it is only named."""
        title = self.tidy(box.title)
        if box.jumps:
            title = title.removeprefix("Play ")
        return title or box.id

    def _jump(self, jump: tuple[str, str, str]) -> str:
        _, title, page = jump
        told = f"p. {self.tidy(page)} " if page[:1].isdigit() else ""  # other pages are headings, and say the same
        return f"{self.signs.page} {told}{self.tidy(title)}"


def _mark(box: Box) -> str:
    return f" [{box.mark}]" if box.mark else ""


def _steps(graph: Graph, boxes: Sequence[Box], ways: Routes, words: _Words) -> Iterator[Step]:
    """The boxes with their arrows, as they are to be drawn."""
    places = {box.id: place for place, box in enumerate(boxes)}
    numbers = [str(box.number or place) for place, box in enumerate(boxes, 1)]
    leaving: dict[str, list[Arrow]] = {}
    callers: dict[str, list[str]] = {}
    for arrow in graph.arrows:
        leaving.setdefault(arrow.start, []).append(arrow)
        if arrow.end in places and ways.ways[places[arrow.start], places[arrow.end]] is Way.NUMBER:
            callers.setdefault(arrow.end, []).append(numbers[places[arrow.start]])
    for place, box in enumerate(boxes):
        down, exits = None, []
        for arrow in leaving.get(box.id, ()):
            says, end = words.tidy(arrow.words), places.get(arrow.end)
            if end is None:
                exits.append(Exit(says, end=words.end(graph.box(arrow.end))))
            elif ways.ways[place, end] is Way.DOWN:
                down = says
            elif ways.ways[place, end] is Way.LANE:
                exits.append(Exit(says, lane=end))
            else:
                exits.append(Exit(says, number=f"{numbers[end]} {words.brief(boxes[end])}"))
        kind = KINDS.get(box.shape, "box")
        yield Step(numbers[place], kind, words.step(box), down, tuple(exits), tuple(callers.get(box.id, ())))
