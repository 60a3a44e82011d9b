"""`refcli` alone on a terminal: the menu, by typing and by arrows, in prompts and in plain lines."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.drivers.screen import CTRL_C, DOWN, ESCAPE, ROOT, Screen
from tests.helpers import CROSSING, write_charts

LEAP = """
    page: 2
    facts:
      far: Is it far?
    nodes:
      test: {decide: far, yes: falls, no: over}
    outcomes:
      over: {title: Over}
      falls: {title: Falls}
"""


@pytest.fixture
def charts(tmp_path: Path) -> Path:
    folder = write_charts(tmp_path / "charts", CROSSING, book="charts: [leap, chart]\n", leap=LEAP, other=LEAP)
    write_charts(tmp_path / "more", LEAP, book="charts: [chart]\n")
    (tmp_path / "more" / "made").rename(folder / "second")
    (folder / "second" / "book.yaml").write_text("title: Second book\nsource: Nowhere\ncharts: [chart]\n")
    return folder


def menu(charts: Path, *flags: str, **env: str) -> Screen:
    home = charts.parent / "home"
    return Screen(charts, args=[*flags, "--charts", str(charts)], rows=40, **{"REFCLI_HOME": str(home), **env})


def test_books_with_their_charts_by_page_and_enter_plays(charts: Path) -> None:
    screen = menu(charts)
    told = screen.shows("What shall we play?")
    listed = [line.strip() for line in told.splitlines()]
    at = listed.index("Made up")
    assert listed[at : at + 5] == ["Made up", "» Leap  p. 2", "Chart", "Second book", "Chart  p. 2"]
    screen.keys(DOWN, "\r")
    screen.shows("Who is crossing?")
    screen.keys("3")
    screen.shows("Modifier: −1")
    screen.keys("\r")
    screen.wait("Roll to cross")
    screen.keys("9")
    screen.shows("1 Back to the menu")
    screen.keys("\r")
    screen.shows("» Leap  p. 2")
    screen.keys(ESCAPE)
    assert screen.finish()[0] == 0


def test_typing_finds_by_title_book_and_id(charts: Path) -> None:
    screen = menu(charts)
    screen.shows("What shall we play?")
    screen.keys("second")
    told = screen.shows("second…")
    assert "Leap" not in told
    screen.keys(*["\x7f"] * 6)
    screen.shows("» Leap  p. 2")
    screen.keys("xyz")
    screen.shows("nothing is called so")
    screen.keys("\r")
    screen.shows("nothing is called so")
    screen.keys(*["\x7f"] * 3, "leap", "\r")
    screen.shows("Is it far?")
    screen.keys("n")
    screen.shows("OVER")
    screen.keys("q")
    assert screen.finish()[0] == 0


def test_a_walk_that_was_left_is_gone_on_with(charts: Path) -> None:
    screen = menu(charts)
    screen.shows("What shall we play?")
    screen.keys("chart made", "\r")
    screen.shows("Who is crossing?")
    screen.keys("2")
    screen.shows("Modifier: 0")
    screen.keys("q")
    told = screen.shows("Go on with")
    assert "» Chart: 1 answer, " in told
    screen.keys("\r")
    screen.shows("Going on with Chart")
    screen.shows("Modifier: 0")
    screen.keys("u")
    screen.shows("Who is crossing?")
    screen.keys(CTRL_C)
    assert screen.finish()[0] == 130


def test_the_last_walk_of_a_chart_is_offered_through_the_menu_too(charts: Path) -> None:
    screen = menu(charts)
    for default in ("(y/n)", "(y/N, Enter as last time)"):
        screen.shows("What shall we play?")
        screen.keys("leap", "\r")
        screen.shows(f"Is it far? {default}")
        screen.keys("n")
        screen.shows("What now?")
        screen.keys("\r")
    screen.shows("What shall we play?")
    screen.keys(ESCAPE)
    assert screen.finish()[0] == 0


@pytest.mark.parametrize("env", [{}, {"TERM": "dumb"}, {"TERM": "dumb", "NO_COLOR": "1", "LC_ALL": "C"}])
def test_the_menu_in_plain_lines(charts: Path, env: dict[str, str]) -> None:
    screen = menu(charts, *([] if env else ["--plain"]), **env)
    screen.wait("What shall we play? (a number, or words of it; q leaves)")
    screen.wait("  Made up\r\n    1 Leap  p. 2\r\n    2 Chart\r\n")
    screen.wait("> ")
    screen.keys("chart\r")
    screen.wait("'chart' could be 2 Chart, 3 Chart  p. 2; type more of it, or a number")
    screen.keys("9999\r")
    screen.wait("not 9999")
    screen.keys("zebra\r")
    screen.wait("nothing is called 'zebra'; type a number, or a word of a title")
    screen.keys("leap\r")
    screen.wait("Is it far?")
    screen.keys("n\r")
    screen.wait("OVER")
    screen.wait("What now?")
    screen.keys("\r")
    screen.wait("What shall we play?")
    screen.keys("q\r")
    assert screen.finish()[0] == 0
    assert "\x1b" not in screen.seen


def test_a_chart_with_faults_is_told_and_the_menu_stays(charts: Path) -> None:
    screen = menu(charts)
    screen.shows("What shall we play?")
    (charts / "made" / "leap.yaml").write_text("title: Leap\nnodes: {a: {decide: b}}\n")
    screen.keys("leap", "\r")
    screen.wait("error C")
    screen.shows("What shall we play?")
    screen.keys(ESCAPE)
    assert screen.finish()[0] == 0


def test_without_a_terminal_the_welcome_stays(charts: Path) -> None:
    for stdin in (subprocess.DEVNULL, None):
        found = subprocess.run(
            [sys.executable, "-m", "refcli", "--charts", str(charts)],
            stdin=stdin, capture_output=True, text=True, cwd=ROOT, check=False, env=os.environ,
        )  # fmt: skip
        assert (found.returncode, found.stderr) == (0, "")
        assert found.stdout.startswith("refcli is the referee at your table.")


def test_no_charts_at_all(tmp_path: Path) -> None:
    """A folder given by hand is looked in first, those that are shipped remain."""
    screen = Screen(tmp_path, args=["--charts", str(tmp_path)], rows=40, REFCLI_HOME=str(tmp_path))
    screen.shows("What shall we play?")
    screen.keys(ESCAPE)
    assert screen.finish()[0] == 0
