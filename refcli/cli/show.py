"""`refcli show`: a chart or a book to read on screen, drawn, or as what a batch must give."""

import shutil
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from refcli.cli.common import json_text, library, say, width
from refcli.cli.list_ import book_data, book_id
from refcli.cli.options import Charts

if TYPE_CHECKING:
    from refcli.load.catalogue import BookEntry
    from refcli.load.library import Library
    from refcli.render.graph import Graph

NO_CHARTS = "There are no charts to read in {title} ({id})."


def show(
    name: Annotated[str, typer.Argument(metavar="CHART|BOOK", help="A chart or a book; a short form will do.")],
    diagram: Annotated[
        bool, typer.Option("--diagram", help="Draw the chart with its arrows; of a book, the map of its charts.")
    ] = False,
    facts: Annotated[
        bool, typer.Option("--facts", help="What a case of a batch gives: facts, rolls and draws by name.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead.")] = False,
    charts: Charts = None,
) -> None:
    """Read a chart or a book on screen.

    Example: refcli show bog-down --diagram
    """
    from refcli.core.errors import UsageError

    if diagram and (facts or as_json):
        raise UsageError(f"--diagram draws; it does not go with {'--facts' if facts else '--json'}")
    shelf = library(charts)
    book = book_meant(name, shelf)
    if book is not None and facts:
        raise UsageError(f"--facts are those of one chart; name one of {book.title}, such as {_first(book)}")
    if diagram:
        say(_chart_drawn(name, shelf) if book is None else _book_drawn(book, shelf))
    elif book is None and facts:
        say(_facts(name, shelf, as_json=as_json))
    elif book is None:
        _show_chart(name, shelf, as_json=as_json)
    else:
        _show_book(book, shelf, as_json=as_json)


def book_meant(name: str, shelf: "Library") -> "BookEntry | None":
    """The book that is meant; None where it is a chart. A book's whole name comes first, then charts, then parts."""
    from refcli.core.errors import UsageError

    books = {book.id: book for book in shelf.titles()}
    if name in books:
        return books[name]
    try:
        shelf.find(name)
    except UsageError:
        try:
            return books[book_id(name, list(books.values()))]
        except UsageError:
            return None
    return None


def _show_chart(name: str, shelf: "Library", *, as_json: bool) -> None:
    from refcli.render.outline import outline
    from refcli.render.summary import summary_text

    chart = shelf.load(shelf.find(name))
    say(json_text(outline(chart), indent=2) if as_json else summary_text(chart, width(), _titles(shelf)))


def _show_book(entry: "BookEntry", shelf: "Library", *, as_json: bool) -> None:
    from refcli.render.decks import deck_data
    from refcli.render.outline import fact_data
    from refcli.render.summary import book_text

    sound = [chart for chart in entry.charts if not chart.broken]
    if not sound:
        say(NO_CHARTS.format(title=entry.title, id=entry.id))
        return
    book = shelf.load(sound[0].id).book
    if not as_json:
        say(book_text(book, [chart[:5] for chart in sound], width()))
        return
    data = book_data(entry) | {
        "source": book.source,
        "decks": {deck.name: deck_data(deck) for deck in book.decks.values()},
        "facts": [fact_data(fact) for fact in book.facts.values()],
        "glossary": dict(book.glossary),
    }
    say(json_text(data, indent=2))


def _facts(name: str, shelf: "Library", *, as_json: bool) -> str:
    from refcli.render.given import given_data, given_text
    from refcli.render.outline import outline
    from refcli.render.summary import head_lines

    chart = shelf.load(shelf.find(name))
    data = given_data(chart)
    if as_json:
        return json_text(data, indent=2)
    return "\n".join([*head_lines(outline(chart), width(), summary=False), "", given_text(data, width())])


def _first(book: "BookEntry") -> str:
    return next((chart.id for chart in book.charts), f"{book.id}/…")


def _titles(shelf: "Library") -> dict[str, tuple[str, str]]:
    return {chart.id: (chart.title, chart.page) for book in shelf.titles() for chart in book.charts}


def _chart_drawn(name: str, shelf: "Library") -> str:
    from refcli.render.graph import graph
    from refcli.render.outline import outline
    from refcli.render.summary import head_lines

    data = outline(shelf.load(shelf.find(name)))
    return _drawn(graph(data, _titles(shelf)), head_lines(data, width(), summary=False))


def _book_drawn(entry: "BookEntry", shelf: "Library") -> str:
    from refcli.render.graph import book_graph
    from refcli.render.outline import outline
    from refcli.render.words import heading

    sound = sorted((chart for chart in entry.charts if not chart.broken), key=lambda chart: not chart.listed)
    if not sound:
        return NO_CHARTS.format(title=entry.title, id=entry.id)
    book = {"id": entry.id, "title": entry.title}
    map_ = book_graph(book, [outline(shelf.load(chart.id)) for chart in sound], _titles(shelf))
    return _drawn(map_, [heading(entry.title)])


def _drawn(graph: "Graph", head: Sequence[str]) -> str:
    """A diagram below its title, as wide as the terminal lets it be, with its key and footnotes."""
    from refcli.render.diagram.diagram import diagram, key
    from refcli.render.summary import note_lines

    encoding = sys.stdout.encoding
    lines = [*head, "", *diagram(graph, shutil.get_terminal_size((80, 24)).columns, encoding)]
    if told := key(graph, encoding):
        lines += ["", told]
    notes = sorted({box.mark: box.note for box in graph.boxes if box.mark}.items())
    return "\n".join(lines + note_lines({note: mark for mark, note in notes}, width()))
