from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from refcli.analysis.paths import edges_of
from refcli.analysis.trace import Passed, applied_modifiers, trace
from refcli.core.chart import Chart, TallyNode
from refcli.core.errors import ChartError, RefcliError
from refcli.core.family import family
from refcli.core.need import Outcome
from refcli.core.position import Frame
from refcli.core.trail import Line
from refcli.core.walk import Walk, advance, pending, start
from refcli.drivers.loop import drive
from refcli.drivers.script import Case, CaseSupplier, Defaults
from refcli.load.library import Library
from tests.helpers import CARDS, CROSSING, MAN, MEN, VOLLEY
from tests.strategies import charts, files, reply

ChartOf = Callable[..., Chart]


def played(chart: Chart, known: dict[str, Any] | None = None, **case: Any) -> dict[str, Passed]:
    return trace(chart, drive(start(chart, known), [CaseSupplier(Case(**case)), Defaults()]).trail)


def test_trace_tells_nodes_edges_outcome_and_modifiers(chart_of: ChartOf) -> None:
    given = {"mover": "gun", "stuck": False, "wet": True, "way": "on"}
    assert played(chart_of(CROSSING), given=given, rolls={"die": 6}) == {
        "made/chart": Passed(
            nodes={"modifier", "warn", "throw", "score", "turn"},
            edges={
                ("modifier", "next"),
                ("warn", "next"),
                ("throw", "next"),
                ("score", "4..5"),
                ("turn", "on"),
            },
            outcomes={"through"},
            modifiers={("modifier", 0), ("modifier", 3), ("score", 0)},
        )
    }


def test_trace_follows_an_each_into_its_chart(chart_of: ChartOf) -> None:
    chart = chart_of(VOLLEY, book="facts:" + MEN, cards=CARDS, man=MAN)
    men = [{"down": False, "nerve": 1}, {"down": True}, {"down": False, "nerve": 6}]
    found = played(
        chart,
        given={"shots": 3, "men": men, "brave": True},
        rolls={"fire": [4, 5, 6]},
        draws=["b1", {"suit": "r2", "spot": {"2": 2}}],
    )
    assert found["made/chart"].edges == {("fire", "next"), ("each_man", "next"), ("done", "yes")}
    assert found["made/man"].edges == {("card", "next"), ("test", "no"), ("test", "yes"), ("column", "yes")}
    assert found["made/man"].outcomes == {"stands", "falls"}


def test_trace_finds_runs_that_leave_no_step(chart_of: ChartOf) -> None:
    """A run behind an each that ended, a run right at the start, a run behind a run."""
    outer = """
    nodes:
      all: {each: men, run: inner, next: once}
      once: {run: inner, cases: {high: twice, low: twice}}
      twice: {run: inner, next: end}
    outcomes: {end: {title: End}}
    """
    inner = """
    nodes:
      first: {run: deep, cases: {one: low, more: high}}
    outcomes: {low: {title: Low}, high: {title: High}}
    """
    deep = """
    nodes: {throw: {roll: d6, cases: {1: one, 2..: more}}}
    outcomes: {one: {title: One}, more: {title: More}}
    """
    chart = chart_of(outer, book="facts:" + MEN, inner=inner, deep=deep)
    found = played(chart, given={"men": [{}]}, rolls={"throw": [1, 1, 4]})
    assert found["made/chart"] == Passed(
        nodes={"all", "once", "twice"},
        edges={("all", "next"), ("once", "low"), ("twice", "next")},
        outcomes={"end"},
    )
    assert found["made/inner"].edges == {("first", "one"), ("first", "more")}
    nobody = played(chart, given={"men": []}, rolls={"throw": [4, 4]})
    assert nobody["made/chart"].edges == {("all", "next"), ("once", "high"), ("twice", "next")}


def test_trace_tells_cases_apart_that_lead_to_one_node(chart_of: ChartOf) -> None:
    text = """
    facts:
      need: {ask: Needed, number: 1..6}
    nodes:
      pool: {roll: d6, dice: 2, count: {hits: die >= need}, cases: {0: look, 1: look, 2: look}}
      look:
        table: [need, hits]
        columns: [0, 1..]
        rows: {..2: [low, 1], 3..: [2, low]}
        as: cell
        next: end
    outcomes: {low: {title: Low}, end: {title: End, says: <cell>}}
    """
    chart = chart_of(text)
    one = played(chart, {"need": 3}, rolls={"pool": [3, 2]})["made/chart"]
    assert one.edges == {("pool", "1"), ("look", "low")}
    two = played(chart, {"need": 2}, rolls={"pool": [3, 2]})["made/chart"]
    assert two.edges == {("pool", "2"), ("look", "next")}


def test_pool_that_cannot_be_counted_again_takes_the_first_case_that_leads_there(chart_of: ChartOf) -> None:
    text = """
    nodes:
      pool: {roll: d6, dice: 2, count: {hits: die > count(men)}, cases: {0: low, 1: end, 2: end}}
    outcomes: {low: {title: Low}, end: {title: End}}
    """
    chart = chart_of(text, book="facts:" + MEN)
    assert played(chart, {"men": []}, rolls={"pool": [3, 2]})["made/chart"].edges == {("pool", "1")}


TALLY = """
facts:
  way: {ask: Way, choices: {near: Near, far: Far}}
  size: {ask: Size, number: 0..9}
  wet: Is it wet?
nodes:
  sum:
    tally: sum
    modifiers:
      - {when: way is near, add: 1, label: Way}
      - {when: way is far, add: 'min(size, 3)', label: Way}
      - {by: size, add: {1..3: 1, 4..: 2}}
      - {by: wet, add: {yes: 1}}
      - {add: size, label: Size of <size>}
      - {multiply: 2, when: wet}
    next: end
outcomes: {end: {title: End, says: <sum>}}
"""


@pytest.mark.parametrize(
    ("given", "applied"),
    [
        ({"way": "near", "size": 1, "wet": False}, {0, 2, 4}),
        ({"way": "far", "size": 1, "wet": False}, {1, 2, 4}),
        ({"way": "far", "size": 0, "wet": True}, {3, 5}),
    ],
    ids=["first of two labels", "second of two labels", "yes and times"],
)
def test_trace_tells_which_modifiers_applied(chart_of: ChartOf, given: dict[str, Any], applied: set[int]) -> None:
    found = played(chart_of(TALLY), given=given)["made/chart"]
    assert found.modifiers == {("sum", number) for number in applied}


def test_modifier_that_cannot_be_told_apart_is_the_first(chart_of: ChartOf) -> None:
    node = chart_of(TALLY).nodes["sum"]
    assert isinstance(node, TallyNode)
    assert applied_modifiers(node, [Line("Way", 1)], {}) == [0]
    assert applied_modifiers(node, [Line("Way", 3)], {}) == [1]
    assert applied_modifiers(node, [Line("Unheard of", 3)], {}) == []
    assert applied_modifiers(node, [Line("Way", 1)], {"way": "far", "size": 9, "wet": False}) == [1]


SETTINGS = settings(deadline=None, max_examples=100, suppress_health_check=list(HealthCheck))
Move = tuple[str, str, str]


def finish(chart: Chart, data: st.DataObject) -> Walk:
    walk = start(chart)
    for _ in range(60):
        need = pending(walk)
        if isinstance(need, Outcome):
            return walk
        walk = advance(walk, reply(data.draw, need))
    return walk


@SETTINGS
@given(text=charts(), data=st.data())
def test_trace_tells_every_move_of_the_walk_and_no_other(
    tmp_path_factory: Any, text: str, data: st.DataObject
) -> None:
    """The oracle is what moves a frame: nothing else can change the node where it stands."""
    folder: Path = tmp_path_factory.mktemp("charts")
    for name, content in files(text).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(dedent(content), encoding="utf-8")
    moves: set[Move] = set()
    move = Frame.at

    def watched(frame: Frame, node: str) -> Frame:
        moves.add((frame.chart.id, frame.node, node))
        return move(frame, node)

    try:
        chart = Library([folder]).load("made/chart")
        with patch.object(Frame, "at", watched):
            walk = finish(chart, data)
    except (ChartError, RefcliError):
        assume(False)
    assume(isinstance(pending(walk), Outcome))
    found = trace(chart, walk.trail)
    traced: set[Move] = set()
    for name, one in family([chart]).items():
        for node in one.nodes.values():
            taken = found.get(name, Passed()).edges
            traced |= {(name, edge.node, edge.target) for edge in edges_of(node) if (edge.node, edge.key) in taken}
    assert traced == moves
