"""A roster: a file with groups of records to answer the lists of a book with; all of it is looked at beforehand."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from refcli.core.chart import Book
from refcli.core.errors import ReplyError, UsageError
from refcli.core.fact import Fact, Kind
from refcli.core.need import read_answer
from refcli.core.problem import Code, Problem, did_you_mean
from refcli.core.records import broken_rule, record_name
from refcli.core.roster import Group, Roster, answers_some, fits
from refcli.core.values import Frozen
from refcli.load.books import MadeBook, OpenBook
from refcli.load.facts import words
from refcli.load.files import has_top_key, lies_in, open_tree, shown
from refcli.load.language import FILES
from refcli.load.report import Report, brief
from refcli.load.scalars import plain
from refcli.load.tree import Scalar, Tree

Written = list[tuple[Scalar, Tree | None]]
"""A record as it stands in the file: each name with its value, None where that has been refused."""
FOLDER = "rosters"
"""The folder of a book with the rosters that come with it."""


def is_roster(path: Path) -> bool:
    """Whether a file means to be a roster: its top key `groups` is what no other file has."""
    return has_top_key(path, "groups")


def find_roster(text: str, books: Mapping[str, Path], book: str = "") -> Path:
    """The file of a roster: a path, or the name of one that comes with a book, `name` or `book/name`.

    Args:
        text: what the user wrote.
        books: the folder of each book.
        book: the book whose rosters come before those of others.

    Raises:
        UsageError: there is no such file, or several are called so.
    """
    path = Path(text)
    if path.is_file():
        return path
    head, _, name = text.removesuffix(".yaml").rpartition("/")
    known = {f"{one}/{file.stem}": file for one, folder in books.items() for file in _shipped(folder)}
    near = [full for full in known if full in (f"{head}/{name}" if head else f"{full.partition('/')[0]}/{name}")]
    near = [full for full in near if full == f"{book}/{name}"] or near
    if len(near) == 1:
        return known[near[0]]
    if near:
        raise UsageError(f"--roster: '{text}' could be {len(near)} rosters: {', '.join(near)}")
    names = dict.fromkeys([*(full.partition("/")[2] for full in known), *known])
    hint = did_you_mean(text[:60], names)
    raise UsageError(f"--roster: there is no file '{text}'; {hint}".removesuffix("; "))


def _shipped(book: Path) -> list[Path]:
    """The rosters in the folder of a book."""
    folder = book / FOLDER
    return [file for file in sorted(folder.glob("*.yaml")) if lies_in(file, book)] if folder.is_dir() else []


def read_roster(path: Path, books: Iterable[str], open_book: OpenBook) -> tuple[Roster | None, list[Problem]]:
    """The roster in a file, None where its book cannot be found; and all that is wrong with it.

    Args:
        path: the file.
        books: the ids of all books.
        open_book: gives a book, None where it is unreadable, with its problems.
    """
    report = Report()
    tree = open_tree(path, path.resolve().parent, report)
    if tree is None:
        return None, report.problems
    raw: dict[str, Any] = FILES["roster"].read(tree, None, report)
    made = _book(raw["book"], list(books), open_book, report) if "book" in raw else None
    if made is None:
        return None, report.problems
    maker = _Maker(made, report)
    groups = tuple(maker.group(name, records) for name, records in raw.get("groups", ()) if records is not None)
    scores = {side.text: _totals(totals) for side, totals in raw.get("scores", ())}
    title = words(raw.get("title"))
    roster = Roster(book=made.book.id, groups=groups, file=shown(path), title=title, scores=scores)
    return roster, report.problems


def _totals(written: list[tuple[Scalar, int | None]] | None) -> dict[str, int]:
    """What a side has scored, by name; what could not be read has been reported."""
    return {name.text: total for name, total in written or () if total is not None}


def _book(name: Scalar, books: list[str], open_book: OpenBook, report: Report) -> MadeBook | None:
    if name.text not in books:
        report.unknown(Code.UNKNOWN_BOOK, name, name.text, f"there is no book '{brief(name.text)}'", books)
        return None
    made, problems = open_book(name.text)
    for problem in problems if made is None else ():
        report.put(problem)
    return made


class _Maker:
    """Makes the groups of one file."""

    def __init__(self, made: MadeBook, report: Report) -> None:
        self.book: Book = made.book
        self.broken = made.broken_facts
        self.report = report
        facts = made.book.facts.values()
        self.lists = [fact for fact in facts if fact.kind is Kind.LIST]
        self.known = [fact.name for fact in facts if fact.kind is not Kind.LIST]

    def group(self, name: Scalar, written: list[Written]) -> Group:
        """One group; its records are looked at by the rules of all lists that it fits."""
        before = len(self.report.problems)
        records = tuple(self.record(one) for one in written)
        group = Group(name.text, records, tuple(map(self.called, records)))
        self.check_names(group, written)
        if len(self.report.problems) == before:
            self.check_fit(name, group, written)
        return group

    def record(self, written: Written) -> Frozen:
        """The facts that one record answers."""
        found: dict[str, Any] = {}
        for name, tree in written:
            fact = self.book.facts.get(name.text)
            if fact is None and name.text not in self.broken:
                what = f"there is no fact '{brief(name.text)}' in the book '{self.book.id}'"
                self.report.unknown(Code.UNKNOWN_FACT, name, name.text, what, self.known)
            if fact is not None and tree is not None:
                self.value(fact, name, tree, found)
        return Frozen(found)

    def value(self, fact: Fact, name: Scalar, tree: Tree, found: dict[str, Any]) -> None:
        """What a record says to one fact, kept under its name."""
        if fact.kind is Kind.LIST:
            self.report.add(Code.WRONG_SHAPE, name, f"'{fact.name}' is a list: a record cannot hold another")
            return
        raw = tree.text if fact.kind is Kind.TEXT and isinstance(tree, Scalar) else plain(tree)
        try:
            found[fact.name] = read_answer(fact, raw)
        except ReplyError as fault:
            self.report.add(Code.WRONG_SHAPE, tree, brief(str(fault), 200))

    def naming(self, record: Frozen) -> str:
        """The fact that names a record: the first of the book that is a text and has one; nothing without."""
        texts = (name for name, fact in self.book.facts.items() if fact.kind is Kind.TEXT)
        return next((name for name in texts if str(record.get(name, "")).strip()), "")

    def called(self, record: Frozen) -> str:
        """What a record is called; nothing for one without a name."""
        return str(record.get(self.naming(record), "")).strip()

    def check_names(self, group: Group, written: list[Written]) -> None:
        """Names can be told apart, and be written with commas between them."""
        first: dict[str, Tree] = {}
        for name, record, one in zip(group.names, group.records, written, strict=True):
            if not name:
                continue
            naming = self.naming(record)
            at = next(tree for key, tree in one if key.text == naming and tree is not None)
            if "," in name:
                what = f"'{brief(name)}' holds a comma: names are picked with commas between them"
                self.report.add(Code.BAD_NAME, at, what)
            elif earlier := first.get(name.casefold()):
                what = f"'{brief(name)}' stands twice in the group '{group.name}'"
                hint = f"the first is on line {earlier.place.line}"
                self.report.add(Code.NAME_CLASH, at, what, hint, "give each a name of its own")
            first.setdefault(name.casefold(), at)

    def check_fit(self, name: Scalar, group: Group, written: list[Written]) -> None:
        """The group can answer some list; by the rules of each that it can, its records are sound."""
        fitting = [fact for fact in self.lists if fits(fact, group)]
        if not fitting:
            what = f"the group '{group.name}' fits no list of the book"
            self.report.add(Code.FITS_NOTHING, name, what, self.why(group))
        for number, (record, one) in enumerate(zip(group.records, written, strict=True)):
            for fact in fitting:
                if broken := broken_rule(fact, record):
                    self.report.add(Code.RULE, one[0][0], f"{record_name(fact, number, record)}: {broken}")

    def why(self, group: Group) -> str:
        """Why a group fits nothing."""
        if not self.lists:
            return f"the book '{self.book.id}' has no lists"
        count = len(group.records)
        near = [fact for fact in self.lists if all(answers_some(fact, record) for record in group.records)]
        if near:
            return f"it has {count}; " + ", ".join(f"'{fact.name}' takes {fact.many}" for fact in near)
        return "each of its records needs a field of one list: " + ", ".join(fact.name for fact in self.lists)
