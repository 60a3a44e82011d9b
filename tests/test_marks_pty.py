"""Marks and points kept in a roster: by keys on a terminal, by a flag through a pipe, and never by half."""

import os
import signal
import stat
from pathlib import Path

import pytest

from tests.drivers.screen import ESCAPE, Screen
from tests.drivers.test_marks import BOOK, CHART, SHOT
from tests.helpers import write_charts
from tests.sittings import Home

ROSTER = """\
book: made   # ours
groups:
  first:
    - {name: Keller, down: no}  # the best
    - {name: Brown, down: no}
scores:
  ours: {vp: 3}
  theirs: {vp: 0}
"""


@pytest.fixture
def charts(tmp_path: Path) -> Path:
    (tmp_path / "ours.yaml").write_text(ROSTER, encoding="utf-8")
    book = BOOK.replace("default: 0}", "default: 0, asked: no}")
    return write_charts(tmp_path / "charts", CHART, book=book, shot=SHOT)


@pytest.fixture
def home(tmp_path: Path, charts: Path) -> Home:
    return Home(tmp_path / "home", charts)


def written(charts: Path) -> str:
    return (charts.parent / "ours.yaml").read_text(encoding="utf-8")


def attacked(charts: Path, *flags: str, **env: str) -> Screen:
    """An attack on two men up to its ruling: Keller falls, Brown stands."""
    screen = Screen(charts, "--roster", str(charts.parent / "ours.yaml"), "--no-journal", *flags, **env)
    screen.shows("1 first: Keller, Brown")
    screen.keys("1")
    screen.shows("man 1 of 2, Keller")
    screen.keys("2")
    screen.shows("man 2 of 2, Brown")
    screen.keys("1")
    screen.shows("END")
    return screen


def test_the_next_attack_knows_and_the_points_are_kept(charts: Path) -> None:
    screen = attacked(charts)
    assert "   3 Keep it in ours.yaml" in screen.shows("What now?")
    screen.keys("k")
    assert " » 1 ours: vp 3 +2\n   2 theirs: vp 0 +2\n   3 Nobody" in screen.shows("Who scores?")
    screen.keys("2")
    screen.shows("  down: Keller\n  wounds: Keller 1\n? Write this into ours.yaml? (Y/n)")
    screen.keys("\r")
    told = screen.shows("Written into ")
    assert "Keep it" not in screen.shows("What now?").split("Written")[1], told
    assert written(charts) == ROSTER.replace(
        "{name: Keller, down: no}", "{name: Keller, down: yes, wounds: 1}"
    ).replace("theirs: {vp: 0}", "theirs: {vp: 2}")
    screen.keys("p")  # once more: the men are as they are now, and are not taken for those of the last time
    screen.shows("1 first: Keller, Brown")
    screen.keys("1")
    screen.shows("man 1 of 2, Keller")
    screen.keys("3")
    screen.shows("man 2 of 2, Brown")
    screen.keys("1")
    screen.shows("What now?")
    screen.keys("k")  # nobody scores by that
    screen.shows("  gone: Keller\n? Write this into ours.yaml? (Y/n)")
    screen.keys("n")
    screen.shows("Write this into ours.yaml? no\n? What now? (number, word or arrows; Enter: Done)")
    assert screen.finish()[0] == 0
    assert "gone" not in written(charts)


def test_back_out_of_it_writes_nothing_and_back_behind_it_is_told(charts: Path) -> None:
    screen = attacked(charts)
    screen.shows("What now?")
    screen.keys("k")
    screen.shows("Who scores?")
    screen.keys(ESCAPE)
    screen.shows("Keep it in ours.yaml")
    assert written(charts) == ROSTER
    screen.keys("k", "3")
    screen.shows("Write this into ours.yaml?")
    screen.keys("y")
    screen.shows("Written into ")
    screen.keys(ESCAPE)
    screen.shows("(The roster stays as it was written.)")
    screen.shows("How")
    screen.keys("1")
    screen.shows("What now?")
    assert screen.finish()[0] == 0
    assert "down: yes, wounds: 1" in written(charts)


def test_what_changed_meanwhile_is_kept_and_what_was_shown_is_what_is_written(charts: Path) -> None:
    screen = attacked(charts)
    screen.shows("What now?")
    screen.keys("k", "3")
    screen.shows("  down: Keller\n  wounds: Keller 1")
    other = "book: made\ngroups:\n  first:\n    - name: Brown\n      down: yes\n    - {name: Keller, down: yes}\n"
    (charts.parent / "ours.yaml").write_text(other)
    screen.keys("y")
    screen.shows("ours.yaml? yes\n  wounds: Keller 1\n? Write this into ours.yaml?")
    screen.keys("y")
    screen.shows("Written into ")
    assert screen.finish()[0] == 0
    assert written(charts) == other.replace("down: yes}", "down: yes, wounds: 1}")


def test_in_plain_lines_it_is_the_same(charts: Path) -> None:
    screen = Screen(charts, "--roster", str(charts.parent / "ours.yaml"), "--no-journal", "--plain")
    for wait, typed in (
        ("1 first: Keller, Brown", "1"),
        ("How", "hit"),
        ("How", "miss"),
        ("Keep it in ours.yaml", "keep"),
        ("3 Nobody", "theirs"),
        ("Write this into ours.yaml? (y/n) [y]", ""),
        ("What now?", "q"),
    ):
        screen.wait(wait)
        screen.wait("> ")
        screen.keys(f"{typed}\r")
    screen.child.expect_exact("\r\n")
    assert "theirs: {vp: 2}" in written(charts)
    assert "down: yes, wounds: 1" in written(charts)


def test_through_a_pipe_by_a_flag(home: Home, charts: Path) -> None:
    roster = str(charts.parent / "ours.yaml")
    done = home.run("play", "chart", "--roster", roster, "--mark", typed="1\nhit\nmiss\nours\n")
    assert done.code == 0
    assert done.err.endswith(
        "Who scores?\n  1 ours: vp 3 +2\n  2 theirs: vp 0 +2\n  3 Nobody\n"
        f"  down: Keller\n  wounds: Keller 1\nWritten into {roster}.\n"
    )
    assert "ours: {vp: 5}" in written(charts)
    done = home.run("play", "chart", "--roster", roster, "--mark", typed="1\nmiss\nmiss\n")
    assert (done.code, done.err.splitlines()[-1]) == (0, "Nothing is to be written.")
    done = home.run("play", "chart", "--roster", roster, "--mark", typed="1\nmiss\nhit\n")
    assert (done.code, done.err.splitlines()[-1]) == (
        1,
        "Nothing has been written into the roster: nobody said who scores.",
    )
    assert "Brown, down: no" in written(charts)
    assert done.out.startswith("END\n")


def test_a_walk_that_goes_on_another_day_is_marked_then(home: Home, charts: Path) -> None:
    roster = str(charts.parent / "ours.yaml")
    assert home.run("play", "chart", "--roster", roster, "--mark", typed="1\nhit\nq\n").code == 1
    assert written(charts) == ROSTER
    done = home.run("resume", typed="miss\nnobody\n")
    assert done.code == 0, done.err
    assert "down: yes, wounds: 1" in written(charts)
    assert "{vp: 3}" in written(charts)


@pytest.mark.parametrize("trouble", ["read-only", "gone", "faulty", "a disk that takes nothing"])
def test_where_it_cannot_be_written_it_stays_as_it_was(home: Home, charts: Path, trouble: str) -> None:
    file = charts.parent / "ours.yaml"
    window = home.open("play", "chart", "--roster", str(file), "--plain")
    window.wait("1 first: Keller, Brown")
    window.answer("1")
    for typed in ("hit", "miss"):
        window.wait("How")
        window.answer(typed)
    window.wait("Keep it in ours.yaml")
    before = file.read_bytes()
    told = {
        "read-only": f"cannot write '{file}': it is read-only",
        "gone": f"there is no file '{file}'",
        "faulty": "error C",
        "a disk that takes nothing": "cannot write",
    }[trouble]
    if trouble == "read-only":
        file.chmod(0o444)
        if os.access(file, os.W_OK):
            pytest.skip("this user may write everything")
    elif trouble == "gone":
        file.unlink()
    elif trouble == "faulty":
        before = b"book: made\ngroups: {first: [{name: Keller, dwn: no}]}\n"
        file.write_bytes(before)
    else:
        import resource

        resource.prlimit(window.child.pid, resource.RLIMIT_FSIZE, (0, 0))
    window.answer("keep")
    if trouble in ("read-only", "a disk that takes nothing"):
        window.wait("Who scores?")
        window.answer("nobody")
        window.wait("Write this")
        window.answer("y")
    window.wait(told)
    window.wait("What now?")
    window.answer("q")
    code, seen = window.finish()
    assert code == 0, seen
    assert [one.name for one in charts.parent.iterdir() if one.name.endswith(".part")] == []
    if trouble != "gone":
        assert file.read_bytes() == before


def test_killed_before_it_is_written_nothing_is(home: Home, charts: Path) -> None:
    file = charts.parent / "ours.yaml"
    window = home.open("play", "chart", "--roster", str(file), "--plain", "--mark")
    window.wait("1 first: Keller, Brown")
    window.answer("1")
    for typed in ("hit", "miss"):
        window.wait("How")
        window.answer(typed)
    window.wait("Who scores?")
    window.kill(signal.SIGKILL)
    window.finish()
    assert written(charts) == ROSTER


def test_a_link_and_its_rights_stay_and_so_do_the_ends_of_lines(home: Home, charts: Path) -> None:
    real = charts.parent / "real.yaml"
    real.write_bytes(b"\xef\xbb\xbf" + ROSTER.replace("\n", "\r\n").encode())
    real.chmod(0o640)
    link = charts.parent / "link.yaml"
    link.symlink_to(real)
    done = home.run("play", "chart", "--roster", str(link), "--mark", typed="1\nhit\nmiss\nnobody\n")
    assert done.code == 0, done.err
    assert link.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    data = real.read_bytes()
    assert data.startswith(b"\xef\xbb\xbfbook: made   # ours\r\n")
    assert b"{name: Keller, down: yes, wounds: 1}  # the best\r\n" in data
    assert data.count(b"\n") == data.count(b"\r\n")


def test_a_roster_that_comes_with_refcli_is_copied_first(home: Home, tmp_path: Path) -> None:
    """Nobody's copy of refcli is written into, and no file of the player is overwritten."""
    given = ["-s", "target=men", "-s", "terrain=open", "-s", "radio_strength=7", "-s", "pinned=no", "--defaults"]
    home.env["REFCLI_CHARTS"] = ""
    command = ["play", "up-front/artillery", "--roster", "sample", "--mark", *given]
    done = home.run(*command, typed="b3\nOtt\nr2\n")
    assert done.code == 0, done.err
    copy = home.charts / "sample.yaml"
    assert done.err.splitlines()[-1] == "Written into sample.yaml."
    assert "{name: Ott, weapon: bolt_rifle, arms: own, printed_ccv: 6, morale: 3, panic: 4, " in copy.read_text()
    assert "pinned: yes" in copy.read_text()
    again = home.run(*command, typed="b3\nOtt\nr2\n")
    assert (again.code, again.err.splitlines()[-1]) == (
        1,
        "refcli: sample comes with refcli; your own copy is sample.yaml: play with --roster sample.yaml",
    )
    done = home.run("play", "up-front/artillery", "--roster", "sample.yaml", "--mark", *given, typed="b3\nOtt\nr6\n")
    assert done.code == 0, done.err
