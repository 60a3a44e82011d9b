"""`refcli show`: a chart or a book to read on screen."""

from typing import TYPE_CHECKING, Annotated

import typer

from refcli.cli.common import json_text, library, say, width
from refcli.cli.list_ import book_data, book_id
from refcli.cli.options import Charts

if TYPE_CHECKING:
    from refcli.load.catalogue import BookEntry
    from refcli.load.library import Library


def show(
    name: Annotated[str, typer.Argument(metavar="CHART|BOOK", help="A chart or a book; a short form will do.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead.")] = False,
    charts: Charts = None,
) -> None:
    """Read a chart or a book on screen.

    Example: refcli show bog-down
    """
    shelf = library(charts)
    book = _book(name, shelf)
    if book is None:
        _show_chart(name, shelf, as_json=as_json)
    else:
        _show_book(book, shelf, as_json=as_json)


def _book(name: str, shelf: "Library") -> "BookEntry | None":
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
    say(json_text(outline(chart), indent=2) if as_json else summary_text(chart, width()))


def _show_book(entry: "BookEntry", shelf: "Library", *, as_json: bool) -> None:
    from refcli.render.decks import deck_data
    from refcli.render.outline import fact_data
    from refcli.render.summary import book_text

    sound = [chart for chart in entry.charts if not chart.broken]
    if not sound:
        say(f"There are no charts to read in {entry.title} ({entry.id}).")
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
