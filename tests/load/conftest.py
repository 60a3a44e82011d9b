"""Made-up books to load: a chart from text, or all that is wrong with it."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from refcli.core.chart import Chart
from refcli.load.library import Library

ChartOf = Callable[..., Chart]
FaultsOf = Callable[..., list[str]]
END = """
outcomes:
  end: {title: End}
"""


def write_book(folder: Path, book: str = "", cards: str = "", **charts: str) -> None:
    """A book `made` with these charts; texts may be indented, and a chart without title gets one."""
    made = folder / "made"
    made.mkdir(parents=True, exist_ok=True)
    decks = "decks: {cards: cards.yaml}\n" if cards else ""
    (made / "book.yaml").write_text("title: Made up\n" + decks + dedent(book), encoding="utf-8")
    if cards:
        (made / "cards.yaml").write_text(dedent(cards).lstrip("\n"), encoding="utf-8")
    for name, text in charts.items():
        whole = dedent(text).lstrip("\n")
        titled = whole if "title:" in whole.split("\n")[0] else f"title: {name.title()}\n{whole}"
        (made / f"{name}.yaml").write_text(titled, encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, empty."""
    monkeypatch.chdir(tmp_path)
    return Path()


@pytest.fixture
def chart_of(folder: Path) -> ChartOf:
    """`chart_of(text, book="", cards="", **charts)`: the chart `made/chart`."""

    def make(text: str, book: str = "", cards: str = "", **charts: str) -> Chart:
        write_book(folder, book, cards, chart=text, **charts)
        return Library([folder]).load("made/chart")

    return make


@pytest.fixture
def faults_of(folder: Path) -> FaultsOf:
    """`faults_of(text, book="", cards="", **charts)`: all that is wrong with `made/chart`, file names cut short."""

    def find(text: str, book: str = "", cards: str = "", **charts: str) -> list[str]:
        write_book(folder, book, cards, chart=text, **charts)
        found = Library([folder]).problems("made/chart")
        return [str(problem).removeprefix("made/").removeprefix("chart.yaml:") for problem in found]

    return find
