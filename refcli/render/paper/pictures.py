"""The drawings of a booklet, scaled to its pages; turned on the side or spread over several where they are big."""

import re
from collections.abc import Sequence
from typing import Any

from refcli.core.struct import Struct, replace
from refcli.render.graph import Arrow, Box, Graph, Shape

Data = dict[str, Any]
READABLE = 0.77
"""The scale below which the type of a drawing is too small to read with ease."""
MOST = 6
"""The most pages that a drawing is spread over."""
_TYPE = 1.05  # the booklet's type is narrower than the one that drawings are made for
_SIZE = re.compile(r'width="([\d.]+)pt" height="([\d.]+)pt"')


class Room(Struct):
    """The room for a drawing, in points.

    Attributes:
        width: of every page.
        first: the height below the head of a chart.
        height: of a page of its own.
    """

    width: float
    first: float
    height: float


class _Fit(Struct):
    """A drawing with its size, its scale, and whether it is turned on its side."""

    graph: Graph
    svg: str
    wide: float
    high: float
    scale: float
    turned: bool


def pictures(graph: Graph, room: Room) -> list[Data]:
    """The drawings of a graph, one for each page, as data for the template.

    A drawing goes upright on its page where it can be read there, else on its side, else it is spread over as few
    pages as will do; a way that leads to another page ends in a tag with the step and the page it is on.
    """
    best: list[_Fit] = []
    for count in range(1, MOST + 1):
        parts = spread(graph, count)
        if len(parts) < count:
            break
        fits = [_fit(part, room, room.first if at == 0 else room.height) for at, part in enumerate(parts)]
        if not best or _worst(fits) > _worst(best) * 1.12:
            best = fits
        if _worst(best) >= READABLE:
            break
    return [_data(fit, at, len(best)) for at, fit in enumerate(best, 1)]


def on_one_page(graph: Graph, room: Room, least: float = 0.6) -> list[Data]:
    """The drawing of a graph on a page of its own; none where its type would be too small to read."""
    fit = _fit(graph, room, room.height)
    return [_data(fit, 1, 1)] if fit.scale >= least else []


def _worst(fits: Sequence[_Fit]) -> float:
    return min(fit.scale for fit in fits)


def _fit(graph: Graph, room: Room, high: float) -> _Fit:
    """A drawing at the scale at which it fits its page; on its side only where that is much better."""
    from refcli.render.draw.picture import svg

    text = svg(graph, links={}, inline=False)
    found = _SIZE.search(text)
    wide_, high_ = (float(found[1]), float(found[2])) if found else (room.width, high)
    upright = min(1.0, room.width / wide_, high / high_)
    turned = min(1.0, high / wide_, room.width / high_)
    on_side = upright < READABLE and turned > upright * 1.15
    scale = turned if on_side else upright
    return _Fit(graph, _bigger_type(text), wide_, high_, scale, on_side)


def _bigger_type(svg: str) -> str:
    return re.sub(r'(font-size=")([\d.]+)"', lambda found: f'{found[1]}{float(found[2]) * _TYPE:.2f}"', svg)


def _data(fit: _Fit, at: int, of: int) -> Data:
    part = f"Part {at} of {of}" if of > 1 else ""
    what = f"{fit.graph.title}, {part.lower()}" if part else fit.graph.title
    return {
        "svg": fit.svg,
        "width": round(fit.wide * fit.scale, 2),
        "height": round((fit.wide if fit.turned else fit.high) * fit.scale, 2),
        "scale": round(fit.scale, 3),
        "turned": fit.turned,
        "caption": part,
        "alt": f"Flow chart of {what}. The text says the same in words.",
    }


def spread(graph: Graph, count: int) -> list[Graph]:
    """The graph in as many parts, its steps in order; fewer where there are too few steps.

    Every part has the ends that it leads to. A way to a step of another part ends in a tag that names it.
    """
    steps = [box for box in graph.boxes if box.shape is not Shape.END]
    count = min(count, max(1, len(steps) // 3))
    if count == 1:
        return [graph]
    cuts = _cuts(graph, [box.id for box in steps], count)
    parts = [steps[start:end] for start, end in zip((0, *cuts), (*cuts, len(steps)), strict=True)]
    part_of = {box.id: at for at, boxes in enumerate(parts, 1) for box in boxes}
    return [_part(graph, boxes, part_of) for boxes in parts]


def _cuts(graph: Graph, order: Sequence[str], count: int) -> list[int]:
    """Where to cut: near even parts, where the fewest ways are cut."""
    place = {name: at for at, name in enumerate(order)}
    ways = [(place[a.start], place[a.end]) for a in graph.arrows if a.start in place and a.end in place]
    cuts: list[int] = []
    for at in range(1, count):
        even = len(order) * at / count
        slack = len(order) / count / 4
        near = range(max(round(even - slack), (cuts[-1] if cuts else 0) + 1), round(even + slack) + 1)
        cost = {cut: sum(min(way) < cut <= max(way) for way in ways) for cut in near}
        cuts.append(min(near, key=lambda cut: (cost[cut], abs(cut - even))))
    return cuts


def _part(graph: Graph, steps: Sequence[Box], part_of: dict[str, int]) -> Graph:
    own = {box.id for box in steps}
    ways = [arrow for arrow in graph.arrows if arrow.start in own]
    reached = {arrow.end for arrow in ways} - own
    ends = [box for box in graph.boxes if box.id in reached and box.id not in part_of]
    tags = [_tag(box, part_of[box.id]) for box in graph.boxes if box.id in reached and box.id in part_of]
    arrows = [
        Arrow(a.start, a.end, a.words, a.back and a.end in own) if a.end not in part_of or a.end in own
        else Arrow(a.start, f"to:{a.end}", a.words)
        for a in ways
    ]  # fmt: skip
    return replace(graph, boxes=(*steps, *tags, *ends), arrows=tuple(arrows))


def _tag(box: Box, part: int) -> Box:
    """A box that stands for a step of another part."""
    where = f"step {box.number}" if box.number else box.title
    return Box(f"to:{box.id}", Shape.PAGE, f"→ {where}, part {part}")
