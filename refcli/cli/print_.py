"""`refcli print`: charts and books as files to read, print and keep."""

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from refcli.cli.common import complain, library, say
from refcli.cli.options import Charts
from refcli.cli.show import book_meant

if TYPE_CHECKING:
    from refcli.core.chart import Chart
    from refcli.load.catalogue import BookEntry
    from refcli.load.library import Library
    from refcli.render.edition import Edition

FORMATS = {
    "md": ("refcli.render.paper.markdown", "markdown"),
    "mmd": ("refcli.render.draw.mermaid", "mermaid"),
    "dot": ("refcli.render.draw.dot", "dot"),
    "svg": ("refcli.render.draw.sheet", "svg_file"),
    "png": ("refcli.render.draw.sheet", "png_file"),
    "html": ("refcli.render.html.page", "html"),
    "pdf": ("refcli.render.paper.booklet", "pdf"),
}
"""What can be printed, by suffix: the module and the function that makes an edition's text or bytes."""
PICTURES = ("mmd", "dot", "svg", "png")
"""What holds one chart: of a book it is the map; a folder takes the map and a picture of each chart."""
PAPERS = ("a4", "letter")
_NO_FOLDER = (FileExistsError, NotADirectoryError)


def print_charts(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="CHART|BOOK", help="A chart or a book; a short form will do. Every book if left out."),
    ] = None,
    out: Annotated[
        str,
        typer.Option(
            "--out", "-o", metavar="FILE|DIR/|-", help="Its suffix says what is made. A folder takes a file for each."
        ),
    ] = "-",
    to: Annotated[
        str | None, typer.Option("--to", metavar="|".join(FORMATS), help="What is made, where no suffix tells.")
    ] = None,
    paper: Annotated[str, typer.Option(metavar="|".join(PAPERS), help="The size of pages.")] = "a4",
    charts: Charts = None,
) -> None:
    """Print a chart or a book: a web page, a booklet, pictures.

    Example: refcli print up-front -o up-front.html
    """
    from refcli.core.errors import UsageError

    paper = paper.lower()
    if paper not in PAPERS:
        raise UsageError(f"--paper: '{paper}' is none of {', '.join(PAPERS)}")
    folder = Path(out) if out.endswith(("/", "\\")) or (out != "-" and Path(out).is_dir()) else None
    form = _form(out, to, folder)
    if form in ("png", "pdf") and out == "-" and sys.stdout.isatty():
        raise UsageError(f"{form} is not for a screen; name a file: -o FILE.{form}")
    stock = _Stock(library(charts))
    if folder is None and len(names or stock.books) > 1:
        raise UsageError(f"one file holds one chart or book; name a folder: -o prints/ --to {form}")
    make = _maker(form)
    for name in names or stock.books:
        for edition in stock.editions(name, each=form if form in PICTURES and folder is not None else ""):
            made = make(edition, paper=paper)
            if folder is not None:
                _write(folder / f"{edition.id}.{form}", made)
            elif out == "-":
                _pour(made, plain=form == "md")
            else:
                _write(Path(out), made)
    if stock.broken:
        for line in stock.broken:
            complain(line)
        raise typer.Exit(1)


def _form(out: str, to: str | None, folder: Path | None) -> str:
    """What is to be made.

    Raises:
        UsageError: nothing tells, or nothing like it can be made.
    """
    from refcli.core.errors import UsageError
    from refcli.core.problem import did_you_mean

    given = to or ("" if folder is not None or out == "-" else Path(out).suffix)
    form = given.lower().lstrip(".")
    form = {"markdown": "md", "mermaid": "mmd", "htm": "html", "gv": "dot"}.get(form, form)
    if not form and folder is None and out == "-":
        return "md"
    if not form:
        what = f"'{out}' is a folder; " if folder is not None else f"'{out}' has no suffix; "
        raise UsageError(f"{what}say what to make: --to and one of {', '.join(FORMATS)}")
    if form not in FORMATS:
        hint = did_you_mean(form, FORMATS, most=len(FORMATS))
        where = f"--to {given}" if to else f"'{out}'"
        raise UsageError(f"{where}: refcli does not make .{form}; {hint}")
    return form


def _maker(form: str) -> "Callable[..., str | bytes]":
    module, function = FORMATS[form]
    made: Callable[..., str | bytes] = getattr(import_module(module), function)
    return made


class _Stock:
    """The charts within reach, made ready for the printer one by one; what is broken is left out and told."""

    def __init__(self, shelf: "Library") -> None:
        self.shelf = shelf
        self.books = {book.id: book for book in shelf.titles()}
        self.titles = {chart.id: (chart.title, chart.page) for book in self.books.values() for chart in book.charts}
        self.broken: list[str] = []

    def editions(self, name: str, *, each: str) -> "Iterator[Edition]":
        """What is printed for a name: a chart, or a book.

        Args:
            name: what it is called.
            each: the suffix of the files if each chart of a book is printed after its map; else empty.

        Raises:
            UsageError: nothing or several things are called so, or there is nothing to print.
            ChartError: the chart is broken.
        """
        from urllib.parse import quote

        from refcli.core.errors import UsageError
        from refcli.core.struct import replace
        from refcli.render.edition import edition

        book = book_meant(name, self.shelf)
        if book is None:
            yield self._single(self.shelf.load(self.shelf.find(name)))
            return
        loaded = self._sound(book)
        if not loaded:
            raise UsageError(f"there are no charts to print in {book.title} ({book.id}); see: refcli check {book.id}")
        whole = edition(loaded[0][0].book, loaded, self.titles, whole=True)
        if not each:
            yield whole
            return
        beside = {chart.id: quote(f"{chart.id}.{each}") for chart, _ in loaded}
        yield replace(whole, beside=beside)
        for chart, _ in loaded:
            yield replace(
                self._single(chart), beside={name: file.rpartition("/")[2] for name, file in beside.items()}
            )

    def _single(self, chart: "Chart") -> "Edition":
        from refcli.render.edition import edition

        entry = self.books[chart.book.id]
        listed = any(one.id == chart.id and one.listed for one in entry.charts)
        return edition(chart.book, [(chart, listed)], self.titles, whole=False)

    def _sound(self, book: "BookEntry") -> "list[tuple[Chart, bool]]":
        """The charts of a book that can be loaded, and whether it lists them."""
        from refcli.core.errors import ChartError

        loaded = []
        for entry in book.charts:
            try:
                loaded.append((self.shelf.load(entry.id), entry.listed))
            except ChartError:
                self.broken.append(f"left out: {entry.id} has faults; see: refcli check {entry.id}")
        return loaded


def _write(path: Path, made: str | bytes) -> None:
    """Write a file whole or not at all.

    Raises:
        RefcliError: it cannot be written.
    """
    from refcli.core.errors import RefcliError

    data = made.encode() if isinstance(made, str) else made
    target = path.resolve()
    part = target.with_name(f".{target.name}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists() and not target.is_file():  # a device or a pipe
            target.write_bytes(data)
        else:
            try:
                part.write_bytes(data)
                part.replace(target)
            finally:
                part.unlink(missing_ok=True)
    except OSError as fault:
        reason = f"'{path.parent}' is not a folder" if isinstance(fault, _NO_FOLDER) else fault.strerror
        raise RefcliError(f"cannot write '{path}': {reason}") from None
    complain(f"{path}: {len(data):,} bytes")


def _pour(made: str | bytes, *, plain: bool) -> None:
    """Write to stdout; text that is only to be read in signs that it can show, all else as it would be in a file."""
    if plain and isinstance(made, str):
        say(made.rstrip("\n"))
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(made.encode() if isinstance(made, str) else made)
    sys.stdout.buffer.flush()
