"""Flow charts as SVG that we draw ourselves.

Colours are attributes, so that every reader of SVG shows them; classes let the CSS of a page change them: `way`
(arrows, with `tip`, `leap` and `words`), `box` with its shape or tone (`shape`, `tag`, `icon`, `says`, `number`), and
`paper` behind all.
"""

from collections.abc import Iterable, Iterator, Mapping

from refcli.render.draw.columns import SPOT
from refcli.render.draw.drawing import Drawing, Placed, Point, Way, Words
from refcli.render.draw.layout import layout
from refcli.render.draw.palette import FILLS, INK, LINE, PAPER, TAG, TONES
from refcli.render.draw.symbols import LEAD, SMALL, Symbol, Tag, Text, width
from refcli.render.graph import Graph, Shape

FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"
_MARGIN = 6.0
_ICONS = {
    "dice": "M-4 -4h8v8h-8zM-2 -2h.1M2 2h.1M0 0h.1",
    "card": "M-3 -4.5h6v9h-6zM-1 -2.5h2",
    "sum": "M-4 -2h4M-2 -4v4M0 3h4",
    "table": "M-4 -4h8v8h-8zM-4 -1h8M-1 -4v8",
    "good": "M-3 0l2.2 2.6L3.2 -3",
    "bad": "M-2.8 -2.8l5.6 5.6M2.8 -2.8l-5.6 5.6",
    "mixed": "M-3.6 1c1.2 -3 2.4 -3 3.6 -1s2.4 2 3.6 -1",
}
"""Small drawings, so that boxes can be told apart without colour, too."""


def svg(graph: Graph, *, links: Mapping[str, str] | None = None, inline: bool = False) -> str:
    """A flow chart as SVG.

    Args:
        graph: what is drawn.
        links: where a jump to a chart leads, by the chart's id; a chart without one is no link.
        inline: for a page of HTML: without the XML head and without paper behind it.

    Raises:
        UsageError: the library that lays it out is not installed.
    """
    wide, high, parts = drawn(graph, links or {})
    told = f"Flow chart of {len(graph.boxes)} boxes and {len(graph.arrows)} arrows"
    return document(graph.title, told, wide, high, parts, inline=inline, role="group" if links else "img")


def document(
    title: str, told: str, wide: float, high: float, parts: Iterable[str], *, inline: bool = False, role: str = "img"
) -> str:
    """A whole SVG around its parts.

    Args:
        title: what it is called.
        told: what it shows, for those who do not see it.
        wide: its width, in points.
        high: its height.
        parts: what is in it.
        inline: without the XML head and without paper behind it.
        role: what it is to a screen reader; `group` where it holds links, which a reader must find.
    """
    lines = [] if inline else ['<?xml version="1.0" encoding="UTF-8"?>']
    lines.append(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="flow-chart" role="{role}" width="{_n(wide)}pt" '
        f'height="{_n(high)}pt" viewBox="0 0 {_n(wide)} {_n(high)}" font-family="{FONT}" fill="{INK}">'
    )
    lines.append(f"<title>{xml(title)}</title>")
    lines.append(f"<desc>{xml(told)}</desc>")
    if not inline:
        lines.append(f'<rect class="paper" width="{_n(wide)}" height="{_n(high)}" fill="{PAPER}"/>')
    return "\n".join([*lines, *parts, "</svg>", ""])


def drawn(graph: Graph, links: Mapping[str, str]) -> tuple[float, float, list[str]]:
    """A flow chart's width and height with its margin, and its parts.

    Raises:
        UsageError: the library that lays it out is not installed.
    """
    drawing = layout(graph)
    parts = [f'<g transform="translate({_n(_MARGIN)} {_n(_MARGIN)})">', *_parts(drawing, links), "</g>"]
    return drawing.width + 2 * _MARGIN, drawing.height + 2 * _MARGIN, parts


def xml(text: str) -> str:
    """Text as XML text or the value of an attribute; what XML cannot hold is left out."""
    kept = "".join(sign for sign in text if sign in "\t\n" or " " <= sign <= "\ud7ff" or sign >= "\ue000")
    kept = kept.replace("\ufffe", "").replace("\uffff", "")
    for sign, safe in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
        kept = kept.replace(sign, safe)
    return kept


def line_of(
    text: str, x: float, y: float, size: float, *, kind: str, bold: bool = False, anchor: str = "start"
) -> str:
    """A line of text, its baseline at a place."""
    weight = ' font-weight="bold"' if bold else ""
    side = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return f'<text class="{kind}" x="{_n(x)}" y="{_n(y)}"{side} font-size="{size:g}"{weight}>{xml(text)}</text>'


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0") if abs(value) >= 0.05 else "0"


def _parts(drawing: Drawing, links: Mapping[str, str]) -> Iterator[str]:
    for way in drawing.ways:
        yield from _way(way)
    for placed in drawing.placed:
        yield from _placed(placed, links)


def _way(way: Way) -> Iterator[str]:
    """An arrow: its line, its head, its words, and the circle with a number that it may lead to."""
    base, tip = way.points[-2:]
    line = _curve(way.points) if way.curved else "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in way.points)
    kind, dash = ("way back", ' stroke-dasharray="5 3"') if way.arrow.back and way.leap is None else ("way", "")
    ends = f'data-from="{xml(way.arrow.start)}" data-to="{xml(way.arrow.end)}"'
    yield f'<g class="{kind}" {ends} stroke="{LINE}" fill="none">'
    yield f'<path d="{line}"{dash}/>'
    yield _head(base, tip)
    if way.leap is not None:
        number, (x, y) = way.leap
        yield f'<circle class="leap" cx="{_n(x)}" cy="{_n(y)}" r="{SPOT:g}"/>'
        yield f'<g stroke="none" fill="{INK}">{_text(Text(str(number), x, y + 2.8, SMALL, True), "number")}</g>'
    if way.words is not None:
        yield f'<g stroke="none" fill="{INK}">{"".join(_words(way.words))}</g>'
    yield "</g>"


def _curve(points: Iterable[Point]) -> str:
    (x, y), *rest, tip = points
    return f"M{_n(x)} {_n(y)}C{' '.join(f'{_n(x)} {_n(y)}' for x, y in rest)}L{_n(tip[0])} {_n(tip[1])}"


def _head(base: Point, tip: Point) -> str:
    dx, dy = tip[0] - base[0], tip[1] - base[1]
    long = (dx * dx + dy * dy) ** 0.5 or 1.0
    dx, dy = dx / long, dy / long
    x, y = tip[0] - 6 * dx, tip[1] - 6 * dy
    corners = [tip, (x - 2.6 * dy, y + 2.6 * dx), (x + 2.6 * dy, y - 2.6 * dx)]
    return f'<polygon class="tip" points="{_corners(corners)}" fill="{LINE}"/>'


def _corners(points: Iterable[Point]) -> str:
    return " ".join(f"{_n(x)},{_n(y)}" for x, y in points)


def _words(words: Words) -> Iterator[str]:
    y = words.y - len(words.lines) * SMALL * LEAD / 2
    for at, line in enumerate(words.lines):
        yield _text(Text(line, words.x, y + SMALL * (0.93 + at * LEAD), SMALL), "words")


def _placed(placed: Placed, links: Mapping[str, str]) -> Iterator[str]:
    made = placed.symbol
    box = made.box
    kind = f"{box.shape.value} {box.tone}".strip()
    whole = links.get(box.id)  # on the map a box is a chart itself
    if whole is not None:
        links = {}
        yield f'<a href="{xml(whole)}">'
    yield f'<g class="box {kind}" data-id="{xml(box.id)}" transform="translate({_n(placed.x)} {_n(placed.y)})">'
    yield _outline(made)
    yield from _icon(made)
    for text in made.texts:
        yield _text(text, "says")
    if box.number:
        left, top = -made.width / 2, -made.height / 2
        half = width(str(box.number), SMALL) / 2
        yield _text(Text(str(box.number), left + 3 + half, top + 8, SMALL, True), "number")
    for tag in made.tags:
        yield from _tag(tag, links)
    yield "</g>"
    if whole is not None:
        yield "</a>"


def _outline(made: Symbol) -> str:
    box = made.box
    fill, stroke = TONES[box.tone] if box.shape is Shape.END else FILLS[box.shape]
    left, top, high = -made.width / 2, -made.height / 2, made.body
    paint = f'class="shape" fill="{fill}" stroke="{stroke}"'
    if box.shape is Shape.QUESTION:
        corners = [(0.0, top), (-left, top + high / 2), (0.0, top + high), (left, top + high / 2)]
        return f'<polygon {paint} points="{_corners(corners)}"/>'
    round_ = min(high / 2, 11) if box.shape is Shape.END else 1.5
    place = f'x="{_n(left)}" y="{_n(top)}" width="{_n(made.width)}" height="{_n(high)}" rx="{_n(round_)}"'
    return f"<rect {paint} {place}/>"


def _icon(made: Symbol) -> Iterator[str]:
    """The small drawing of a box: of its kind at its right, of its tone at its left."""
    box = made.box
    name = box.tone or box.shape.value
    if name not in _ICONS:
        return
    x = -made.width / 2 + 9 if box.tone else made.width / 2 - 8
    y = made.waist if box.tone else -made.height / 2 + 8
    stroke = TONES[box.tone][1] if box.tone else FILLS[box.shape][1]
    look = f'fill="none" stroke="{stroke}" stroke-width="{1.8 if box.tone else 1}" stroke-linecap="round"'
    yield f'<path class="icon" transform="translate({_n(x)} {_n(y)})" d="{_ICONS[name]}" {look}/>'


def _text(text: Text, kind: str) -> str:
    return line_of(text.text, text.x, text.y, text.size, kind=kind, bold=text.bold, anchor="middle")


def _tag(tag: Tag, links: Mapping[str, str]) -> Iterator[str]:
    """The tag of a jump, pointing off the page."""
    href = links.get(tag.chart)
    if href is not None:
        yield f'<a href="{xml(href)}">'
    half, top, low = tag.width / 2, tag.top, tag.top + tag.height
    corners = [(-half, top), (half - 6, top), (half, (top + low) / 2), (half - 6, low), (-half, low)]
    yield f'<polygon class="tag" points="{_corners(corners)}" fill="{TAG}" stroke="{LINE}"/>'
    for text in tag.texts:
        yield _text(text, "jump")
    if href is not None:
        yield "</a>"
