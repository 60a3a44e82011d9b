from collections.abc import Callable
from textwrap import dedent

import pytest

from refcli.analysis.coverage import Share, total
from refcli.analysis.examine import Findings
from refcli.core.problem import Code
from tests.helpers import CROSSING

Examine = Callable[..., Findings]

GIVEN = "given: {mover: tracked, rating: 1, stuck: no, wet: yes}"


def crossing(*examples: str) -> str:
    lines = "".join(f"  - {{name: example {n}, {text}}}\n" for n, text in enumerate(examples, 1))
    return dedent(CROSSING) + "examples:\n" + lines


def told(found: Findings) -> list[str]:
    return [str(problem) for problem in found.sorted if problem.code is Code.UNCOVERED]


def test_what_no_example_reaches_is_told_with_the_shortest_way(examined: Examine) -> None:
    found = examined(crossing(GIVEN + ", rolls: {die: 9}, outcome: through"))
    assert told(found) == [
        "made/chart.yaml:19:9: warning C603: no example applies 'Stuck' in 'modifier'; shortest way: modifier; "
        "add an example that does",
        "made/chart.yaml:30:3: warning C603: no example reaches node 'turn'; "
        "shortest way: modifier -> warn -> throw -> score -> turn; add an example that does",
        "made/chart.yaml:34:3: warning C603: no example reaches outcome 'halt'; "
        "shortest way: modifier -> warn -> throw -> score -> halt; add an example that does",
    ]
    shares = found.covers["made/chart"].shares
    assert {name: str(share) for name, share in shares.items()} == {
        "nodes": "4/5",
        "edges": "4/8",
        "outcomes": "1/2",
        "modifiers": "4/5",
    }


def test_edge_between_reached_nodes_is_told_by_its_case(examined: Examine) -> None:
    found = examined(
        crossing(
            GIVEN + ", rolls: {die: 9}, outcome: through",
            "given: {mover: tracked, rating: 1, stuck: yes, wet: yes, way: back}, rolls: {die: 3}, outcome: halt",
            "given: {mover: tracked, rating: 1, stuck: yes, wet: yes, way: on}, rolls: {die: 3}, outcome: through",
        )
    )
    assert told(found) == [
        "made/chart.yaml:29:18: warning C603: no example takes 'score' to 'halt' by '..3'; "
        "shortest way: modifier -> warn -> throw -> score -> halt; add an example that does"
    ]


def test_examples_that_fail_still_count_for_what_they_reach(examined: Examine) -> None:
    found = examined(crossing(GIVEN + ", rolls: {die: 9}, outcome: halt"))
    assert str(found.covers["made/chart"].outcomes) == "1/2"


def test_chart_without_any_example_is_told_once(examined: Examine) -> None:
    found = examined(CROSSING)
    assert [problem.code for problem in found.sorted] == [Code.NO_EXAMPLES]


def test_chart_that_only_serves_is_proved_by_the_examples_of_its_callers(examined: Examine) -> None:
    serving = "nodes: {throw: {roll: d6, cases: {..3: low, 4..: high}}}\noutcomes: {low: {title: Low}, high: {title: High}}\n"
    calling = """\
nodes: {call: {run: chart, cases: {low: end, high: far}}}
outcomes: {end: {title: End}, far: {title: Far}}
examples:
  - {name: low, rolls: {throw: 3}, outcome: end}
  - {name: high, rolls: {throw: 4}, outcome: end}
"""
    found = examined(serving, caller=calling)
    assert str(found.covers["made/chart"].edges) == "2/2"
    assert [problem.code for problem in found.sorted] == [Code.NO_EXAMPLES]
    assert list(found.charts) == ["made/chart"]


@pytest.mark.parametrize(
    ("done", "of", "percent"),
    [(0, 7, 0), (1, 3, 33), (999, 1000, 99), (9999, 10000, 99), (10000, 10000, 100), (0, 0, 100)],
    ids=["nothing", "a third", "nearly all", "all but one", "all", "of nothing"],
)
def test_percent_never_says_whole_before_it_is(done: int, of: int, percent: int) -> None:
    assert Share(done, of).percent == percent


def test_shares_of_several_charts_add_up(examined: Examine) -> None:
    cover = examined(crossing(GIVEN + ", rolls: {die: 9}, outcome: through")).covers["made/chart"]
    assert str(total([cover, cover])["edges"]) == "8/16"


def test_an_example_that_stops_hides_what_it_would_have_reached(examined: Examine) -> None:
    found = examined(crossing("given: {mover: tracked, rating: 1, stuck: no}, rolls: {die: 9}, outcome: through"))
    assert told(found) == []
    assert [problem.code for problem in found.sorted] == [Code.EXAMPLE]
    assert str(found.covers["made/chart"].nodes) == "0/5"
