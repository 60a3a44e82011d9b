"""A batch from file to file: formats in and out, rejects, counts."""

import csv
import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

CASES = [
    {"id": 1, "given": {"crossing": "tracked", "bogged": "no"}, "rolls": {"die": 4}},
    {"id": "truck", "given": {"crossing": "wheeled", "bogged": "yes"}, "rolls": {"die": 3}},
    {"id": 3, "given": {"crossing": "wheeled", "bogged": "perhaps"}, "rolls": {"die": 3}},
    {"id": 4, "given": {"crossing": "tracked", "bogged": "no", "rating": "-3"}, "rolls": {"die": 7}},
]
TABLE = "id,crossing,bogged,rating,roll.die\n1,tracked,no,,4\ntruck,wheeled,yes,,3\n3,wheeled,perhaps,,3\n4,tracked,no,-3,7\n"
COUNTS = "4 cases: 3 rulings, 1 error\n  demo/crossing: through 2, stuck 1\n"
WRONG = "bogged: answer yes or no, not 'perhaps'"


def lines(cases: list[Any]) -> str:
    return "".join(json.dumps(case) + "\n" for case in cases)


def written(file: Path, data: str) -> Path:
    raw = data.encode()
    file.write_bytes(gzip.compress(raw) if file.suffix == ".gz" else raw)
    return file


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_the_same_cases_in_any_format_give_the_same_rulings(run: Run, tmp_path: Path) -> None:
    told = []
    for name, data in (
        ("a.jsonl", lines(CASES)),
        ("a.jsonl.gz", lines(CASES)),
        ("a.csv", TABLE),
        ("a.csv.gz", TABLE.replace(",", ";")),
        ("a.yaml", json.dumps(CASES)),
    ):
        ran = run("batch", written(tmp_path / name, data), "--chart", "crossing")
        assert (ran.code, ran.err) == (1, COUNTS)
        told.append(
            [
                {key: value for key, value in json.loads(line).items() if key != "line"}
                for line in ran.out.splitlines()
            ]
        )
    assert all(one == told[0] for one in told)
    assert [line.get("outcome") for line in told[0]] == ["through", "stuck", None, "through"]
    assert told[0][2] == {"id": 3, "error": WRONG}


@pytest.mark.parametrize("name", ["out.jsonl", "out.csv", "out.jsonl.gz", "out.csv.gz"])
def test_rulings_go_to_a_file_by_its_suffix(run: Run, tmp_path: Path, name: str) -> None:
    form = "csv" if ".csv" in name else "jsonl"
    shown = run("batch", "-", "--chart", "crossing", "--to", form, stdin=lines(CASES)).out
    ran = run("batch", "-", "--chart", "crossing", "-o", name, stdin=lines(CASES))
    assert (ran.code, ran.out, ran.err) == (1, "", COUNTS + f"  line 3: {WRONG}\n")
    data = (tmp_path / name).read_bytes()
    assert (gzip.decompress(data) if name.endswith(".gz") else data).decode() == shown


def test_a_table_of_rulings_has_a_column_for_all_that_is_given(run: Run) -> None:
    ran = run("batch", "-", "--chart", "crossing", "--to", "csv", "--trail", stdin=lines(CASES))
    found = table(ran.out)
    assert list(found[0]) == [
        "id", "chart", "outcome", "error", "line", "title", "says", "gives.score", "roll.die",
        "effects", "defaults", "readings", "then", "unused", "trail", "more",
    ]  # fmt: skip
    assert found[1]["effects"] == "Mark it bogged down. | It may not try again."
    assert (found[1]["gives.score"], found[1]["roll.die"], found[1]["defaults"]) == (
        "1",
        "3",
        "rating weather strict",
    )
    assert [step["kind"] for step in json.loads(found[1]["trail"])] == ["do", "roll", "tally", "decide", "outcome"]
    assert (found[2]["id"], found[2]["outcome"], found[2]["error"], found[2]["line"]) == ("3", "", WRONG, "3")
    assert [row["more"] for row in found] == [""] * 4


def test_a_table_has_the_columns_of_its_first_case_and_keeps_what_others_give(run: Run) -> None:
    men = [{"name": "Abel", "morale": 3}]
    volley = {
        "chart": "volley",
        "given": {"range": "near", "guns": 2, "men": men},
        "rolls": {"shots": [1, 5]},
        "draws": ["red"],
    }
    crossing = {"chart": "crossing", **CASES[0]}
    first, second = table(run("batch", "-", "--to", "csv", stdin=lines([volley, crossing])).out)
    assert (first["gives.down"], first["roll.shots"], first["draws"]) == ("1", "1 5", '[{"colour":"red"}]')
    assert json.loads(second["more"]) == {"gives.score": 6, "roll.die": 4}
    first, second = table(run("batch", "-", "--to", "csv", stdin="# none\n\n" + lines([crossing, volley])).out)
    more = json.loads(second["more"])
    assert more.pop("records") == json.loads(
        table(run("batch", "-", "--to", "csv", stdin=lines([volley])).out)[0]["records"]
    )
    assert more == {"gives.down": 1, "roll.shots": [1, 5], "draws": [{"colour": "red"}]}
    (only,) = table(run("batch", "-", "--to", "csv", stdin="nonsense\n").out)
    assert only["error"] == "this is not readable JSON: expecting value at column 1"


def test_what_was_rolled_and_drawn_can_be_fed_back(run: Run) -> None:
    header = "id,range,guns,men\n"
    men = '"[{""name"": ""Abel"", ""morale"": 3}, {""name"": ""Bert"", ""morale"": 5}]"'
    once = table(run("batch", "-", "--format", "csv", "--chart", "volley", "--seed", "3", "--to", "csv",
                     stdin=header + "".join(f"{n},near,5,{men}\n" for n in range(6))).out)  # fmt: skip
    assert len({row["roll.shots"] for row in once}) > 3
    assert len({row["draws"] for row in once}) > 2
    text = io.StringIO(newline="")
    out = csv.writer(text)
    out.writerow(["id", "range", "guns", "men", "roll.shots", "draws"])
    for row in once:
        out.writerow([row["id"], "near", 5, json.dumps([{"name": "Abel", "morale": 3}, {"name": "Bert", "morale": 5}]),
                      row["roll.shots"], row["draws"]])  # fmt: skip
    again = table(run("batch", "-", "--format", "csv", "--chart", "volley", "--to", "csv", stdin=text.getvalue()).out)
    assert again == once


def test_cards_may_stand_under_the_name_of_their_draw(run: Run) -> None:
    header = "range,guns,men,roll.shots,draw.card\n"
    men = '"[{""name"": ""Abel"", ""morale"": 3}, {""name"": ""Bert"", ""morale"": 5}]"'
    ran = run("batch", "-", "--format", "csv", "--chart", "volley", stdin=f"{header}near,1,{men},1,red black\n")
    assert json.loads(ran.out)["draws"] == [{"colour": "red"}, {"colour": "black"}]
    ran = run("batch", "-", "--format", "csv", "--chart", "volley", stdin=f"{header}near,1,{men},1,red black red\n")
    assert json.loads(ran.out)["unused"] == ["draws.card (2 of 3 used)"]
    ran = run("batch", "-", "--format", "csv", "--chart", "volley", stdin=f"{header}near,1,{men},1,red blak\n")
    assert json.loads(ran.out)["error"] == "draws.card, card 2: colour: 'blak' is not a choice; did you mean 'black'?"


def test_no_cell_brings_a_formula_into_a_spreadsheet(run: Run) -> None:
    case = {**CASES[0], "id": "=cmd|' /C calc'!A0"}
    bad = {**CASES[2], "id": "@x;=y", "given": {"crossing": "=HYPERLINK(1)", "bogged": "no"}}
    first, second = table(run("batch", "-", "--chart", "crossing", "--to", "csv", stdin=lines([case, bad])).out)
    assert first["id"] == "'=cmd|' /C calc'!A0"
    assert (second["id"], second["error"][:26]) == ("'@x;'=y", "crossing: '=HYPERLINK(1)' ")


def test_a_table_on_the_screen_keeps_to_its_columns(run: Run) -> None:
    cases = [*CASES[:3], {**CASES[0], "id": "a name that is too long"}]
    ran = run("batch", "-", "--chart", "crossing", "--to", "table", stdin=lines(cases))
    assert ran.out == (
        "CASE          OUTCOME                   GIVES                     ROLLED\n"
        "1             Gets through              score 6                   die 4\n"
        "truck         Bogged down               score 1                   die 3\n"
        "3             bogged: answer yes or no, not 'perhaps' (line 3)\n"
        "a name that…  Gets through              score 6                   die 4\n"
    )
    plain = run("batch", "-", "--chart", "crossing", "--to", "table", stdin=lines(cases), encoding="ascii")
    assert plain.out.splitlines()[-1].startswith("a name that...")


def test_an_output_without_all_signs_loses_none(run: Run) -> None:
    case = {**CASES[0], "id": "ä−"}
    ran = run("batch", "-", "--chart", "crossing", stdin=lines([case]), encoding="latin-1")
    assert ran.out.startswith('{"id":"\\u00e4\\u2212",')
    assert json.loads(ran.out)["id"] == "ä−"


def test_nothing_but_counts(run: Run, tmp_path: Path) -> None:
    ran = run("batch", "-", "--chart", "crossing", "--summary", stdin=lines(CASES))
    assert (ran.code, ran.out) == (
        1,
        "4 cases: 3 rulings, 1 error\n\ndemo/crossing\n  through            2   66.7 %\n  stuck              1   33.3 %\n",
    )
    assert ran.err == f"  line 3: {WRONG}\n"
    ran = run("batch", "-", "--chart", "crossing", "--summary", "--to", "jsonl", stdin=lines(CASES))
    assert ran.out == '{"cases":4,"errors":1,"outcomes":{"demo/crossing":{"stuck":1,"through":2}},"rulings":3}\n'
    run("batch", "-", "--chart", "crossing", "--summary", "-o", "sum.csv", stdin=lines(CASES))
    assert (tmp_path / "sum.csv").read_text() == (
        "chart,outcome,count\ndemo/crossing,through,2\ndemo/crossing,stuck,1\n,error,1\n"
    )
    ran = run("batch", "-", "--summary")
    assert (ran.code, ran.out, ran.err) == (0, "no cases: the input is empty\n", "")


BAD = [
    '{"given": {"crossing": "tracked", "bogged": "no"}, "rolls": {"die": 4}}',
    '{"given": {"crossing": "tracked", "bogged": "NO WAY"}}',
    '{"id": "b", "given": {"crossing": "tracked", "bogged": "NO WAY"}}',
    '{"given": {"crossing": "tracked", "bogged": NaN}}',
    '{"given": {"crossing": "wheeled", "bogged": "no"}}',
    '{"given": {"crossing": "tracked", "bogged": "no"}',
]


def test_bad_cases_are_kept_to_be_mended_and_run_again(run: Run, tmp_path: Path) -> None:
    good = "\n".join(BAD).replace("NO WAY", "no").replace("NaN", '"no"') + "}"
    wanted = run("batch", "-", "--chart", "crossing", "--seed", "5", stdin=good).out.splitlines()
    ran = run("batch", "-", "--chart", "crossing", "--seed", "5", "--rejects", "bad.jsonl", stdin="\n".join(BAD))
    assert ran.err.splitlines()[-1] == "  'bad.jsonl' has the bad ones, to be mended and run again"
    first = [line for line in ran.out.splitlines() if '"error"' not in line]
    kept = (tmp_path / "bad.jsonl").read_text()
    assert kept == (
        "# line 2: bogged: answer yes or no, not 'NO WAY'\n"
        '{"id": 2, "given": {"crossing": "tracked", "bogged": "NO WAY"}}\n'
        "# line 3: bogged: answer yes or no, not 'NO WAY'\n"
        '{"id": "b", "given": {"crossing": "tracked", "bogged": "NO WAY"}}\n'
        "# line 4: NaN is not a number that a case can use\n"
        '{"id": 4, "given": {"crossing": "tracked", "bogged": NaN}}\n'
        "# line 6: this is not readable JSON: expecting ',' delimiter at column 50\n"
        '{"id": 6, "given": {"crossing": "tracked", "bogged": "no"}\n'
    )
    again = run("batch", "bad.jsonl", "--chart", "crossing", "--seed", "5", "--rejects", "still.jsonl")
    assert again.err.startswith("4 cases: 0 rulings, 4 errors\n")
    assert (tmp_path / "still.jsonl").read_text().splitlines()[1::2] == kept.splitlines()[1::2]
    (tmp_path / "bad.jsonl").write_text(kept.replace("NO WAY", "no").replace("NaN", '"no"').rstrip() + "}")
    mended = run("batch", "bad.jsonl", "--chart", "crossing", "--seed", "5")
    assert mended.code == 0
    assert sorted(first + mended.out.splitlines()) == sorted(wanted)


def test_bad_rows_of_a_table_are_kept_as_a_table(run: Run, tmp_path: Path) -> None:
    text = "crossing;bogged;rating\ntracked;no;\nwheeled;'=no;+2\nwheeled;no;1;x\ntracked;\"no\n"
    (tmp_path / "a.csv").write_text(text)
    ran = run("batch", "a.csv", "--chart", "crossing", "--seed", "5", "--rejects", "bad.csv.gz")
    assert ran.code == 1
    kept = gzip.decompress((tmp_path / "bad.csv.gz").read_bytes()).decode()
    assert kept == (
        "error;id;crossing;bogged;rating\n"
        "\"line 3: bogged: answer yes or no, not '=no'\";2;wheeled;'=no;+2\n"
        '"line 4: 4 cells, but the header has 3 columns";3;wheeled;no;1;x\n'
        'line 5: a quotation mark is opened and never closed;4;tracked;"no\n";\n'
    )
    (tmp_path / "bad.csv").write_text(kept.replace("'=no", "no").replace(";x", "").replace('"no\n"', "no"))
    mended = run("batch", "bad.csv", "--chart", "crossing", "--seed", "5")
    whole = "crossing;bogged;rating\ntracked;no;\nwheeled;no;+2\nwheeled;no;1\ntracked;no\n"
    wanted = run("batch", "-", "--format", "csv", "--chart", "crossing", "--seed", "5", stdin=whole).out.splitlines()
    assert mended.out.splitlines() == wanted[1:]


def test_bad_cases_of_yaml_are_kept_as_json(run: Run, tmp_path: Path) -> None:
    text = "chart: crossing\nseed: 5\ncases:\n- {given: {crossing: tracked, bogged: perhaps}}\n- {given: {x: &a 1}}\n"
    (tmp_path / "a.yaml").write_text(text)
    run("batch", "a.yaml", "--rejects", "bad.jsonl")
    kept = (tmp_path / "bad.jsonl").read_text().splitlines()
    assert kept[:2] == [
        "# line 4: bogged: answer yes or no, not 'perhaps'",
        '{"id": 1, "chart": "crossing", "seed": 5, "given": {"crossing": "tracked", "bogged": "perhaps"}}',
    ]
    assert kept[2].startswith("# line 5: ")
    assert len(kept) == 3


def test_a_batch_without_bad_cases_keeps_none(run: Run, tmp_path: Path) -> None:
    ran = run("batch", "-", "--chart", "crossing", "--rejects", "bad.jsonl", stdin=lines(CASES[:2]))
    assert (ran.code, ran.err) == (0, "2 cases: 2 rulings, 0 errors\n  demo/crossing: stuck 1, through 1\n")
    assert (tmp_path / "bad.jsonl").read_bytes() == b""


@pytest.mark.parametrize("form", ["jsonl", "csv", "yaml"])
def test_the_first_bad_case_may_end_the_batch(run: Run, tmp_path: Path, form: str) -> None:
    data = {"jsonl": lines(CASES), "csv": TABLE, "yaml": "".join(f"- {json.dumps(case)}\n" for case in CASES)}[form]
    line = 4 if form == "csv" else 3
    options = ["--chart", "crossing", "--on-error", "stop", "--format", form]
    ran = run("batch", "-", *options, "--rejects", f"bad.{'csv' if form == 'csv' else 'jsonl'}", stdin=data)
    assert (ran.code, len(ran.out.splitlines())) == (1, 2)
    assert ran.err.splitlines()[0] == "3 cases: 2 rulings, 1 error"
    assert ran.err.splitlines()[-1] == f"stopped at line {line}: {WRONG}"
    (kept,) = tmp_path.glob("bad.*")
    assert len(kept.read_text().splitlines()) == 2
    assert run("batch", "-", *options, stdin=data.replace("perhaps", "yes")).code == 0


def test_ids_that_stand_twice_are_told(run: Run) -> None:
    cases = [CASES[0], {**CASES[1], "id": "1"}, {**CASES[1], "id": "x"}, CASES[0]]
    ran = run("batch", "-", "--chart", "crossing", stdin=lines(cases))
    note = "note: case 2 is called '1' like one before it; cases of one id roll the same dice\n"
    assert (ran.code, ran.err) == (0, "4 cases: 4 rulings, 0 errors\n  demo/crossing: stuck 2, through 2\n" + note)


def test_many_bad_cases_are_not_all_told(run: Run) -> None:
    ran = run("batch", "-", "--chart", "crossing", "-o", "out.jsonl", stdin=lines(CASES[2:3] * 30))
    told = ran.err.splitlines()
    assert told[0] == "30 cases: 0 rulings, 30 errors"
    assert told[1:11] == [f"  line {line}: {WRONG}" for line in range(1, 11)]
    assert told[11] == "  and 20 more; --rejects FILE keeps them all"
    ran = run(
        "batch", "-", "--chart", "crossing", "-o", "o.jsonl", "--rejects", "r.jsonl", stdin=lines(CASES[2:3] * 12)
    )
    assert ran.err.splitlines()[11:13] == ["  and 2 more", "  'r.jsonl' has the bad ones, to be mended and run again"]
