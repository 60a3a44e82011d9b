"""What is printed: one chart or a whole book, as outlines and graphs, with all that footnotes and jumps need."""

from collections.abc import Mapping, Sequence
from typing import Any

from refcli.core.chart import Book, Chart
from refcli.core.struct import Struct
from refcli.render.decks import deck_data, make_up
from refcli.render.graph import Graph, book_graph, graph
from refcli.render.outline import fact_data, outline
from refcli.render.words import clean

Data = dict[str, Any]


class Page(Struct):
    """One chart in print: its outline, its graph, and whether menus list it (others only serve)."""

    data: Data
    graph: Graph
    listed: bool = True


class Edition(Struct):
    """What goes to the printer.

    Attributes:
        id: of the book, or of the chart where it is a single one.
        title: of it.
        book: `id`, `title`, `source`, `glossary`, `facts` and `decks` of the book; decks as in `deck_data`, with
            `make_up` in words.
        pages: the charts in the book's order, those that only serve behind the others.
        titles: title and page of every chart in the library, by id.
        map: the map of the book; None for a single chart.
        beside: where the other charts are that are printed with it, each into a file of its own, by id; as addresses.
    """

    id: str
    title: str
    book: Data
    pages: tuple[Page, ...]
    titles: Mapping[str, tuple[str, str]]
    map: Graph | None = None
    beside: Mapping[str, str] = {}


def edition(
    book: Book,
    charts: Sequence[tuple[Chart, bool]],
    titles: Mapping[str, tuple[str, str]],
    *,
    whole: bool,
) -> Edition:
    """An edition of charts of one book.

    Args:
        book: the book.
        charts: the charts with whether menus list them, in order.
        titles: title and page of every chart that can be jumped to, by id.
        whole: it is the book; else its only chart.
    """
    told = {
        "id": book.id,
        "title": book.title,
        "source": book.source,
        "glossary": dict(book.glossary),
        "facts": [fact_data(fact) for fact in book.facts.values()],
        "decks": {deck.name: deck_data(deck) | {"make_up": make_up(deck)} for deck in book.decks.values()},
    }
    told = _cleaned(told)
    titles = {name: (clean(title), clean(page)) for name, (title, page) in titles.items()}
    pages = []
    for chart, listed in charts:
        data = _cleaned(outline(chart))
        pages.append(Page(data, graph(data, titles), listed))
    if not whole:
        (page,) = pages
        return Edition(page.data["id"], page.data["title"], told, (page,), titles)
    pages.sort(key=lambda page: not page.listed)
    map_ = book_graph(told, [page.data for page in pages], titles)
    return Edition(book.id, told["title"], told, tuple(pages), titles, map_)


def _cleaned(value: Any) -> Any:
    """Data without escape sequences and control characters in any text."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {key: _cleaned(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_cleaned(part) for part in value]
    return value
