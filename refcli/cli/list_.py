"""`refcli list`: the books and charts within reach. Reads titles only; no chart is built."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from refcli.cli.common import catalogue, json_text, say, width
from refcli.cli.options import Charts

if TYPE_CHECKING:
    from refcli.load.catalogue import BookEntry, ChartEntry


def list_charts(
    book: Annotated[str | None, typer.Argument(help="Only this book, with what each chart is about.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead.")] = False,
    charts: Charts = None,
) -> None:
    """List the books and their charts.

    Example: refcli list
    """
    books = list(catalogue(charts).entries())
    if book is not None:
        wanted = book_id(book, books)
        books = [entry for entry in books if entry.id == wanted]
    if as_json:
        say(json_text([book_data(entry) for entry in books], indent=2))
    elif books:
        say("\n".join(_lines(books, width(), whole=book is not None)))
    else:
        say("There are no charts here. Say where they are with --charts DIR.")


def book_id(text: str, books: "Sequence[BookEntry]") -> str:
    """The id of the book that is meant: by its id, its title, or the beginning of either while only one fits.

    Raises:
        UsageError: no book fits, or several do; names them.
    """
    from refcli.core.errors import UsageError
    from refcli.core.problem import did_you_mean

    word = text.strip().lower().rstrip("/")
    called = {book.id: (book.id.lower(), book.title.lower()) for book in books}
    near = [book for book, names in called.items() if word in names]
    near = near or [book for book, names in called.items() if any(name.startswith(word) for name in names)]
    if len(near) == 1:
        return near[0]
    if near:
        raise UsageError(f"'{text}' could be {len(near)} books: {', '.join(near)}")
    raise UsageError(f"there is no book '{text}'; {did_you_mean(word, called)}".removesuffix("; "))


def book_data(book: "BookEntry") -> dict[str, Any]:
    """A book's entry as JSON values; `broken` only where something is."""
    entry = {**book._asdict(), "charts": [chart._asdict() for chart in book.charts]}
    for part in (entry, *entry["charts"]):
        if not part["broken"]:
            del part["broken"]
    return entry


def _lines(books: "Sequence[BookEntry]", columns: int, *, whole: bool) -> list[str]:
    """One line per chart: its short name, its title and page; for a single book with its summary below."""
    from refcli.render.words import clean, wrap

    wide = max((len(short(chart)) for book in books for chart in book.charts if shows(chart, whole)), default=0)
    wide = min(wide, columns // 3)
    lines: list[str] = []
    for book in books:
        lines += ["", *wrap(f"{book.title} ({book.id})", columns)]
        for chart in book.charts:
            if not shows(chart, whole):
                continue
            name = clean(short(chart))
            cite = f" (p. {chart.page})" if chart.page[:1].isdigit() else ""
            title = "has faults, see: refcli check" if chart.broken else f"{chart.title}{cite}"
            lines += wrap(title, columns, f"  {name:{wide}}  ", " " * (wide + 4))
            lines += wrap(chart.summary, columns, " " * (wide + 4)) if whole else []
        serving = [short(chart) for chart in book.charts if not shows(chart, whole)]
        lines += wrap(f"They also use: {', '.join(serving)}" if serving else "", columns, "  ", "    ")
    return lines[1:]


def shows(chart: "ChartEntry", whole: bool) -> bool:
    """Whether a chart has a line of its own: those that only serve others have none in the list of all books."""
    return chart.listed or bool(chart.broken) or whole


def short(chart: "ChartEntry") -> str:
    """A chart's name without its book."""
    return chart.id.partition("/")[2]
