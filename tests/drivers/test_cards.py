"""Cards by chance: from a known make-up without putting back, from a placeholder each on its own."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from refcli.core.chart import Chart
from refcli.core.errors import ReplyError, UnansweredError
from refcli.core.ruling import ruling
from refcli.core.walk import Walk, start
from refcli.drivers.chance import Chance
from refcli.drivers.loop import drive
from refcli.drivers.script import Case, CaseSupplier, Defaults, check_names, read_case
from tests.helpers import Replies, load_chart

LOOP = """
    facts:
      hands: {ask: How many cards, number: 1..40}
    nodes:
      begin: {set: {drawn: 0}, next: card}
      card: {draw: cards, as: card, next: more}
      more: {set: {drawn: drawn + 1, last: card.suit}, next: test}
      test: {decide: drawn == hands, yes: done, no: card}
    outcomes:
      done: {title: Done, says: The last is <last>.}
"""
FIELDS = """
    title: Fate cards
    fields:
      suit: {ask: Which suit, choices: {red: Red, black: Black, joker: Joker}}
      wild: Is it wild?
      spot: {ask: Position in column <column>, number: 1..column, columns: 1..4}
      size: {ask: Its size, number: -2..2}
"""
KNOWN = (
    FIELDS
    + """
    cards:
      - {suit: red, wild: no, count: 4}
      - {suit: black, wild: no, count: 3}
      - {suit: black, wild: yes}
      - {suit: joker}
"""
)
PLACEHOLDER = (
    FIELDS
    + """
    placeholder: {suit: {red: 3, black: 1}, wild: {no: 1}}
"""
)
READ = """
    facts:
      column: {ask: Which column, number: 1..4}
    nodes:
      card: {draw: cards, as: card, next: test}
      test: {decide: card.spot(column) + card.size > 2 and not card.wild, yes: high, no: low}
    outcomes:
      high: {title: High}
      low: {title: Low}
"""


def drawn(chart: Chart, hands: int, seed: int, **case: Any) -> list[dict[str, Any]]:
    given = CaseSupplier(Case(given={"hands": hands}, **case))
    cards: list[dict[str, Any]] = ruling(drive(start(chart), [given, Chance(seed)]))["draws"]
    return cards


def tally(cards: list[dict[str, Any]]) -> Counter[tuple[Any, Any]]:
    return Counter((card["suit"], card.get("wild")) for card in cards)


DECK = Counter({("red", False): 4, ("black", False): 3, ("black", True): 1, ("joker", None): 1})


@pytest.mark.parametrize("seed", range(20))
def test_a_walk_through_the_whole_deck_has_every_card_as_often_as_the_deck(tmp_path: Path, seed: int) -> None:
    assert tally(drawn(load_chart(tmp_path, LOOP, cards=KNOWN), 9, seed)) == DECK


def test_an_empty_deck_is_shuffled_anew(tmp_path: Path) -> None:
    cards = drawn(load_chart(tmp_path, LOOP, cards=KNOWN), 29, 5)
    assert tally(cards[:9]) == tally(cards[9:18]) == tally(cards[18:27]) == DECK
    assert cards[:9] != cards[9:18]


def test_every_card_can_come_first(tmp_path: Path) -> None:
    chart = load_chart(tmp_path, LOOP, cards=KNOWN)
    assert {card for seed in range(100) for card in tally(drawn(chart, 1, seed))} == DECK.keys()


def test_a_card_that_was_told_is_out_of_the_deck(tmp_path: Path) -> None:
    chart = load_chart(tmp_path, LOOP, cards=KNOWN)
    for seed in range(20):
        cards = drawn(chart, 9, seed, draws=["joker", {"suit": "black", "wild": True}, "black", "red"])
        assert cards[:4] == [{"suit": "joker"}, {"suit": "black", "wild": True}, {"suit": "black"}, {"suit": "red"}]
        assert tally(cards[4:]) == Counter({("red", False): 3, ("black", False): 2})


def test_a_card_more_than_the_deck_has_takes_none_out(tmp_path: Path) -> None:
    cards = drawn(load_chart(tmp_path, LOOP, cards=KNOWN), 10, 1, draws=["joker", "joker"])
    assert tally(cards[2:]) == Counter({("red", False): 4, ("black", False): 3, ("black", True): 1})


def test_what_was_drawn_can_be_fed_back(tmp_path: Path) -> None:
    chart = load_chart(tmp_path, LOOP, cards=KNOWN)
    cards = drawn(chart, 7, 3)
    assert drawn(chart, 7, 99, draws=cards) == cards


def read(chart: Chart, column: int, seed: int | None, **case: Any) -> dict[str, Any]:
    given = CaseSupplier(Case(given={"column": column}, **case))
    chance = [] if seed is None else [Chance(seed)]
    return ruling(drive(start(chart), [given, *chance, Defaults()]), trail=True)


def test_a_placeholder_draws_what_the_path_may_read_each_column_within_its_own(tmp_path: Path) -> None:
    chart = load_chart(tmp_path, READ, cards=PLACEHOLDER)
    cards = [read(chart, 1, seed)["draws"][0] for seed in range(200)]
    assert all(list(card) == ["wild", "spot", "size"] for card in cards)
    assert not any(card["wild"] for card in cards)
    for column in "1234":
        assert {card["spot"][column] for card in cards} == set(range(1, int(column) + 1))
    assert {card["size"] for card in cards} == {-2, -1, 0, 1, 2}


def test_a_placeholder_keeps_its_weights_and_never_runs_out(tmp_path: Path) -> None:
    cards = drawn(load_chart(tmp_path, LOOP, cards=PLACEHOLDER), 40, 1)
    found = Counter(card["suit"] for card in cards)
    assert found.keys() == {"red", "black"}
    assert found["red"] > found["black"]


def test_a_ruling_says_that_cards_came_from_a_placeholder(tmp_path: Path) -> None:
    found = read(load_chart(tmp_path, READ, cards=PLACEHOLDER), 2, 7)
    assert found["placeholders"] == ["cards"]
    assert found["trail"][0]["placeholder"] is True
    assert list(found).index("placeholders") == list(found).index("defaults") + 1


def test_a_ruling_on_real_cards_says_nothing_of_placeholders(tmp_path: Path) -> None:
    chart = load_chart(tmp_path, READ, cards=PLACEHOLDER)
    card = {"wild": False, "spot": {"2": 1}, "size": 2}
    assert "placeholders" not in read(chart, 2, 7, draws=[card])
    assert "placeholders" not in ruling(drive(start(chart), [Replies([card, {"column": 2}])]))


def test_cards_of_a_placeholder_keep_their_label_when_fed_back(tmp_path: Path) -> None:
    chart = load_chart(tmp_path, READ, cards=PLACEHOLDER)
    first = read(chart, 2, 7)
    again = read(chart, 2, None, draws=first["draws"], placeholders=first["placeholders"])
    assert again == first


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ({"placeholders": "cards"}, "'placeholders' must be a list of decks"),
        ({"placeholders": ["card"]}, "Chart has no deck 'card'; did you mean 'cards'?"),
    ],
)
def test_placeholders_of_a_case_are_decks(tmp_path: Path, raw: dict[str, Any], message: str) -> None:
    chart = load_chart(tmp_path, READ, cards=PLACEHOLDER)
    with pytest.raises(ReplyError) as fault:
        check_names(read_case(raw), chart)
    assert str(fault.value) == message


def test_what_the_cards_do_not_show_is_told(tmp_path: Path) -> None:
    cards = FIELDS + "    cards: [{wild: no, spot: {1: 1}}]\n"
    chart = load_chart(tmp_path, READ, cards=cards)
    with pytest.raises(UnansweredError) as fault:
        read(chart, 3, 1)
    assert str(fault.value) == (
        "not answered (made/chart): 'Position in column 3' by --set spot=…; or a file by --given FILE; "
        "not all cards in Fate cards show 'spot(3)'"
    )
    with pytest.raises(UnansweredError, match=r"not all cards in Fate cards show 'size'$"):
        read(chart, 1, 1)


def test_draws_of_a_case_hang_on_its_seed_and_id_alone(tmp_path: Path) -> None:
    chart = load_chart(tmp_path, LOOP, cards=KNOWN)

    def walk(stream: str) -> Walk:
        return drive(start(chart, {"hands": 6}), [Chance(3, stream)])

    first = {name: walk(name) for name in ("a", "b", "c")}
    assert {name: walk(name) for name in ("c", "b", "a")} == first
    assert ruling(first["a"])["draws"] != ruling(first["b"])["draws"]
