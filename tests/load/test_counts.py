"""Players' own counts of decks."""

from pathlib import Path

import pytest

from refcli.core.errors import ChartError, UsageError
from refcli.load.counts import is_count
from refcli.load.library import Library
from tests.load.conftest import END, write_book

FIELDS = """
fields:
  suit: {ask: Suit, choices: {red: Red, black: Black}}
  wild: Is it wild?
  spot: {ask: Spot in <column>, number: 1..column, columns: 1..10}
placeholder: {suit: even}
"""
DRAW = "nodes:\n  go: {draw: cards, as: card, next: on}\n  on: {decide: card.wild, yes: end, no: end}" + END


@pytest.fixture
def library(folder: Path) -> Library:
    write_book(folder, cards=FIELDS, chart=DRAW)
    return Library([folder])


def write(text: str, name: str = "mine.txt") -> Path:
    Path(name).write_text(text, encoding="utf-8")
    return Path(name)


@pytest.mark.parametrize("name", ["cards", "made/cards"])
def test_a_deck_takes_the_cards_of_a_count(library: Library, name: str) -> None:
    library.take_count(
        write(f"deck: {name}\ncards:\n  - {{suit: red, count: 12}}\n  - {{wild: yes, spot: {{7: 3}}}}\n")
    )
    chart = library.load("made/chart")
    deck = chart.book.decks["cards"]
    assert deck.cards == ((12, {"suit": "red"}), (1, {"wild": True, "spot": {7: 3}}))
    assert (deck.counted, deck.size, deck.placeholder) == ("mine.txt", 13, None)
    assert chart.made["card"].deck is deck


def test_two_counts_of_one_deck_are_one_too_many(library: Library) -> None:
    text = "deck: cards\ncards: [{suit: red}]\n"
    library.take_count(write(text))
    with pytest.raises(UsageError) as fault:
        library.take_count(write(text, "other.yaml"))
    assert str(fault.value) == "two files count made/cards: mine.txt and other.yaml"


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        (
            "deck: crads\ncards: [{suit: red}]\n",
            ["1:7: error C304: there is no deck 'crads'; did you mean 'cards'?"],
        ),
        (
            "deck: made/crads\ncards: [{suit: red}]\n",
            ["1:7: error C304: there is no deck 'crads' in the book 'made'; did you mean 'cards'?"],
        ),
        ("deck: maed/cards\ncards: []\n", ["1:7: error C304: there is no book 'maed'; did you mean 'made'?", "2:8: error C203: 'cards' needs 1 or more, this has 0"]),
        (
            "deck: Cards\ncards: [{suit: red}]\n",
            ["1:7: error C205: 'Cards' cannot be a name: small letters a-z, digits, - and _ make one; for example 'cards'"],
        ),
        ("deck: cards\n", ["1:1: error C202: the count needs 'cards'; add `cards:`, every kind of card, with `count` of each"]),
        (
            "deck: cards\ncards: [{suit: red}]\ntitle: Mine\n",
            ["3:1: error C201: the count has no key 'title'; it can be: deck, cards"],
        ),
        (
            "deck: cards\ncards:\n  - {siut: red, wild: maybe}\n  - {suit: green, count: 0}\n  - {spot: 3}\n  - {spot: {3: 4}}\n",
            [
                "3:6: error C201: a card of this deck has no 'siut'; did you mean 'suit'?",
                "3:23: error C203: wild: answer yes or no, not 'maybe'",
                "4:12: error C203: suit: 'green' is not a choice; it can be: red, black",
                "4:26: error C203: 'count' needs a number above zero",
                "5:12: error C203: 'spot' is numbered: give each column its value",
                "6:12: error C203: spot: 4 is out of range in column 3; a number in 1..3 is needed",
            ],
        ),
        ("deck: cards\ncards: [{suit: red, count: 10001}]\n", ["1:1: error C102: the deck has 10,001 cards, more than 10,000"]),
        ("deck: cards\ncards: [{suit: red\n", ["2:9: error C101: this '{' is never closed; add a '}'"]),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_count_is_told(library: Library, text: str, messages: list[str]) -> None:
    path = write(text)
    found = [str(problem) for problem in library.problems(path)]
    assert found == [f"mine.txt:{message}" for message in messages]
    with pytest.raises(ChartError) as fault:
        library.take_count(path)
    assert [str(problem) for problem in fault.value.problems] == found


def test_a_name_that_two_books_have_needs_its_book(library: Library, folder: Path) -> None:
    write_book(folder / "more", cards=FIELDS, chart=DRAW)
    (folder / "more" / "made").rename(folder / "other")
    path = write("deck: cards\ncards: [{suit: red}]\n")
    assert list(map(str, Library([folder]).problems(path))) == [
        "mine.txt:1:7: error C207: 'cards' could be 2 decks: made/cards, other/cards; write its book too, like book/deck"
    ]


def test_faults_of_the_deck_itself_are_told(folder: Path) -> None:
    write_book(folder, cards="fields: {suit: {ask: Suit, chices: {red: Red}}}\n", chart=DRAW)
    found = Library([folder]).problems(write("deck: cards\ncards: [{suit: red}]\n"))
    assert list(map(str, found)) == [
        "made/cards.yaml:1:28: error C201: a field has no key 'chices'; did you mean 'choices'?"
    ]


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("deck: cards\n", True),
        ("# mine\ncards: []\ndeck : cards\n", True),
        ("{deck: cards, cards: []}\n", True),
        ("decks: {cards: cards.yaml}\n", False),
        ("nodes:\n  go: {draw: deck}\n  deck: {do: Go.}\n", False),
        ("", False),
    ],
)
def test_a_count_is_known_by_its_deck(folder: Path, text: str, counts: bool) -> None:
    assert is_count(write(text)) is counts
    assert not is_count(Path("nowhere.yaml"))
