"""Charts as a PDF for two-sided print: a book with contents, map and glossary, or a single chart as a sheet.

The layout stands in `booklet.typ`; all texts go to it as data and never as code.
"""

import json
from importlib.resources import files

from refcli.core.errors import RefcliError, UsageError
from refcli.core.struct import replace
from refcli.render.edition import Edition
from refcli.render.graph import Box, Graph
from refcli.render.paper.pictures import Room, on_one_page, pictures
from refcli.render.paper.printed import anchor, flat, printed

PAPERS = {"a4": ("a4", 595.28, 841.89), "letter": ("us-letter", 612.0, 792.0)}
"""The papers: their names in typst, width and height in points."""
INSIDE, OUTSIDE, TOP, BOTTOM = 54.0, 38.0, 36.0, 46.0
"""The margins in points; inside is where a booklet is bound or punched."""
_HEAD = 74.0  # what stands above the drawing of a chart
_CAPTION = 14.0


def pdf(edition: Edition, *, paper: str = "a4") -> bytes:
    """An edition as a PDF.

    Args:
        edition: what is printed.
        paper: `a4` or `letter`.

    Returns:
        A PDF of the same bytes for the same edition.

    Raises:
        UsageError: a library that is needed is not installed.
        RefcliError: typst gives up.
    """
    try:
        import typst
    except ImportError:
        raise UsageError("a booklet needs typst: pip install 'refcli[print]'") from None
    name, wide, high = PAPERS[paper]
    room = Room(wide - INSIDE - OUTSIDE, high - TOP - BOTTOM - _HEAD, high - TOP - BOTTOM - _CAPTION)
    told = printed(edition, own_pages=True) | {
        "paper": {
            "name": name, "inside": INSIDE, "outside": OUTSIDE, "top": TOP, "bottom": BOTTOM,
            "width": room.width, "height": room.height,
        },
        "pictures": [pictures(_paged(page.graph, edition), room) for page in edition.pages],
        "map": on_one_page(_paged(edition.map, edition), room) if edition.map is not None else [],
        "leads": {anchor(page.data["id"]): _leads(edition, page.data["id"]) for page in edition.pages},
    }  # fmt: skip
    try:
        made = typst.compile(
            files("refcli.render.paper").joinpath("booklet.typ").read_bytes(),
            format="pdf",
            sys_inputs={"data": json.dumps(told)},
            ignore_system_fonts=True,
            timestamp=0,
        )
    except typst.TypstError as fault:
        raise RefcliError(f"{edition.id} could not be set as a booklet: {flat(str(fault))[:200]}") from None
    return made if isinstance(made, bytes) else b""


def _paged(graph: Graph, edition: Edition) -> Graph:
    """The graph with a mark in place of each page to jump to: only typst knows the pages of the booklet."""
    if edition.map is None:
        return graph
    at = {page.data["id"]: number for number, page in enumerate(edition.pages)}

    def paged(box: Box) -> Box:
        jumps = tuple(
            (chart, title, f"p. \ue000{at[chart]}\ue001" if chart in at else page) for chart, title, page in box.jumps
        )
        return replace(box, jumps=jumps)

    return replace(graph, boxes=tuple(map(paged, graph.boxes)))


def _leads(edition: Edition, chart: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Which charts a chart plays, and which may come after it: a word, and for each chart its title and anchor."""
    arrows = [arrow for arrow in edition.map.arrows if arrow.start == chart] if edition.map is not None else []
    titles = {page.data["id"]: flat(page.data["title"]) for page in edition.pages}
    told = []
    for word, words in (("plays", ""), ("then", "then")):
        ends = [(titles[arrow.end], anchor(arrow.end)) for arrow in arrows if arrow.words == words]
        if ends:
            told.append((word, ends))
    return told
