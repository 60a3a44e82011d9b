"""Replies: what fits a need, and what is said of what does not."""

from typing import Any

import pytest

from refcli.core.deck import Deck
from refcli.core.dice import Dice
from refcli.core.errors import ReplyError
from refcli.core.fact import Choice, Fact, Kind
from refcli.core.need import Draw, Roll, accept, read_answer, read_card
from refcli.core.place import Place
from refcli.core.values import Frozen

HERE = Place("a.yaml", 1, 1)
WET = Fact(name="wet", kind=Kind.YES_NO, ask="Wet?", place=HERE)
SIZE = Fact(name="size", kind=Kind.NUMBER, ask="Size?", place=HERE, low=0, high=5)
DEPTH = Fact(name="depth", kind=Kind.NUMBER, ask="Depth?", place=HERE)
NAME = Fact(name="name", kind=Kind.TEXT, ask="Name?", place=HERE)
GROUND = Fact(
    name="ground",
    kind=Kind.CHOICE,
    ask="Ground?",
    place=HERE,
    choices=(Choice("open", "Open"), Choice("wood", "Woods")),
)
MEN = Fact(name="men", kind=Kind.LIST, ask="Men?", place=HERE, noun="man", fields=(NAME, WET, SIZE))
SPOT = Fact(name="spot", kind=Kind.NUMBER, ask="Spot?", place=HERE, low=1, high=10, columns=(1, 10))
DECK = Deck(name="cards", title="Cards", place=HERE, fields={"ground": GROUND, "spot": SPOT})


@pytest.mark.parametrize(
    ("fact", "raw", "value"),
    [
        (WET, True, True),
        (WET, " Yes ", True),
        (WET, "n", False),
        (SIZE, 5, 5),
        (SIZE, "+3", 3),
        (SIZE, 2.0, 2),
        (DEPTH, "−12", -12),
        (GROUND, "wood", "wood"),
        (NAME, "Keller", "Keller"),
        (NAME, 7, "7"),
        (MEN, [{"name": "Keller", "wet": "yes"}, {}], (Frozen(name="Keller", wet=True), Frozen())),
    ],
)
def test_an_answer_is_read(fact: Fact, raw: Any, value: Any) -> None:
    assert read_answer(fact, raw) == value


@pytest.mark.parametrize(
    ("fact", "raw", "message"),
    [
        (WET, "maybe", "wet: answer yes or no, not 'maybe'"),
        (WET, 1, "wet: answer yes or no, not 1"),
        (WET, None, "wet: answer yes or no, not nothing"),
        (SIZE, 6, "size: 6 is out of range; a number in 0..5 is needed"),
        (SIZE, "-1", "size: -1 is out of range; a number in 0..5 is needed"),
        (SIZE, True, "size: a number in 0..5 is needed, not yes"),
        (SIZE, "5x", "size: a number in 0..5 is needed, not '5x'"),
        (SIZE, "５", "size: a number in 0..5 is needed, not '５'"),
        (SIZE, 2.5, "size: a number in 0..5 is needed, not 2.5"),
        (DEPTH, "1" * 30, "depth: a whole number is needed, not '" + "1" * 30 + "'"),
        (DEPTH, float("nan"), "depth: a whole number is needed, not nan"),
        (GROUND, "wod", "ground: 'wod' is not a choice; did you mean 'wood'?"),
        (GROUND, 3, "ground: 3 is not a choice; it can be: open, wood"),
        (NAME, ["x"], "name: a text is needed, not ['x']"),
        (MEN, "Keller", "men: a list with one mapping per man is needed, not 'Keller'"),
        (MEN, [1], "men: man 1 is not a mapping of name, wet, size"),
        (MEN, [{}, {"nam": "x"}], "men: man 2 has no 'nam'; did you mean 'name'?"),
        (MEN, [{"size": 9}], "men, man 1: size: 9 is out of range; a number in 0..5 is needed"),
        (MEN, [{}] * 101, "men: a list of 0 to 100 is needed, not of 101"),
    ],
)
def test_a_bad_answer_says_what_would_do(fact: Fact, raw: Any, message: str) -> None:
    with pytest.raises(ReplyError) as caught:
        read_answer(fact, raw)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("pool", "reply", "message"),
    [
        (None, 0, "d6 gives 1 to 6, not 0"),
        (None, 7, "d6 gives 1 to 6, not 7"),
        (None, True, "d6 gives 1 to 6, not yes"),
        (None, "3", "d6 gives 1 to 6, not '3'"),
        (3, [1, 2], "hits takes 3 dice, not [1, 2]"),
        (2, [1, 9], "d6 gives 1 to 6, not 9"),
        (2, "12", "hits takes 2 dice, not '12'"),
    ],
)
def test_a_bad_roll_says_what_would_do(pool: int | None, reply: Any, message: str) -> None:
    with pytest.raises(ReplyError) as caught:
        accept(Roll(Dice(1, 6), "hits", "b/c", "n", pool=pool), reply)
    assert str(caught.value) == message


def test_a_card_is_read_with_its_columns() -> None:
    assert read_card(DECK, {"ground": "wood", "spot": {"7": 4, 10: "6"}}) == Frozen(
        ground="wood", spot=Frozen({7: 4, 10: 6})
    )


@pytest.mark.parametrize(
    ("card", "message"),
    [
        ({"grund": "wood"}, "a card of Cards has no 'grund'; did you mean 'ground'?"),
        ({"spot": 4}, "'spot' is numbered: give each column its value"),
        ({"spot": {11: 4}}, "columns of 'spot' run from 1 to 10, not 11"),
        ({"spot": {7: 11}}, "spot: 11 is out of range in column 7; a number in 1..10 is needed"),
    ],
)
def test_a_bad_card_says_what_would_do(card: dict[str, Any], message: str) -> None:
    with pytest.raises(ReplyError) as caught:
        accept(Draw(DECK, "card", "b/c", "n"), card)
    assert str(caught.value) == message
