"""Every edge of every shipped chart is taken by some example, every outcome reached, every modifier applied."""

import pytest

from refcli.analysis.coverage import all_edges, all_modifiers
from refcli.analysis.paths import Edge, show_path
from refcli.core.chart import Chart
from tests.charts.shipped import charts, covers

EDGES = [(chart, edge) for chart in charts().values() for edge in all_edges(chart)]
OUTCOMES = [(chart, outcome) for chart in charts().values() for outcome in chart.outcomes]
MODIFIERS = [(chart, node.id, number) for chart in charts().values() for node, number, _ in all_modifiers(chart)]


@pytest.mark.parametrize(("chart", "edge"), EDGES, ids=[f"{chart.id}: {edge}" for chart, edge in EDGES])
def test_edge_is_taken(chart: Chart, edge: Edge) -> None:
    if not covers()[chart.id].took(edge):
        pytest.fail(f"{edge.place}: no example goes {show_path(chart, edge)} ({edge})", pytrace=False)


@pytest.mark.parametrize(("chart", "outcome"), OUTCOMES, ids=[f"{chart.id}: {name}" for chart, name in OUTCOMES])
def test_outcome_is_reached(chart: Chart, outcome: str) -> None:
    if not covers()[chart.id].reached(outcome):
        place = chart.outcomes[outcome].place
        pytest.fail(f"{place}: no example goes {show_path(chart, outcome)}", pytrace=False)


@pytest.mark.parametrize(
    ("chart", "node", "number"),
    MODIFIERS,
    ids=[f"{chart.id}: {node}, modifier {number + 1}" for chart, node, number in MODIFIERS],
)
def test_modifier_is_applied(chart: Chart, node: str, number: int) -> None:
    if (node, number) not in covers()[chart.id].passed.modifiers:
        place = next(part.place for owner, n, part in all_modifiers(chart) if (owner.id, n) == (node, number))
        pytest.fail(f"{place}: no example goes {show_path(chart, node)} with this modifier", pytrace=False)
