"""Charts from text, examined as `refcli check` does it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from refcli.analysis.checks import check_charts
from refcli.analysis.examine import Findings, examine
from refcli.cli.check import play_example
from refcli.core.chart import Chart
from refcli.core.problem import Code
from refcli.load.library import Library
from tests.helpers import load_chart, write_charts

ChartOf = Callable[..., Chart]
Examine = Callable[..., Findings]
Told = Callable[..., list[str]]


@pytest.fixture(autouse=True)
def in_its_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths in messages are short and always the same."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def chart_of(tmp_path: Path) -> ChartOf:
    """`chart_of(text, book="", cards="", **charts)`: a chart of a made-up book; other charts by name."""

    def make(text: str, **more: str) -> Chart:
        return load_chart(tmp_path, text, **more)

    return make


@pytest.fixture
def told(chart_of: ChartOf) -> Told:
    """`told(text, *codes, **more)`: what the checks say of a chart, of these codes only, each as one line."""

    def tell(text: str, *codes: Code, **more: str) -> list[str]:
        problems = check_charts([chart_of(text, **more)])
        return [str(p) for p in problems if (p.code in codes if codes else p.code is not Code.NO_EXAMPLES)]

    return tell


@pytest.fixture
def examined(tmp_path: Path) -> Examine:
    """`examined(text, **more)`: everything found out about a chart, its examples played."""

    def make(text: str, **more: str) -> Findings:
        library = Library([write_charts(tmp_path, text, **more)])
        return examine(library, ["made/chart"], play_example)

    return make
