"""A player's own count of a deck: a small file of its cards, to be drawn from in place of the deck's own."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from refcli.core.deck import Deck
from refcli.core.problem import Code, Problem
from refcli.core.struct import replace
from refcli.load.books import OpenBook
from refcli.load.decks import read_cards
from refcli.load.files import has_top_key, open_tree, shown
from refcli.load.language import FILES
from refcli.load.report import Report, brief
from refcli.load.tree import Scalar


def is_count(path: Path) -> bool:
    """Whether a file means to be a count: its top key `deck` is what no other file has."""
    return has_top_key(path, "deck")


def read_count(path: Path, books: Iterable[str], open_book: OpenBook) -> tuple[Deck | None, list[Problem]]:
    """The deck that a file counts, with the cards of that file; and all that is wrong with it.

    Args:
        path: the file.
        books: the ids of all books.
        open_book: gives a book, None where it is unreadable, with its problems.
    """
    report = Report()
    tree = open_tree(path, path.resolve().parent, report)
    if tree is None:
        return None, report.problems
    raw: dict[str, Any] = FILES["count"].read(tree, None, report)
    deck = _find(raw["deck"], list(books), open_book, report) if "deck" in raw else None
    if deck is None:
        return None, report.problems
    cards = read_cards(raw.get("cards", ()), deck.fields, report, tree)
    return replace(deck, cards=cards, counted=shown(path), placeholder=None), report.problems


def _find(name: Scalar, books: list[str], open_book: OpenBook, report: Report) -> Deck | None:
    """The deck of that name, with or without its book."""
    book, slash, word = name.text.rpartition("/")
    if slash and book not in books:
        report.unknown(Code.UNKNOWN_DECK, name, book, f"there is no book '{brief(book)}'", books)
        return None
    opened = [open_book(one) for one in ([book] if slash else books)]
    made = [one for one, _ in opened if one is not None]
    found = [one.book.decks[word] for one in made if word in one.book.decks]
    if len(found) == 1:
        its = [problem for _, problems in opened for problem in problems if problem.place.file == found[0].place.file]
        for problem in its:
            report.put(problem)
        return None if its else found[0]
    if found:
        what = f"'{word}' could be {len(found)} decks: {', '.join(deck.id for deck in found)}"
        report.add(Code.NAME_CLASH, name, what, mend="write its book too, like book/deck")
        return None
    unsound = [problems for one, problems in opened if one is None or word in one.broken_decks]
    if unsound:
        for problem in (problem for problems in unsound for problem in problems):
            report.put(problem)
        return None
    what = f"there is no deck '{brief(word)}'" + (f" in the book '{book}'" if slash else "")
    report.unknown(Code.UNKNOWN_DECK, name, word, what, [word for one in made for word in one.book.decks])
    return None
