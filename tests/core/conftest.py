"""Charts from text, for tests of the walk."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from refcli.core.chart import Chart

ChartOf = Callable[..., Chart]


@pytest.fixture
def chart_of(tmp_path: Path) -> ChartOf:
    """`chart_of(text, book="", cards="", **charts)`: a chart of a made-up book; other charts by name."""

    def make(text: str, book: str = "", cards: str = "", **charts: str) -> Chart:
        from refcli.load.library import Library

        folder = tmp_path / "made"
        folder.mkdir(exist_ok=True)
        decks = "decks: {cards: cards.yaml}\n" if cards else ""
        (folder / "book.yaml").write_text("title: Made up\nsource: Nowhere\n" + decks + dedent(book))
        if cards:
            (folder / "cards.yaml").write_text(dedent(cards))
        for name, content in {"chart": text, **charts}.items():
            (folder / f"{name}.yaml").write_text(f"title: {name.title()}\nsummary: Made up.\n" + dedent(content))
        return Library([tmp_path]).load("made/chart")

    return make
