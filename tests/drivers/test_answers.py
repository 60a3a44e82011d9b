"""What a player types, at prompts and in flags."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refcli.core.dice import parse_dice
from refcli.core.errors import ReplyError
from refcli.core.fact import Kind
from refcli.core.need import Roll
from refcli.drivers.answers import clean, plural, read_roll, read_text
from tests.helpers import make_fact

GROUND = {
    "in_wire": "Troops in barbed wire",
    "troops": "Other troops",
    "high_ground": "High ground",
    "gun": "Gun (towed)",
}


@pytest.mark.parametrize(
    ("text", "value"),
    [("y", True), ("YES", True), ("ye", True), ("true", True), ("n", False), (" no ", False), ("False", False)],
)
def test_yes_and_no_by_any_beginning(text: str, value: bool) -> None:
    assert read_text(make_fact(Kind.YES_NO), text) is value


@pytest.mark.parametrize("text", ["", "maybe", "yesterday", "1", "yn"])
def test_yes_or_no_refuses_all_else(text: str) -> None:
    with pytest.raises(ReplyError, match="answer yes or no"):
        read_text(make_fact(Kind.YES_NO), text)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("in_wire", "in_wire"),
        ("In Wire", "in_wire"),
        ("in-wire", "in_wire"),
        ("1", "in_wire"),
        ("4", "gun"),
        ("barb", "in_wire"),
        ("troops", "troops"),  # a key as it stands, though another label has the word too
        ("other troops", "troops"),
        ("high g", "high_ground"),
        ("towed", "gun"),
    ],
)
def test_choice_by_key_number_or_beginning(text: str, key: str) -> None:
    assert read_text(make_fact(Kind.CHOICE, GROUND), text) == key


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tro", "'tro' could be 1 Troops in barbed wire, 2 Other troops; type more of it, or its number"),
        ("trops", "'trops' is not a choice; did you mean 'troops'?"),
        ("5", "choose 1 to 4, not '5'"),
        ("0", "choose 1 to 4, not '0'"),
        ("", "'' is not a choice; choose 1 to 4, a key or the beginning of a word"),
        ("\x1b[31mx", "'\\x1b[31mx' is not a choice; choose 1 to 4, a key or the beginning of a word"),
    ],
)
def test_choice_says_what_it_could_be(text: str, message: str) -> None:
    with pytest.raises(ReplyError) as fault:
        read_text(make_fact(Kind.CHOICE, GROUND), text)
    assert str(fault.value) == message


@pytest.mark.parametrize(("text", "value"), [("3", 3), ("-3", -3), ("−2", -2), ("+1", 1), (" 0 ", 0)])
def test_number_with_any_sign(text: str, value: int) -> None:
    assert read_text(make_fact(Kind.NUMBER, low=-3, high=3), text) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("4", "4 is out of range; a number from -3 to 3 is needed"),
        ("two", "a number from -3 to 3 is needed, not 'two'"),
        ("1.5", "a number from -3 to 3 is needed, not '1.5'"),
        ("²", "a number from -3 to 3 is needed, not '²'"),
    ],
)
def test_number_tells_its_range(text: str, message: str) -> None:
    with pytest.raises(ReplyError) as fault:
        read_text(make_fact(Kind.NUMBER, low=-3, high=3), text)
    assert str(fault.value) == message


def men() -> Any:
    fields = (make_fact(Kind.TEXT, name="name"), make_fact(Kind.YES_NO, name="down"))
    return make_fact(Kind.LIST, noun="man", fields=fields)


@pytest.mark.parametrize(
    ("text", "records"),
    [
        ("2", [{}, {}]),
        ("0", []),
        ("Jones, Smith", [{"name": "Jones"}, {"name": "Smith"}]),
        ('[{"name": "Jones", "down": "yes"}, {}]', [{"name": "Jones", "down": True}, {}]),
    ],
)
def test_list_by_count_by_names_or_as_json(text: str, records: list[Any]) -> None:
    assert [dict(record) for record in read_text(men(), text)] == records


@pytest.mark.parametrize("text", ["", "Jones,", "[1", "[1]", "101", "9" * 5000, "[" * 5000])
def test_list_refuses_what_is_none(text: str) -> None:
    with pytest.raises(ReplyError):
        read_text(men(), text)


def roll(dice: str, pool: int | None = None) -> Roll:
    return Roll(parse_dice(dice), "die", "made/chart", "throw", "", pool)


@pytest.mark.parametrize(
    ("dice", "pool", "text", "reply"),
    [
        ("d10", None, "4", 4),
        ("2d6", None, "7", 7),
        ("2d6", None, "3 4", 7),
        ("2d6", None, "3+4", 7),
        ("2d6+1", None, "3, 4", 8),
        ("d6-3", None, "-2", -2),
        ("d6", 4, "5 4 2 6", [5, 4, 2, 6]),
        ("d6", 4, "5426", [5, 4, 2, 6]),
        ("d6", 4, "54 26", [5, 4, 2, 6]),
        ("d6", 1, "5", [5]),
        ("d10", 2, "10 3", [10, 3]),
    ],
)
def test_dice_as_they_lie_on_the_table(dice: str, pool: int | None, text: str, reply: Any) -> None:
    assert read_roll(roll(dice, pool), text) == reply


@pytest.mark.parametrize(
    ("dice", "pool", "text", "message"),
    [
        ("d10", None, "11", "d10 gives 1 to 10, not 11"),
        ("d10", None, "0", "a 0 on a ten-sided die counts 10: type 10"),
        ("d10", None, "", "type what the dice show"),
        ("d10", None, "four", "type numbers, not 'four'"),
        ("d10", None, "3 4", "d10 takes one number, not '3 4'"),
        ("2d6", None, "1", "2d6 gives 2 to 12, not 1"),
        ("2d6", None, "1 7", "each die shows 1 to 6, not 7"),
        ("2d6", None, "1 2 3", "2d6 takes the total, or its 2 dice, not '1 2 3'"),
        ("d6", 3, "5 4", "3 dice are needed, 2 are there"),
        ("d6", 3, "547", "d6 gives 1 to 6, not 7"),
        ("d10", 3, "123", "3 dice are needed, 1 is there"),
    ],
)
def test_dice_say_what_they_can_show(dice: str, pool: int | None, text: str, message: str) -> None:
    with pytest.raises(ReplyError) as fault:
        read_roll(roll(dice, pool), text)
    assert str(fault.value) == message


@given(st.text(max_size=40))
def test_any_text_is_an_answer_or_a_reply_error(text: str) -> None:
    facts = [make_fact(kind) for kind in (Kind.YES_NO, Kind.NUMBER, Kind.TEXT)]
    for fact in [*facts, make_fact(Kind.CHOICE, GROUND), men()]:
        try:
            read_text(fact, text)
        except ReplyError as fault:
            assert str(fault).isprintable()
    for need in (roll("d10"), roll("2d6"), roll("d6", 3)):
        try:
            read_roll(need, text)
        except ReplyError as fault:
            assert str(fault).isprintable()


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("plain", "plain"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07after", "after"),
        ("\x9b2Jgone", "gone"),
        ("a\nb\tc\rd", "a b c d"),
        ("\u202eturned\u2066", "turned"),
        ("lone \ud800", "lone \ufffd"),
        ("bell\x07 null\x00", "bell null"),
        ("👩‍🚒 [bold]ä−→", "👩‍🚒 [bold]ä−→"),
    ],
)
def test_clean_leaves_nothing_that_moves_the_screen(raw: str, shown: str) -> None:
    assert clean(raw) == shown


@given(st.text())
def test_clean_text_is_safe_and_stays_as_it_is(text: str) -> None:
    found = clean(text)
    assert not any(char < " " or "\x7f" <= char <= "\x9f" or char in "\u2028\u2029" for char in found)
    assert clean(found) == found


@pytest.mark.parametrize(
    ("noun", "many"), [("man", "men"), ("vehicle", "vehicles"), ("entry", "entries"), ("hex", "hexes")]
)
def test_plural(noun: str, many: str) -> None:
    assert plural(noun) == many
