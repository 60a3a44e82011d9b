"""What the Tab key offers, asked as a shell asks; and the scripts, run by the shells that are here."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from refcli.cli.complete import SCRIPTS, offers, split
from tests.cli.conftest import Run
from tests.helpers import CARDS, CROSSING, MAN, MEN, VOLLEY, write_charts

ROOT = Path(__file__).parents[2]


@pytest.fixture
def charts(tmp_path: Path) -> Path:
    return write_charts(
        tmp_path / "flowcharts", CROSSING, leap=CROSSING, volley=VOLLEY, man=MAN, book="facts:" + MEN, cards=CARDS
    )


def tab(run: Run, line: str, shell: str = "bash") -> list[str]:
    """The offers at the end of a line."""
    ran = run("--complete", shell, line)
    assert (ran.code, ran.err) == (0, "")
    return ran.out.splitlines()


def test_commands(run: Run) -> None:
    assert tab(run, "refcli pl") == ["play"]
    assert {"play", "list", "show", "batch", "check", "resume"} <= set(tab(run, "refcli "))
    assert tab(run, "refcli pl", "fish") == [
        "play\tWalk a chart at the table: answer what it asks, roll, get a ruling."
    ]
    assert tab(run, "refcli pl", "zsh") == [
        "play:Walk a chart at the table: answer what it asks, roll, get a ruling."
    ]


def test_charts_by_short_and_by_full_name(run: Run, charts: Path) -> None:
    assert tab(run, f"refcli play --charts {charts} le") == ["leap"]
    assert tab(run, f"refcli play --charts {charts} made/l") == ["made/leap"]
    assert tab(run, f"refcli show --charts {charts} mad") == [
        "made",
        "made/chart",
        "made/leap",
        "made/man",
        "made/volley",
    ]


def test_facts_of_the_chart_and_their_values(run: Run, charts: Path) -> None:
    line = f"refcli play chart --charts {charts} --set "
    assert tab(run, line) == ["mover=", "rating=", "stuck=", "way=", "wet="]
    assert tab(run, line + "mover=t") == ["tracked", "troops"]
    assert tab(run, line + "wet=") == ["no", "yes"]
    assert tab(run, line + "wet=", "fish") == ["wet=no", "wet=yes"]
    assert tab(run, line + "mover=g", "fish") == ["mover=gun\tGun pushed by hand"]
    assert tab(run, line + "rating=") == []
    assert tab(run, f"refcli play chart --charts {charts} -s wet=no -s st") == ["stuck="]


def test_facts_of_the_charts_that_it_runs(run: Run, charts: Path) -> None:
    assert {"shots=", "men=", "down=", "brave=", "nerve="} <= set(
        tab(run, f"refcli play made/volley --charts {charts} --set ")
    )


def test_options_with_their_help(run: Run) -> None:
    assert tab(run, "refcli play bog-down --hou") == ["--house-rules"]
    assert tab(run, "refcli play bog-down --hou", "fish") == ["--house-rules\tAsk for the house rules too."]
    assert tab(run, "refcli play bog-down --dice ") == ["ask", "auto"]


@pytest.mark.parametrize(
    "line", ["", "refcli", "other", "refcli play nothing --set ", "refcli play 'open", "refcli play x --charts /nowhere --set ", "refcli --chart"]
)  # fmt: skip
def test_whatever_stands_there_tab_is_quiet(run: Run, line: str) -> None:
    assert run("--complete", "bash", line).code == 0


def test_a_line_is_split_as_the_shell_does() -> None:
    assert split("refcli play bog") == ["refcli", "play", "bog"]
    assert split("refcli play ") == ["refcli", "play", ""]
    assert split("refcli 'a b' c") == ["refcli", "a b", "c"]
    assert split("") == [""]


def test_offers_never_import_what_is_slow() -> None:
    code = (
        "import sys; from refcli.cli.complete import offers; list(offers(['play', 'x']));"
        "print([m for m in ('typer', 'rich', 'questionary', 'random') if m in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"
    assert list(offers(["--format", ""]))


@pytest.mark.parametrize("shell", SCRIPTS)
def test_the_script_of_a_shell_is_read_by_it(run: Run, shell: str, tmp_path: Path) -> None:
    ran = run("--show-completion", shell)
    assert (ran.code, ran.err, ran.out) == (0, "", SCRIPTS[shell])
    if shutil.which(shell) is None:
        return
    file = tmp_path / "script"
    file.write_text(ran.out)
    assert subprocess.run([shell, "-n", file], capture_output=True, check=False).returncode == 0


def test_an_unknown_shell_is_wrong_usage(run: Run) -> None:
    ran = run("--show-completion", "tcsh")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("refcli: invalid value for '--show-completion': 'tcsh' is none of bash, zsh, fish\n")


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_completes(charts: Path, tmp_path: Path) -> None:
    """The script in a real bash: the line is set as bash sets it, the function is called, the offers are read back."""
    line = f"refcli play leap --charts {charts} --set mover=tr"
    script = f"""
        source <(refcli --show-completion bash)
        COMP_LINE='{line}'; COMP_POINT=${{#COMP_LINE}}
        _refcli
        printf '%s,' "${{COMPREPLY[@]}}"
    """
    found = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, cwd=ROOT, env=shell_env(tmp_path), check=False
    )
    assert (found.stdout, found.stderr) == ("tracked,troops,", "")


@pytest.mark.skipif(shutil.which("fish") is None, reason="needs fish")
def test_fish_completes(charts: Path, tmp_path: Path) -> None:
    line = f"refcli play leap --charts {charts} --set mover=tr"
    script = f"refcli --show-completion fish | source; complete -C 'refcli pl'; complete -C '{line}'"
    script += f"; complete -C 'refcli play leap --roster {charts}/ma'"
    found = subprocess.run(
        ["fish", "-c", script], capture_output=True, text=True, cwd=ROOT, env=shell_env(tmp_path), check=False
    )
    assert found.stdout.splitlines() == [
        "play\tWalk a chart at the table: answer what it asks, roll, get a ruling.",
        "mover=tracked\tTracked vehicle",
        "mover=troops\tOther troops",
        f"{charts}/made/",
    ], found.stderr


@pytest.mark.skipif(shutil.which("zsh") is None, reason="needs zsh")
def test_zsh_completes(charts: Path, tmp_path: Path) -> None:
    """Tab in a real zsh: what is certain is typed out, what is not is listed with its words."""
    child = pexpect.spawn(
        "zsh",
        ["-f", "-i"],
        encoding="utf-8",
        timeout=20,
        dimensions=(40, 200),
        cwd=str(ROOT),
        env=shell_env(tmp_path),
    )
    child.delaybeforesend = None
    child.sendline("autoload -U compinit; compinit -u; source <(refcli --show-completion zsh); echo re''ady")
    child.expect_exact("ready\r")
    child.send("refcli pl\t")
    child.expect_exact("refcli play")
    child.send(f"leap --charts {charts} --set mo\t")  # a space behind what is complete, none where a value follows
    child.expect_exact("--set mover=")
    child.send("tr\t")
    child.expect_exact("mover=tracked  -- Tracked vehicle")
    child.expect_exact("mover=troops   -- Other troops")
    child.close(force=True)


def shell_env(tmp_path: Path) -> dict[str, str]:
    """What a shell needs to find `refcli`, and nothing of the user's own."""
    wrapper = tmp_path / "bin" / "refcli"
    wrapper.parent.mkdir()
    wrapper.write_text(f'#!/bin/sh\nexec {sys.executable} -m refcli "$@"\n')
    wrapper.chmod(0o755)
    return {
        **os.environ,
        "HOME": str(tmp_path),
        "PATH": f"{wrapper.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "TERM": "xterm",
    }
