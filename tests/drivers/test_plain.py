"""The plain front end: what it prints, what it takes."""

from io import StringIO
from pathlib import Path

import pytest

from refcli.core.chart import Chart
from refcli.core.errors import UnansweredError
from refcli.core.need import Outcome
from refcli.core.ruling import ruling
from refcli.core.walk import Walk, start
from refcli.drivers.chance import Chance
from refcli.drivers.loop import Stopped, drive
from refcli.drivers.plain import Plain
from refcli.drivers.script import Case, CaseSupplier
from tests.helpers import CARDS, CROSSING, end, load_chart, load_volley


@pytest.fixture
def crossing(tmp_path: Path) -> Chart:
    return load_chart(tmp_path, CROSSING)


@pytest.fixture
def volley(tmp_path: Path) -> Chart:
    return load_volley(tmp_path)


def play(chart: Chart, typed: str, chance: Chance | None = None, **case: object) -> tuple[Walk, str]:
    """The walk that some lines make, and all that was printed."""
    writer = StringIO()
    player = Plain(StringIO(typed), writer, chance)
    case_supplier = CaseSupplier(Case(**case))  # type: ignore[arg-type]
    try:
        return drive(start(chart), [case_supplier, player], note=player.say), writer.getvalue()
    except Stopped as stop:
        return stop.walk, writer.getvalue()


def lines(*typed: str) -> str:
    return "".join(f"{line}\n" for line in typed)


def test_a_whole_walk_as_it_reads(crossing: Chart) -> None:
    walk, said = play(crossing, lines("tro", "2", "6", "on"))
    assert end(walk).id == "through"
    assert said == (
        "— Made up · Chart —\n"
        "Who is crossing?\n"
        "  1 Tracked vehicle (tracked)\n"
        "  2 Other troops (troops)\n"
        "  3 Gun pushed by hand (gun)\n"
        "Tick what applies (numbers to tick, 1=… to set; Enter as it stands)\n"
        "  1 [0] Rating on the card\n"
        "  2 [ ] Is it stuck already?  −1\n"
        "  3 [ ] Is the ground wet?  −1\n"
        "  Modifier: 0\n"
        "Announce the move.\n"
        "Roll to cross: roll d10 (1 to 10)\n"
        "[owner decides] Back or on?\n"
        "  1 Back\n"
        "  2 On\n"
    )


def test_wrong_answers_are_told_and_asked_again(crossing: Chart) -> None:
    walk, said = play(crossing, lines("7", "", "gun", "9", "1=9", "1 2", "perhaps", "", "11", "", "10"))
    assert end(walk).gives == {"score": 9}
    for told in (
        "  choose 1 to 3, not '7'\nWho is crossing?\n",
        "  an answer is needed: 1 to 3, or a word's beginning\nWho is crossing?\n",
        "  choose 1 to 3, not 9\nTick what applies (numbers to tick, 1=… to set; Enter as it stands)\n",
        "  9 is out of range; a number from -3 to 3 is needed\nTick what applies",
        "  1 is no box to tick: type 1=… to set it\nTick what applies",
        "  type numbers to tick, 1=… to set; Enter as it stands; not 'perhaps'\nTick what applies",
        "  d10 gives 1 to 10, not 11\nRoll to cross: roll d10 (1 to 10)\n",
        "  an answer is needed: 1 to 10\n",
    ):
        assert told in said


def test_question_mark_explains(crossing: Chart) -> None:
    said = play(crossing, lines("?", "gun", "1", "?", "q"))[1]
    assert (
        "  Answer: 1 to 3, or a word's beginning\n"
        "  Take the first line that is true.\n"
        "  d takes what is offered here, all at once\n"
        "  D does so from now on\n"
        "  ? explains\n"
        "  u takes the last answer back; u 3 the last three, U picks one from a list\n"
        "  w why: all that has counted so far, and where it stands in the source\n"
        "  i what if: change one answer and see what would come of it; nothing is changed\n"
        "  g explains the abbreviations on the screen; G any other\n"
        "  q keeps what you have entered, and quits\n"
        "Who is crossing?\n"
    ) in said
    assert "  Answer: -3 to 3\n  Enter alone: 0\n" in said


def test_a_reading_is_told_to_whoever_asks(tmp_path: Path) -> None:
    text = """
        facts:
          wet: {ask: 'Is it wet?', help: Touch it., note: Likely mist counts too.}
        nodes: {test: {decide: wet, yes: end, no: end}}
        outcomes: {end: {title: End}}
        """
    said = play(load_chart(tmp_path, text), lines("?", "y"))[1]
    assert said.startswith(
        "— Made up · Chart —\nIs it wet? (y/n)\n  Answer: y/n\n  Touch it.\n  Likely mist counts too.\n"
    )


def test_u_goes_back_question_by_question(crossing: Chart) -> None:
    walk, said = play(crossing, lines("u", "gun", "1=1", "u", "u", "tracked", "2", "u", "2", "9"))
    assert end(walk).gives == {"score": 12}
    assert "This is the first question.\n" in said


def test_q_and_the_end_of_input_stop_and_keep(crossing: Chart) -> None:
    for typed in (lines("gun", "1=2", "q"), lines("gun", "1=2"), "gun\n1=2"):
        player = Plain(StringIO(typed), StringIO())
        with pytest.raises(Stopped) as stop:
            drive(start(crossing), [player])
        assert stop.value.answers == {"given": {"mover": "gun", "rating": 2, "stuck": False, "wet": False}}
        assert stop.value.exit_code == 1


def test_input_that_ends_at_once_is_nobody_to_ask(crossing: Chart) -> None:
    writer = StringIO()
    with pytest.raises(UnansweredError):
        drive(start(crossing), [Plain(StringIO(), writer)])
    assert writer.getvalue() == ""


def test_dice_can_be_left_to_chance_once_or_from_now_on(volley: Chart) -> None:
    given = {"shots": 2, "men": [], "brave": "no"}
    walk, said = play(volley, lines("r"), Chance(1), given=given)
    faces = ruling(walk)["rolls"]["fire"]
    assert "fire: roll 2 × d6 (the 2 dice, such as 3 5; r rolls for you; R all from now on)\n" in said
    assert len(faces) == 2
    chart = load_chart(
        Path(volley.place.file).parents[1] / "twice",
        """
        nodes:
          one: {roll: d6, as: first, next: two}
          two: {roll: d6, as: second, next: three}
          three: {roll: d6, as: third, next: done}
        outcomes:
          done: {title: Done}
        """,
    )
    walk, said = play(chart, lines("r", "R"), Chance(3))
    assert isinstance(walk.need, Outcome)
    assert [said.count(f"{name}: roll d6") for name in ("first", "second", "third")] == [1, 1, 0]
    rolled = ruling(walk)["rolls"]
    assert f"first: rolled {rolled['first']}\n" in said
    assert rolled == ruling(play(chart, lines("R"), Chance(3))[0])["rolls"]


def test_without_chance_r_is_no_roll(crossing: Chart) -> None:
    given = {"mover": "gun", "rating": 0, "stuck": False, "wet": False}
    said = play(crossing, lines("r", "9"), given=given)[1]
    assert "  type numbers, not 'r'\n" in said


def test_list_asks_how_many_then_the_names_only(volley: Chart) -> None:
    typed = lines("2", "two", "2", "Jones", "", "2", "b1", "n")
    walk, said = play(volley, typed, rolls={"fire": [4, 1]})
    assert end(walk).id == "bad"
    assert (
        "The men of the group: How many men? (0 to 100, or their names with commas)\n"
        "  how many men: a number from 0 to 100 is needed, not 'two'\n"
        "The men of the group: How many men? (0 to 100, or their names with commas)\n"
        "man 1: Name (or nothing)\n"
        "man 2: Name (or nothing)\n"
        "Tick what applies (numbers to tick, such as 1 2; 0 for none; Enter as it stands)\n"
        "  1 [ ] Jones: Is he down?\n"
        "  2 [ ] man 2: Is he down?\n"
        "— Made up · Chart > man 1 of 2, Jones > Man —\n"
        "Draw a card: Fate cards\n"
        "Colour and number\n"
        "  1 Black 1 (b1)\n"
        "  2 Red 2 (r2)\n"
        "Jones: Does he stand? (y/n)\n"
    ) in said


def test_u_inside_a_list_goes_back_inside_it_and_out_of_it(volley: Chart) -> None:
    typed = lines(
        "2", "3", "Jnes", "u", "Jones", "Smith", "u", "u", "u", "1", "Brown", "u", "u", "u", "0", "u", "u", "0", "0"
    )
    walk, _ = play(volley, typed, rolls={"fire": [4, 1]})
    assert end(walk).id == "good"
    walk, said = play(volley, lines("2", "u", "0", "0"))
    assert end(walk).id == "good"
    assert said.count("How many shots (0 to 6)") == 2


def test_card_that_nothing_is_read_of_is_only_told(tmp_path: Path) -> None:
    chart = load_chart(
        tmp_path,
        """
        nodes:
          one: {draw: cards, as: card, next: two}
          two: {draw: cards, label: The second card, as: other, next: three}
          three: {decide: other.wild, yes: good, no: bad}
        outcomes:
          good: {title: Good}
          bad: {title: Bad}
        """,
        cards=CARDS,
    )
    walk, said = play(chart, lines("y"))
    assert end(walk).id == "good"
    assert said == "— Made up · Chart —\nDraw a card: Fate cards\nThe second card: Fate cards\nIs it wild? (y/n)\n"


def test_cards_of_a_known_deck_can_be_left_to_chance(tmp_path: Path) -> None:
    known = CARDS + "    cards:\n      - {count: 1, suit: b1, wild: no, spot: {1: 1, 2: 2, 3: 3, 4: 1}}\n"
    volley = load_volley(tmp_path, known)
    given = {"shots": 1, "men": [{"name": "Jones", "down": False, "nerve": 3}], "brave": "y"}
    walk, said = play(volley, lines("r"), Chance(1), given=given, rolls={"fire": 4})
    assert end(walk).id == "good"
    assert "Colour and number (1 to 2, or a word's beginning; r draws for you; R all from now on)\n" in said
    assert "card: drew suit b1, wild no\n" not in said  # the walk is over; the ruling tells it
    player = Plain(StringIO(), StringIO())
    player.tell(walk, dice_only=True)
    assert "card: drew suit b1, wild no\n" in player.writer.getvalue()  # type: ignore[attr-defined]


def test_column_of_a_card_is_named(volley: Chart) -> None:
    given = {"shots": 1, "men": [{"down": False, "nerve": 3}], "brave": "y"}
    said = play(volley, lines("b", "3"), given=given, rolls={"fire": 4})[1]
    assert "Spot in column 2 (1 to 3)\n" in said


HOSTILE = {
    "escape": "\x1b[2J\x1b]0;owned\x07Red",
    "markup": "[red]Not red[/red] [/c]",
    "emoji": "👩‍🚒 fire",
    "long": "x" * 500,
}


def test_hostile_words_print_clean(tmp_path: Path) -> None:
    """The loader refuses most of this; a name in a case may still hold it."""
    chart = load_volley(tmp_path)
    men = [{"name": word} for word in HOSTILE.values()]
    said = play(chart, lines("q"), given={"shots": 1, "men": men}, rolls={"fire": 4})[1]
    assert "  1 [ ] Red: Is he down?\n" in said
    assert said.isprintable() or all(char.isprintable() or char in "\n\u200d" for char in said)


def test_a_choice_of_the_name_of_a_command_comes_first(tmp_path: Path) -> None:
    chart = load_chart(
        tmp_path,
        """
        facts:
          card:
            ask: Which letter is it
            choices: {u: Letter u, q: Letter q}
        nodes:
          test: {decide: card, cases: {u: good, q: bad}}
        outcomes:
          good: {title: Good}
          bad: {title: Bad}
        """,
    )
    assert end(play(chart, lines("u"))[0]).id == "good"
    assert end(play(chart, lines("q"))[0]).id == "bad"


def test_very_long_lines_are_cut_and_refused(crossing: Chart) -> None:
    walk, said = play(crossing, lines("x" * 100_000, "gun", "1" * 50_000, "0", "n", "n", "9" * 5000, "9"))
    assert end(walk).gives == {"score": 8}
    assert max(map(len, said.splitlines())) < 120


def test_a_terminal_gets_a_prompt_sign(crossing: Chart) -> None:
    class Screen(StringIO):
        def isatty(self) -> bool:
            return True

    writer = StringIO()
    with pytest.raises(Stopped) as stop:
        drive(start(crossing), [Plain(Screen(), writer)])
    assert stop.value.answers == {}
    assert writer.getvalue().endswith("(gun)\n> ")


def test_many_choices_are_told_once_and_to_whoever_asks(tmp_path: Path) -> None:
    choices = ", ".join(f"{word}: {word.title()}" for word in ("ant", "bee", "cat", "dog", "emu", "fox", "gnu"))
    text = f"""
        facts:
          one: {{ask: One, choices: {{{choices}}}}}
          two: {{ask: Two, like: one}}
          three: {{ask: Three, like: one}}
        nodes:
          a: {{decide: one is two, yes: b, no: b}}
          b: {{decide: three is ant, yes: end, no: end}}
        outcomes: {{end: {{title: End}}}}
        """
    listed = "".join(
        f"  {number} {word}\n" for number, word in enumerate(("Ant", "Bee", "Cat", "Dog", "Emu", "Fox", "Gnu"), 1)
    )
    said = play(load_chart(tmp_path, text), lines("fox", "?", "7", "ant"))[1]
    same = "  the same 7 as before (? lists them)\n"
    assert said.startswith(f"— Made up · Chart —\nOne\n{listed}Two\n{same}  Answer: 1 to 7, or a word's beginning\n")
    assert said.endswith(f"quits\nTwo\n{listed}Three\n{same}")
