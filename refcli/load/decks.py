"""From a deck's file to `Deck`: its fields, its cards where the make-up is known, its placeholder where it is not."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from refcli.core.deck import Deck
from refcli.core.errors import ReplyError
from refcli.core.fact import Fact, Kind
from refcli.core.need import read_answer, read_card
from refcli.core.problem import Code
from refcli.core.values import Frozen
from refcli.load.facts import Facts, words
from refcli.load.formulas import Formulas
from refcli.load.language import FILES
from refcli.load.report import Marked, Report, brief
from refcli.load.scalars import plain
from refcli.load.tree import Entries, Scalar, Tree
from refcli.load.words import parse_number

MAX_CARDS = 10_000
"""The most cards of one deck."""

Cards = tuple[tuple[int, Frozen], ...]
Written = Sequence[Sequence[tuple[Scalar, Tree | None]]]
"""Cards as read by their shape: the fields of each, with `count` among them."""


def make_deck(name: str, tree: Entries, report: Report, book: str = "") -> Deck | None:
    """The deck in a marked tree."""
    raw: dict[str, Any] = FILES["deck"].read(tree, None, report)
    fields = Facts(raw.get("fields", ()), {}, Formulas(report))
    cards = read_cards(raw.get("cards", ()), fields.made, report, tree, fields.broken)
    _check_composition(raw, report)
    placeholder = _Placeholder(fields, report).read(raw["placeholder"], raw) if "placeholder" in raw else None
    if not fields.made or fields.broken:
        return None
    return Deck(
        name=name,
        title=words(raw.get("title")) or name,
        place=tree.place,
        fields=fields.made,
        note=words(raw.get("note")),
        cards=cards,
        book=book,
        placeholder=placeholder,
    )


def _check_composition(raw: Mapping[str, Any], report: Report) -> None:
    """What a deck says of its make-up must agree with its cards."""
    keys: Mapping[str, Scalar] = raw["keys"]
    said = raw.get("composition")
    if said == "known" and "cards" not in keys:
        what = "a deck of known make-up needs 'cards'"
        report.add(Code.MISSING_KEY, keys["composition"], what, mend="add `cards:`, or write `composition: unknown`")
    if said == "unknown" and "cards" in keys:
        what = "a deck of unknown make-up has no 'cards'"
        report.add(Code.WRONG_SHAPE, keys["cards"], what, mend="delete them, or write `composition: known`")
    elif "cards" in keys and "placeholder" in keys:
        what = "a deck of known make-up needs no 'placeholder'"
        report.add(Code.WRONG_SHAPE, keys["placeholder"], what, mend="delete it: cards are drawn from `cards`")


def read_cards(
    written: Written, fields: Mapping[str, Fact], report: Report, at: Marked, broken: Collection[str] = ()
) -> Cards:
    """The cards of a deck with these fields; `broken` ones raise no complaint."""
    cards = tuple(_card(card, fields, report, broken) for card in written)
    total = sum(count for count, _ in cards)
    if total > MAX_CARDS:
        report.add(Code.TOO_LARGE, at, f"the deck has {total:,} cards, more than {MAX_CARDS:,}", width=0)
    return cards


def _card(
    written: Sequence[tuple[Scalar, Tree | None]], fields: Mapping[str, Fact], report: Report, broken: Collection[str]
) -> tuple[int, Frozen]:
    """One kind of card: how many there are, and what they show."""
    count = 1
    values: dict[str, Any] = {}
    for name, tree in written:
        word = name.text
        if tree is None:
            continue
        if word == "count":
            count = _count(tree, report)
        elif word in fields:
            _read_value(fields[word], tree, report, values)
        elif word not in broken:
            _no_field(name, fields, report)
    return count, Frozen(values)


def _no_field(name: Scalar, fields: Mapping[str, Fact], report: Report) -> None:
    known = {field: fact.place for field, fact in fields.items() if fact.place.file == name.place.file} or fields
    report.unknown(Code.UNKNOWN_KEY, name, name.text, f"a card of this deck has no '{brief(name.text)}'", known)


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


class _Placeholder:
    """Reads the placeholder of a deck with these fields."""

    def __init__(self, fields: Facts, report: Report) -> None:
        self.fields = fields
        self.report = report

    def read(self, written: Sequence[tuple[Scalar, Any]], raw: Mapping[str, Any]) -> dict[str, dict[Any, int]]:
        """The weights of the fields that have any; every field must have answers to draw from."""
        named = {name.text: (name, value) for name, value in written}
        for word, (name, _) in named.items():
            if word not in self.fields.made and word not in self.fields.broken:
                _no_field(name, self.fields.made, self.report)
        found = {}
        for word, fact in self.fields.made.items():
            name, value = named.get(word, (raw["keys"]["placeholder"], "even"))
            if value == "even":
                self.check_even(fact, name)
            elif value is not None:
                found[word] = self.weights(fact, name, value)
        return found

    def check_even(self, fact: Fact, at: Scalar) -> None:
        """See that a field has so many answers, and no more."""
        if fact.kind is Kind.TEXT or (fact.kind is Kind.NUMBER and None in (fact.low, fact.high)):
            what = f"'{fact.name}' cannot be even: its answers have no end"
            self.report.add(Code.WRONG_SHAPE, at, what, mend=f"give answers with weights, {fact.name}: {{…: 1}}")

    def weights(self, fact: Fact, at: Scalar, written: Sequence[tuple[Scalar, int | None]]) -> dict[Any, int]:
        """Answers with their weights; there must be one for every column."""
        found: dict[Any, int] = {}
        for name, weight in written:
            try:
                answer = read_answer(fact, plain(name))
            except ReplyError as fault:
                self.report.add(Code.WRONG_SHAPE, name, brief(str(fault), 160))
                return {}
            found[answer] = found.get(answer, 0) + (weight or 1)
        if fact.by_column and fact.columns and min(found, default=0) > fact.columns[0]:
            self.report.add(Code.BAD_RANGE, at, f"'{fact.name}' has no answer for column {fact.columns[0]}")
        return found
