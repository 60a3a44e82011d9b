"""Flow charts as Mermaid, as GitHub draws it. All text is quoted, and its signs are numbered: none is ever syntax."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from refcli.render.draw.details import details
from refcli.render.draw.palette import FILLS, INK, SIGNS, TONES
from refcli.render.graph import Box, Graph, Shape

if TYPE_CHECKING:
    from refcli.render.edition import Edition

_SHAPES = {
    Shape.QUESTION: "{{{}}}", Shape.ACTION: "[{}]", Shape.DICE: "{{{{{}}}}}", Shape.CARD: "[/{}/]",
    Shape.SUM: "[/{}\\]", Shape.TABLE: "[({})]", Shape.PAGE: "[[{}]]", Shape.END: "([{}])",
}  # fmt: skip
_SAFE = re.compile(r"[^\w .,:'?!/+=→−×÷·≤≥≠–—…✓✗\N{NO-BREAK SPACE}-]|_")
_STYLE = re.compile("style|classDef")
_FIRST = re.compile(r"^(?:[-+=.]|\d+(?=\.))")  # would begin a list or a heading


def mermaid(edition: "Edition", *, paper: str = "a4") -> str:
    """A chart as Mermaid, its modifiers and tables in its boxes; of a book its map."""
    if edition.map is not None:
        return mermaid_of(edition.map)
    (page,) = edition.pages
    return mermaid_of(page.graph, details(page.data))


def mermaid_of(graph: Graph, more: Mapping[str, Sequence[str]] | None = None) -> str:
    """A graph as Mermaid.

    Args:
        graph: what is drawn.
        more: lines to add to boxes, by id.
    """
    return "\n".join([*_lines(graph, more or {}), ""])


def _lines(graph: Graph, more: Mapping[str, Sequence[str]]) -> Iterator[str]:
    names = {box.id: f"s{box.number}" if box.number else f"e{at}" for at, box in enumerate(graph.boxes, 1)}
    yield "flowchart TB"
    yield f"  %% {escaped(graph.title)}"
    for box in graph.boxes:
        shape = _SHAPES[box.shape].format(_quoted(_label(box, more.get(box.id, ()))))
        yield f"  {names[box.id]}{shape}"
    for arrow in graph.arrows:
        words = f"|{_quoted(escaped(arrow.words))}|" if arrow.words else ""
        yield f"  {names[arrow.start]} {'-.->' if arrow.back else '-->'}{words} {names[arrow.end]}"
    yield from _classes(graph, names)


def _label(box: Box, more: Sequence[str]) -> str:
    title = escaped(f"{SIGNS[box.tone]}{box.title}") if box.tone else escaped(box.title)
    lines = [f"{box.number} · {title}" if box.number else title]
    if box.mark:
        lines[0] += f" #91;{box.mark}#93;"
    lines += [escaped(line) for line in (*box.lines, *more)]
    for _, name, page in box.jumps:
        lines.append(escaped(f"→ {name}{f', p. {page}' if page[:1].isdigit() else ''}"))
    return "<br/>".join(lines)


def _quoted(label: str) -> str:
    # Mermaid takes a line with one of these words, a colon and a number of ours for its own style lines
    return f'"{label.replace(":", "#58;") if _STYLE.search(label) else label}"'


def _classes(graph: Graph, names: Mapping[str, str]) -> Iterator[str]:
    """Colours, for what is in the graph."""
    found: dict[str, list[str]] = {}
    for box in graph.boxes:
        found.setdefault(box.tone or box.shape.value, []).append(names[box.id])
    colours = {shape.value: pair for shape, pair in FILLS.items()} | TONES
    for kind, boxes in found.items():
        fill, stroke = colours[kind]
        yield f"  classDef {kind}Box fill:{fill},stroke:{stroke},color:{INK}"
        yield f"  class {','.join(boxes)} {kind}Box"


def escaped(text: str) -> str:
    """Text for a label in quotes; every sign that could mean something to Mermaid by its number."""
    flat = " ".join(text.encode("utf-8", "ignore").decode().split())
    first = _FIRST.match(flat)
    start = ""
    if first is not None:
        at = first.end() + (1 if first[0][0].isdigit() else 0)
        start = "".join(f"#{ord(sign)};" if not sign.isdigit() else sign for sign in flat[:at])
        flat = flat[at:]
    return start + _SAFE.sub(lambda sign: f"#{ord(sign[0])};", flat)
