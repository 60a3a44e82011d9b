"""A chart as a flow chart to be drawn: its boxes and the arrows between them; and a book as the map of its charts.

Data only: `dot`, `mermaid`, `diagram` and `svg` draw it. Everything that stands in a box comes from the outline.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any

from refcli.core.struct import Struct
from refcli.render.footnotes import footnotes
from refcli.render.words import range_words

Data = dict[str, Any]


class Shape(Enum):
    """What a box is, by the conventions of flow charts."""

    QUESTION = "question"
    ACTION = "action"
    DICE = "dice"
    CARD = "card"
    SUM = "sum"
    TABLE = "table"
    PAGE = "page"
    END = "end"


SHAPES = {
    "decide": Shape.QUESTION, "do": Shape.ACTION, "set": Shape.ACTION, "tally": Shape.SUM, "roll": Shape.DICE,
    "draw": Shape.CARD, "table": Shape.TABLE, "run": Shape.PAGE, "each": Shape.PAGE,
}  # fmt: skip
"""The shape of each kind of node; a diamond, a box, …, and the symbol for a jump to another page."""


class Box(Struct):
    """One box.

    Attributes:
        id: the node, outcome or chart it stands for.
        shape: how it is drawn.
        title: what it says.
        lines: smaller, below the title.
        number: the step it is in the text, from 1; 0 for outcomes.
        tone: an outcome's tone, `good`, `bad`, `mixed` or `plain`; else empty.
        jumps: the charts it leads to, as (id, title, page), where it leaves the page.
        note: its reading, default or house rule, for a footnote.
        mark: the number of that footnote in the text; 0 where there is none.
    """

    id: str
    shape: Shape
    title: str
    lines: tuple[str, ...] = ()
    number: int = 0
    tone: str = ""
    jumps: tuple[tuple[str, str, str], ...] = ()
    note: str = ""
    mark: int = 0


class Arrow(Struct):
    """An arrow between two boxes, by id, with the words on it; `back` where it leads back to a box before."""

    start: str
    end: str
    words: str = ""
    back: bool = False


class Graph(Struct):
    """A drawing: the first box is where it starts."""

    id: str
    title: str
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]

    def box(self, name: str) -> Box:
        """The box of that id."""
        return next(box for box in self.boxes if box.id == name)


def graph(data: Data, titles: Mapping[str, tuple[str, str]]) -> Graph:
    """The flow chart of a chart.

    Args:
        data: the chart's outline.
        titles: title and page of every chart that can be jumped to, by id.
    """
    steps, ends = data["steps"], data["outcomes"]
    notes = footnotes(data)
    boxes = [_step(step, titles, notes) for step in steps] + [_end(end, titles, notes) for end in ends]
    arrows = [arrow for step in steps for arrow in _arrows(step)]
    backs = _backs(steps[0]["id"], arrows)
    return Graph(
        data["id"],
        data["title"],
        tuple(boxes),
        tuple(Arrow(a.start, a.end, a.words, (a.start, a.end) in backs) for a in arrows),
    )


def _jump(chart: str, titles: Mapping[str, tuple[str, str]]) -> tuple[str, str, str]:
    return (chart, *titles.get(chart, (chart, "")))


def _step(step: Data, titles: Mapping[str, tuple[str, str]], notes: Mapping[str, int]) -> Box:
    jumps = (_jump(step["run"], titles),) if "run" in step else ()
    lines: Sequence[str] = step.get("says", ())
    if step["kind"] in ("set", "decide", "run", "each"):
        lines = ()  # the title says it; names and formulas stand in the text
    title, note = step["title"], step.get("note", "")
    for name, told, _ in jumps:
        title = title.replace(name, told)  # players know a chart by its title
    shape = SHAPES[step["kind"]]
    return Box(step["id"], shape, title, tuple(lines), step["number"], "", jumps, note, notes.get(note, 0))


def _end(end: Data, titles: Mapping[str, tuple[str, str]], notes: Mapping[str, int]) -> Box:
    says = end.get("says", "")
    jumps = tuple(_jump(follows["chart"], titles) for follows in end.get("then", ()))
    lines, note = (says,) if says else (), end.get("note", "")
    return Box(end["id"], Shape.END, end["title"], lines, 0, end["tone"], jumps, note, notes.get(note, 0))


def _arrows(step: Data) -> Iterator[Arrow]:
    """One arrow for each box that a step leads to; several ways to it share it, numbers next to each other joined."""
    ways: dict[str, list[Data]] = {}
    for edge in step.get("edges", ()):
        ways.setdefault(edge["to"], []).append(edge)
    for target in step.get("table", {}).get("ways", ()):
        ways.setdefault(target, [])
    for target, edges in ways.items():
        yield Arrow(step["id"], target, "" if step["kind"] == "table" else "; ".join(_joined(edges)))


def _joined(edges: Sequence[Data]) -> Iterator[str]:
    """The words of ways to the same box; bands of numbers that touch become one."""
    open_: tuple[int | None, int | None] | None = None
    for edge in edges:
        if edge.get("on") == "next":
            continue
        band = edge.get("band")
        if band is None:
            if open_ is not None:
                yield range_words(*open_)
                open_ = None
            yield edge["words"]
        elif open_ is not None and open_[1] is not None and band[0] == open_[1] + 1:
            open_ = (open_[0], band[1])
        else:
            if open_ is not None:
                yield range_words(*open_)
            open_ = (band[0], band[1])
    if open_ is not None:
        yield range_words(*open_)


def _backs(start: str, arrows: Sequence[Arrow]) -> set[tuple[str, str]]:
    """The arrows that close a loop, as pairs of ids: those that lead to a box that is still being followed."""
    ways: dict[str, list[str]] = {}
    for arrow in arrows:
        ways.setdefault(arrow.start, []).append(arrow.end)
    found: set[tuple[str, str]] = set()
    done: set[str] = set()
    held = {start: iter(ways.get(start, ()))}
    while held:
        box = next(reversed(held))
        for target in held[box]:
            if target in held:
                found.add((box, target))
            elif target not in done:
                held[target] = iter(ways.get(target, ()))
                break
        else:
            done.add(box)
            del held[box]
    return found


def book_graph(book: Data, charts: Sequence[Data], titles: Mapping[str, tuple[str, str]]) -> Graph:
    """The map of a book: a box for each chart; arrows to those that it plays, and to those that may follow it."""
    ids = [data["id"] for data in charts]
    boxes = [Box(data["id"], Shape.PAGE, data["title"], (), 0, "", (_jump(data["id"], titles),)) for data in charts]
    pairs: dict[tuple[str, str], set[str]] = {}
    for data in charts:
        for step in data["steps"]:
            if step.get("run") in ids:
                pairs.setdefault((data["id"], step["run"]), set()).add("plays")
        for end in data["outcomes"]:
            for follows in end.get("then", ()):
                if follows["chart"] in ids and follows["chart"] != data["id"]:
                    pairs.setdefault((data["id"], follows["chart"]), set()).add("then")
    arrows = [Arrow(start, end, "then" if words == {"then"} else "") for (start, end), words in pairs.items()]
    return Graph(book["id"], book["title"], tuple(boxes), tuple(arrows))
