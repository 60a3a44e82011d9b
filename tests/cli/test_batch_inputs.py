"""Whatever comes in, and wherever it goes: the right message and exit code, and never a traceback."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import CHARTS, Run

PYTHON = [sys.executable, "-c", "from refcli.cli.main import main; main()"]
ENV = {**os.environ, "REFCLI_CHARTS": str(CHARTS), "COLUMNS": "80"}
GOOD = '{"given": {"crossing": "tracked", "bogged": "no"}, "rolls": {"die": 4}}'
TABLE = "crossing,bogged,roll.die"
CROSSING = ("--chart", "crossing")


def told(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = command.replace("refcli", shlex.join(PYTHON))
    return subprocess.run(["bash", "-c", command], cwd=folder, env=ENV, capture_output=True, text=True)


@pytest.mark.parametrize("form", ["jsonl", "csv", "yaml"])
@pytest.mark.parametrize("text", ["", "\n", "\n \n", "\ufeff", "# nothing\n"])
def test_empty_input(run: Run, form: str, text: str) -> None:
    if form == "csv" and "#" in text:
        return
    ran = run("batch", "-", *CROSSING, "--format", form, stdin=text)
    assert (ran.code, ran.out, ran.err) == (0, "", "no cases: the input is empty\n")


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("jsonl", f"{GOOD}\n{GOOD}"),
        ("jsonl", f"\ufeff{GOOD}\r\n\r\n\r\n{GOOD}\r\n"),
        ("jsonl", f"\n  \n{GOOD}\n\t\n# {GOOD}\n   {GOOD}   \n\n"),
        ("csv", f"{TABLE}\ntracked,no,4\ntracked,no,4"),
        ("csv", f"\ufeff{TABLE}\r\n\r\ntracked,no,4\r\n,,\r\ntracked,no,4\r\n,,,,,\r\n"),
        ("csv", f'\n{TABLE.replace(",", ";")}\n"tracked"; no ;" 4"\ntracked;"no";4\n'),
        ("csv", f"{TABLE}\t\ntracked\tno\t4\ntracked\tno\t4\n".replace(",", "\t")),
    ],
)
def test_line_ends_marks_and_blank_lines_are_no_matter(run: Run, form: str, text: str) -> None:
    ran = run("batch", "-", *CROSSING, "--format", form, stdin=text)
    assert (ran.code, ran.err) == (0, "2 cases: 2 rulings, 0 errors\n  demo/crossing: through 2\n")
    assert [line["id"] for line in told(ran.out)] == [1, 2]


@pytest.mark.parametrize("form", ["jsonl", "csv"])
@pytest.mark.parametrize(
    ("encoding", "what"), [("utf-16", "UTF-16 text"), ("utf-16-be", "no text, or one that is not UTF-8")]
)
def test_another_encoding(run: Run, form: str, encoding: str, what: str) -> None:
    ran = run("batch", "-", *CROSSING, "--format", form, stdin=GOOD.encode(encoding))
    assert (ran.code, ran.out, ran.err) == (2, "", f"refcli: stdin is {what}; save it as UTF-8\n")


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_a_line_of_ten_megabytes(run: Run, tmp_path: Path, form: str, jobs: str) -> None:
    long = "x" * 10_000_000
    text = f'{{"id": "{long}"}}\n{GOOD}\n' if form == "jsonl" else f"{TABLE}\n{long},no,4\ntracked,no,4\n"
    (tmp_path / f"a.{form}").write_text(text)
    at = 1 if form == "jsonl" else 2
    for ran in (
        run("batch", "-", *CROSSING, "--format", form, "--jobs", jobs, stdin=text),
        run("batch", f"a.{form}", *CROSSING, "--rejects", f"bad.{form}", "--jobs", jobs),
    ):
        assert ran.code == 1
        assert ran.err.startswith("2 cases: 1 ruling, 1 error\n  demo/crossing: through 1\n")
        first, second = told(ran.out)
        assert first == {"id": 1, "error": "the line has more than 4 MB", "line": at}
        assert (second["id"], second["outcome"]) == (2, "through")
    bad = {
        "jsonl": "# line 1: the line has more than 4 MB\n",
        "csv": f"error,id,{TABLE}\nline 2: the line has more than 4 MB,1,,,\n",
    }
    assert (tmp_path / f"bad.{form}").read_text() == bad[form]


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("[" * 100_000, "the line is nested too deep to be a case"),
        ('{"given": {"crossing": ' + "[" * 900 + "]" * 900 + "}}", "the line is nested too deep to be a case"),
        ('{"given": {"crossing": ' + '{"a":' * 200 + "1" + "}" * 202, "the line is nested too deep to be a case"),
        ('{"given": {"rating": NaN}}', "NaN is not a number that a case can use"),
        ('{"given": {"crossing": "tracked", "bogged": "no", "rating": 1e999}, "rolls": {"die": 4}}',
         "rating: a number in -3..3 is needed, not inf"),
        ('{"given": {"volley": 1}}', "Crossing bad ground has no fact 'volley'; it can be: crossing, rating, bogged, strict, weather, morale, hit, men, name"),
        ('{"given": {"guns": 2}}', "Crossing bad ground has no fact 'guns'; it can be: crossing, rating, bogged, strict, weather, morale, hit, men, name"),
        ('{"given": {"crossing": "tracked", "bogged": "no", "rating": 123456789012345678901}, "rolls": {"die": 4}}',
         "rating: a number in -3..3 is needed, not 123456789012345678901"),
        (f"[{GOOD}]", "this begins a list: write one case per line, or give the list as YAML (--format yaml)"),
        ("[]", "this begins a list: write one case per line, or give the list as YAML (--format yaml)"),
        ('"a"', "a case is a mapping of id, chart, given, rolls, draws, placeholders, seed, expect"),
        ('{"id": true}', "an id is a text or a whole number"),
        ('{"id": 1.5}', "an id is a text or a whole number"),
        ('{"given": {"crossing": "tracked", "bogged": 3}, "rolls": {"die": 4}}', "bogged: answer yes or no, not 3"),
        ("\x00\x00\x00", "this is not readable JSON: expecting value at column 1"),
    ],
    ids=range(15),
)  # fmt: skip
def test_a_strange_case_is_an_error_of_its_own(run: Run, line: str, error: str) -> None:
    ran = run("batch", "-", *CROSSING, stdin=f"{GOOD}\n{line}\n{GOOD}\n")
    assert (ran.code, ran.err.splitlines()[0]) == (1, "3 cases: 2 rulings, 1 error")
    first, second, third = told(ran.out)
    assert (first["outcome"], third["outcome"], third["id"]) == ("through", "through", 3)
    assert (second["error"], second["line"]) == (error, 2)


def test_numbers_may_be_written_as_text(run: Run) -> None:
    texts = '{"given": {"crossing": "tracked", "bogged": "No", "rating": " -1 "}, "rolls": {"die": "9"}}'
    numbers = '{"given": {"crossing": "tracked", "bogged": false, "rating": -1.0}, "rolls": {"die": 9}}'
    (line,) = told(run("batch", "-", *CROSSING, stdin=texts).out)
    assert line["gives"] == {"score": 9}
    assert told(run("batch", "-", *CROSSING, stdin=numbers).out) == [line]


def test_charts_may_be_mixed_in_one_file(run: Run) -> None:
    volley = {"chart": "volley", "given": {"range": "far"}}
    lines = [
        json.dumps(volley),
        GOOD,
        json.dumps({"chart": "crosing"}),
        json.dumps({**volley, "given": {"bogged": 1}}),
    ]
    ran = run("batch", "-", *CROSSING, stdin="\n".join(lines * 2))
    first, second, third, fourth, *_ = told(ran.out)
    assert ran.err == "8 cases: 4 rulings, 4 errors\n  demo/crossing: through 2\n  demo/volley: out_of_range 2\n"
    assert (first["chart"], first["outcome"], second["chart"]) == ("demo/volley", "out_of_range", "demo/crossing")
    assert third["error"] == "there is no chart 'crosing'; did you mean 'crossing'?"
    assert fourth["error"].startswith("Volley at a group has no fact 'bogged'; ")


def test_charts_may_be_mixed_in_one_table(run: Run) -> None:
    text = (
        "id,chart,range,crossing,bogged,roll.die\na,volley,far,,,\nb,crossing,,tracked,no,4\nc,,,tracked,no,4\n"
        "d,crossing,far,tracked,no,4\n"
    )
    ran = run("batch", "-", "--format", "csv", "--chart", "crossing", stdin=text)
    lines = told(ran.out)
    assert [line.get("outcome") for line in lines] == ["out_of_range", "through", "through", None]
    assert lines[3]["error"].startswith("Crossing bad ground has no fact 'range'; ")
    ran = run("batch", "-", "--format", "csv", stdin=text)
    assert told(ran.out)[2]["error"] == 'no chart: name it in the case as "chart", or for all cases by --chart'


@pytest.mark.parametrize(
    ("header", "error"),
    [
        ("crossing,bogd", "stdin: Crossing bad ground has no column 'bogd'; did you mean 'bogged'?"),
        ("crossing,die", "stdin: Crossing bad ground has no column 'die'; did you mean 'roll.die'?"),
        ("crossing,roll.dye", "stdin: Crossing bad ground has no column 'roll.dye'; did you mean 'roll.die'?"),
        ("crossing,draw.card", "stdin: Crossing bad ground has no column 'draw.card'; "
         "it can be: crossing, rating, bogged, strict, weather, morale, hit, men, name"),
        ("crossing,crossing", "stdin: the column 'crossing' stands twice"),
        (",,", "stdin: a table of cases begins with a line of column names"),
    ],
)  # fmt: skip
def test_a_header_that_the_chart_does_not_know_stops_before_the_first_case(run: Run, header: str, error: str) -> None:
    ran = run("batch", "-", *CROSSING, "--format", "csv", "-o", "out.jsonl", stdin=f"{header}\ntracked,no\n")
    assert (ran.code, ran.out, ran.err) == (2, "", f"refcli: {error}\n")
    assert not Path("out.jsonl").exists()


def test_a_table_needs_a_chart(run: Run) -> None:
    ran = run("batch", "-", "--format", "csv", stdin=f"{TABLE}\ntracked,no,4\n")
    error = "stdin: no chart: name it by --chart, or for each case in a column 'chart'"
    assert (ran.code, ran.out, ran.err) == (2, "", f"refcli: {error}\n")


@pytest.mark.parametrize("more", ["", " --jobs 2", " --to csv", " --to table"])
def test_a_reader_that_leaves_early(tmp_path: Path, more: str) -> None:
    (tmp_path / "a.jsonl").write_text(f"{GOOD}\n" * 3000)
    ran = shell(f"refcli batch a.jsonl --chart crossing{more} | head -c 20; exit ${{PIPESTATUS[0]}}", tmp_path)
    assert (ran.returncode, len(ran.stdout), ran.stderr) == (1, 20, "")


@pytest.mark.parametrize(
    ("command", "what"),
    [
        ("refcli batch a.jsonl --chart crossing > /dev/full", "the rulings"),
        ("refcli batch - --chart crossing < a.jsonl > /dev/full", "the rulings"),
        ("refcli batch a.jsonl --chart crossing --jobs 2 > /dev/full", "the rulings"),
        ("refcli batch a.jsonl --chart crossing --summary > /dev/full", "the rulings"),
        ("refcli batch a.jsonl --chart crossing -o /dev/full", "'/dev/full'"),
        ("refcli batch a.jsonl --chart volley -o b.jsonl --rejects /dev/full", "'/dev/full'"),
    ],
)
def test_a_full_disk(tmp_path: Path, command: str, what: str) -> None:
    (tmp_path / "a.jsonl").write_text(f"{GOOD}\n" * 500)
    ran = shell(command, tmp_path)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.splitlines()[-1] == f"refcli: cannot write {what}: No space left on device"
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize("command", ["refcli list", "refcli --help", "refcli show crossing"])
def test_a_full_disk_is_told_by_other_commands_too(tmp_path: Path, command: str) -> None:
    ran = shell(f"{command} > /dev/full", tmp_path)
    assert ran.returncode == 1
    assert ran.stderr.endswith("No space left on device\n")
    assert len(ran.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (["a.jsonl", "-o", "a.jsonl"], "--out: 'a.jsonl' is the file of cases too; name another file"),
        (["a.jsonl", "--rejects", "./a.jsonl"], "--rejects: './a.jsonl' is the file of cases too; name another file"),
        (["a.jsonl", "-o", "x.jsonl", "--rejects", "x.jsonl"],
         "--rejects: 'x.jsonl' is --out's file too; name another file"),
        (["a.jsonl", "--rejects", "bad.csv"], "--rejects are written like the cases; name the file 'bad.jsonl'"),
        (["a.csv", "--rejects", "bad.txt.gz"], "--rejects are written like the cases; name the file 'bad.csv'"),
        (["a.jsonl", "--to", "jsn"], "--to: there is no 'jsn'; did you mean 'jsonl'?"),
        (["a.jsonl", "--on-error", "halt"], "--on-error: there is no 'halt'; it can be: continue, stop"),
        (["a.jsonl", "--format", "xml"], "--format: there is no format 'xml'; it can be: jsonl, csv, yaml"),
        (["-", "--checkpoint", "c", "-o", "o"],
         "--checkpoint goes with a file of JSON lines or a table, and with --out FILE"),
        (["a.jsonl", "--checkpoint", "c"], "--checkpoint goes with a file of JSON lines or a table, and with --out FILE"),
        (["a.yaml", "--checkpoint", "c", "-o", "o"],
         "--checkpoint goes with a file of JSON lines or a table, and with --out FILE"),
        (["a.jsonl", "--checkpoint", "c", "-o", "/dev/null"],
         "--checkpoint goes with a file of JSON lines or a table, and with --out FILE"),
        (["a.jsonl", "--checkpoint", "c", "-o", "c.new"],
         "--checkpoint, before it is whole: 'c.new' is --out's file too; name another file"),
        (["a.jsonl", "--checkpoint", "c", "-o", "-"],
         "--checkpoint goes with a file of JSON lines or a table, and with --out FILE"),
        *((["a.jsonl", "--checkpoint", odd, "-o", "o"],
           f"--checkpoint: '{odd}' is no file; name one that is yet to be made") for odd in ("/dev/zero", ".")),
        (["a.jsonl", "--rejects", "-"], "--rejects takes the name of a file, not -"),
        (["a.jsonl", "--checkpoint", "-", "-o", "o"], "--checkpoint takes the name of a file, not -"),
        (["a.jsonl", "--dask", "nowhere"],
         "--dask: no cluster of dask answers at 'nowhere' (missing port number in address 'nowhere')"),
        (["none.jsonl"], "cannot read 'none.jsonl': No such file or directory"),
        (["."], "cannot read '.': Is a directory"),
        (["a.jsonl", "-o", "none/x"], "cannot write 'none/x': No such file or directory"),
        (["a.jsonl", "-o", "."], "cannot write '.': Is a directory"),
        (["a.jsonl", "--chart", "none"], "there is no chart 'none'; it can be: volley, man-hit, crossing, demo/crossing, demo/man-hit, demo/volley"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)  # fmt: skip
def test_options_that_do_not_go_together(run: Run, args: list[str], error: str) -> None:
    for name in ("a.jsonl", "a.csv", "a.yaml"):
        Path(name).write_text(GOOD)
    ran = run("batch", *([] if "--chart" in args else CROSSING), *args)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.splitlines()[0] == f"refcli: {error}"
    assert sorted(path.name for path in Path().iterdir()) == ["a.csv", "a.jsonl", "a.yaml"]


@pytest.mark.parametrize(
    ("command", "error"),
    [
        ("refcli batch a.jsonl --chart crossing -o hard.jsonl", "--out: 'hard.jsonl' is the file of cases too"),
        ("refcli batch - --chart crossing -o a.jsonl < a.jsonl", "--out: 'a.jsonl' is the file of cases too"),
        ("refcli batch - --chart crossing -o hard.jsonl < a.jsonl", "--out: 'hard.jsonl' is the file of cases too"),
        (
            "refcli batch b.jsonl --chart crossing --rejects c.jsonl > c.jsonl",
            "--rejects: 'c.jsonl' is the output too",
        ),
    ],
)
def test_no_file_is_written_over_under_another_name(tmp_path: Path, command: str, error: str) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.jsonl").write_text(GOOD)
    (tmp_path / "hard.jsonl").hardlink_to(tmp_path / "a.jsonl")
    ran = shell(command, tmp_path)
    assert (ran.returncode, ran.stderr) == (2, f"refcli: {error}; name another file\n")
    assert [(tmp_path / f"{name}.jsonl").read_text() for name in ("a", "hard", "b")] == [GOOD] * 3


def test_a_file_is_not_fed_with_its_own_rulings(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(GOOD)
    ran = shell("refcli batch a.jsonl --chart crossing >> a.jsonl", tmp_path)
    told = "refcli: the output goes into the file of cases; give it another one\n"
    assert (ran.returncode, ran.stderr, (tmp_path / "a.jsonl").read_text()) == (2, told, GOOD)


def test_a_minus_is_the_standard_output(run: Run) -> None:
    assert run("batch", "-", *CROSSING, "-o", "-", stdin=GOOD) == run("batch", "-", *CROSSING, stdin=GOOD)
    assert list(Path().iterdir()) == []


def test_what_a_case_holds_cannot_rewrite_the_screen(run: Run) -> None:
    lines = [
        '{"id": "\\u001b[2J", "given": {"\\u001b[2J": 1}}',
        '{"id": "\\u001b[2J", "given": {"crossing": "\\u001b[2J"}}',
        '{"id": "\\u001b[2J", "chart": "\\u001b[2J"}',
    ]
    ran = run("batch", "-", *CROSSING, "-o", "out.jsonl", stdin="\n".join(lines))
    assert ran.code == 1
    assert "no fact '·[2J'" in ran.err
    assert "there is no chart '·[2J'" in ran.err
    assert "is called '·[2J'" in ran.err
    assert "\x1b" not in ran.err


@pytest.mark.parametrize(
    "more", [{"expect": "x" * 10**6}, {"expect": {"says": "x" * 10**6}}, {"expect": {"gives": {"x" * 10**6: 1}}}, {"x" * 10**6: 1}]
)  # fmt: skip
def test_an_error_is_short_whatever_it_tells_of(run: Run, more: dict[str, Any]) -> None:
    (line,) = told(run("batch", "-", *CROSSING, stdin=json.dumps(json.loads(GOOD) | more)).out)
    assert len(line["error"]) <= 1001


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("crossing,bogged\rtracked,no\r",
         "the line of names cannot be read: its lines end by a carriage return alone; save it with the line ends of today"),
        ("x" * 600_000 + ",", "a table of cases begins with a line of column names"),
        ('"' + "x" * 300_000 + '"', "Crossing bad ground has no column"),
    ],
    ids=["carriage returns", "no names", "one long name"],
)  # fmt: skip
def test_a_table_without_a_line_of_names(run: Run, text: str, error: str) -> None:
    ran = run("batch", "-", *CROSSING, "--format", "csv", stdin=text)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"refcli: stdin: {error}")
    assert len(ran.err) < 1000


def test_a_row_that_ends_by_a_carriage_return_alone_is_told(run: Run) -> None:
    (line,) = told(run("batch", "-", *CROSSING, "--format", "csv", stdin=f"{TABLE}\ntracked,no,4\rtracked,no,4").out)
    why = "its lines end by a carriage return alone; save it with the line ends of today"
    assert line == {"id": 1, "error": f"this is no row of a table: {why}", "line": 2}


def test_where_no_more_processes_can_be_started_fewer_do(tmp_path: Path) -> None:
    rows = "".join(f'{{"id": {row}, {GOOD[1:]}\n' for row in range(20_000))
    (tmp_path / "a.jsonl").write_text(rows)
    one = shell("refcli batch a.jsonl --chart crossing", tmp_path)
    many = shell("ulimit -n 24; refcli batch a.jsonl --chart crossing --jobs 30", tmp_path)
    assert (many.returncode, many.stderr) == (0, one.stderr)
    assert many.stdout == one.stdout


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_counts_of_a_long_file_are_all_that_comes_out(tmp_path: Path, jobs: str) -> None:
    (tmp_path / "a.jsonl").write_text("".join(f'{{"id": {row}, {GOOD[1:]}\n' for row in range(5_000)))
    ran = shell(f"refcli batch a.jsonl --chart crossing --summary --jobs {jobs}", tmp_path)
    text = "5,000 cases: 5,000 rulings, 0 errors\n\ndemo/crossing\n  through        5,000  100.0 %\n"
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, text, "")
