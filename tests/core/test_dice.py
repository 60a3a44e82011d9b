"""Dice: how they are written, and their exact weights."""

from collections import Counter
from itertools import product

import pytest

from refcli.core.dice import Dice, parse_dice


@pytest.mark.parametrize(
    ("text", "dice"),
    [("d10", Dice(1, 10)), ("2d6", Dice(2, 6)), ("3D6-1", Dice(3, 6, -1)), ("2 d 6 + 1", Dice(2, 6, 1))],
)
def test_dice_are_read(text: str, dice: Dice) -> None:
    assert parse_dice(text) == dice
    assert parse_dice(str(dice)) == dice


@pytest.mark.parametrize("text", ["", "10", "d", "d1", "0d6", "101d6", "d1001", "d6d6", "2d6*2", "-2d6", "d６"])
def test_what_is_no_dice_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not dice; write them like|is out of bounds: 1 to 100 dice"):
        parse_dice(text)


@pytest.mark.parametrize("text", ["d10", "2d6", "3d6+1", "4d4-2"])
def test_weights_are_those_of_all_throws(text: str) -> None:
    dice = parse_dice(text)
    brute = Counter(sum(faces) + dice.plus for faces in product(range(1, dice.sides + 1), repeat=dice.count))
    assert dice.weights == dict(brute)
    assert (min(brute), max(brute)) == (dice.low, dice.high)
