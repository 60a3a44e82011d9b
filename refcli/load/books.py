"""From book.yaml and its deck files to `Book`: what the charts of a folder share."""

from collections.abc import Callable, Collection
from typing import Any

from refcli.core.chart import Book
from refcli.core.deck import Deck
from refcli.core.errors import ReplyError
from refcli.core.fact import Fact
from refcli.core.need import read_answer, read_card
from refcli.core.problem import Code
from refcli.core.struct import Struct
from refcli.core.values import Frozen
from refcli.load.defaults import check_defaults
from refcli.load.facts import Facts, words
from refcli.load.formulas import Formulas
from refcli.load.language import FILES
from refcli.load.report import Report, brief
from refcli.load.scalars import plain
from refcli.load.sights import FactSight
from refcli.load.tree import Entries, Scalar, Tree
from refcli.load.words import parse_number

MAX_CARDS = 10_000
"""The most cards of one deck."""


class MadeBook(Struct, eq=False):
    """A book; its `broken` facts and decks have been reported, and raise no complaint where they are used."""

    book: Book
    broken_facts: frozenset[str]
    broken_decks: frozenset[str]


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
    decks: dict[str, Deck] = {}
    broken: set[str] = set()
    for name, path in raw.get("decks", ()):
        opened = open_deck(path) if path is not None else None
        deck = make_deck(name.text, *opened) if opened is not None else None
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


def make_deck(name: str, tree: Entries, report: Report) -> Deck | None:
    """The deck in a marked tree."""
    raw: dict[str, Any] = FILES["deck"].read(tree, None, report)
    fields = Facts(raw.get("fields", ()), {}, Formulas(report))
    cards = [_card(written, fields, report) for written in raw.get("cards", ())]
    total = sum(count for count, _ in cards)
    if total > MAX_CARDS:
        report.add(Code.TOO_LARGE, tree, f"the deck has {total:,} cards, more than {MAX_CARDS:,}", width=0)
    if not fields.made or fields.broken:
        return None
    return Deck(
        name=name,
        title=words(raw.get("title")) or name,
        place=tree.place,
        fields=fields.made,
        note=" ".join(filter(None, (words(raw.get("note")), words(raw.get("composition"))))),
        cards=tuple(cards),
    )


def _card(written: list[tuple[Scalar, Tree | None]], fields: Facts, report: Report) -> tuple[int, Frozen]:
    """One kind of card: how many there are, and what they show."""
    count = 1
    values: dict[str, Any] = {}
    for name, tree in written:
        word = name.text
        if tree is None:
            continue
        if word == "count":
            count = _count(tree, report)
        elif word in fields.made:
            _read_value(fields.made[word], tree, report, values)
        elif word not in fields.broken:
            known = {field: fact.place for field, fact in fields.made.items()}
            report.unknown(Code.UNKNOWN_KEY, name, word, f"a card of this deck has no '{brief(word)}'", known)
    return count, Frozen(values)


def _count(tree: Tree, report: Report) -> int:
    number = parse_number(tree.text) if isinstance(tree, Scalar) else None
    if number is None or number < 1:
        report.add(Code.WRONG_SHAPE, tree, "'count' needs a number above zero")
        return 1
    return number


def _read_value(fact: Fact, tree: Tree, report: Report, values: dict[str, Any]) -> None:
    """What a card shows in one field, kept under its name."""
    raw = plain(tree)
    try:
        if fact.columns:
            values[fact.name] = read_card(_lone(fact), {fact.name: raw})[fact.name]
        else:
            values[fact.name] = read_answer(fact, raw)
    except ReplyError as fault:
        report.add(Code.WRONG_SHAPE, tree, brief(str(fault), 160))


def _lone(field: Fact) -> Deck:
    """A deck of one field, to read that field."""
    return Deck(name="", title="this deck", place=field.place, fields={field.name: field})
