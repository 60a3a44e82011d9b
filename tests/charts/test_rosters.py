"""Every roster that comes with a book is sound, and can answer lists of it."""

from pathlib import Path

import pytest

from refcli.core.fact import Kind
from refcli.core.roster import fits
from tests.charts.shipped import LIBRARY, charts

ROSTERS = sorted((Path(__file__).parents[2] / "flowcharts").glob("*/rosters/*.yaml"))


@pytest.mark.parametrize("path", ROSTERS, ids=lambda path: f"{path.parts[-3]}/{path.stem}")
def test_a_shipped_roster_is_sound(path: Path) -> None:
    roster, problems = LIBRARY.roster(path)
    assert problems == []
    assert roster is not None
    assert roster.book == path.parts[-3]
    assert roster.title
    assert LIBRARY.find_roster(f"{roster.book}/{path.stem}") == path
    facts = next(chart.book.facts for chart in charts().values() if chart.book.id == roster.book)
    for group in roster.groups:
        lists = [fact for fact in facts.values() if fact.kind is Kind.LIST and fits(fact, group)]
        assert lists, group.name


def test_there_is_a_roster_to_try() -> None:
    books = {
        chart.book.id
        for chart in charts().values()
        if any(fact.kind is Kind.LIST for fact in chart.book.facts.values())
    }
    assert {path.parts[-3] for path in ROSTERS if path.stem == "sample"} == books
