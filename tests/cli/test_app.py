import os
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from typer.testing import CliRunner

from refcli import __version__
from refcli.cli import app as cli
from tests.cli.conftest import Run

PYTHON = [sys.executable, "-c", "from refcli.cli.main import main; main()"]


def test_refcli_alone_welcomes(run: Run) -> None:
    ran = run()
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == cli.WELCOME


def test_the_version_is_the_package_version(run: Run) -> None:
    ran = run("--version")
    assert (ran.code, ran.out, ran.err) == (0, f"refcli {__version__}\n", "")


def test_help_names_every_command_with_its_summary(run: Run) -> None:
    ran = run("--help")
    assert (ran.code, ran.err) == (0, "")
    wide = max(map(len, cli.COMMANDS)) + 2
    for name, (_, _, summary) in cli.COMMANDS.items():
        assert f"  {name:{wide}}{summary}\n" in ran.out
    assert ran.out.endswith("  Example: refcli play bog-down\n")


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_the_summary_of_a_command_is_the_first_line_of_its_help(name: str) -> None:
    module, function, summary = cli.COMMANDS[name]
    doc = getattr(import_module(module), function).__doc__ or ""
    assert doc.splitlines()[0] == summary


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_help_has_an_example(run: Run, name: str) -> None:
    ran = run(name, "--help")
    assert (ran.code, ran.err) == (0, "")
    assert f"refcli {name} " in " ".join(ran.out.split("Example", 1)[1].split())


@pytest.mark.parametrize("name", ["list", "show", "batch"])
def test_the_example_of_a_help_runs(name: str, tmp_path: Path) -> None:
    module, function, _ = cli.COMMANDS[name]
    doc = getattr(import_module(module), function).__doc__ or ""
    (example,) = (line.strip().removeprefix("Example: ") for line in doc.splitlines() if f"refcli {name}" in line)
    python = shlex.join(PYTHON)
    command = example.replace(f"refcli {name}", f"{python} {name}")
    ran = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8")
    assert (ran.returncode, bool(ran.stdout)) == (0, True), ran.stderr


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_typer_finds_every_command(name: str) -> None:
    assert CliRunner().invoke(cli.app, [name, "--help"]).exit_code == 0


def test_a_misspelt_command_is_answered_with_the_nearest(run: Run) -> None:
    ran = run("shwo")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "refcli: there is no command 'shwo'; did you mean 'show'?\nTry 'refcli --help'.\n"


def test_a_strange_command_is_answered_with_all(run: Run) -> None:
    ran = run("xyzzy")
    names = ", ".join(cli.COMMANDS)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"refcli: there is no command 'xyzzy'; it can be: {names}\nTry 'refcli --help'.\n"


def test_an_unknown_option_is_wrong_usage(run: Run) -> None:
    ran = run("list", "--jsn")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "refcli: no such option: --jsn (Possible options: --json)\nTry 'refcli list --help'.\n"


def test_a_missing_argument_is_wrong_usage(run: Run) -> None:
    ran = run("show")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "refcli: missing argument 'CHART|BOOK'.\nTry 'refcli show --help'.\n"


class Broken:
    def __init__(self, fault: BaseException) -> None:
        self.fault = fault

    def __call__(self, charts: object = None) -> None:
        raise self.fault


@pytest.mark.parametrize(
    ("fault", "code", "said"),
    [
        (KeyboardInterrupt(), 130, ""),
        (EOFError(), 1, "refcli: the input has ended\n"),
        (OSError(28, "No space left on device"), 1, "refcli: No space left on device\n"),
        (PermissionError(13, "Permission denied", "book.yaml"), 1, "refcli: 'book.yaml': Permission denied\n"),
        (
            KeyError("card"),
            1,
            "refcli: this is a fault of refcli, please report it: KeyError: 'card'\n"
            "(REFCLI_DEBUG=1 shows where it happened)\n",
        ),
    ],
    ids=["ctrl-c", "end of input", "full disk", "forbidden file", "our fault"],
)
def test_no_error_shows_a_traceback(
    run: Run, monkeypatch: pytest.MonkeyPatch, fault: BaseException, code: int, said: str
) -> None:
    monkeypatch.setattr("refcli.cli.list_.catalogue", Broken(fault))
    ran = run("list")
    assert (ran.code, ran.out, ran.err.lstrip("\n")) == (code, "", said)


def test_the_traceback_is_there_for_those_who_ask(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("refcli.cli.list_.catalogue", Broken(KeyError("card")))
    monkeypatch.setenv("REFCLI_DEBUG", "1")
    ran = run("list")
    assert ran.code == 1
    assert ran.err.startswith("Traceback (most recent call last):\n")
    assert ran.err.endswith("KeyError: 'card'\n")


def test_a_reader_that_leaves_early_is_no_error() -> None:
    command = f"{shlex.join(PYTHON)} list --json | head -c 1"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert (ran.stdout, ran.stderr) == ("[", "")


@pytest.mark.parametrize(("closed", "out", "err"), [(">&-", "", ""), ("2>&-", "refcli", ""), (">&- 2>&-", "", "")])
def test_a_closed_output_takes_nothing_and_is_no_error(closed: str, out: str, err: str) -> None:
    command = f"{shlex.join(PYTHON)} --version {closed}"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert (ran.stdout[:6], ran.stderr) == (out, err)


def test_an_error_moves_no_cursor(run: Run) -> None:
    assert run("play", "\x1b[31mx").err.startswith("refcli: there is no chart '·[31mx'; ")


def test_a_terminal_without_signs_gets_plain_ones(run: Run) -> None:
    ran = run("show", "crossing", encoding="ascii")
    assert ran.code == 0
    assert "       Wheeled vehicle    -1\n" in ran.out
    assert "      bogged | yes or no | ask the owner\n" in ran.out
    assert "5 or less -> step 4\n" in ran.out


@pytest.mark.parametrize("args", [["--help"], ["--version"], ["list"], ["batch", "-"]], ids=" ".join)
def test_nothing_heavy_is_imported(args: list[str]) -> None:
    heavy = ("rich", "asyncio", "questionary", "prompt_toolkit")
    code = (
        "import sys\nfrom refcli.cli.main import main\n"
        f"try:\n    main({args})\nfinally:\n    print([m for m in {heavy} if m in sys.modules], file=sys.stderr)"
    )
    env = {**os.environ, "COLUMNS": "80"}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, input="", env=env)
    assert ran.stderr.splitlines()[-1] == "[]"
