"""What the checks let pass does not fail: charts nobody thought of, walked through with every answer."""

from itertools import pairwise, product
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from refcli.analysis.checks import check_chart
from refcli.core.chart import Chart
from refcli.core.errors import ChartError, LimitError, WalkError
from refcli.core.need import Ask, Draw, Need, Outcome
from refcli.core.problem import Code, Severity
from refcli.core.walk import Walk, advance, pending, start
from tests.helpers import load_chart

SETTINGS = settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))
FACTS = """
facts:
  size: {ask: Size, number: 0..3}
  wet: Is it wet?
  terrain: {ask: Ground, choices: {open: {label: Open, tem: 0}, woods: {label: Woods, tem: -2}}}
"""
OUT = "outcomes: {good: {title: Good}, bad: {title: Bad}}\n"
NUMBERS = ["size", "size - 1", "terrain.tem + size", "half_up(size)", "2 if wet else size"]
TESTS = ["wet", "size > 2", "size >= 0", "terrain is woods and wet", "terrain.tem < size - 9"]


@st.composite
def cases(draw: st.DrawFn, targets: list[str]) -> str:
    """Bands that may leave gaps, meet or lie beyond all values."""
    cuts = draw(st.lists(st.integers(-4, 6), min_size=1, max_size=3, unique=True).map(sorted))
    low = draw(st.sampled_from(["", str(cuts[0] - 1)]))
    found = [f"{low}..{cuts[0]}"] if low != str(cuts[0]) else []
    for a, b in pairwise(cuts):
        found.append(f"{a + draw(st.sampled_from([1, 1, 1, 0, 2]))}..{b}" if b > a + 1 else str(b))
    found.append(draw(st.sampled_from([f"{cuts[-1] + 1}..", f"{cuts[-1] + 1}..9", "else"])))
    pairs = [f"{key}: {draw(st.sampled_from(targets))}" for key in dict.fromkeys(found)]
    return "{" + ", ".join(pairs) + "}"


@st.composite
def texts(draw: st.DrawFn) -> str:
    """A chart of a few nodes that lead forward, and back to a throw."""
    count = draw(st.integers(1, 4))
    lines = []
    for index in range(count):
        ahead = [f"n{later}" for later in range(index + 1, count)] + ["good", "bad"]
        targets = [*ahead, *(f"n{i}" for i in range(index + 1) if draw(st.booleans()))] if index % 2 else ahead
        to, number = draw(st.sampled_from(ahead)), draw(st.sampled_from(NUMBERS))
        kind = draw(st.sampled_from(["decide", "yes", "tally", "roll", "table"]))
        match kind:
            case "decide":
                lines.append(f"n{index}: {{decide: {number}, cases: {draw(cases(targets))}}}")
            case "yes":
                test, other = draw(st.sampled_from(TESTS)), draw(st.sampled_from(ahead))
                lines.append(f"n{index}: {{decide: {test}, yes: {to}, no: {other}}}")
            case "tally":
                when = draw(st.sampled_from(TESTS))
                lines.append(
                    f"n{index}: {{tally: sum{index}, start: {number}, "
                    f"modifiers: [{{when: {when}, add: -1}}, {{by: terrain, add: {{woods: 2}}}}], "
                    f"cases: {draw(cases(targets))}}}"
                )
            case "roll":
                lines.append(f"n{index}: {{roll: d3, as: die{index}, cases: {draw(cases([*ahead, f'n{index}']))}}}")
            case _:
                rows = draw(cases([f"[{target}]" for target in targets]))
                lines.append(f"n{index}: {{table: {number}, rows: {rows}}}")
    return FACTS + "nodes:\n" + "".join(f"  {line}\n" for line in lines) + OUT


def brute_answers() -> list[dict[str, Any]]:
    return [
        {"size": size, "wet": wet, "terrain": terrain}
        for size, wet, terrain in product(range(4), (True, False), ("open", "woods"))
    ]


def roll_all(walk: Walk, depth: int = 3) -> None:
    """Every throw there is, a few deep."""
    need: Need = pending(walk)
    if isinstance(need, Outcome) or depth == 0:
        return
    assert not isinstance(need, Ask | Draw)
    for face in range(need.dice.low, need.dice.high + 1):
        roll_all(advance(walk, face), depth - 1)


def load(folder: Path, text: str) -> Chart:
    try:
        return load_chart(folder, text)
    except ChartError:
        assume(False)
        raise


def errors(chart: Chart) -> set[Code]:
    return {problem.code for problem in check_chart(chart) if problem.severity is Severity.ERROR}


@SETTINGS
@given(text=texts())
def test_chart_that_passes_has_a_case_for_every_value(tmp_path_factory: Any, text: str) -> None:
    chart = load(tmp_path_factory.mktemp("charts"), text)
    found = errors(chart)
    event(f"gap: {Code.GAP in found}")
    assume(Code.GAP not in found)
    for answers in brute_answers():
        roll_all(start(chart, answers))


@SETTINGS
@given(cases(["good", "bad"]), st.sampled_from(["size", "size - 1", "half_up(size)"]))
def test_gap_is_told_only_where_a_value_has_no_case(tmp_path_factory: Any, written: str, number: str) -> None:
    """One fact alone is seen exactly: what is told as a gap stops a walk, what stops a walk is told."""
    text = f"""{FACTS}
nodes:
  first: {{decide: wet, yes: second, no: test}}
  second: {{decide: terrain is woods, yes: good, no: bad}}
  test: {{decide: {number}, cases: {written}}}
{OUT}"""
    chart = load(tmp_path_factory.mktemp("charts"), text)
    stops = False
    for answers in brute_answers():
        try:
            start(chart, answers)
        except LimitError:
            raise
        except WalkError:
            stops = True
    assert (Code.GAP in errors(chart)) is stops
