"""From book.yaml and its deck files to `Book`: what the charts of a folder share."""

from collections.abc import Callable, Collection
from typing import Any

from refcli.core.chart import Book
from refcli.core.deck import Deck
from refcli.core.problem import Code, Problem
from refcli.core.struct import Struct
from refcli.load.decks import make_deck
from refcli.load.defaults import check_defaults
from refcli.load.facts import Facts, words
from refcli.load.formulas import Formulas
from refcli.load.language import FILES
from refcli.load.musts import check_musts
from refcli.load.report import Report
from refcli.load.sights import FactSight
from refcli.load.tree import Entries, Scalar


class MadeBook(Struct, eq=False):
    """A book; its `broken` facts and decks have been reported, and raise no complaint where they are used."""

    book: Book
    broken_facts: frozenset[str]
    broken_decks: frozenset[str]


Opened = tuple[MadeBook | None, tuple[Problem, ...]]
"""A book, None where it is unreadable, with its problems."""
OpenBook = Callable[[str], Opened]


def make_book(
    book_id: str,
    tree: Entries,
    report: Report,
    open_deck: Callable[[Scalar], tuple[Entries, Report] | None],
    charts: Collection[str],
) -> MadeBook:
    """The book in a marked tree.

    Args:
        book_id: the name of its folder.
        tree: what book.yaml says.
        report: takes what is wrong with it.
        open_deck: reads a deck's file; None where it cannot, which it reports.
        charts: the charts in its folder.
    """
    raw: dict[str, Any] = FILES["book"].read(tree, None, report)
    facts = Facts(raw.get("facts", ()), {}, Formulas(report), shared=True)
    check_defaults(facts, FactSight({}, facts.made, facts.broken))
    check_musts(facts)
    report.check_slots(facts.made)
    decks: dict[str, Deck] = {}
    broken: set[str] = set()
    for name, path in raw.get("decks", ()):
        opened = open_deck(path) if path is not None else None
        deck = make_deck(name.text, *opened, book_id) if opened is not None else None
        if deck is None:
            broken.add(name.text)
        else:
            decks[name.text] = deck
    for name in raw.get("charts", ()):
        if name.text not in charts:
            what = f"there is no chart '{name.text}' in this book"
            report.unknown(Code.UNKNOWN_CHART, name, name.text, what, charts)
    book = Book(
        id=book_id,
        title=words(raw.get("title")) or book_id,
        source=words(raw.get("source")),
        place=tree.place,
        glossary={word.text: words(meaning) for word, meaning in raw.get("glossary", ())},
        charts=tuple(name.text for name in raw.get("charts", ())),
        decks=decks,
        facts=facts.made,
    )
    return MadeBook(book, frozenset(facts.broken), frozenset(broken))
