import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import CHARTS, Run

TANK = '{"chart": "crossing", "given": {"crossing": "tracked", "bogged": false}, "rolls": {"die": 4}}'
TRUCK = '{"id": "truck", "chart": "crossing", "given": {"crossing": "wheeled", "bogged": "yes"}, "rolls": {"die": 3}}'
PASSED = {
    "id": 1,
    "chart": "demo/crossing",
    "outcome": "through",
    "title": "Gets through",
    "says": "The unit goes on with a score of 6.",
    "effects": [],
    "gives": {"score": 6},
    "changes": {},
    "rolls": {"die": 4},
    "draws": [],
    "defaults": ["rating", "weather"],
    "readings": [],
}
MEN: list[dict[str, object]] = [{"name": "Abel", "morale": 3}, {"name": "Bert", "morale": 5}]
VOLLEY: dict[str, Any] = {
    "chart": "volley",
    "given": {"range": "near", "guns": 1, "men": MEN},
    "rolls": {"shots": [1]},
    "draws": ["red", "black"],
}


def out_lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def one(run: Run, case: object, *options: str) -> dict[str, Any]:
    ran = run("batch", "-", *options, stdin=json.dumps(case))
    (line,) = out_lines(ran.out)
    assert ran.code == (1 if "error" in line else 0)
    return line


def test_every_case_gives_a_line_in_order(run: Run) -> None:
    ran = run("batch", "-", stdin=f"{TANK}\n\n{TRUCK}\n")
    assert (ran.code, ran.err) == (0, "2 cases: 2 rulings, 0 errors\n  demo/crossing: stuck 1, through 1\n")
    first, second = out_lines(ran.out)
    assert first == PASSED
    assert (second["id"], second["outcome"], second["effects"]) == (
        "truck",
        "stuck",
        ["Mark it bogged down.", "It may not try again."],
    )
    assert (second["then"], second["readings"]) == ("demo/volley", ["Reading 2: we do not play it strictly."])


def test_the_chart_may_be_named_for_all(run: Run) -> None:
    case = {"given": {"crossing": "tracked", "bogged": "no"}, "rolls": {"die": "4"}}
    assert one(run, case, "--chart", "cross") == PASSED


def test_a_file_is_read_by_its_suffix(run: Run, tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").write_text(TANK)
    (tmp_path / "cases.yaml").write_text("- " + TANK)
    assert out_lines(run("batch", "cases.jsonl").out) == [PASSED]
    assert out_lines(run("batch", "cases.yaml").out) == [PASSED]
    assert out_lines(run("batch", "-", "--format", "yaml", stdin="- " + TANK).out) == [PASSED]


def test_the_trail_comes_on_request(run: Run) -> None:
    trail = one(run, json.loads(TANK), "--trail")["trail"]
    assert [step["kind"] for step in trail] == ["do", "roll", "tally", "outcome"]
    assert trail[2]["modifiers"] == [{"label": "Troops or tracked", "add": 2}]


def test_lists_and_cards_are_answered(run: Run) -> None:
    found = one(run, VOLLEY)
    assert (found["outcome"], found["gives"], found["defaults"]) == ("some", {"down": 1}, ["hit"])
    assert found["draws"] == [{"colour": "red"}, {"colour": "black"}]
    assert found["effects"] == ["Lay him down."]


def test_a_seed_rolls_what_is_open_for_each_case_alone(run: Run) -> None:
    case = {"chart": "crossing", "given": {"crossing": "tracked", "bogged": "no"}}
    text = "".join(json.dumps({"id": number, **case}) + "\n" for number in range(20))
    ran = run("batch", "-", "--seed", "7", stdin=text)
    assert ran.code == 0
    rolled = {line["id"]: line["rolls"]["die"] for line in out_lines(ran.out)}
    assert len(set(rolled.values())) > 3
    backwards = "\n".join(reversed(text.splitlines()))
    again = out_lines(run("batch", "-", "--seed", "7", stdin=backwards).out)
    assert {line["id"]: line["rolls"]["die"] for line in again} == rolled
    assert one(run, {"id": 3, "seed": 7, **case}, "--seed", "8")["rolls"] == {"die": rolled[3]}


def test_what_the_path_did_not_need_is_told(run: Run) -> None:
    case = json.loads(TANK)
    case["given"]["strict"] = "yes"
    case["rolls"]["die"] = [4, 5]
    case["draws"] = ["red"]
    assert one(run, case)["unused"] == ["strict", "rolls.die (1 of 2 used)", "draws (0 of 1 used)"]


def test_a_house_rule_holds_for_the_case_that_answers_it(run: Run) -> None:
    case = json.loads(TRUCK)
    case["given"]["strict"] = True
    found = one(run, case)
    assert found["outcome"] == "lost"
    assert "unused" not in found


@pytest.mark.parametrize(
    "expect",
    ["through", {"outcome": "through"}, {"gives": {"score": 6}}, {"outcome": "through", "says": "a score of 6"}],
)
def test_a_worked_case_that_holds_is_a_ruling(run: Run, expect: object) -> None:
    assert one(run, {**json.loads(TANK), "expect": expect}) == PASSED


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"expect": "stuck"}, "not as expected: outcome through, not stuck"),
        ({"expect": {"gives": {"score": 5}}}, "not as expected: score 6, not 5"),
        ({"expect": "throu"}, "'expect': Crossing bad ground has no outcome 'throu'; did you mean 'through'?"),
        ({"expect": {"outcom": "x"}}, "'expect' has no 'outcom'; did you mean 'outcome'?"),
        ({"expect": {"gives": "x"}}, "'gives' in 'expect' must be a mapping"),
        ({"expect": {"outcome": 3}}, "'outcome' in 'expect' must be a text"),
        ({"expect": 3}, "'expect' is an outcome, or a mapping of outcome, gives, changes and says"),
        ({"chart": "crosing"}, "there is no chart 'crosing'; did you mean 'crossing'?"),
        ({"chart": ""}, 'no chart: name it in the case as "chart", or for all cases by --chart'),
        ({"giv": {}}, "a case has no 'giv'; did you mean 'given'?"),
        ({"given": []}, "'given' must map names to values"),
        ({"draws": "red"}, "'draws' must be a list of cards, or map names to cards"),
        ({"seed": "x"}, "'seed' must be a whole number"),
        ({"id": {"a": 1}}, "an id is a text or a whole number"),
        ({"given": {"bogd": "no"}}, "Crossing bad ground has no fact 'bogd'; did you mean 'bogged'?"),
        ({"rolls": {"dice": 4}}, "Crossing bad ground has no roll 'dice'; did you mean 'die'?"),
        ({"rolls": {"die": 11}}, "rolls.die: d10 gives 1 to 10, not 11"),
        ({"rolls": {}}, "not rolled: 'die' (d10); give it in \"rolls\", or roll it by --seed"),
        (
            {"given": {}},
            "not given: 'crossing' (Who is crossing? tracked, wheeled); 'bogged' ([the owner] Is it bogged already? yes or no)",
        ),
        (
            {"given": {"crossing": "tank", "bogged": "no"}},
            "crossing: 'tank' is not a choice; it can be: tracked, wheeled",
        ),
        (
            {"given": {"crossing": "tracked", "bogged": "no", "rating": 4}},
            "rating: 4 is out of range; a number in -3..3 is needed",
        ),
    ],
    ids=str,
)
def test_a_bad_case_says_what_is_wrong_and_leaves_the_others(run: Run, more: dict[str, Any], error: str) -> None:
    bad = {**json.loads(TANK), **more}
    ran = run("batch", "-", stdin=f"{json.dumps(bad)}\n{TRUCK}\n")
    assert (ran.code, ran.err) == (1, "2 cases: 1 ruling, 1 error\n  demo/crossing: stuck 1\n")
    first, second = out_lines(ran.out)
    assert first["error"] == error
    assert first["line"] == 1
    assert first["id"] == 1
    assert second["outcome"] == "stuck"


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"draws": ["red"]}, 'not drawn: a card of Fate deck; give it in "draws", or draw it by --seed'),
        ({"draws": ["red", "blak"]}, "draws, card 2: colour: 'blak' is not a choice; did you mean 'black'?"),
        ({"rolls": {"shots": [1, 7]}}, ""),
        ({"rolls": {"shots": []}}, "not rolled: 'shots' (1 × d6); give it in \"rolls\", or roll it by --seed"),
        (
            {"given": {"range": "near", "guns": 1}},
            "not given: 'men' (Who is in the open? a list of mappings of name, morale, hit)",
        ),
        (
            {"given": {"range": "near", "guns": 1, "men": [{"name": "Abel"}]}},
            "not given: 'morale' (Abel: Morale of the man: a number in 1..6)",
        ),
        (
            {"given": {"range": "near", "guns": 1, "men": [{"nam": "Abel"}]}},
            "men: man 1 has no 'nam'; did you mean 'name'?",
        ),
    ],
    ids=str,
)
def test_a_bad_list_card_or_pool_is_told(run: Run, change: dict[str, Any], error: str) -> None:
    assert one(run, {**VOLLEY, **change}).get("error", "") == error


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("nonsense", "this is not readable JSON: expecting value at column 1"),
        ('"text"', "a case is a mapping of id, chart, given, rolls, draws, placeholders, seed, expect"),
        ("null", "a case is a mapping of id, chart, given, rolls, draws, placeholders, seed, expect"),
        ('{"id": NaN}', "NaN is not a number that a case can use"),
    ],
)
def test_a_line_that_is_no_case_keeps_its_line(run: Run, line: str, error: str) -> None:
    ran = run("batch", "-", stdin=f"\ufeff{TANK}\r\n\r\n{line}\r\n{TANK}")
    assert (ran.code, ran.err) == (1, "3 cases: 2 rulings, 1 error\n  demo/crossing: through 2\n")
    assert out_lines(ran.out)[1] == {"id": 2, "error": error, "line": 3}


def test_deep_nesting_in_an_answer_is_no_fault_of_ours(run: Run) -> None:
    deep = '{"chart": "crossing", "given": {"crossing": ' + "[" * 900 + "]" * 900 + "}}"
    ran = run("batch", "-", stdin=f"{deep}\n{TANK}\n")
    first, second = out_lines(ran.out)
    assert "fault of refcli" not in first["error"]
    assert second["outcome"] == "through"


def test_a_fault_of_ours_in_one_case_leaves_the_others(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(walk: object, case: object, **_: object) -> dict[str, Any]:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr("refcli.core.ruling.ruling", broken)
    monkeypatch.setattr("refcli.cli.referee.Referee.quick", lambda *_: None)
    ran = run("batch", "-", stdin=f"{TANK}\n{TANK}\n")
    assert (ran.code, ran.err) == (1, "2 cases: 0 rulings, 2 errors\n")
    error = "this is a fault of refcli, please report it: ZeroDivisionError: by zero"
    assert [line["error"] for line in out_lines(ran.out)] == [error, error]


def test_empty_input_is_said(run: Run) -> None:
    ran = run("batch", "-")
    assert (ran.code, ran.out, ran.err) == (0, "", "no cases: the input is empty\n")


def test_a_missing_file_is_wrong_usage(run: Run) -> None:
    ran = run("batch", "none.jsonl")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "refcli: cannot read 'none.jsonl': No such file or directory\n"


def test_a_chart_that_does_not_exist_stops_before_the_first_case(run: Run) -> None:
    ran = run("batch", "-", "--chart", "nowhere", stdin=TANK)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("refcli: there is no chart 'nowhere'; ")


def test_rulings_come_while_cases_still_arrive() -> None:
    env = {**os.environ, "REFCLI_CHARTS": str(CHARTS)}
    command = [sys.executable, "-m", "refcli", "batch", "-"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
    ) as batch:
        assert batch.stdin is not None
        assert batch.stdout is not None
        for _ in range(2):
            batch.stdin.write(TANK + "\n")
            batch.stdin.flush()
            assert json.loads(batch.stdout.readline())["outcome"] == "through"
        assert batch.communicate()[1].splitlines()[0] == "2 cases: 2 rulings, 0 errors"
    assert batch.returncode == 0


WORKED = sorted((Path(__file__).parents[1] / "cases").glob("*/*.yaml"))


@pytest.mark.parametrize("file", WORKED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_worked_cases_of_the_rules_come_out_as_they_say(
    run: Run, monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    monkeypatch.setenv("REFCLI_CHARTS", str(Path(__file__).parents[2] / "flowcharts"))
    ran = run("batch", file)
    assert [line for line in out_lines(ran.out) if "error" in line] == []
    assert ran.code == 0
