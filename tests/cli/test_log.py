"""`refcli log` and `refcli replay`: which walks there were, and what a journal proves."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_resume import ANSWERS, FORD, typed
from tests.helpers import CARDS, MAN, MEN, VOLLEY, write_charts
from tests.sittings import Home, Ran


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home", write_charts(tmp_path / "charts", FORD))


@pytest.fixture
def ruled(home: Home) -> Ran:
    """A walk played to its ruling, as JSON."""
    done = home.run("play", "chart", "--json", typed=typed(*ANSWERS))
    assert done.code == 0
    return done


def rewrite(home: Home, change: Any) -> None:
    """Change the lines of the only journal."""
    (file,) = home.journals
    lines = home.lines()
    change(lines)
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))


# log


def test_no_walk_yet(home: Home) -> None:
    assert home.run("log") == (0, "No walk has been kept yet.\n", "")
    assert home.run("log", "--json") == (0, "[]\n", "")


def test_walks_as_text(home: Home, ruled: Ran) -> None:
    home.run("play", "chart", typed=typed("gun"))
    home.run("play", "chart", typed=typed("cart", "2", "u", "3"))
    names = [path.stem for path in home.journals]
    ended = next(name for name in names if '"outcome"' in (home.folder / "walks" / f"{name}.jsonl").read_text())
    lines = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "WHEN", home.run("log").out).splitlines()
    assert [line for line in lines if line not in names] == [
        "    Chart (made/chart), WHEN",
        "    stopped after 2 answers, the last: rating = 3",
        "    Chart (made/chart), WHEN",
        "    stopped after 1 answer, the last: mover = gun",
        "    Chart (made/chart), WHEN",
        "    THROUGH",
    ]
    assert lines[6] == ended


def test_walks_as_data(home: Home, ruled: Ran) -> None:
    (file,) = home.journals
    (found,) = json.loads(home.run("log", "--json").out)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", found.pop("started"))
    assert found == {
        "walk": file.stem,
        "chart": "made/chart",
        "title": "Chart",
        "state": "ended",
        "answers": 6,
        "file": str(file),
        "outcome": "through",
        "ruling": "Through",
    }


def test_the_latest_twenty_unless_all_are_wanted(home: Home, ruled: Ran) -> None:
    (file,) = home.journals
    for number in range(24):
        shutil.copy(file, file.with_name(f"20200101-0000{number:02}-chart.jsonl"))
    assert home.run("log").out.splitlines()[-1] == "… and 5 more: refcli log --all"
    assert len(json.loads(home.run("log", "--json").out)) == 20
    assert len(json.loads(home.run("log", "--json", "--all").out)) == 25


def test_a_broken_and_a_hostile_journal_are_shown_safely(home: Home, ruled: Ran) -> None:
    def hostile(lines: list[dict[str, Any]]) -> None:
        lines[0] |= {"title": "\x1b[31mred[/b]\x07\n", "started": "\x1b]0;x\x07"}
        lines[-1] |= {"title": "\x1b[2Jgone"}

    rewrite(home, hostile)
    bad = home.folder / "walks" / "29990101-000000-b\x1b[31mad.jsonl"
    bad.write_text("rubbish\n")
    shown = home.run("log")
    assert (shown.code, shown.err) == (0, "")
    assert "\x1b" not in shown.out
    assert "\x07" not in shown.out
    assert "is no journal of refcli: its first line does not say so" in shown.out.replace("\n    ", " ")
    assert "GONE" in shown.out


# replay


@pytest.mark.parametrize("by", ["name", "part", "file"])
def test_the_same_ruling_again(home: Home, ruled: Ran, by: str, tmp_path: Path) -> None:
    (file,) = home.journals
    copy = shutil.copy(file, tmp_path / "from a friend")
    word = {"name": file.stem, "part": file.stem[9:], "file": str(copy)}[by]
    again = home.run("replay", word, "--json")
    assert again == (0, ruled.out, "The chart is the one it was ruled by. The ruling is the same.\n")
    shown = home.run("play", "chart", "--trail", "--plain", "--no-journal", typed=typed(*ANSWERS))
    assert home.run("replay", word, "--trail").out == shown.out
    assert file.read_bytes() == copy.read_bytes()


def test_a_ruling_on_many_men_with_dice_and_cards_again(tmp_path: Path) -> None:
    charts = write_charts(tmp_path / "charts", VOLLEY, book="facts:" + MEN, cards=CARDS, man=MAN)
    home = Home(tmp_path / "home", charts)
    answers = ["6", "2", "Jones", "Smith", "n", "n", "b1", "y", "3", "2", "r2", "n"]
    done = home.run("play", "chart", "--dice", "auto", "--json", typed=typed(*answers))
    assert done.code == 0
    again = home.run("replay", "chart", "--json")
    assert (again.code, again.out) == (0, done.out)


def test_a_chart_that_changed_but_rules_the_same_is_told(home: Home, ruled: Ran) -> None:
    write_charts(home.charts, FORD.replace("Is it wet?", "Is it boggy?"), book="# nothing new\n")
    told = "The chart has changed since: made/chart, the book made. The ruling is the same.\n"
    again = home.run("replay", "chart", "--json")
    assert (again.code, again.err) == (0, told)
    assert json.loads(again.out)["outcome"] == "through"


def test_line_ends_alone_are_no_change(home: Home, ruled: Ran) -> None:
    for file in (home.charts / "made").iterdir():
        file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))
    assert home.run("replay", "chart").err == "The chart is the one it was ruled by. The ruling is the same.\n"


def test_a_chart_that_rules_otherwise_now_is_told(home: Home, ruled: Ran) -> None:
    write_charts(home.charts, FORD.replace("on: through", "on: halt").replace("back: halt", "back: through"))
    again = home.run("replay", "chart")
    assert (again.code, again.out.splitlines()[0]) == (1, "HALTED")
    assert (
        again.err
        == "The chart has changed since: made/chart. The ruling differs: it was Through, and is Halted now.\n"
    )
    write_charts(home.charts, FORD.replace("die + least", "die - least"))
    again = home.run("replay", "chart")
    assert again.code == 1
    assert (
        again.err
        == "The chart has changed since: made/chart. The ruling differs: Through still, but not the same gives.\n"
    )


def test_a_deck_that_changed_is_told(tmp_path: Path) -> None:
    charts = write_charts(tmp_path / "charts", VOLLEY, book="facts:" + MEN, cards=CARDS, man=MAN)
    home = Home(tmp_path / "home", charts)
    assert home.run("play", "chart", typed=typed("1", "2", "1", "Jones", "n", "b1", "n")).code == 0
    write_charts(
        charts, VOLLEY, book="facts:" + MEN, cards=CARDS.replace("Is it wild?", "Is it a wild one?"), man=MAN
    )
    told = "The chart has changed since: the deck made/cards. The ruling is the same.\n"
    assert home.run("replay", "chart").err == told
    write_charts(charts, VOLLEY, book="facts:" + MEN, cards=CARDS, man=MAN.replace("Does he stand?", "Does he hold?"))
    assert home.run("replay", "chart").err == "The chart has changed since: made/man. The ruling is the same.\n"


def test_the_first_reply_that_no_longer_fits_is_named(home: Home, ruled: Ran) -> None:
    write_charts(home.charts, FORD.replace("-3..3", "-3..0"))
    assert home.run("replay", "chart") == (
        1,
        "",
        "The chart has changed since: made/chart.\n"
        "Reply 2, rating = 1 (made/chart), no longer fits: rating: 1 is out of range; a number in -3..0 is needed.\n",
    )


def test_a_walk_that_has_not_ended_has_no_ruling(home: Home) -> None:
    home.run("play", "chart", typed=typed("gun"))
    name = home.journals[0].stem
    told = f"This walk has not come to a ruling: it stands at 'Which rating?' (made/chart). To go on: refcli resume {name}\n"
    assert home.run("replay", name) == (1, "", told)


def test_dice_that_were_tampered_with_are_found(home: Home) -> None:
    done = home.run("play", "chart", "--seed", "7", typed=typed(*ANSWERS[:4], "r", "on"))
    assert done.code == 0
    assert home.run("replay", "chart").code == 0
    thrown = home.lines()[5]["shows"]

    def better(lines: list[dict[str, Any]]) -> None:
        lines[5]["shows"] = thrown % 10 + 1
        del lines[-1]

    rewrite(home, better)
    found = home.run("replay", "chart")
    assert found.code == 1
    assert found.err.splitlines()[-1] == (
        f"These were not rolled or drawn by the seed 7: reply 5, the roll 'die' = {thrown % 10 + 1}."
    )


def test_a_ruling_that_was_tampered_with_is_found(home: Home, ruled: Ran) -> None:
    def better(lines: list[dict[str, Any]]) -> None:
        lines[-1]["ruling"]["says"] = "It scores 50."

    rewrite(home, better)
    found = home.run("replay", "chart")
    assert found.code == 1
    told = "The chart is the one it was ruled by. The ruling differs: Through still, but not the same says.\n"
    assert found.err == told


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("nothing", "there is no walk 'nothing'; refcli log lists them"),
        ("made/chart.yaml", "'made/chart.yaml' is no journal of refcli: its first line does not say so"),
    ],
)
def test_what_is_no_walk_is_told(home: Home, ruled: Ran, word: str, message: str) -> None:
    found = home.run("replay", word)
    assert (found.code > 0, found.out, found.err) == (True, "", f"refcli: {message}\n")


@pytest.mark.parametrize(
    "head",
    [
        {"seed": "x"},
        {"seed": [1]},
        {"charts": 5, "decks": {"a": 1}, "case": []},
        {"charts": ["\x00", "/nowhere"], "decks": ["\x00"]},
        {"case": {"giben": 1}},
        {"stream": {}, "dice": 3, "house_rules": "yes", "defaults": None, "digest": 7},
    ],
)
def test_a_hostile_first_line_ends_in_a_message_or_a_ruling(home: Home, ruled: Ran, head: dict[str, Any]) -> None:
    rewrite(home, lambda lines: lines[0].update(head))
    for command in (["replay", "chart"], ["log"], ["resume", "chart"]):
        found = home.run(*command)
        assert found.code in (0, 1, 2)
        assert "Traceback" not in found.err
        assert "fault of refcli" not in found.err
    rewrite(home, lambda lines: lines.pop())
    found = home.run("resume")
    assert found.code in (0, 2)
    assert "Traceback" not in found.err
    assert "fault of refcli" not in found.err
