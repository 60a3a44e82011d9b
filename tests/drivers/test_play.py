"""`refcli play` without a terminal."""

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from tests.helpers import CARDS, CROSSING, MAN, MEN, VOLLEY, write_charts

ROOT = Path(__file__).parents[2]
GIVEN = ["-s", "mover=gun", "-s", "rating=0", "-s", "stuck=no", "-s", "wet=n"]


class Run:
    """`refcli play` in this process: exit code, stdout and stderr."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
        self.monkeypatch = monkeypatch
        self.capsys = capsys
        self.folder = folder

    def __call__(self, *args: str, typed: str = "", chart: str = "made/chart") -> tuple[int, str, str]:
        from refcli.cli.main import main

        self.monkeypatch.setattr("sys.stdin", StringIO(typed))
        with pytest.raises(SystemExit) as done:
            main(["play", chart, "--charts", str(self.folder), *args])
        out, err = self.capsys.readouterr()
        assert isinstance(done.value.code, int)
        return done.value.code, out, err


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    return Run(monkeypatch, capsys, write_charts(tmp_path / "charts", CROSSING))


def test_answers_by_a_pipe(run: Run) -> None:
    code, out, err = run(typed="gun\n\n9\n")
    assert code == 0
    assert out.startswith("THROUGH\nIt scores 8.\n")
    assert err.startswith("— Made up · Chart —\nWho is crossing?\n")


def test_json_with_everything_given_asks_and_says_nothing(run: Run) -> None:
    code, out, err = run(*GIVEN, "--dice", "auto", "--seed", "7", "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["outcome"] == "through"
    assert [step["node"] for step in found["trail"]][:3] == ["modifier", "warn", "throw"]
    assert run(*GIVEN, "--dice", "auto", "--seed", "7", "--json")[1] == out


def test_json_keeps_talk_out_of_stdout(run: Run) -> None:
    code, out, err = run("--json", typed="gun\n\n9\n")
    assert code == 0
    assert json.loads(out)["gives"] == {"score": 8}
    assert "Who is crossing?" in err


def test_trail_tells_every_step(run: Run) -> None:
    short = run(*GIVEN, typed="9\n")[1]
    long = run(*GIVEN, "--trail", typed="9\n")[1]
    assert len(long.splitlines()) > len(short.splitlines())
    assert "Roll to cross: 9" in long


def test_a_seed_of_our_own_choice_is_told(run: Run) -> None:
    code, out, err = run(*GIVEN, "-s", "way=on", "--dice", "auto", "--json")
    assert code == 0
    seed = err.removeprefix("Rolled with --seed ").split(".")[0]
    assert run(*GIVEN, "-s", "way=on", "--dice", "auto", "--json", "--seed", seed)[1] == out


def test_what_was_not_needed_is_told(run: Run) -> None:
    code, _, err = run(*GIVEN, "-s", "way=on", typed="9\n")
    assert code == 0
    assert err.endswith("Not needed: way.\n")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["-s", "movr=gun"], "refcli: --set: Chart has no fact 'movr'; did you mean 'mover'?\n"),
        (["-s", "mover"], "refcli: --set takes fact=value, not 'mover'\n"),
        (["-s", "=gun"], "refcli: --set takes fact=value, not '=gun'\n"),
        (["-s", "mover=9"], "refcli: --set mover: choose 1 to 3, not '9'\n"),
        (["-s", "rating=9"], "refcli: --set rating: 9 is out of range; a number from -3 to 3 is needed\n"),
        (["--given", "nowhere.json"], "refcli: --given: cannot read 'nowhere.json': No such file or directory\n"),
    ],
)
def test_wrong_flags_are_wrong_usage(run: Run, args: list[str], message: str) -> None:
    assert run(*args) == (2, "", message)


def test_no_terminal_and_no_answers_names_what_is_missing(run: Run) -> None:
    code, out, err = run("-s", "mover=gun")
    assert (code, out) == (2, "")
    assert err == (
        "refcli: not answered (made/chart): 'Rating on the card' by --set rating=0; "
        "'Is it stuck already?' by --set stuck=yes|no; 'Is the ground wet?' by --set wet=yes|no; "
        "or a file by --given FILE\n"
    )


def test_missing_after_dice_of_our_own_names_their_seed(run: Run) -> None:
    for _ in range(200):
        code, _, err = run(*GIVEN, "--dice", "auto")
        if code == 2:
            assert "so far rolled with --seed" in err
            return
    pytest.fail("no roll of 5 or 6 in 200")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("case.yaml", "given: {mover: gun, rating: 0, stuck: no, wet: [no]}\nrolls: {die: 9}\n"),
        ("case.yml", "{given: {mover: gun, rating: 0, stuck: no, wet: no}, rolls: {die: [9]}, chart: chart}\n"),
        (
            "case.json",
            '{"id": 4, "given": {"mover": "gun", "rating": 0, "stuck": false, "wet": "no"}, "rolls": {"die": 9}}',
        ),
        ("case.txt", '{"given": {"mover": "gun", "rating": "0", "stuck": "n", "wet": "no"}, "rolls": {"die": "9"}}'),
    ],
)
def test_given_files(run: Run, tmp_path: Path, name: str, text: str) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    code, out, err = run("--given", str(file), "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["gives"] == {"score": 8}


def test_set_goes_over_the_file(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "case.yaml"
    file.write_text("given: {chart.mover: gun, rating: 0, stuck: no, wet: no}\nrolls: {die: 9}\n", encoding="utf-8")
    code, out, _ = run("--given", str(file), "-s", "mover=tracked", "-s", "rating=1", "--json")
    assert code == 0
    assert json.loads(out)["gives"] == {"score": 12}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("case.json", '{"given": {"a": 1}', "is not readable JSON"),
        ("case.json", '{"given": {}, "given": {}}', "stands twice"),
        ("case.json", '{"given": {"movr": 1}}', "did you mean 'mover'?"),
        ("case.json", '{"giben": {}}', "did you mean 'given'?"),
        ("case.json", "[1]", "a case is a mapping"),
        ("case.json", '{"given": {"mover": "tank"}}', "mover: 'tank' is not a choice"),
        ("case.yaml", "given: {mover: gun,\n", "error C101"),
        ("case.yaml", "- a\n", "error C101"),
        ("case.json", '{"chart": "made/other"}', "there is no chart"),
        ("case.json", " " * 600_000, "case.json has more than 512 KB, too much for one case\n"),
    ],
)
def test_bad_files_are_told(run: Run, tmp_path: Path, name: str, text: str, message: str) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    code, out, err = run("--given", str(file))
    assert code in (1, 2)
    assert out == ""
    assert message in err
    assert "Traceback" not in err


def test_a_case_of_another_chart_is_refused(run: Run, tmp_path: Path) -> None:
    write_charts(run.folder, CROSSING, other=CROSSING)
    file = tmp_path / "case.json"
    file.write_text('{"chart": "other"}')
    assert run("--given", str(file))[2] == f"refcli: {file} is a case of made/other, not of made/chart\n"


def test_stopping_prints_a_case_and_the_command_that_goes_on(run: Run, tmp_path: Path) -> None:
    code, out, err = run("-s", "wet=yes", "--house-rules", "--no-journal", typed="gun\n1=2\nq\n")
    assert (code, out) == (1, "")
    told = err.splitlines()[-3:]
    assert told[0] == "Stopped at the roll 'Roll to cross' (made/chart)."
    command = f"refcli play made/chart --given case.json --house-rules --no-journal --charts {run.folder}"
    assert told[1] == f"To go on, save this line as case.json, then: {command}"
    case = json.loads(told[2])
    assert case == {"chart": "made/chart", "given": {"wet": True, "mover": "gun", "rating": 2, "stuck": False}}
    file = tmp_path / "case.json"
    file.write_text(told[2])
    code, out, _ = run("--given", str(file), typed="9\n")
    assert code == 0
    assert "It scores 9." in out


def test_stopping_with_nothing_entered_says_only_where(run: Run) -> None:
    assert run(typed="q\n")[2].endswith("(gun)\n\nStopped at 'Who is crossing?' (made/chart).\n")


def test_save_writes_the_case_and_says_how_to_go_on(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "my walk.json"
    err = run("--save", str(file), typed="gun\n")[2]
    assert f"Your answers are in {file}. To go on: refcli play made/chart --given '{file}'" in err
    assert json.loads(file.read_text()) == {"chart": "made/chart", "given": {"mover": "gun"}}
    assert list(tmp_path.glob("*.part")) == []


def test_save_that_fails_prints_the_case_instead(run: Run, tmp_path: Path) -> None:
    err = run("--save", str(tmp_path / "no" / "such.json"), "--no-journal", typed="gun\n")[2]
    assert "--save: cannot write" in err
    assert json.loads(err.splitlines()[-1]) == {"chart": "made/chart", "given": {"mover": "gun"}}


def test_the_rest_of_a_given_file_goes_on_too(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "case.yaml"
    file.write_text("given: {mover: gun, wet: no}\nrolls: {die: [5, 6]}\n", encoding="utf-8")
    err = run("--given", str(file), "--no-journal", typed="1=1\nq\n")[2]
    assert json.loads(err.splitlines()[-1]) == {
        "chart": "made/chart",
        "given": {"mover": "gun", "wet": False, "rating": 1, "stuck": False},
        "rolls": {"die": [5, 6]},
    }


def test_lists_by_set(run: Run) -> None:
    write_charts(run.folder, VOLLEY, book="facts:" + MEN, cards=CARDS, man=MAN)
    code, out, _ = run("-s", "shots=2", "-s", "men=Jones, Smith", "-s", "down=yes", "--dice", "auto", "--json")
    assert code == 0
    assert json.loads(out)["outcome"] == "good"


def test_set_twice_answers_in_order(run: Run) -> None:
    write_charts(run.folder, VOLLEY, book="facts:" + MEN, cards=CARDS, man=MAN)
    args = ["-s", "shots=1", "-s", "men=2", "-s", "down=no", "-s", "brave=no", "-s", "brave=maybe"]
    assert run(*args)[2] == "refcli: --set brave: answer yes or no (y or n), not 'maybe'\n"
    code, out, _ = run(
        *args[:-1], "brave=yes", "-s", "nerve=1", "-s", "spot=1", "--dice", "auto", "--json", typed="b1\nb1\n"
    )
    assert code == 0
    assert json.loads(out)["outcome"] == "bad"


HOUSE = """
    facts:
      usual: {ask: 'How many?', number: 0..9}
      extra: {ask: 'How many more?', number: 0..9, default: 1, house_rule: yes}
    nodes:
      sum: {set: {total: usual + extra}, next: done}
    gives: {total: total}
    outcomes:
      done: {title: Done}
"""


def test_house_rules_are_asked_only_when_played(run: Run) -> None:
    write_charts(run.folder, HOUSE)
    assert json.loads(run("--json", typed="3\n")[1])["gives"] == {"total": 4}
    assert json.loads(run("--json", "--house-rules", typed="3\n4\n")[1])["gives"] == {"total": 7}
    assert json.loads(run("--json", "-s", "extra=5", typed="3\n")[1])["gives"] == {"total": 8}


def shell(command: str, folder: Path, **more: Any) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    whole = command.replace("refcli", f"{sys.executable} -m refcli").replace("DIR", str(folder))
    return subprocess.run(
        ["/bin/sh", "-c", whole], capture_output=True, text=True, env=env, timeout=60, check=False, **more
    )


@pytest.mark.parametrize("end", ["< /dev/null", "<&-", "<&- 2>&1"])
def test_no_stdin_is_wrong_usage(run: Run, end: str) -> None:
    found = shell(f"refcli play chart --charts DIR {end}", run.folder)
    assert found.returncode == 2
    assert "--set mover=tracked|troops|gun" in found.stdout + found.stderr


def test_closed_stdin_rules_when_all_is_given(run: Run) -> None:
    found = shell(f"refcli play chart --charts DIR {' '.join(GIVEN)} --dice auto --seed 7 <&-", run.folder)
    assert found.returncode == 0
    assert found.stdout.startswith("THROUGH\n")


@pytest.mark.parametrize("typed", [b"\xff\xfe\x00gun\n", b"gun\r\n\r\n9\r\n", b"\x00\x00\n" * 3])
def test_any_bytes_on_stdin_end_without_a_traceback(run: Run, typed: bytes) -> None:
    command = [sys.executable, "-m", "refcli", "play", "chart", "--charts", str(run.folder)]
    found = subprocess.run(command, input=typed, capture_output=True, cwd=ROOT, check=False)
    assert found.returncode in (0, 1)
    assert b"Traceback" not in found.stderr
    assert (found.returncode == 0) == (b"\r" in typed)


def test_ascii_output_still_rules(run: Run) -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    command = [sys.executable, "-m", "refcli", "play", "chart", "--charts", str(run.folder)]
    found = subprocess.run(command, input="gun\n\n9\n", capture_output=True, text=True, env=env, check=False)
    assert found.returncode == 0
    assert found.stdout.startswith("THROUGH\n")


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    code = (
        "import sys, refcli.cli.play, refcli.drivers.terminal, refcli.drivers.chance\n"
        "print([m for m in ('yaml', 'questionary', 'prompt_toolkit', 'rich', 'random', 'asyncio') if m in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert found.stdout.strip() == "[]"
