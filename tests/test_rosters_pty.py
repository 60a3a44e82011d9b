"""Rosters on a real terminal, by keys."""

from pathlib import Path

import pytest

from tests.cli.test_rosters import BOOK, CHART, ROSTER
from tests.drivers.screen import CTRL_C, ESCAPE, Screen
from tests.helpers import write_charts


@pytest.fixture
def charts(tmp_path: Path) -> Path:
    (tmp_path / "ours.yaml").write_text(ROSTER.lstrip("\n"))
    return write_charts(tmp_path / "charts", CHART, book=BOOK)


def at_the_list(charts: Path, *flags: str) -> Screen:
    """A walk that stands at its list."""
    screen = Screen(charts, "--roster", str(charts.parent / "ours.yaml"), *flags)
    screen.wait("1 first: Keller, Brown")
    screen.wait("2 second: Kurz, Ahorn")
    screen.wait("Men of the group")
    return screen


def test_a_group_is_picked_by_one_key(charts: Path) -> None:
    screen = at_the_list(charts)
    screen.keys("2")
    code, seen = screen.finish()
    assert (code, "They have 3." in seen) == (0, True)


def test_a_field_that_the_roster_does_not_have_is_asked(charts: Path) -> None:
    screen = at_the_list(charts)
    screen.keys("1")
    screen.wait("Brown: His nerve")
    screen.keys("5")
    code, seen = screen.finish()
    assert (code, "They have 9." in seen) == (0, True)


@pytest.mark.parametrize("typed", ["Keller, Kurz", "kel,kurz"])
def test_single_men_are_picked_by_name(charts: Path, typed: str) -> None:
    screen = at_the_list(charts)
    screen.keys(typed, "\r")
    code, seen = screen.finish()
    assert (code, "They have 7." in seen) == (0, True)


def test_a_name_that_is_none_is_told_at_once(charts: Path) -> None:
    screen = at_the_list(charts)
    screen.keys("Kurtz", "\r")
    screen.wait("no man 'Kurtz'; did you mean 'Kurz'?")
    screen.keys("\x7f" * 5, "Kurz", "\r")
    code, seen = screen.finish()
    assert (code, "They have 3." in seen) == (0, True)


def test_others_are_typed_in_and_back_leads_to_the_groups(charts: Path) -> None:
    screen = at_the_list(charts)
    screen.keys("+", "\r")
    screen.wait("How many men?")
    screen.keys(ESCAPE)
    screen.wait("Men of the group")
    screen.keys("+", "\r")
    screen.wait("How many men?")
    screen.keys("5", "\r")
    screen.wait("a number from 1 to 4 is needed, not '5'")
    screen.keys("\x7f", "1")
    screen.wait("man 1: His name")
    screen.keys("Jones", "\r")
    screen.wait("Jones: Is he down?")
    screen.keys("n")
    screen.wait("Jones: His nerve")
    screen.keys("6")
    code, seen = screen.finish()
    assert (code, "They have 6." in seen) == (0, True)


def test_an_answer_that_breaks_a_rule_is_asked_again(charts: Path) -> None:
    (charts.parent / "ours.yaml").write_text(ROSTER.lstrip("\n").replace("nerve: 4, ", ""))
    screen = at_the_list(charts)
    screen.keys("Keller", "\r")
    screen.wait("Keller: His nerve")
    screen.keys("6")
    screen.wait("men, Keller: No nerve is above its limit (nerve 6, limit 5)")
    screen.wait("Keller: His nerve")
    screen.keys("4")
    code, seen = screen.finish()
    assert (code, "They have 4." in seen) == (0, True)


def test_a_walk_that_stopped_goes_on_with_its_roster(charts: Path, tmp_path: Path) -> None:
    screen = at_the_list(charts, "--no-journal", "--save", str(tmp_path / "later.json"))
    screen.keys("1")
    screen.wait("Brown: His nerve")
    screen.keys(CTRL_C)
    code, seen = screen.finish()
    assert code == 130
    assert "--roster" in seen.replace("\r\n", "")
    screen = Screen(charts, "--given", str(tmp_path / "later.json"))
    screen.wait("Brown: His nerve")
    screen.keys("2")
    assert "They have 6." in screen.finish()[1]
