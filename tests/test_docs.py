"""The README cannot lie: its commands run, and print what it says they print."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE = re.findall(r"```console\n\$ (.+?)\n(.*?)```", README, re.DOTALL)
ENV = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "80"}


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    env = {**ENV, "REFCLI_HOME": str(folder / "home")}
    return subprocess.run(command, shell=True, cwd=folder, env=env, capture_output=True, text=True, encoding="utf-8")


@pytest.mark.parametrize(("command", "output"), CONSOLE, ids=[command[:40] for command, _ in CONSOLE])
def test_a_console_block_prints_what_it_says(command: str, output: str, tmp_path: Path) -> None:
    done = shell(command, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == output


def test_the_chart_of_the_readme_is_clean_and_plays(tmp_path: Path) -> None:
    chart = re.search(r"```yaml\n(title: Leap.*?)```", README, re.DOTALL)
    assert chart
    book = tmp_path / "flowcharts" / "mygame"
    book.mkdir(parents=True)
    (book / "book.yaml").write_text("title: My game\nsource: My rules\n")
    (book / "leap.yaml").write_text(chart[1])
    checked = shell("refcli check mygame/leap --strict", tmp_path)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    played = shell("printf '8\\nyes\\n7\\n' | refcli play leap", tmp_path)
    assert (played.returncode, played.stdout.splitlines()[:2]) == (0, ["FALLS IN", "He reached 6 feet."]), played


def test_the_roster_of_the_readme_is_sound(tmp_path: Path) -> None:
    roster = re.search(r"```yaml\n(title: Our men.*?)```", README, re.DOTALL)
    assert roster
    (tmp_path / "ours.yaml").write_text(roster[1])
    checked = shell("refcli check ours.yaml", tmp_path)
    assert (checked.returncode, checked.stdout.splitlines()[-1]) == (0, "1 roster, all clean"), checked.stdout


def test_the_python_examples_run() -> None:
    told = []
    for code in re.findall(r"```python\n(.*?)```", README, re.DOTALL):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
        assert done.returncode == 0, done.stderr
        told.append(done.stdout)
    assert told == ["Traverse\n", "tank traverse\n"]


def test_ci_runs_the_test_command_of_the_readme() -> None:
    command = re.search(r"^    (python3 -m venv .*pytest.*)$", README, re.MULTILINE)
    assert command
    assert command[1] in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_every_kind_of_node_is_explained() -> None:
    from refcli.core import chart

    kinds = {name.removesuffix("Node").lower() for name in vars(chart) if name.endswith("Node")} - {"", "outcome"}
    assert kinds == set(re.findall(r"^\| `(\w+): ", README, re.MULTILINE))


@pytest.mark.parametrize("name", ["play", "resume", "log", "replay", "batch", "list", "show", "print", "check"])
def test_every_command_is_in_the_readme_and_has_help_with_an_example(name: str, tmp_path: Path) -> None:
    assert f"refcli {name}" in README
    done = shell(f"refcli {name} --help", tmp_path)
    assert done.returncode == 0
    body = " ".join(done.stdout.split("\n", 1)[1].split())
    assert f"refcli {name}" in body, done.stdout


def test_the_transcript_is_what_the_keys_do() -> None:
    """If this fails, the screen has changed: look at it, then `python tests/transcript.py`."""
    from tests.transcript import shown_in, transcript

    assert shown_in(README) == transcript()
