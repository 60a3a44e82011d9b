from collections.abc import Callable

import pytest

from refcli.analysis.paths import edges_of, find_case, path_to, show_path
from refcli.core.chart import Chart
from tests.helpers import CROSSING

ChartOf = Callable[..., Chart]


@pytest.mark.parametrize(
    ("goal", "path"),
    [
        ("modifier", "modifier"),
        ("turn", "modifier -> warn -> throw -> score -> turn"),
        ("halt", "modifier -> warn -> throw -> score -> halt"),
        ("nowhere", ""),
    ],
    ids=["start", "node", "outcome by the shorter way", "unknown"],
)
def test_shortest_path_is_shown_node_by_node(chart_of: ChartOf, goal: str, path: str) -> None:
    assert show_path(chart_of(CROSSING), goal) == path


def test_shortest_path_to_an_edge_ends_with_it(chart_of: ChartOf) -> None:
    chart = chart_of(CROSSING)
    edge = next(iter(edges_of(chart.nodes["turn"])))
    assert str(edge) == "turn (back) -> halt"
    assert show_path(chart, edge) == "modifier -> warn -> throw -> score -> turn -> halt"


def test_path_is_the_edges_taken(chart_of: ChartOf) -> None:
    path = path_to(chart_of(CROSSING), "turn")
    assert path is not None
    assert [str(edge) for edge in path] == [
        "modifier -> warn",
        "warn -> throw",
        "throw -> score",
        "score (4..5) -> turn",
    ]


@pytest.mark.parametrize(
    ("value", "key"), [(-4, "..3"), (3, "..3"), (4, "4..5"), (99, "6..")], ids=["low", "end", "middle", "high"]
)
def test_find_case_agrees_with_the_walk(chart_of: ChartOf, value: int, key: str) -> None:
    node = chart_of(CROSSING).nodes["score"]
    case = find_case(node, value)
    assert case is not None
    assert (case.key, case.target) == (key, node.go.find(value))


def test_find_case_takes_else_last_and_knows_yes_from_one(chart_of: ChartOf) -> None:
    text = """
    facts:
      wet: Is it wet?
      size: {ask: Size, number: 0..9}
    nodes:
      test: {decide: wet, yes: pick, no: end}
      pick: {decide: size, cases: {0: end, else: far}}
    outcomes: {end: {title: End}, far: {title: Far}}
    """
    chart = chart_of(text)
    keys = [getattr(find_case(chart.nodes["test"], value), "key", None) for value in (True, False)]
    assert keys == ["yes", "no"]
    assert getattr(find_case(chart.nodes["pick"], 1), "key", None) == "else"


def test_cells_of_a_table_that_lead_to_one_target_are_one_edge(chart_of: ChartOf) -> None:
    text = """
    facts:
      size: {ask: Size, number: 0..9}
    nodes:
      look: {table: size, rows: {..3: far, 4..5: end, 6..: far}}
    outcomes: {end: {title: End}, far: {title: Far}}
    """
    edges = list(edges_of(chart_of(text).nodes["look"]))
    assert [(edge.key, edge.target) for edge in edges] == [("far", "far"), ("end", "end")]
