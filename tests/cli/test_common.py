import io
import os
import sys
from pathlib import Path

import pytest

from refcli.cli import common
from refcli.core.errors import UsageError
from tests.cli.conftest import Run


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with three folders of charts, entered."""
    for name in ("one", "two", "flowcharts"):
        book = tmp_path / name / name
        book.mkdir(parents=True)
        (book / "book.yaml").write_text(f"title: Book {name}\n")
        (book / "chart.yaml").write_text("title: A chart\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REFCLI_CHARTS", raising=False)
    return tmp_path


def books(charts: list[Path] | None = None) -> list[str]:
    return [book.id for book in common.library(charts).titles()]


def shipped() -> list[str]:
    return sorted(path.parent.name for path in common.shipped().glob("*/book.yaml"))


def test_charts_are_looked_up_here_then_in_the_package(shelf: Path) -> None:
    assert books()[:1] == ["flowcharts"]
    assert sorted(books()[1:]) == shipped()


def test_charts_named_on_the_command_line_come_first(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFCLI_CHARTS", f"one{os.pathsep}{os.pathsep}two")
    assert books([Path("two")])[:3] == ["two", "one", "flowcharts"]


def test_a_folder_that_is_missing_is_wrong_usage(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=r"^--charts: there is no folder 'three'$"):
        common.library([Path("three")])
    monkeypatch.setenv("REFCLI_CHARTS", "four")
    with pytest.raises(UsageError, match=r"^REFCLI_CHARTS: there is no folder 'four'$"):
        common.library()


@pytest.mark.parametrize("args", [("--charts", "one", "list", "--json"), ("list", "--charts", "one", "--json")])
def test_the_folder_may_stand_before_or_behind_the_command(shelf: Path, run: Run, args: tuple[str, ...]) -> None:
    os.chdir(shelf)  # the fixture of `run` went elsewhere
    assert '"title": "Book one"' in run(*args).out


@pytest.mark.parametrize(("columns", "width"), [("60", 60), ("20", 40), ("300", 100), ("", 80)])
def test_text_is_never_too_narrow_nor_too_wide(monkeypatch: pytest.MonkeyPatch, columns: str, width: int) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setattr(sys, "__stdout__", io.StringIO())
    assert common.width() == width


@pytest.mark.parametrize(("encoding", "text"), [("utf-8", '{"id": "−ä"}'), ("latin-1", '{"id": "\\u2212\\u00e4"}')])
def test_json_loses_no_sign(monkeypatch: pytest.MonkeyPatch, encoding: str, text: str) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding))
    assert common.json_text({"id": "−ä"}) == text


def test_json_escapes_what_is_no_character(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), "utf-8"))
    assert common.json_text({"id": "\ud800"}) == '{"id": "\\ud800"}'
