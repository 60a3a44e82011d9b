"""The layout holds: who may import whom, what only one file may touch, how long a file may grow."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "refcli"
FILES = sorted(PACKAGE.rglob("*.py"))
LAYERS = {
    "core": {"core"},
    "load": {"core", "load"},
    "analysis": {"core", "analysis", "load"},
    "drivers": {"core", "drivers"},
    "render": {"core", "render", "analysis"},
    "cli": {"core", "load", "analysis", "drivers", "render", "cli"},
}
"""What each part of the package may import."""

CONFINED = {
    "yaml": {"load/reader.py"},
    "questionary": {"drivers/prompts.py", "drivers/keys.py"},
    "prompt_toolkit": {"drivers/prompts.py", "drivers/keys.py"},
    "rich": {"render/screen.py", "cli/"},
    "random": {"drivers/chance.py"},
    "typer": {"cli/"},
    "typst": {"render/paper/booklet.py", "render/draw/sheet.py"},
}
"""The only files that may import these."""

ENGINE_BANS = {"time", "datetime", "os", "pathlib", "sys", "random", "io", "logging", "subprocess", "yaml"}
GAME_TERMS = r"\b(panic|malfunction|berserk|bog|hull.?down|firepower|concealment|battlefront|fubar|morale|squad)\b"


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            found.add(node.module or "")
    return found


def name(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


@pytest.mark.parametrize("path", FILES, ids=name)
def test_imports_run_one_way(path: Path) -> None:
    part = path.relative_to(PACKAGE).parts[0]
    if part not in LAYERS:
        return
    inside = {word.split(".")[1] for word in imports(path) if word.startswith("refcli.")}
    assert inside <= LAYERS[part], f"{name(path)} imports {sorted(inside - LAYERS[part])}"


@pytest.mark.parametrize("path", FILES, ids=name)
def test_confined_imports_stay_in_their_files(path: Path) -> None:
    for word in imports(path):
        allowed = CONFINED.get(word.split(".")[0])
        assert not allowed or any(name(path).startswith(start) for start in allowed), f"{name(path)} imports {word}"


@pytest.mark.parametrize("path", [path for path in FILES if name(path).startswith("core/")], ids=name)
def test_the_core_does_no_input_or_output(path: Path) -> None:
    words = {word.split(".")[0] for word in imports(path)}
    assert not words & ENGINE_BANS
    assert words - {"refcli"} <= set(sys.stdlib_module_names)
    calls = {
        n.func.id
        for n in ast.walk(ast.parse(path.read_text()))
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
    }
    assert not calls & {"print", "input", "open"}


@pytest.mark.parametrize("path", FILES, ids=name)
def test_no_file_outgrows_a_reader(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


@pytest.mark.parametrize("path", FILES, ids=name)
def test_no_python_file_knows_a_game(path: Path) -> None:
    text = re.sub(r"battlefront/bog-down|bog-down", "", path.read_text(encoding="utf-8"))
    assert not re.search(GAME_TERMS, text, re.IGNORECASE)


def test_importing_refcli_pulls_in_nothing_heavy() -> None:
    heavy = ("yaml", "typer", "rich", "questionary", "random", "asyncio")
    code = f"import sys, refcli; print([m for m in {heavy} if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
