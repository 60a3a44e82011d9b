"""Decks: numbered fields, what is said of their make-up, placeholders."""

import pytest

from refcli.core.types import Number, type_of_fact
from tests.load.conftest import END, ChartOf, FaultsOf

GO = "nodes: {go: {do: Go., next: end}}" + END
FIELDS = """
fields:
  suit: {ask: Suit, choices: {red: Red, black: Black}}
  wild: Is it wild?
  spot: {ask: Spot in <column>, number: 1..column, columns: 1..10}
"""


def test_a_numbered_field_may_end_at_its_column(chart_of: ChartOf) -> None:
    spot = chart_of(GO, cards=FIELDS).book.decks["cards"].fields["spot"]
    assert (spot.low, spot.high, spot.by_column, spot.columns) == (1, 10, True, (1, 10))
    assert type_of_fact(spot) == Number(1, 10)
    assert [spot.at(column).range for column in (1, 7, 10)] == ["1..1", "1..7", "1..10"]
    assert spot.at(7) is spot.at(7)
    assert spot.at(None) is spot


def test_a_range_with_fixed_ends_is_the_same_in_every_column(chart_of: ChartOf) -> None:
    cards = "fields:\n  spot: {ask: Spot, number: 1..3, columns: 1..4}\n"
    spot = chart_of(GO, cards=cards).book.decks["cards"].fields["spot"]
    assert [spot.at(column).range for column in (1, 4)] == ["1..3", "1..3"]


@pytest.mark.parametrize(
    ("field", "messages"),
    [
        (
            "{ask: Spot, number: 1..column}",
            ["21: error C202: 'spot' ends at its column, but has no columns; add `columns:`, like 1..10"],
        ),
        (
            "{ask: Spot, number: 3..column, columns: 1..10}",
            ["21: error C204: '3..column' holds nothing in column 1; begin with 1, or with less"],
        ),
        (
            "{ask: Spot, number: ..column, columns: 1..10}",
            ["29: error C204: '..column' needs a number first, like 1..column"],
        ),
        (
            "{ask: Spot, number: column..9, columns: 1..10}",
            ["29: error C204: 'column..9' is no range: write one like -3..3, 0.., ..5 or 7"],
        ),
        ("{ask: Spot, number: 1..6, columns: 1..200}", ["35: error C102: a field has 100 columns at most"]),
    ],
)
def test_a_bad_numbered_field_is_told(faults_of: FaultsOf, field: str, messages: list[str]) -> None:
    found = faults_of(GO, cards=f"fields:\n  wild: Wild?\n  spot: {field}\n")
    assert found == [f"cards.yaml:3:{message}" for message in messages]


def test_only_a_card_has_columns(faults_of: FaultsOf) -> None:
    assert faults_of("facts:\n  wind: {ask: Wind, number: 1..column}\n" + GO) == [
        "3:29: error C204: '1..column' is no range: write one like -3..3, 0.., ..5 or 7"
    ]


@pytest.mark.parametrize(
    ("more", "known"),
    [
        ("", False),
        ("composition: unknown\n", False),
        ("cards: [{suit: red}]\n", True),
        ("composition: known\ncards: [{suit: red}]\n", True),
    ],
)
def test_a_make_up_is_known_where_there_are_cards(chart_of: ChartOf, more: str, known: bool) -> None:
    deck = chart_of(GO, cards=FIELDS + more).book.decks["cards"]
    assert bool(deck.cards) is known
    assert (deck.id, deck.can_be_drawn, deck.uses_placeholder) == ("made/cards", known, False)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (
            "composition: known",
            "5:1: error C202: a deck of known make-up needs 'cards'; add `cards:`, or write `composition: unknown`",
        ),
        (
            "composition: unknown\ncards: [{suit: red}]",
            "6:1: error C203: a deck of unknown make-up has no 'cards'; delete them, or write `composition: known`",
        ),
        (
            "cards: [{suit: red}]\nplaceholder: {suit: even}",
            "6:1: error C203: a deck of known make-up needs no 'placeholder'; delete it: cards are drawn from `cards`",
        ),
        ("composition: knwon", "5:14: error C203: 'knwon' is not one of known, unknown; did you mean 'known'?"),
    ],
)
def test_a_make_up_that_contradicts_itself_is_told(faults_of: FaultsOf, more: str, message: str) -> None:
    assert faults_of(GO, cards=f"{FIELDS}{more}\n") == [f"cards.yaml:{message}"]


def test_a_placeholder_holds_the_weights_of_what_is_not_even(chart_of: ChartOf) -> None:
    cards = FIELDS + "placeholder: {suit: even, wild: {no: 3, yes: 1}, spot: {1: 2, 5: 1}}\n"
    deck = chart_of(GO, cards=cards).book.decks["cards"]
    assert deck.placeholder == {"wild": {False: 3, True: 1}, "spot": {1: 2, 5: 1}}
    assert (deck.can_be_drawn, deck.uses_placeholder) == (True, True)


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("wilt: even", "15: error C201: a card of this deck has no 'wilt'; did you mean 'wild' (line 3)?"),
        ("wild: evn", "21: error C203: 'evn' is not one of even; did you mean 'even'?"),
        ("wild: {maybe: 1}", "22: error C203: wild: answer yes or no, not 'maybe'"),
        ("wild: {no: 0}", "26: error C203: a number above zero is needed here, not '0'"),
        (
            "wild: [no]",
            "21: error C203: 'wild' needs one of even or a mapping, each number above zero, this is a list",
        ),
        ("spot: {11: 1}", "22: error C203: spot: 11 is out of range; a number in 1..10 is needed"),
        ("spot: {2: 1}", "15: error C204: 'spot' has no answer for column 1"),
    ],
)
def test_a_bad_placeholder_is_told(faults_of: FaultsOf, field: str, message: str) -> None:
    assert faults_of(GO, cards=f"{FIELDS}placeholder: {{{field}}}\n") == [f"cards.yaml:5:{message}"]


def test_a_field_without_an_end_cannot_be_even(faults_of: FaultsOf) -> None:
    cards = "fields:\n  name: {ask: Name, text: yes}\n  size: {ask: Size, number: 1..}\n  wild: Wild?\n"
    assert faults_of(GO, cards=cards + "placeholder: {wild: even, size: even}\n") == [
        "cards.yaml:5:1: error C203: 'name' cannot be even: its answers have no end; give answers with weights, "
        "name: {…: 1}",
        "cards.yaml:5:27: error C203: 'size' cannot be even: its answers have no end; give answers with weights, "
        "size: {…: 1}",
    ]
    given = "placeholder: {size: {1: 1}, name: {Ace: 1}}\n"
    assert faults_of(GO, cards=cards + given) == []
