"""Flow charts laid out in ranks by Graphviz, which is told sizes only, never our text.

Taken is `graphviz-pure` of the extra `print`, else a `dot` on the PATH.
"""

import shutil
import sysconfig
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from refcli.core.errors import UsageError
from refcli.render.draw.drawing import PAGE, Drawing, Placed, Point, Way, Words, told
from refcli.render.draw.symbols import LEAD, SMALL, Symbol, symbol, width
from refcli.render.graph import Arrow, Box, Graph, Shape

_HEAD = (
    "digraph{graph[nodesep=0.16 ranksep=0.2 outputorder=nodesfirst]"
    'node[shape=box fixedsize=true label=""]edge[arrowsize=0.6]'
)
_NEEDED = "drawing a flow chart needs graphviz-pure: pip install 'refcli[print]'"
_GAP, _WORDS = 18.0, 88.0
_PATIENCE = 60
_BUSY, _LEGIBLE = 3, 0.8


def in_ranks(graph: Graph, *, across: bool = False) -> Drawing:
    """A graph laid out from top to bottom.

    Args:
        graph: what is drawn.
        across: from left to right instead.

    Raises:
        UsageError: there is no Graphviz.
    """
    symbols = [symbol(box) for box in graph.boxes]
    words = [told(arrow, _WORDS) for arrow in graph.arrows]
    head = _HEAD + ("rankdir=LR ranksep=0.35" if across else "")
    return _read(_run(_source(graph, symbols, words, head)), graph, symbols, words)


def packed(graph: Graph) -> Drawing:
    """A map: its parts that hang together laid out one by one, then set beside and below each other.

    Arrows to what is reached from many places are told in words; from two places already, if that makes it larger.
    """
    found = _shelved([_best(part) for part in _parts(_told(graph, _BUSY))])
    if found.scale >= _LEGIBLE:
        return found
    other = _shelved([_best(part) for part in _parts(_told(graph, 2))])
    return other if other.scale > found.scale else found


def _shelved(parts: Sequence[Drawing]) -> Drawing:
    """Drawings in rows, the highest first."""
    room = max(PAGE[0], *(part.width for part in parts))
    placed: list[Placed] = []
    ways: list[Way] = []
    x = y = high = wide = 0.0
    for part in sorted(parts, key=lambda part: -part.height):
        if x and x + part.width > room:
            x, y, high = 0.0, y + high + _GAP, 0.0
        placed += [Placed(one.symbol, one.x + x, one.y + y) for one in part.placed]
        ways += [_moved(way, x, y) for way in part.ways]
        x += part.width + _GAP
        wide, high = max(wide, x - _GAP), max(high, part.height)
    return Drawing(wide, y + high, tuple(placed), tuple(ways))


def _told(graph: Graph, busy: int) -> Graph:
    """The map without the arrows to what is reached from so many places; each of those says so in words instead."""
    reached = Counter(arrow.end for arrow in graph.arrows)
    titles = {box.id: box.title for box in graph.boxes if reached[box.id] >= busy}
    said: dict[str, list[str]] = {}
    for arrow in graph.arrows:
        if arrow.end in titles:
            said.setdefault(arrow.start, []).append(titles[arrow.end])
    boxes = [_saying(box, said[box.id]) if box.id in said else box for box in graph.boxes]
    return Graph(
        graph.id, graph.title, tuple(boxes), tuple(arrow for arrow in graph.arrows if arrow.end not in titles)
    )


def _saying(box: Box, titles: Sequence[str]) -> Box:
    lines = (*box.lines, f"→ {', '.join(titles)}")
    return Box(box.id, box.shape, box.title, lines, box.number, box.tone, box.jumps, box.note, box.mark)


def _best(graph: Graph) -> Drawing:
    """A part of a map from top to bottom, or from left to right where that is larger on a page."""
    if len(graph.boxes) == 1:
        made = symbol(graph.boxes[0])
        return Drawing(made.width, made.height, (Placed(made, made.width / 2, made.height / 2),), ())
    found = in_ranks(graph)
    return found if found.scale == 1 else max(found, in_ranks(graph, across=True), key=lambda one: one.scale)


def _moved(way: Way, x: float, y: float) -> Way:
    words = way.words and Words(way.words.lines, way.words.x + x, way.words.y + y)
    return Way(way.arrow, tuple((a + x, b + y) for a, b in way.points), way.curved, words)


def _parts(graph: Graph) -> Iterable[Graph]:
    """The parts of a graph that no arrow joins."""
    leader = {box.id: box.id for box in graph.boxes}

    def lead(name: str) -> str:
        while leader[name] != name:
            name = leader[name]
        return name

    for arrow in graph.arrows:
        leader[lead(arrow.end)] = lead(arrow.start)
    boxes: dict[str, list[Box]] = {}
    arrows: dict[str, list[Arrow]] = {}
    for box in graph.boxes:
        boxes.setdefault(lead(box.id), []).append(box)
    for arrow in graph.arrows:
        arrows.setdefault(lead(arrow.start), []).append(arrow)
    for name, part in boxes.items():
        yield Graph(graph.id, graph.title, tuple(part), tuple(arrows.get(name, ())))


def _source(graph: Graph, symbols: Sequence[Symbol], words: Sequence[Sequence[str]], head: str) -> str:
    """The graph as DOT with nothing in it but numbers."""
    at = {box.id: f"n{number}" for number, box in enumerate(graph.boxes)}
    lines = [head]
    for made in symbols:
        shape = "diamond" if made.box.shape is Shape.QUESTION else "box"
        lines.append(f"{at[made.box.id]}[shape={shape} width={made.width / 72:.4f} height={made.height / 72:.4f}]")
    for arrow, lines_ in zip(graph.arrows, words, strict=True):
        label = f"[label={_room(lines_)}]" if lines_ else ""
        lines.append(f"{at[arrow.start]}->{at[arrow.end]}{label}")
    return "\n".join([*lines, "}"])


def _room(words: Sequence[str]) -> str:
    """A label of the size of the words."""
    wide = max(width(line, SMALL) for line in words) + 6
    high = len(words) * SMALL * LEAD + 2
    table = f'BORDER="0" CELLPADDING="0" CELLSPACING="0" FIXEDSIZE="TRUE" WIDTH="{wide:.0f}" HEIGHT="{high:.0f}"'
    return f"<<TABLE {table}><TR><TD></TD></TR></TABLE>>"


def _run(text: str) -> Any:
    """What Graphviz makes of DOT, as JSON.

    Raises:
        UsageError: it is not installed, or it fails.
    """
    import json
    import subprocess

    program = _program()
    try:
        done = subprocess.run(
            [program, "-Tjson0"], input=text.encode(), capture_output=True, check=False, timeout=_PATIENCE
        )
    except subprocess.TimeoutExpired:
        raise UsageError(f"{program} did not lay out the flow chart within {_PATIENCE} seconds") from None
    except OSError as error:
        raise UsageError(f"{program} does not start: {error.strerror}; {_NEEDED}") from error
    if done.returncode or not done.stdout:
        said = done.stderr.decode(errors="replace").strip()[:200]
        raise UsageError(f"{program} could not lay out the flow chart: {said or f'exit code {done.returncode}'}")
    return json.loads(done.stdout)


def _program() -> str:
    """The Graphviz to use; that of our own environment first."""
    found = (
        shutil.which("graphviz-pure", path=sysconfig.get_path("scripts"))
        or shutil.which("graphviz-pure")
        or shutil.which("dot")
    )
    if found is None:
        raise UsageError(_NEEDED)
    return found


def _read(data: dict[str, Any], graph: Graph, symbols: Sequence[Symbol], words: Sequence[tuple[str, ...]]) -> Drawing:
    wide, high = map(float, data["bb"].split(",")[2:])
    places = {node["name"]: _point(node["pos"], high) for node in data["objects"]}
    placed = tuple(Placed(made, *places[f"n{number}"]) for number, made in enumerate(symbols))
    ways = []
    for edge, arrow, lines in zip(data.get("edges", ()), graph.arrows, words, strict=True):
        beside = Words(lines, *_point(edge["lp"], high)) if lines else None
        ways.append(Way(arrow, _spline(edge["pos"], high), True, beside))
    return Drawing(wide, high, placed, tuple(ways))


def _point(text: str, high: float) -> Point:
    x, y = text.split(",")
    return float(x), high - float(y)


def _spline(text: str, high: float) -> tuple[Point, ...]:
    """The points of an arrow: a start, Bézier pieces, and the tip."""
    tip, *points = text.split()
    return (*(_point(part, high) for part in points), _point(tip.removeprefix("e,"), high))
