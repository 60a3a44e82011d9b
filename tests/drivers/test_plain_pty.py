"""On a terminal, but in plain lines: where prompts have no place; and words that mean ill."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from tests.drivers.screen import CTRL_C, CTRL_D, ROOT, Screen, case_in
from tests.helpers import CARDS, CROSSING, MAN, MEN, VOLLEY, write_charts


@pytest.fixture
def crossing(tmp_path: Path) -> Path:
    return write_charts(tmp_path, CROSSING)


@pytest.fixture
def volley(tmp_path: Path) -> Path:
    return write_charts(tmp_path, VOLLEY, book="facts:" + MEN, cards=CARDS, man=MAN)


@pytest.mark.parametrize(("flags", "env"), [(["--plain"], {}), ([], {"TERM": "dumb"}), ([], {"TERM": "unknown"})])
def test_plain_lines_where_prompts_have_no_place(crossing: Path, flags: list[str], env: dict[str, str]) -> None:
    screen = Screen(crossing, *flags, **env)
    screen.wait("3 Gun pushed by hand (gun)\r\n> ")
    for line in ("gun", "", "9"):
        screen.keys(f"{line}\r")
    code, seen = screen.finish()
    assert (code, "It scores 8." in seen) == (0, True)
    assert "\x1b" not in screen.seen


def test_plain_lines_stop_by_ctrl_c_and_ctrl_d(crossing: Path) -> None:
    for key, code in ((CTRL_C, 130), (CTRL_D, 1)):
        screen = Screen(crossing, "--plain", "--no-journal")
        screen.wait("> ")
        screen.keys("gun\r")
        screen.wait("Tick what applies")
        screen.keys(key)
        exit_code, seen = screen.finish()
        assert exit_code == code
        assert case_in(seen) == {"chart": "made/chart", "given": {"mover": "gun"}}


def test_a_prompt_that_cannot_open_becomes_plain_lines(crossing: Path, tmp_path: Path) -> None:
    """Whatever the reason: here a prompt library that breaks as soon as it is used."""
    broken = tmp_path / "broken"
    (broken / "questionary").mkdir(parents=True)
    (broken / "questionary" / "__init__.py").write_text("raise OSError('no console')\n")
    screen = Screen(crossing, PYTHONPATH=f"{broken}{os.pathsep}{ROOT}")
    screen.wait("(no prompts here, plain lines instead: OSError)")
    screen.wait("> ")
    for line in ("gun", "", "9"):
        screen.keys(f"{line}\r")
    code, seen = screen.finish()
    assert (code, "It scores 8." in seen) == (0, True)
    assert seen.count("no prompts here") == 1


def test_piped_answers_and_rulings_need_no_terminal(crossing: Path) -> None:
    command = [sys.executable, "-m", "refcli", "play", "chart", "--charts", str(crossing)]
    found = subprocess.run(command, input="gun\n\n9\n", capture_output=True, text=True, cwd=ROOT, check=False)
    assert found.returncode == 0
    assert found.stdout.startswith("THROUGH\nIt scores 8.\n")
    assert "\x1b" not in found.stdout + found.stderr
    assert "THROUGH" not in found.stderr


def test_output_to_a_file_asks_in_plain_lines_on_the_terminal(crossing: Path, tmp_path: Path) -> None:
    """stdin and stderr are a terminal, stdout is not."""
    out = tmp_path / "ruling.txt"
    shell = f"{sys.executable} -m refcli play chart --charts {crossing} > {out}"
    env = {**os.environ, "TERM": "xterm", "PYTHONPATH": str(ROOT)}
    child = pexpect.spawn("/bin/sh", ["-c", shell], encoding="utf-8", timeout=20, env=env)
    for line in ("gun", "", "9"):
        child.expect_exact("> ")
        child.send(f"{line}\r")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert out.read_text().startswith("THROUGH\nIt scores 8.\n")


LABELS = {
    "markup": "'[red]Not red[/red] [/c]'",
    "emoji": "'👩‍🚒 Fire 火'",
    "long": "'" + "wide " * 100 + "'",
    "braces": "'{0} %s <b>&amp;</b>'",
}


def test_hostile_labels_are_drawn_as_they_stand(tmp_path: Path) -> None:
    choices = "\n".join(f"              {key}: {label}" for key, label in LABELS.items())
    folder = write_charts(
        tmp_path,
        f"""
        facts:
          pick:
            ask: 'Pick [bold]one[/bold]'
            help: '[link=x]help[/link] {{0}}'
            choices:
{choices}
        nodes:
          test: {{decide: pick, cases: {{long: good, else: bad}}}}
        outcomes:
          good: {{title: Good}}
          bad: {{title: Bad}}
        """,
    )
    screen = Screen(folder)
    screen.wait("Pick [bold]one[/bold]")
    screen.wait("{0} %s <b>&amp;</b>")
    screen.keys("wide", "\r")
    code, seen = screen.finish()
    assert (code, "GOOD" in seen) == (0, True)
    assert "[red]Not red[/red] [/c]" in seen
    assert "[link=x]help[/link] {0}" in seen
    assert seen.count("wide ") >= 100  # once in full above the list, where it is cut


def test_escapes_in_a_name_do_not_reach_the_terminal(volley: Path) -> None:
    case = {"given": {"shots": 1, "men": [{"name": "\x1b]0;owned\x07Red\x1b[8m"}, {}]}, "rolls": {"fire": 1}}
    file = volley / "case.json"
    file.write_text(json.dumps(case), encoding="utf-8")
    screen = Screen(volley, "--given", str(file))
    screen.wait("Red: Is he down?")
    screen.keys(CTRL_C)
    screen.finish()
    assert "\x1b]0;" not in screen.seen
    assert "\x1b[8m" not in screen.seen
