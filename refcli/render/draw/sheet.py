"""A chart as a picture that stands alone, SVG or PNG: its drawing, and below it what the drawing leaves out."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from refcli.core.errors import UsageError
from refcli.render.draw.details import details, questions
from refcli.render.draw.picture import document, drawn, line_of
from refcli.render.draw.symbols import LEAD, fit
from refcli.render.footnotes import footnotes
from refcli.render.text import page_words

if TYPE_CHECKING:
    from refcli.render.edition import Edition, Page

_HEAD, _TYPE, _GAP = 14.0, 8.0, 16.0
_SIDE = 8.0
_LEAST = 420.0
"""The least width of a sheet."""
Line = tuple[str, float, bool]
"""A line of small print: its text, how far it is set in, and whether it is bold."""


def svg_file(edition: "Edition", *, paper: str = "a4") -> str:
    """A chart as SVG with its modifiers, tables, effects and notes; of a book its map.

    Raises:
        UsageError: the library that lays it out is not installed.
    """
    graph = edition.map or edition.pages[0].graph
    wide, high, parts = drawn(graph, edition.beside)
    least = max(wide, _LEAST)
    cite = fit(_cite(edition), least - 2 * _SIDE, _TYPE)
    head = [
        line_of(edition.title, _SIDE, _HEAD + 4, _HEAD, kind="title", bold=True),
        *(line_of(line, _SIDE, _HEAD + 16 + at * _TYPE * LEAD, _TYPE, kind="cite") for at, line in enumerate(cite)),
    ]
    top = _HEAD + 12 + len(cite) * _TYPE * LEAD
    body = [f'<g transform="translate({(least - wide) / 2:.1f} {top:.1f})">', *parts, "</g>"]
    top += high
    if edition.map is None:
        low, below = _print(list(_blocks(edition.pages[0])), top + _GAP / 2, least)
        top, body = low, [*body, *below]
    told = f"Flow chart of {len(graph.boxes)} boxes and {len(graph.arrows)} arrows"
    role = "group" if edition.beside else "img"
    return document(edition.title, told, least, top + _SIDE, [*head, *body], role=role)


def png_file(edition: "Edition", *, paper: str = "a4") -> bytes:
    """The same as PNG, two dots to the point.

    Raises:
        UsageError: a library that makes it is not installed.
    """
    try:
        import typst
    except ImportError:
        raise UsageError("a PNG needs typst: pip install 'refcli[print]'") from None

    text = (
        b"#set page(width: auto, height: auto, margin: 0pt)\n"
        b'#image(bytes(sys.inputs.picture), format: "svg", alt: "")'
    )
    made = typst.compile(
        text, format="png", ppi=144, ignore_system_fonts=True, sys_inputs={"picture": svg_file(edition)}
    )
    return made if isinstance(made, bytes) else b""


def _cite(edition: "Edition") -> str:
    if edition.map is not None:
        return f"Source: {edition.book['source']}" if edition.book.get("source") else ""
    data = edition.pages[0].data
    page = page_words([data["page"]]) if data.get("page") else ""
    return " · ".join(filter(None, (data["book"]["title"], page, data["id"], data["book"].get("source", ""))))


def _blocks(page: "Page") -> Iterator[list[tuple[str, bool]]]:
    """The small print: what is asked, what steps and outcomes say beyond the drawing, notes; headings are bold."""
    numbers = {box.id: box.number for box in page.graph.boxes}
    titles = {box.id: box.title for box in page.graph.boxes}
    yield from _headed("Questions", questions(page.data))
    for name, lines in details(page.data).items():
        yield from _headed(f"{numbers[name]} · {titles[name]}" if numbers[name] else titles[name], lines)
    yield from _headed("Notes", [f"[{number}] {note}" for note, number in footnotes(page.data).items()])


def _headed(heading: str, lines: Sequence[str]) -> Iterator[list[tuple[str, bool]]]:
    """Lines that may stand in different columns, but for the heading and the first."""
    for at, line in enumerate(lines):
        yield [(line, False)] if at else [(heading, True), (line, False)]


def _print(blocks: Sequence[Sequence[tuple[str, bool]]], top: float, wide: float) -> tuple[float, list[str]]:
    """The small print in columns; where it ends, and its lines."""
    count = 3 if wide > 640 else 2
    room = (wide - 2 * _SIDE - (count - 1) * _GAP) / count
    lead = _TYPE * LEAD
    set_ = [list(_lines(block, room)) for block in blocks]
    total = sum(len(lines) + lines[0][2] / 2 for lines in set_)
    parts: list[str] = []
    column, used, most = 0, 0.0, 0.0
    for lines in set_:
        if used and column + 1 < count and used + len(lines) / 2 > total / count:
            column, used = column + 1, 0.0
        x = _SIDE + column * (room + _GAP)
        used += 0.5 if lines[0][2] and used else 0.0
        for text, inner, bold in lines:
            used += 1
            parts.append(line_of(text, x + inner, top + used * lead, _TYPE, kind="print", bold=bold))
        most = max(most, used)
    return top + most * lead, parts


def _lines(block: Sequence[tuple[str, bool]], room: float) -> Iterator[Line]:
    for text, bold in block:
        for at, line in enumerate(fit(text, room - 8, _TYPE, bold=bold) or [""]):
            yield line, 0.0 if bold or at == 0 else 8.0, bold
