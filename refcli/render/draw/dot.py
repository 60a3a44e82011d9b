"""Flow charts as DOT, for Graphviz and its kin."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from refcli.render.draw.details import details
from refcli.render.draw.palette import FILLS, INK, LINE, TONES
from refcli.render.draw.symbols import SMALL, TITLE, balanced
from refcli.render.graph import Arrow, Box, Graph, Shape

if TYPE_CHECKING:
    from refcli.render.edition import Edition

_SHAPES = {
    Shape.QUESTION: "diamond", Shape.ACTION: "box", Shape.DICE: "hexagon", Shape.CARD: "parallelogram",
    Shape.SUM: "box", Shape.TABLE: "tab", Shape.PAGE: "invhouse", Shape.END: "box",
}  # fmt: skip
_ROOM = 130.0


def dot(edition: "Edition", *, paper: str = "a4") -> str:
    """A chart as DOT, its modifiers and tables in its boxes; of a book its map."""
    if edition.map is not None:
        return dot_of(edition.map)
    (page,) = edition.pages
    return dot_of(page.graph, details(page.data))


def dot_of(graph: Graph, more: Mapping[str, Sequence[str]] | None = None) -> str:
    """A graph as DOT.

    Args:
        graph: what is drawn.
        more: lines to add to boxes, by id.
    """
    return "\n".join(
        [
            f"digraph {_quoted(graph.id)} {{",
            f'  graph [label={_quoted(graph.title)} labelloc=t fontname="Helvetica" fontsize=14 fontcolor="{INK}"]',
            f'  node [fontname="Helvetica" fontsize=10 fontcolor="{INK}" style=filled margin="0.1,0.05"]',
            f'  edge [fontname="Helvetica" fontsize=9 fontcolor="{INK}" color="{LINE}"]',
            *(_box(box, (more or {}).get(box.id, ())) for box in graph.boxes),
            *map(_arrow, graph.arrows),
            "}",
            "",
        ]
    )


def _box(box: Box, more: Sequence[str]) -> str:
    fill, stroke = TONES[box.tone] if box.tone else FILLS[box.shape]
    style = ' style="filled,rounded"' if box.shape is Shape.END else ""
    label = "\n".join(_label(box, more))
    look = f'shape={_SHAPES[box.shape]}{style} fillcolor="{fill}" color="{stroke}"'
    return f"  {_quoted(box.id)} [{look} label={_quoted(label)}]"


def _label(box: Box, more: Sequence[str]) -> Iterator[str]:
    number = f"{box.number} · " if box.number else ""
    tone = f" ({box.tone})" if box.tone not in ("", "plain") else ""
    mark = f" [{box.mark}]" if box.mark else ""
    yield from balanced(f"{number}{box.title}{tone}{mark}", _ROOM, TITLE)
    for line in (*box.lines, *more):
        yield from balanced(line, _ROOM * 1.3, SMALL)
    for _, title, page in box.jumps:
        yield from balanced(f"→ {title}{f', p. {page}' if page[:1].isdigit() else ''}", _ROOM * 1.3, SMALL)


def _arrow(arrow: Arrow) -> str:
    told = [f"label={_quoted(chr(10).join(balanced(arrow.words, _ROOM * 0.8, SMALL)))}"] if arrow.words else []
    told += ["style=dashed"] if arrow.back else []
    return f"  {_quoted(arrow.start)} -> {_quoted(arrow.end)}{f' [{chr(32).join(told)}]' if told else ''}"


def _quoted(text: str) -> str:
    r"""Text in quotes that Graphviz shows as it is: it reads `\n` and the like, and entities such as `&lt;`."""
    text = text.encode("utf-8", "ignore").decode()
    for sign, safe in (("\\", "\\\\"), ('"', '\\"'), ("&", "&amp;"), ("\n", "\\n")):
        text = text.replace(sign, safe)
    return f'"{text}"'
