"""Every shipped chart loads without a fault, and every worked example comes out as it says."""

import pytest

from refcli.analysis.checks import check_chart
from refcli.analysis.examples import Played
from tests.charts.shipped import IDS, LIBRARY, charts, played


@pytest.mark.parametrize("name", IDS)
def test_chart_is_clean(name: str) -> None:
    problems = LIBRARY.problems(name)
    if name in charts():
        problems += check_chart(charts()[name])
    if problems:
        pytest.fail("\n".join(map(str, problems)), pytrace=False)


@pytest.mark.parametrize("one", played(), ids=lambda one: f"{one.chart.id}: {one.example.name}")
def test_example_comes_out_as_it_says(one: Played) -> None:
    if one.problem is not None:
        pytest.fail(str(one.problem), pytrace=False)
