"""Rosters on the command line: `play`, `batch`, `check` and `list`."""

import json
from pathlib import Path

import pytest

from refcli.cli.main import plain_batch
from tests.cli.conftest import Run
from tests.helpers import write_charts

BOOK = """
facts:
  name: {ask: His name, text: yes}
  down: Is he down?
  nerve: {ask: His nerve, number: 1..6}
  limit: {ask: Its limit, number: 1..6}
  men:
    ask: Men of the group
    noun: man
    size: 1..4
    must: [{be: nerve <= limit, says: No nerve is above its limit}]
    list: [name, down, nerve, limit]
"""
CHART = """
nodes:
  up: {set: {strength: total(men.nerve where not down)}, next: test}
  test: {decide: strength > 5, yes: good, no: bad}
outcomes:
  good: {title: Good, says: They have <strength>.}
  bad: {title: Bad, says: They have <strength>.}
examples:
  - {name: strong, given: {men: [{nerve: 6, down: no}]}, outcome: good}
  - {name: weak, given: {men: [{nerve: 5, down: no}]}, outcome: bad}
"""
ROSTER = """
title: Our men
book: made
groups:
  first:
    - {name: Keller, down: no, nerve: 4, limit: 5}
    - {name: Brown, down: no}
  second:
    - {name: Kurz, down: no, nerve: 3}
    - {name: Ahorn, down: yes}
"""


@pytest.fixture
def charts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> Path:
    """The folder of one book with a list, and a roster for it in `ours.yaml`."""
    monkeypatch.delenv("REFCLI_CHARTS")
    monkeypatch.setenv("REFCLI_JOURNAL", "off")
    (tmp_path / "ours.yaml").write_text(ROSTER.lstrip("\n"))
    return write_charts(tmp_path / "flowcharts", CHART, book=BOOK)


def test_a_group_is_picked_by_its_number_and_only_the_rest_is_asked(run: Run, charts: Path) -> None:
    ran = run("play", "chart", "--roster", "ours.yaml", "--json", stdin="1\n2\n")
    assert ran.code == 0, ran.err
    found = json.loads(ran.out)
    assert (found["outcome"], found["says"]) == ("good", "They have 6.")
    assert found["records"] == {
        "men": [
            {"name": "Keller", "down": False, "nerve": 4, "limit": 5},
            {"name": "Brown", "down": False, "nerve": 2},
        ]
    }
    assert ran.err == (
        "— Made up · Chart —\n"
        "Men of the group (1 to 2, or names with commas; + types men in)\n"
        "  1 first: Keller, Brown\n"
        "  2 second: Kurz, Ahorn\n"
        "Brown: His nerve (1 to 6)\n"
    )


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("2\n", "They have 3."),
        ("second\n", "They have 3."),
        ("sec\n", "They have 3."),
        ("Keller, Kurz\n", "They have 7."),
        ("nobody\nAhorn, 1\n2\n", "They have 6."),
        ("+\nu\nKurz\n", "They have 3."),
        ("+\n1\nJones\nn\n6\n", "They have 6."),
    ],
)
def test_what_is_typed_at_the_list(run: Run, charts: Path, typed: str, says: str) -> None:
    ran = run("play", "chart", "--roster", "ours.yaml", stdin=typed)
    assert (ran.code, ran.out.splitlines()[1]) == (0, says), ran.err


def test_a_name_that_is_none_is_told_and_asked_again(run: Run, charts: Path) -> None:
    ran = run("play", "chart", "--roster", "ours.yaml", stdin="Kurtz\n5\nKurz\n")
    assert ran.code == 0
    headline = "Men of the group (1 to 2, or names with commas; + types men in)\n"
    assert ran.err.endswith(
        f"  the roster has no group and no man 'Kurtz'; did you mean 'Kurz'?\n{headline}"
        f"  choose 1 to 2, not 5\n{headline}"
    )


def test_an_answer_that_breaks_a_rule_is_asked_again(run: Run, charts: Path) -> None:
    (charts.parent / "more.yaml").write_text("book: made\ngroups: {low: [{name: Low, down: no, limit: 3}]}\n")
    ran = run("play", "chart", "--roster", "ours.yaml", "--roster", "more.yaml", stdin="low\n4\n3\n")
    assert (ran.code, ran.out.splitlines()[1]) == (0, "They have 3.")
    assert ran.err.endswith(
        "Low: His nerve (1 to 6)\n"
        "  men, Low: No nerve is above its limit (nerve 4, limit 3)\n"
        "Low: His nerve (1 to 6)\n"
    )


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (["--set", "men=second"], "They have 3."),
        (["-s", "men=Kurz, Keller"], "They have 7."),
        (["-s", "men=1", "-s", "down=no", "-s", "nerve=5"], "They have 5."),
        (["-s", 'men=[{"down": false, "nerve": 6}]'], "They have 6."),
        (["--given", "given.yaml"], "They have 3."),
    ],
)
def test_a_group_given_beforehand(run: Run, charts: Path, flags: list[str], says: str) -> None:
    Path("given.yaml").write_text("given: {men: second}\n")
    ran = run("play", "chart", "--roster", "ours.yaml", *flags)
    assert (ran.code, ran.out.splitlines()[1], ran.err) == (0, says, "")


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--mark"], "refcli: --mark writes into a roster; say which by --roster FILE\n"),
        (["--roster", "none.yaml"], "refcli: --roster: there is no file 'none.yaml'\n"),
        (
            ["--roster", "ours.yaml", "--roster", "ours.yaml"],
            "refcli: --roster: a group 'first' is in ours.yaml and in ours.yaml; rename one\n",
        ),
        (
            ["--roster", "ours.yaml", "-s", "men=thrid"],
            "refcli: --set men: the roster has no group and no man 'thrid'; "
            "it can be: first, second, Keller, Brown, Kurz, Ahorn\n",
        ),
        (
            ["--roster", "ours.yaml", "--given", "given.yaml"],
            "refcli: men: the roster has no group and no man 'secnd'; did you mean 'second'?\n",
        ),
        (["--roster", "other.yaml"], "refcli: --roster: other.yaml is a roster of other, not of made\n"),
    ],
)
def test_wrong_rosters_are_wrong_usage(run: Run, charts: Path, flags: list[str], message: str) -> None:
    Path("given.yaml").write_text("given: {men: secnd}\n")
    Path("other.yaml").write_text("book: other\ngroups: {a: [{name: X}]}\n")
    (charts / "other").mkdir()
    (charts / "other" / "book.yaml").write_text("title: Other\n" + BOOK)
    (charts / "other" / "end.yaml").write_text("title: End\n" + CHART)
    ran = run("play", "made/chart", *flags)
    assert (ran.code, ran.out, ran.err) == (2, "", message)


def test_a_roster_with_faults_is_told_with_its_lines(run: Run, charts: Path) -> None:
    Path("ours.yaml").write_text(ROSTER.lstrip("\n").replace("nerve: 4", "nerv: 4"))
    message = (
        "ours.yaml:5:32: error C302: there is no fact 'nerv' in the book 'made'\n"
        "    5 |     - {name: Keller, down: no, nerv: 4, limit: 5}\n"
        "      |                                ^^^^\n"
        "  did you mean 'nerve'?\n"
    )
    for command in (["play", "chart"], ["batch", "-"]):
        ran = run(*command, "--roster", "ours.yaml")
        assert (ran.code, ran.out, ran.err) == (1, "", message)
    ran = run("check", "ours.yaml")
    assert (ran.code, ran.out) == (1, message + "\n1 roster: 1 error\n")


def test_a_roster_that_comes_with_a_book_goes_by_its_name(run: Run, charts: Path) -> None:
    folder = charts / "made" / "rosters"
    folder.mkdir()
    Path("ours.yaml").rename(folder / "sample.yaml")
    for name in ("sample", "made/sample"):
        ran = run("play", "chart", "--roster", name, "-s", "men=second")
        assert (ran.code, ran.out.splitlines()[0]) == (0, "BAD")
    ran = run("play", "chart", "--roster", "smple")
    assert (ran.code, ran.err) == (2, "refcli: --roster: there is no file 'smple'; did you mean 'sample'?\n")
    listed = run("list")
    assert (listed.code, "rosters" in listed.out, "chart" in listed.out) == (0, False, True)
    ran = run("check", folder)
    assert (ran.code, ran.out) == (
        0,
        f"{folder}/sample.yaml: 2 groups, 4 records for made\n1 roster, all clean\n",
    )


def test_stopping_gives_the_men_themselves(run: Run, charts: Path) -> None:
    ran = run("play", "chart", "--roster", "ours.yaml", stdin="1\nq\n")
    assert ran.code == 1
    case = json.loads(ran.err.splitlines()[-1])
    assert case == {
        "chart": "made/chart",
        "given": {
            "men": [{"name": "Keller", "down": False, "nerve": 4, "limit": 5}, {"name": "Brown", "down": False}]
        },
    }
    assert "refcli play made/chart --given case.json --roster ours.yaml\n" in ran.err


CASES = (
    '{"id": 1, "given": {"men": "second"}}\n'
    '{"id": 2, "given": {"men": ["first.Keller", {"down": "no", "nerve": 2}]}}\n'
    '{"id": 3, "given": {"men": "sceond"}}\n'
    '{"id": 4, "given": {"men": "Brown", "nerve": 6}}\n'
    '{"id": 5, "given": {"men": [{"name": "Low", "down": "no", "limit": 3}], "nerve": 4}}\n'
    '{"id": 6, "given": {"men": [{"name": "Low", "nerve": 4, "limit": 3}]}}\n'
    '{"id": 7, "given": {"men": []}}\n'
)
RULED = [
    {"id": 1, "says": "They have 3."},
    {"id": 2, "says": "They have 6."},
    {"id": 3, "error": "men: the roster has no group and no man 'sceond'; did you mean 'second'?", "line": 3},
    {"id": 4, "says": "They have 6."},
    {"id": 5, "error": "men, Low: No nerve is above its limit (nerve 4, limit 3)", "line": 5},
    {"id": 6, "error": "men, Low: No nerve is above its limit (nerve 4, limit 3)", "line": 6},
    {"id": 7, "error": "men: a list of 1 to 4 is needed, not of 0", "line": 7},
]


@pytest.mark.parametrize("more", [[], ["--charts", "flowcharts"]], ids=["at once", "by typer"])
def test_a_batch_with_a_roster(run: Run, charts: Path, more: list[str]) -> None:
    ran = run("batch", "-", "--chart", "chart", "--roster", "ours.yaml", *more, stdin=CASES)
    found = [json.loads(line) for line in ran.out.splitlines()]
    assert [{key: one[key] for key in ("id", "says", "error", "line") if key in one} for one in found] == RULED
    assert (ran.code, ran.err.splitlines()[0]) == (1, "7 cases: 3 rulings, 4 errors")
    assert found[0]["records"] == {
        "men": [{"name": "Kurz", "down": False, "nerve": 3}, {"name": "Ahorn", "down": True}]
    }
    assert "unused" not in found[1]


def test_a_batch_without_a_roster_wants_records(run: Run, charts: Path) -> None:
    ran = run("batch", "-", "--chart", "chart", stdin='{"given": {"men": "second"}}\n')
    assert json.loads(ran.out)["error"] == "men: a list with one mapping per man is needed, not 'second'"


def test_the_plainest_batch_knows_rosters() -> None:
    assert plain_batch(["batch", "-", "--roster", "a", "--roster", "b"]) == {"file": "-", "rosters": ["a", "b"]}
    assert plain_batch(["batch", "-", "--roster"]) is None


def test_check_takes_rosters_and_charts_together(run: Run, charts: Path) -> None:
    ran = run("check", "ours.yaml", "chart")
    assert ran.code == 0
    assert ran.out.splitlines()[-2:] == [
        "ours.yaml: 2 groups, 4 records for made",
        "1 chart, 1 roster, all clean",
    ]
    found = json.loads(run("check", "ours.yaml", "--json").out)
    assert found["rosters"] == {"ours.yaml": {"book": "made", "groups": {"first": 2, "second": 2}}}
    assert (found["charts"], found["problems"]) == ([], [])
    Path("bad.yaml").write_text("book: mad\ngroups: {a: [{name: X}]}\n")
    ran = run("check", "bad.yaml", "--json")
    assert (ran.code, json.loads(ran.out)["rosters"]) == (1, {"bad.yaml": None})


def test_show_tells_the_size_of_a_list_and_its_rules(run: Run, charts: Path) -> None:
    ran = run("show", "chart")
    assert "men · a list, one line for each man, 1 to 4 of them\n" in ran.out
    assert "Always nerve ≤ limit: No nerve is above its limit\n" in ran.out
    fact = json.loads(run("show", "chart", "--json").out)["facts"][0]
    assert (fact["size"], fact["must"]) == (
        "1 to 4",
        [{"be": "nerve ≤ limit", "says": "No nerve is above its limit"}],
    )


def test_a_walk_resumed_has_its_rosters_at_hand(run: Run, charts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REFCLI_JOURNAL")
    monkeypatch.setenv("REFCLI_HOME", str(charts.parent / "home"))
    text = CHART.replace("total(men.nerve where not down)", "total(foes.nerve where not down) + total(men.nerve)")
    write_charts(charts, text, book=BOOK + "  foes: {like: men, ask: Men of the foe}\n")
    assert run("play", "chart", "--roster", "ours.yaml", stdin="Kurz\nq\n").code == 1
    ran = run("resume", "--json", stdin="Kurz\n")
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["records"] == {
        "foes": [{"name": "Kurz", "down": False, "nerve": 3}],
        "men": [{"name": "Kurz", "down": False, "nerve": 3}],
    }
    assert run("play", "chart", "--roster", "ours.yaml", stdin="Kurz\nq\n").code == 1
    Path("ours.yaml").unlink()
    ran = run("resume", stdin="1\nKurz\nn\n3\n")
    assert ran.code == 0, ran.err
    assert f"Without its roster: --roster: there is no file '{charts.parent}/ours.yaml'\n" in ran.err
