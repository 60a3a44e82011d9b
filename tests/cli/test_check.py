import json
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from refcli.core.problem import Code
from tests.helpers import write_charts

Run = Callable[..., Any]

GOOD = """
    nodes: {throw: {roll: d6, cases: {..3: low, 4..: high}}}
    outcomes: {low: {title: Low}, high: {title: High}}
    examples:
      - {name: three, rolls: {throw: 3}, outcome: low}
      - {name: four, rolls: {throw: 4}, outcome: high}
"""
GAP = GOOD.replace("..3: low", "..2: low").replace("throw: 3", "throw: 2")
LESS = GOOD[: GOOD.rindex("      -")]
BROKEN = GOOD.replace("4..: high", "4..: hihg")
"""Four charts: clean, with a gap, with an edge that no example takes, and one that does not load."""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> Path:
    """The folder `flowcharts` of a current folder where nothing else is in reach."""
    monkeypatch.delenv("REFCLI_CHARTS")
    folder = tmp_path / "flowcharts"
    folder.mkdir()
    return folder


def test_clean_charts_are_told_in_a_table(run: Run, here: Path) -> None:
    write_charts(here, GOOD, other=GOOD.replace("..3: low", "..1: low, 2..3: low"))
    ran = run("check")
    assert ran.out == (
        "flowcharts/made/other.yaml:4:40: warning C603: no example takes 'throw' to 'low' by '..1'\n"
        "    4 | nodes: {throw: {roll: d6, cases: {..1: low, 2..3: low, 4..: high}}}\n"
        "      |                                        ^^^\n"
        "  shortest way: throw -> low   mend: add an example that does\n"
        "\n"
        "chart       nodes  edges  outcomes  modifiers  examples\n"
        "made/chart    1/1    2/2       2/2        0/0         2\n"
        "made/other    1/1    2/3       2/2        0/0         2\n"
        "all         100 %   80 %     100 %      100 %         4\n"
        "2 charts: 1 warning\n"
    )
    assert (ran.code, ran.err) == (0, "")


def test_one_clean_chart_is_told_in_two_lines(run: Run, here: Path) -> None:
    write_charts(here, GOOD)
    ran = run("check", "chart")
    assert ran.out == (
        "chart       nodes  edges  outcomes  modifiers  examples\n"
        "made/chart    1/1    2/2       2/2        0/0         2\n"
        "1 chart, all clean\n"
    )
    assert ran.code == 0


def test_faults_of_one_chart_do_not_hide_those_of_another(run: Run, here: Path) -> None:
    write_charts(here, GAP, less=LESS, broken=BROKEN)
    ran = run("check")
    assert ran.code == 1
    assert ran.out == (
        "flowcharts/made/broken.yaml:4:50: error C301: edge '4..' leads to unknown node 'hihg'\n"
        "    4 | nodes: {throw: {roll: d6, cases: {..3: low, 4..: hihg}}}\n"
        "      |                                                  ^^^^\n"
        "  did you mean 'high' (line 5)?   mend: rename the target, or add a node 'hihg'\n"
        "\n"
        "flowcharts/made/chart.yaml:4:9: error C403: 3 of 'throw' has no case\n"
        "    4 | nodes: {throw: {roll: d6, cases: {..2: low, 4..: high}}}\n"
        "      |         ^^^^^\n"
        "  'throw' can be 1..6   mend: add `3: …`, or `else: …` for the rest\n"
        "\n"
        "flowcharts/made/less.yaml:5:31: warning C603: no example reaches outcome 'high'\n"
        "    5 | outcomes: {low: {title: Low}, high: {title: High}}\n"
        "      |                               ^^^^\n"
        "  shortest way: throw -> high   mend: add an example that does\n"
        "\n"
        "chart        nodes  edges  outcomes  modifiers  examples\n"
        "made/broken  cannot be loaded\n"
        "made/chart     1/1    2/2       2/2        0/0         2\n"
        "made/less      1/1    1/2       1/2        0/0         1\n"
        "all          100 %   75 %      75 %      100 %         3\n"
        "3 charts: 2 errors, 1 warning\n"
    )


def test_fault_that_charts_share_is_told_once(run: Run, here: Path) -> None:
    write_charts(here, GOOD, book="facts: {wet: {ask: Wet, number: 5..1}}\n", other=GOOD)
    ran = run("check", "made", "chart")
    assert ran.out.count("error") == 2  # the problem, and the verdict
    assert ran.out.splitlines()[-1].endswith("charts: 1 error")


def test_warnings_fail_only_when_strict(run: Run, here: Path) -> None:
    write_charts(here, LESS)
    assert run("check").code == 0
    assert run("check", "--strict").code == 1


def test_examples_can_be_left_out(run: Run, here: Path) -> None:
    write_charts(here, LESS.replace("outcome: low}", "outcome: high}"))
    assert run("check").code == 1
    ran = run("check", "--no-examples", "--strict")
    assert ran.out == (
        "chart       nodes  edges  outcomes  modifiers  examples\n"
        "made/chart      1      -         -          -         -\n"
        "1 chart, all clean\n"
    )
    assert ran.code == 0


@pytest.mark.parametrize(
    ("what", "charts"),
    [
        (["made"], 2),
        (["made/chart"], 1),
        (["chart"], 1),
        (["flowcharts/made/chart.yaml"], 1),
        (["flowcharts/made"], 2),
        (["flowcharts/made/"], 2),
        (["flowcharts/made/book.yaml"], 2),
        (["flowcharts/made/cards.yaml"], 1),
        (["flowcharts"], 2),
        (["made/chart", "flowcharts/made/chart.yaml"], 1),
        (["elsewhere/own"], 1),
        (["elsewhere/own/mine.yaml"], 1),
        (["elsewhere"], 1),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_to_check_is_a_book_a_chart_or_a_path(
    run: Run, here: Path, tmp_path: Path, what: list[str], charts: int
) -> None:
    write_charts(here, GOOD, other=GOOD)
    own = tmp_path / "elsewhere" / "own"
    own.mkdir(parents=True)
    (own / "book.yaml").write_text("title: Own\nsource: Nowhere\n")
    (own / "mine.yaml").write_text("title: Mine\nsummary: Mine.\n" + dedent(GOOD))
    ran = run("check", *what)
    if what == ["flowcharts/made/cards.yaml"]:
        assert (ran.code, ran.out) == (2, "")
        return
    assert ran.out.splitlines()[-1] == f"{charts} chart{'s' if charts > 1 else ''}, all clean"


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("nothing", "refcli: there is no chart 'nothing'; it can be: chart, made/chart\n"),
        ("empty", "refcli: there are no charts in 'empty'\n"),
        (
            "notes.txt",
            "refcli: 'notes.txt' is no chart: a chart is a file that ends in .yaml in the folder of its book\n",
        ),
    ],
)
def test_what_is_no_chart_is_wrong_usage(run: Run, here: Path, tmp_path: Path, what: str, message: str) -> None:
    write_charts(here, GOOD)
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("Nothing.")
    ran = run("check", what)
    assert (ran.code, ran.out, ran.err) == (2, "", message)


def test_no_charts_at_all_is_wrong_usage(run: Run, here: Path) -> None:
    ran = run("check")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "refcli: there are no charts here; say where they are with --charts DIR\n"


def test_json_without_examples_has_no_coverage(run: Run, here: Path) -> None:
    write_charts(here, GOOD)
    found = json.loads(run("check", "--json", "--no-examples").out)
    assert found["charts"] == [{"id": "made/chart", "loaded": True, "examples": 2}]


def test_json_holds_the_same(run: Run, here: Path) -> None:
    write_charts(here, GAP, broken=BROKEN)
    ran = run("check", "--json")
    assert ran.code == 1
    found = json.loads(ran.out)
    assert found["problems"][1] == {
        "code": "C403",
        "severity": "error",
        "message": "3 of 'throw' has no case",
        "file": "flowcharts/made/chart.yaml",
        "line": 4,
        "column": 9,
        "width": 5,
        "hint": "'throw' can be 1..6",
        "mend": "add `3: …`, or `else: …` for the rest",
    }
    assert found["charts"] == [
        {"id": "made/broken", "loaded": False},
        {
            "id": "made/chart",
            "loaded": True,
            "examples": 2,
            "nodes": {"reached": 1, "of": 1},
            "edges": {"reached": 2, "of": 2},
            "outcomes": {"reached": 2, "of": 2},
            "modifiers": {"reached": 0, "of": 0},
        },
    ]
    assert (found["errors"], found["warnings"]) == (2, 0)


@pytest.mark.parametrize("code", Code, ids=lambda code: code.id)
def test_every_code_is_explained(run: Run, code: Code) -> None:
    ran = run("check", "--explain", code.id.lower())
    assert ran.out == f"{code.id} {code.name.lower().replace('_', ' ')}\n{code.explanation}\n"
    assert ran.code == 0


def test_unknown_code_is_wrong_usage(run: Run) -> None:
    ran = run("check", "--explain", "C4O3")
    assert (ran.code, ran.out, ran.err) == (2, "", "refcli: there is no code 'C4O3'; did you mean 'C403'?\n")
