"""Dice and cards by chance."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from refcli.core.deck import Deck
from refcli.core.dice import parse_dice
from refcli.core.errors import UnansweredError
from refcli.core.fact import Kind
from refcli.core.need import Draw, Roll
from refcli.core.walk import start
from refcli.drivers.chance import Chance
from refcli.drivers.loop import Supplied, drive
from refcli.drivers.script import Case, CaseSupplier, Defaults
from tests.helpers import CARDS, CROSSING, PLACE, end, load_chart, load_volley, make_fact

D10 = Roll(parse_dice("d10"), "die", "made/chart", "throw")


def deck(*cards: tuple[int, str]) -> Deck:
    suit = make_fact(Kind.TEXT, name="suit")
    made = tuple((count, {"suit": word}) for count, word in cards)
    return Deck(name="cards", title="Cards", place=PLACE, fields={"suit": suit}, cards=made)


def test_same_seed_and_stream_give_the_same_dice_whatever_others_do() -> None:
    first, other, again = Chance(7, "a"), Chance(7, "b"), Chance(7, "a")
    found = [first.roll(D10) for _ in range(20)]
    assert [other.roll(D10) for _ in range(20)] != found
    assert [again.roll(D10) for _ in range(20)] == found


def test_dice_stay_the_same_from_release_to_release() -> None:
    chance = Chance(1943, "case 1")
    assert [chance.roll(D10) for _ in range(8)] == [3, 5, 9, 2, 5, 4, 2, 6]


@pytest.mark.parametrize("dice", ["d6", "2d6", "3d4-2", "d10+1"])
def test_rolls_stay_in_range_and_reach_its_ends(dice: str) -> None:
    need = Roll(parse_dice(dice), "die", "made/chart", "throw")
    chance = Chance(1)
    seen = {chance.roll(need) for _ in range(2000)}
    assert seen == set(range(need.dice.low, need.dice.high + 1))


def test_two_dice_are_added_not_thrown_as_one() -> None:
    chance = Chance(2)
    seen = Counter(chance.roll(Roll(parse_dice("2d6"), "die", "made/chart", "throw")) for _ in range(6000))
    assert 850 < seen[7] < 1150
    assert 100 < seen[2] < 240


def test_pool_has_a_face_for_every_die() -> None:
    faces = Chance(3).roll(Roll(parse_dice("d6"), "hits", "made/chart", "fire", "", 9))
    assert isinstance(faces, list)
    assert len(faces) == 9
    assert set(faces) <= set(range(1, 7))


def test_a_card_comes_as_often_as_the_deck_has_it(tmp_path: Path) -> None:
    walk = start(load_chart(tmp_path, CROSSING))
    chance, need = Chance(4), Draw(deck((3, "black"), (1, "red")), "card", "made/chart", "draw")
    seen = Counter(chance.draw(walk, need).reply["suit"] for _ in range(4000))  # type: ignore[index,call-overload]
    assert 2850 < seen["black"] < 3150
    assert seen["black"] + seen["red"] == 4000


def test_going_back_gives_the_same_dice() -> None:
    chance = Chance(5)
    mark = chance.mark()
    first = [chance.roll(D10) for _ in range(5)]
    later = chance.mark()
    sixth = chance.roll(D10)
    chance.rewind(mark)
    assert [chance.roll(D10) for _ in range(5)] == first
    chance.rewind(later)
    assert chance.roll(D10) == sixth
    assert chance.used == 6


def test_a_seed_that_was_chosen_is_told_and_repeats() -> None:
    chance = Chance()
    assert chance.is_chosen
    found = [chance.roll(D10) for _ in range(9)]
    again = Chance(chance.seed)
    assert not again.is_chosen
    assert [again.roll(D10) for _ in range(9)] == found


def test_deck_of_unknown_make_up_is_left_to_the_table(tmp_path: Path) -> None:
    need = Draw(deck(), "card", "made/chart", "draw")
    chart = load_chart(tmp_path, CROSSING)
    assert Chance(1).supply(start(chart), need) is None
    known = Draw(deck((1, "red")), "card", "made/chart", "draw")
    assert Chance(1).supply(start(chart), known) == Supplied({"suit": "red"}, "drawn")
    volley = load_volley(tmp_path / "volley", CARDS)
    case = Case(given={"shots": 1, "men": [{"down": False}], "brave": True, "nerve": 3})
    with pytest.raises(UnansweredError) as fault:
        drive(start(volley), [CaseSupplier(case), Chance(1)])
    assert str(fault.value) == (
        "not drawn (made/man): a card of Fate cards; give it in a case as draws: [b1]; "
        "its make-up is unknown: read the card off the table"
    )


def test_cards_of_a_known_deck_run_a_whole_walk(tmp_path: Path) -> None:
    cards = CARDS + "    cards:\n      - {count: 2, suit: b1, wild: no, spot: {1: 1, 2: 2, 3: 3, 4: 1}}\n"
    volley = load_volley(tmp_path, cards)
    case = Case(given={"shots": 1, "men": [{"down": False, "nerve": 3}], "brave": True})
    walk = drive(start(volley), [CaseSupplier(case), Chance(1), Defaults()])
    assert end(walk).id == "good"


def test_chance_alone_loads_the_generator() -> None:
    code = "import sys, refcli.drivers.chance, refcli.drivers.script; print('random' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"
