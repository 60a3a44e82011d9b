"""The catalogue: which books and charts there are, what they are called, and which one a short id means."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from refcli.core.errors import UsageError
from refcli.core.problem import did_you_mean
from refcli.load.files import BOOK_FILE, book_folders, chart_files, is_book, open_source
from refcli.load.reader import read_tree
from refcli.load.report import Report, brief
from refcli.load.tree import Entries, Items, Scalar, Source

_TOP_KEY = re.compile(r"([a-z_]+)\s*:")


class ChartEntry(NamedTuple):
    """A chart as listed: `listed` where its book names it for players; `broken` says why it has no title."""

    id: str
    title: str
    page: str
    summary: str
    listed: bool
    broken: str = ""


class BookEntry(NamedTuple):
    """A book as listed, its charts in the order of the book, then the others by name."""

    id: str
    title: str
    charts: tuple[ChartEntry, ...]
    broken: str = ""


class Catalogue:
    """The books in some folders; where two folders have a book of one name, the first one counts."""

    def __init__(self, folders: Iterable[Path]) -> None:
        self.folders = tuple(Path(folder) for folder in folders)
        self.books: dict[str, Path] = {}
        self._charts: dict[str, dict[str, Path]] = {}
        for folder in self.folders:
            for book in book_folders(folder):
                if book.name not in self.books and is_book(book):
                    self.books[book.name] = book

    def charts(self, book_id: str) -> dict[str, Path]:
        """The chart files of a book by stem; its decks are none."""
        if book_id not in self._charts:
            book = self.books.get(book_id)
            files = [] if book is None else chart_files(book)
            if book is not None and (book / BOOK_FILE).is_file():
                decks, _ = read_head(book / BOOK_FILE, book.parent, {"decks"})
                files = [path for path in files if path.name not in decks.get("decks", ())]
            self._charts[book_id] = {path.stem: path for path in files}
        return self._charts[book_id]

    def path(self, chart_id: str) -> Path | None:
        """The file of a chart, by full id."""
        book_id, _, stem = chart_id.partition("/")
        return self.charts(book_id).get(stem)

    def ids(self) -> list[str]:
        """The full ids of all charts."""
        return [f"{book}/{stem}" for book in self.books for stem in self.charts(book)]

    def find(self, text: str) -> str:
        """The full id that a user means: a whole id or stem first, then the start of one, then any part.

        Raises:
            UsageError: no chart or several are called so.
        """
        word, text = text.strip().removesuffix(".yaml"), brief(text, 100)
        ids = self.ids()
        for fits in (_is_exact, _is_start, _is_part):
            found = [full for full in ids if word and fits(word, full)]
            if len(found) == 1:
                return found[0]
            if found:
                raise UsageError(f"'{text}' could be {len(found)} charts: {', '.join(_some(found))}")
        if not ids:
            raise UsageError(f"there are no charts in {', '.join(map(str, self.folders)) or 'no folder'}")
        stems = {full.split("/")[1]: full for full in reversed(ids)}
        hint = did_you_mean(word[:60], [*stems, *ids]) or f"see `refcli list` for all {len(ids)}"
        raise UsageError(f"there is no chart '{text}'; {hint}")

    def entries(self) -> Iterator[BookEntry]:
        """All books and their charts, from the top keys of their files alone."""
        for book_id, folder in self.books.items():
            head, broken = read_head(folder / BOOK_FILE, folder.parent, {"title", "charts"})
            listed = head.get("charts", ())
            order = {stem: place for place, stem in enumerate(listed if isinstance(listed, list) else ())}
            stems = sorted(self.charts(book_id), key=lambda stem: (order.get(stem, len(order)), stem))
            charts = tuple(self._entry(book_id, stem, stem in order) for stem in stems)
            yield BookEntry(book_id, _line(head, "title") or book_id, charts, broken)

    def _entry(self, book_id: str, stem: str, listed: bool) -> ChartEntry:
        path = self.charts(book_id)[stem]
        head, broken = read_head(path, self.books[book_id].parent, {"title", "page", "summary"})
        title, page, summary = (_line(head, key) for key in ("title", "page", "summary"))
        if not title and not broken:
            broken = "it has no title"
        return ChartEntry(f"{book_id}/{stem}", title, page, summary, listed, broken)


def read_head(path: Path, folder: Path, keys: set[str]) -> tuple[dict[str, str | list[str]], str]:
    """Some top keys of a file, the rest unread; and what is wrong with it, empty where it is fine."""
    report = Report()
    source = open_source(path, folder, report)
    tree = None
    if source is not None:
        tree = read_tree(Source(source.file, _only(source.text, keys)), report)
    if tree is None or report.problems:
        return {}, str(report.problems[0]) if report.problems else "it is empty"
    found: dict[str, str | list[str]] = {}
    for word, (_, value) in tree.pairs.items():
        if isinstance(value, Scalar):
            found[word] = value.text.strip()
        else:
            parts = value.parts if isinstance(value, Items) else []
            parts = [part for _, part in value.pairs.values()] if isinstance(value, Entries) else parts
            found[word] = [part.text for part in parts if isinstance(part, Scalar)]
    return found, ""


def _line(head: dict[str, str | list[str]], key: str) -> str:
    """A text of a head; empty where it is missing or none."""
    value = head.get(key)
    return value if isinstance(value, str) else ""


def _only(text: str, keys: set[str]) -> str:
    """The lines of some top keys; the others emptied, so that all lines keep their numbers."""
    kept, keep = [], False
    for line in text.split("\n"):
        if line[:1].strip() and not line.startswith("#"):
            key = _TOP_KEY.match(line)
            keep = bool(key) and key is not None and key[1] in keys
        kept.append(line if keep else "")
    return "\n".join(kept)


def _is_exact(word: str, full: str) -> bool:
    return word in (full, full.split("/")[1])


def _is_start(word: str, full: str) -> bool:
    book, _, stem = full.partition("/")
    first, slash, second = word.rpartition("/")
    return stem.startswith(second) and (not slash or book.startswith(first))


def _is_part(word: str, full: str) -> bool:
    return word.lower() in full.lower()


def _some(found: list[str]) -> list[str]:
    return found if len(found) <= 8 else [*found[:8], "…"]
