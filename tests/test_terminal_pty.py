"""Prompts on a real terminal, by keys."""

import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.drivers.screen import BACKSPACE, CTRL_C, CTRL_D, DOWN, ESCAPE, RIGHT, UP, Screen, case_in
from tests.helpers import CARDS, CROSSING, MAN, MEN, VOLLEY, write_charts


@pytest.fixture
def crossing(tmp_path: Path) -> Path:
    return write_charts(tmp_path, CROSSING)


@pytest.fixture
def volley(tmp_path: Path) -> Path:
    return write_charts(tmp_path, VOLLEY, book="facts:" + MEN, cards=CARDS, man=MAN)


@pytest.fixture
def at_form(crossing: Path) -> Iterator[Screen]:
    """A walk whose choice is answered, standing at the form with the number and two yes/no questions."""
    screen = Screen(crossing, "--no-journal")
    screen.wait("Who is crossing?")
    screen.keys("3")
    screen.shows("Modifier: −1")
    yield screen
    screen.child.close(force=True)


def test_a_walk_by_keys(crossing: Path) -> None:
    """One key for a choice, one for a tick; a number with its digits; Enter for a form and for a roll that may go on."""
    screen = Screen(crossing)
    screen.shows("Who is crossing?")
    screen.keys("1")
    screen.shows("Modifier: 2")
    screen.keys("2")
    screen.shows("Modifier: 1")
    screen.keys(UP, RIGHT)
    screen.shows("Modifier: 2")
    screen.keys(" ")
    screen.shows("? Rating on the card")
    screen.keys("9")
    screen.shows("-3 to 3")
    screen.keys("\r")
    screen.shows("9 is out of range; a number from -3 to 3 is needed")
    screen.keys(BACKSPACE, "3")
    screen.shows("Modifier: 4")
    screen.keys("\r")
    screen.shows("Roll to cross: roll d10")
    screen.keys("4")
    code, seen = screen.finish()
    assert code == 0
    assert "Announce the move." in seen
    assert "It scores 8." in seen


def nine(folder: Path) -> Path:
    file = folder / "nine.yaml"
    file.write_text("rolls: {die: 9}\n", encoding="utf-8")
    return file


def test_choice_by_arrows(crossing: Path) -> None:
    screen = Screen(crossing, "-s", "rating=0", "-s", "stuck=no", "-s", "wet=no", "--given", str(nine(crossing)))
    screen.wait("Who is crossing?")
    screen.keys(DOWN, DOWN, UP, "\r")
    code, seen = screen.finish()
    assert code == 0
    assert "Who is crossing? (number, word or arrows)" in seen
    assert "? Who is crossing? Other troops" in seen


@pytest.mark.parametrize(
    ("typed", "score"),
    [
        (["2"], 9),
        (["2", "\r"], 9),
        (["troops", "\r"], 9),
        (["gu"], 8),
        (["gun\r"], 8),
        (["gun"], 8),
        (["t", "\r", "ra"], 11),
        (["x", "2"], 9),
        (["tz", BACKSPACE, "ra", "cked vehicle", "\r"], 11),
    ],
    ids=[
        "number", "number and Enter", "key", "beginning", "pasted word", "word without Enter",
        "not while it fits two", "number after nonsense", "after backspace",
    ],
)  # fmt: skip
def test_choice_by_what_a_plain_line_takes(crossing: Path, typed: list[str], score: int) -> None:
    """Taken as soon as it is certain; whoever types on, and Enter, comes to the same end."""
    screen = Screen(crossing, "-s", "rating=0", "-s", "stuck=no", "-s", "wet=no")
    screen.wait("Who is crossing?")
    screen.keys(*typed)
    screen.wait("Roll to cross")
    screen.keys("9", "\r")
    code, seen = screen.finish()
    assert (code, f"It scores {score}." in seen) == (0, True)


def test_enter_is_asked_for_only_where_a_number_could_go_on(tmp_path: Path) -> None:
    choices = ", ".join(f"c{number}: Choice {number}" for number in range(1, 13))
    folder = write_charts(
        tmp_path,
        f"""
        facts:
          first: {{ask: The first, choices: {{{choices}}}}}
          second: {{ask: The second, choices: {{{choices}}}}}
        nodes:
          one: {{decide: first is c1 and second is c7, yes: good, no: bad}}
        outcomes: {{good: {{title: Good}}, bad: {{title: Bad}}}}
        """,
    )
    screen = Screen(folder)
    screen.wait("The first")
    screen.keys("1")
    screen.wait("1…  Enter: Choice 1")
    screen.keys("\r")
    screen.wait("The second")
    screen.keys("7")
    code, seen = screen.finish()
    assert (code, "GOOD" in seen) == (0, True)
    assert "The first (number, word or arrows)" in seen


def test_yes_or_no_by_one_key_and_enter_only_with_a_default(tmp_path: Path) -> None:
    folder = write_charts(
        tmp_path,
        """
        facts:
          plain: Is it plain?
          usual:
            ask: Is it as usual?
            default: yes
        nodes:
          one: {decide: plain, yes: two, no: bad}
          two: {decide: usual, yes: good, no: bad}
        outcomes:
          good: {title: Good}
          bad: {title: Bad}
        """,
    )
    screen = Screen(folder)
    screen.wait("Is it plain?")
    screen.keys("\r", "y")
    screen.shows("Is it as usual?")
    screen.keys("\r")
    code, seen = screen.finish()
    assert (code, "GOOD" in seen) == (0, True)
    assert "Is it plain? (y/n)" in seen
    assert "? Is it plain? yes" in seen
    assert "Is it as usual? (Y/n)" in seen
    screen = Screen(folder)
    screen.wait("Is it plain?")
    screen.keys("n")
    assert "BAD" in screen.finish()[1]


def test_form_ticks_many_at_once(at_form: Screen) -> None:
    at_form.keys("2", "3")
    at_form.shows("Modifier: −3")
    at_form.keys(" ", DOWN, DOWN, "\r")
    at_form.wait("? Tick what applies: Is it stuck already?; Modifier: −2")
    at_form.wait("Roll to cross")
    at_form.keys("8")
    code, seen = at_form.finish()
    assert (code, "It scores 6." in seen) == (0, True)


def test_form_has_its_defaults_ticked(tmp_path: Path) -> None:
    text = CROSSING.replace("wet: Is the ground wet?", "wet: {ask: 'Is the ground wet?', default: yes}")
    screen = Screen(write_charts(tmp_path, text), "-s", "mover=troops", "-s", "rating=0")
    screen.wait("Tick what applies")
    screen.keys("\r")
    screen.wait("Roll to cross")
    screen.keys("9", "\r")
    assert "It scores 8." in screen.finish()[1]


@pytest.mark.parametrize("back", [ESCAPE, "u"])
def test_back_from_every_kind_of_prompt(at_form: Screen, back: str) -> None:
    """What was answered later is kept, and offered again where it is still asked."""
    at_form.keys(back)
    at_form.shows("Who is crossing? (number, word or arrows; Enter: Gun pushed by hand, as before)")
    at_form.keys(back)
    at_form.wait("This is the first question.")
    at_form.wait("Who is crossing?")
    at_form.keys("2")
    at_form.shows("Modifier: 0")
    at_form.keys("2", "\r")
    at_form.wait("Roll to cross")
    at_form.keys(back)
    at_form.shows("2 [x] Is it stuck already?  −1 (as before)")
    at_form.keys("\r")
    at_form.wait("Roll to cross")
    at_form.keys("5")
    at_form.wait("Back or on?")
    at_form.keys(back)
    at_form.shows("Roll to cross: roll d10  (1 to 10; r rolls for you; R all from now on) [5, as before]")
    at_form.keys("9")
    assert "It scores 8." in at_form.finish()[1]


@pytest.mark.parametrize(("key", "code"), [(CTRL_C, 130), (CTRL_D, 1), ("q", 1)])
def test_stopping_at_a_form_keeps_the_answers(at_form: Screen, key: str, code: int) -> None:
    at_form.keys(key)
    exit_code, seen = at_form.finish()
    assert exit_code == code
    assert "Stopped at 'Rating on the card' (made/chart)." in seen
    assert case_in(seen) == {"chart": "made/chart", "given": {"mover": "gun"}}


@pytest.mark.parametrize(("key", "code"), [(CTRL_C, 130), (CTRL_D, 1), ("q", 1)])
@pytest.mark.parametrize(
    ("wait", "flags", "enter"),
    [
        ("Who is crossing?", [], False),
        ("Rating on the card", ["-s", "mover=gun", "-s", "stuck=no", "-s", "wet=no"], True),
        ("Is the ground wet?", ["-s", "mover=gun", "-s", "rating=0", "-s", "stuck=no"], False),
    ],
    ids=["choice", "number", "yes or no"],
)
def test_stopping_at_other_prompts(
    crossing: Path, key: str, code: int, wait: str, flags: list[str], enter: bool
) -> None:
    screen = Screen(crossing, *flags)
    screen.wait(wait)
    screen.keys(key, *(["\r"] if enter and key == "q" else []))
    exit_code, seen = screen.finish()
    assert exit_code == code
    assert f"Stopped at '{wait}' (made/chart)." in seen
    assert "Traceback" not in seen


def test_a_saved_walk_goes_on_where_it_stopped(crossing: Path, tmp_path: Path) -> None:
    file = tmp_path / "later.json"
    screen = Screen(crossing, "--save", str(file))
    screen.wait("Who is crossing?")
    screen.keys("3")
    screen.wait("Rating on the card")
    screen.keys(CTRL_C)
    code, seen = screen.finish()
    assert code == 130
    assert f"--given {file}" in seen.replace("\r\n", "")
    screen = Screen(crossing, "--given", str(file))
    screen.shows("Rating on the card")
    screen.keys("\r")
    screen.wait("Roll to cross")
    screen.keys("9", "\r")
    assert "It scores 8." in screen.finish()[1]


def test_dice_for_you_by_r(crossing: Path) -> None:
    screen = Screen(crossing, "-s", "mover=gun", "-s", "rating=0", "-s", "stuck=no", "-s", "wet=no", "-s", "way=on")
    screen.wait("Roll to cross: roll d10")
    screen.keys("r", "\r")
    code, seen = screen.finish()
    assert code == 0
    assert "Roll to cross: roll d10  (1 to 10; r rolls for you; R all from now on)" in seen
    assert re.search(r"Roll to cross: rolled \d+", seen)


def test_lists_and_cards(volley: Path) -> None:
    screen = Screen(volley, "--given", str(given_file(volley)))
    screen.wait("How many men?")
    screen.keys("2", "\r")
    screen.wait("man 1: Name")
    screen.keys("Jones", "\r")
    screen.wait("man 2: Name")
    screen.keys(ESCAPE)
    screen.wait("man 1: Name")
    screen.keys("Brown", "\r")
    screen.wait("man 2: Name")
    screen.keys("\r")
    screen.wait("Brown: Is he down?")
    screen.keys(DOWN, " ", "\r")
    screen.wait("Colour and number")
    screen.keys("r2", "\r")
    screen.wait("Does he stand?")
    screen.keys("y")
    screen.wait("Brown: His nerve")
    screen.keys("6", "\r")
    screen.wait("Spot in column 2")
    screen.keys("2", "\r")
    code, seen = screen.finish()
    assert (code, "GOOD" in seen) == (0, True)


def given_file(folder: Path) -> Path:
    file = folder / "given.yaml"
    file.write_text("given: {shots: 2}\nrolls: {fire: [4, 1]}\n", encoding="utf-8")
    return file


def test_an_interrupt_from_outside_keeps_the_answers(at_form: Screen) -> None:
    at_form.child.kill(signal.SIGINT)
    code, seen = at_form.finish()
    assert code == 130
    assert case_in(seen) == {"chart": "made/chart", "given": {"mover": "gun"}}
