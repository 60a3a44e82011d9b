"""Every problem that loading can find, as whole messages: tests/data/problems holds a bad chart with its text each."""

import shutil
from pathlib import Path

import pytest

from refcli.core.errors import ChartError
from refcli.core.problem import Code
from refcli.load.files import read_lines
from refcli.load.library import Library
from refcli.render.problems import render

DATA = Path(__file__).parents[1] / "data" / "problems"
PAIRS = sorted(DATA.glob("C*.yaml"))
ELSEWHERE = {
    Code.UNREADABLE: "test_reader.py",
    Code.TOO_DEEP: "test_library.py",
    Code.GAP: "analysis",
    Code.OVERLAP: "analysis",
    Code.OUT_OF_RANGE: "analysis",
    Code.ENDLESS: "analysis",
}
"""Codes whose messages are tested in other files; C6xx all are."""


def problems_as_text(library: Library, what: str) -> str:
    return "".join(render(problem, read_lines(problem.place.file)) + "\n" for problem in library.problems(what))


@pytest.fixture
def charts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder `charts` below the current one, with the sound book `made`."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(DATA / "made", tmp_path / "charts" / "made")
    return Path("charts")


@pytest.mark.parametrize("path", PAIRS, ids=lambda path: path.stem)
def test_bad_chart_gets_its_messages(path: Path, charts: Path) -> None:
    shutil.copy(path, charts / "made" / "chart.yaml")
    assert problems_as_text(Library([charts]), "made/chart") == path.with_suffix(".txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", PAIRS, ids=lambda path: path.stem)
def test_bad_chart_has_the_code_of_its_name_and_does_not_load(path: Path, charts: Path) -> None:
    shutil.copy(path, charts / "made" / "chart.yaml")
    with pytest.raises(ChartError) as fault:
        Library([charts]).load("made/chart")
    assert path.stem.split("_")[0] in {problem.code.id for problem in fault.value.problems}


def test_the_book_of_the_bad_charts_is_sound(charts: Path) -> None:
    assert Library([charts]).problems("made") == []


@pytest.mark.parametrize("code", [code for code in Code if code.id < "C6"], ids=lambda code: code.id)
def test_every_code_has_a_bad_chart(code: Code) -> None:
    assert code in ELSEWHERE or any(path.stem.startswith(code.id) for path in PAIRS)
