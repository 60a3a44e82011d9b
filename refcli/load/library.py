"""The library: charts by id, loaded with all that they run, every file read once."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from refcli.core.chart import Chart
from refcli.core.deck import Deck
from refcli.core.errors import ChartError, UsageError
from refcli.core.place import Place
from refcli.core.problem import Code, Problem, Severity
from refcli.core.roster import Roster
from refcli.core.struct import replace
from refcli.load.books import Opened, make_book
from refcli.load.builder import Built, Draft, declare, finish
from refcli.load.catalogue import BookEntry, Catalogue
from refcli.load.counts import is_count, read_count
from refcli.load.files import BOOK_FILE, is_book, lies_in, open_tree, shown
from refcli.load.report import Report, brief
from refcli.load.rosters import find_roster, is_roster, read_roster
from refcli.load.tree import Entries, Scalar

MAX_CALLS = 12
"""How deep charts may run each other."""


class Library:
    """Books and charts in some folders; later folders serve for books that the earlier ones do not have."""

    def __init__(self, folders: Iterable[Path]) -> None:
        self.catalogue = Catalogue(folders)
        self._books: dict[str, Opened] = {}
        self._drafts: dict[str, tuple[Draft | None, Report]] = {}
        self._built: dict[str, Built] = {}
        self._heights: dict[str, int] = {}

    def load(self, chart_id: str) -> Chart:
        """The chart of that full id, with all charts that it runs.

        Raises:
            ChartError: it, a chart that it runs, or a book of theirs has faults; all of them are named.
            UsageError: there is no such chart.
        """
        if self.catalogue.path(chart_id) is None:
            chart_id = self.find(chart_id)
        problems = self._all_problems(chart_id)
        chart = self._build(chart_id).chart
        if chart is None or any(problem.severity is Severity.ERROR for problem in problems):
            raise ChartError(problems)
        return chart

    def find(self, text: str) -> str:
        """The full id of the chart that a whole or shortened id means.

        Raises:
            UsageError: no chart or several are called so; the message names what there is.
        """
        return self.catalogue.find(text)

    def count(self, path: Path) -> tuple[Deck | None, list[Problem]]:
        """The deck that a player's own file counts, with the cards of that file; and all that is wrong with it."""
        return read_count(path, self.catalogue.books, self._book)

    def take_count(self, path: Path) -> None:
        """Let a deck have the cards that a player's own file counts. Comes before any chart is loaded.

        Raises:
            ChartError: the file has faults.
            UsageError: another file has counted that deck.
        """
        deck, problems = self.count(path)
        made, faults = self._book(deck.book) if deck is not None else (None, ())
        if deck is None or made is None or problems:
            raise ChartError(problems)
        if first := made.book.decks[deck.name].counted:
            raise UsageError(f"two files count {deck.id}: {first} and {deck.counted}")
        book = replace(made.book, decks={**made.book.decks, deck.name: deck})
        self._books[book.id] = replace(made, book=book), faults

    def find_roster(self, text: str, book: str = "") -> Path:
        """The file of a roster, by path, or by name where it comes with a book; `book` is looked at first.

        Raises:
            UsageError: there is no such file, or several are called so.
        """
        return find_roster(text, self.catalogue.books, book)

    def roster(self, path: Path) -> tuple[Roster | None, list[Problem]]:
        """The roster in a player's own file, None where its book cannot be found; and all that is wrong with it."""
        return read_roster(path, self.catalogue.books, self._book)

    def titles(self) -> Iterator[BookEntry]:
        """All books with their charts, from the top keys of their files alone."""
        return self.catalogue.entries()

    def problems(self, what: str | Path) -> list[Problem]:
        """All that is wrong with a chart, a book or a folder of books, by id or path. Never raises.

        What its charts run and share is looked at too.
        """
        path = Path(what)
        try:
            if isinstance(what, Path) or (path.exists() and what not in self.catalogue.books):
                found = self._problems_at(path)
            elif what in self.catalogue.books:
                found = self._problems_in(what)
            else:
                found = self._all_problems(self.find(str(what)))
        except UsageError as fault:
            found = [Problem(Code.UNKNOWN_CHART, Place(str(what)), str(fault), width=0)]
        return sorted(dict.fromkeys(found), key=lambda p: (p.place.file, p.place.line, p.place.column))

    # problems by path

    def _problems_in(self, book_id: str) -> list[Problem]:
        """Those of a whole book."""
        found = list(self._book(book_id)[1])
        for stem in self.catalogue.charts(book_id):
            found += self._all_problems(f"{book_id}/{stem}")
        return found

    def _problems_at(self, path: Path) -> list[Problem]:
        """Those of a file, a book's folder or a folder of books."""
        if not path.exists():
            return [Problem(Code.UNREADABLE, Place(str(path)), "there is no such file or folder", width=0)]
        if path.is_dir() and not is_book(path):
            library = Library([path, *self.catalogue.folders])
            books = [book for book, folder in library.catalogue.books.items() if folder.parent == path]
            if not books:
                return [Problem(Code.UNREADABLE, Place(shown(path)), "there are no charts in this folder", width=0)]
            return [problem for book in books for problem in library._problems_in(book)]
        if is_count(path):
            return self.count(path)[1]
        if is_roster(path):
            return self.roster(path)[1]
        path = path.resolve()
        book = path if path.is_dir() else next((up for up in path.parents if (up / BOOK_FILE).is_file()), path.parent)
        known = self.catalogue.books.get(book.name)
        same = known is not None and known.resolve() == book
        library = self if same else Library([book.parent, *self.catalogue.folders])
        if path.is_dir():
            return library._problems_in(book.name)
        if library.catalogue.charts(book.name).get(path.stem, book).resolve() == path:
            return library._all_problems(f"{book.name}/{path.stem}")
        if path.suffix != ".yaml":
            return [Problem(Code.UNREADABLE, Place(shown(path)), "a chart is a file that ends in .yaml", width=0)]
        return list(library._book(book.name)[1])

    # books

    def _book(self, book_id: str) -> Opened:
        """A book, None where it is unreadable; with its problems and those of its decks."""
        if book_id not in self._books:
            self._books[book_id] = self._read_book(book_id)
        return self._books[book_id]

    def _read_book(self, book_id: str) -> Opened:
        folder, report = self.catalogue.books[book_id], Report()
        path = folder / BOOK_FILE
        if not path.is_file():
            what = f"the folder '{book_id}' is no book yet: it has no {BOOK_FILE}"
            mend = f"add {BOOK_FILE} with `title:`, the game's name"
            return None, (Problem(Code.UNREADABLE, Place(shown(path)), what, mend=mend, width=0),)
        tree = open_tree(path, folder.parent, report)
        if tree is None:
            return None, tuple(report.problems)
        decks: list[Report] = []

        def open_deck(name: Scalar) -> tuple[Entries, Report] | None:
            path = _deck_path(name, folder, report)
            if path is None:
                return None
            decks.append(Report())
            tree = open_tree(path, folder, decks[-1])
            return None if tree is None else (tree, decks[-1])

        made = make_book(book_id, tree, report, open_deck, self.catalogue.charts(book_id))
        return made, tuple(problem for one in (report, *decks) for problem in one.problems)

    # charts

    def _draft(self, chart_id: str) -> tuple[Draft | None, Report]:
        """A chart as declared, None where its file or its book is unreadable; with its report."""
        if chart_id not in self._drafts:
            self._drafts[chart_id] = self._read_draft(chart_id)
        return self._drafts[chart_id]

    def _read_draft(self, chart_id: str) -> tuple[Draft | None, Report]:
        book_id, _, stem = chart_id.partition("/")
        path, report = self.catalogue.charts(book_id)[stem], Report()
        tree = open_tree(path, self.catalogue.books[book_id].parent, report)
        made_book, _ = self._book(book_id)
        if tree is None or made_book is None:
            return None, report
        draft = declare(chart_id, tree, report, made_book)
        for at, full in (*draft.runs, *draft.offers):
            if self.catalogue.path(full) is None:
                self._unknown(at, full, book_id, report)
        return draft, report

    def _unknown(self, at: Scalar, full: str, book_id: str, report: Report) -> None:
        """Report a chart that is not there."""
        other, _, stem = full.partition("/")
        legal: list[str] = list(self.catalogue.charts(book_id))
        what = f"there is no chart '{brief(stem)}' in this book"
        if "/" in at.text:
            legal = self.catalogue.ids()
            what = f"there is no book '{brief(other)}'"
            if other in self.catalogue.books:
                legal = [f"{other}/{name}" for name in self.catalogue.charts(other)]
                what = f"there is no chart '{brief(stem)}' in the book '{other}'"
        report.unknown(Code.UNKNOWN_CHART, at, at.text, what, legal)

    def _runs(self, chart_id: str) -> list[tuple[Scalar, str]]:
        """The charts that a chart runs, as far as they are there."""
        draft, _ = self._draft(chart_id)
        return [] if draft is None else [run for run in draft.runs if self.catalogue.path(run[1]) is not None]

    def _build(self, chart_id: str) -> Built:
        """A chart worked through, after those that it runs; no recursion, however long the chain."""
        path = {chart_id: iter(self._runs(chart_id))} if chart_id not in self._built else {}
        while path:
            here = next(reversed(path))
            at, target = next(path[here], (None, ""))
            if at is None:
                self._finish(here)
                del path[here]
            elif target in path:
                names = list(path)
                ring = " -> ".join([*names[names.index(target) :], target])
                mend = "let it end, and lead back to a roll or draw within one chart"
                self._drafts[here][1].add(Code.RECURSION, at, f"charts run each other in a ring: {ring}", mend=mend)
            elif target not in self._built:
                path[target] = iter(self._runs(target))
        return self._built[chart_id]

    def _finish(self, chart_id: str) -> None:
        """Finish one chart; those that it runs are finished, or run it in a ring."""
        draft, report = self._draft(chart_id)
        if draft is None:
            self._built[chart_id] = Built(None, None, tuple(report.problems))
            return
        runs = self._runs(chart_id)
        heights = [self._heights.get(target, 0) + 1 for _, target in runs]
        self._heights[chart_id] = max(heights, default=0)
        if MAX_CALLS + 1 in heights:  # told once, at the first chart that stands too high
            at = runs[heights.index(MAX_CALLS + 1)][0]
            report.add(Code.TOO_DEEP, at, f"charts run each other more than {MAX_CALLS} deep from here")
        self._built[chart_id] = finish(draft, {target: self._built.get(target) for _, target in draft.runs})

    def _all_problems(self, chart_id: str) -> list[Problem]:
        """The problems of a chart, of all that it runs and of their books."""
        self._build(chart_id)
        found: list[Problem] = []
        seen, todo = {chart_id}, [chart_id]
        books: set[str] = set()
        while todo:
            here = todo.pop()
            book_id = here.partition("/")[0]
            if book_id not in books:
                books.add(book_id)
                found += self._book(book_id)[1]
            found += self._built[here].problems
            fresh = {target for _, target in self._runs(here)} - seen
            seen |= fresh
            todo += sorted(fresh)
        return found


def _deck_path(name: Scalar, folder: Path, report: Report) -> Path | None:
    """The file of a deck within the book's folder; None where it leads out of it, which is reported."""
    path = Path(name.text.strip())
    if path.is_absolute() or ".." in path.parts or "\\" in name.text or not lies_in(folder / path, folder):
        what = f"'{brief(name.text)}' leads out of the book's folder"
        report.add(
            Code.UNREADABLE, name, what, mend="put the deck's file into the book's folder, like decks/cards.yaml"
        )
        return None
    if not (folder / path).is_file():
        report.add(Code.UNREADABLE, name, f"there is no file '{brief(name.text)}' in the book's folder")
        return None
    return folder / path
