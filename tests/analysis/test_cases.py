from collections.abc import Callable

import pytest

from refcli.analysis.checks.cases import check_cases, check_look_ups
from refcli.analysis.checks.tables import check_tables
from refcli.core import types as t
from refcli.core.chart import Chart
from refcli.core.parts import exprs_of
from refcli.core.problem import Code

Told = Callable[..., list[str]]

OUT = """
outcomes:
  good: {title: Good}
  bad: {title: Bad}
"""
FACTS = """
facts:
  size: {ask: Size, number: 0..9}
  wide: {ask: Width, number: ..}
  terrain: {ask: Ground, choices: {open: Open, woods: Woods, hill: Hill}}
  wet: Is it wet?
"""


START = """\
nodes:
  start: {decide: wet, yes: other, no: pick}
  other: {decide: wet, yes: good, no: bad}
"""
"""Every outcome is reached, so that a test may leave any out."""


def decide(expression: str, cases: str) -> str:
    return f"{FACTS}{START}  pick:\n    decide: {expression}\n    cases: {{{cases}}}\n{OUT}"


@pytest.mark.parametrize(
    ("expression", "cases", "message"),
    [
        (
            "size",
            "0..3: good, 5..7: bad",
            "made/chart.yaml:12:3: error C403: 4 and 8..9 of 'size' have no case; 'size' can be 0..9; "
            "add `4: …`, `8..9: …`, or `else: …` for the rest",
        ),
        (
            "wide",
            "1..: good",
            "made/chart.yaml:12:3: error C403: ..0 of 'wide' has no case; 'wide' can be any number; "
            "add `..0: …`, or `else: …` for the rest",
        ),
        (
            "terrain",
            "open: good",
            "made/chart.yaml:12:3: error C403: woods and hill of 'terrain' have no case; "
            "'terrain' can be open, woods, hill; add `woods: …`, `hill: …`, or `else: …` for the rest",
        ),
        (
            "size - 2",
            "..0: good, 1..6: bad",
            "made/chart.yaml:12:3: error C403: 7 of 'size - 2' has no case; 'size - 2' can be -2..7; "
            "add `7: …`, or `else: …` for the rest",
        ),
    ],
    ids=["closed numbers", "open numbers", "words", "arithmetic"],
)
def test_gap_names_the_values_and_the_cases_to_add(told: Told, expression: str, cases: str, message: str) -> None:
    assert told(decide(expression, cases), Code.GAP) == [message]


@pytest.mark.parametrize(
    ("expression", "cases"),
    [
        ("size", "..4: good, 5..: bad"),
        ("size", "3: good, else: bad"),
        ("terrain", "open: good, else: bad"),
        ("terrain", "open: good, woods: bad, hill: bad"),
        ("wet", "yes: good, no: bad"),
        ("min(size, 3)", "0..2: good, 3: bad"),
        ("open if wet else woods", "open: good, woods: bad"),
    ],
    ids=["two open bands", "number and else", "word and else", "all words", "yes and no", "narrowed", "some words"],
)
def test_whole_cases_are_no_problem(told: Told, expression: str, cases: str) -> None:
    assert told(decide(expression, cases), Code.GAP, Code.OVERLAP) == []


def test_overlap_names_both_cases_and_what_they_share(told: Told) -> None:
    assert told(decide("size", "..5: good, 5..6: bad, 7..: good"), Code.OVERLAP) == [
        "made/chart.yaml:14:30: error C404: ..5 and 5..6 both hold 5; the first one wins; give each value one case"
    ]


def test_overlap_outside_the_range_is_only_a_dead_case(told: Told) -> None:
    assert told(decide("size", "..5: good, 6..: bad, 12..: good"), Code.OVERLAP) == [
        "made/chart.yaml:14:40: warning C404: case '12..' can never come up; 'size' can be 0..9; "
        "delete it, or mend what it looks at"
    ]


@pytest.mark.parametrize(
    ("expression", "cases", "message"),
    [
        ("size", "..9: good, else: bad", "case 'else' can never come up; the others hold all of 0..9"),
        ("open if wet else woods", "open: good, else: bad", None),
        (
            "open if size < 20 else woods",
            "open: good, woods: bad",
            "case 'woods' can never come up; 'open if size < 20 else woods' is always open",
        ),
        ("size >= 0", "yes: good, no: bad", "case 'no' can never come up; 'size >= 0' is always yes"),
    ],
    ids=["else behind a whole", "living else", "word", "always yes"],
)
def test_dead_case_says_what_can_come_up(told: Told, expression: str, cases: str, message: str | None) -> None:
    found = told(decide(expression, cases), Code.OVERLAP)
    if message is None:
        assert found == []
    else:
        column = f"    cases: {{{cases}}}".rindex(": ") + 3
        tail = "delete it, or mend what it looks at"
        assert found == [f"made/chart.yaml:14:{column}: warning C404: {message}; {tail}"]


def test_yes_or_no_that_never_comes_up_is_told(told: Told) -> None:
    text = f"{FACTS}{START}  pick: {{decide: size > 9, yes: good, no: bad}}\n{OUT}"
    assert told(text, Code.OVERLAP) == [
        "made/chart.yaml:12:33: warning C404: case 'yes' can never come up; 'size > 9' is always no; "
        "delete it, or mend what it looks at"
    ]


def test_tally_range_comes_from_its_modifiers(told: Told) -> None:
    text = f"""{FACTS}{START}
  pick: {{roll: d6, as: die, next: sum}}
  sum:
    tally: total
    start: die
    modifiers:
      - {{when: wet, add: -2}}
      - {{by: terrain, add: {{woods: +1}}}}
    cases: {{1..7: good}}
{OUT}"""
    assert told(text, Code.GAP) == [
        "made/chart.yaml:14:3: error C403: -1..0 of 'total' has no case; 'total' can be -1..7; "
        "add `-1..0: …`, or `else: …` for the rest"
    ]


def test_roll_may_have_cases_of_its_own(told: Told) -> None:
    text = "nodes:\n  throw: {roll: 2d6, cases: {2..7: good, 9..: bad}}\n" + OUT
    assert told(text, Code.GAP) == [
        "made/chart.yaml:4:3: error C403: 8 of 'throw' has no case; 'throw' can be 2..12; "
        "add `8: …`, or `else: …` for the rest"
    ]


def test_pool_counts_no_more_than_its_dice(told: Told) -> None:
    text = f"""{FACTS}
nodes:
  throw: {{roll: d6, dice: size, count: {{hits: die >= 5}}, cases: {{0: bad, 1..8: good}}}}
{OUT}"""
    assert told(text, Code.GAP) == [
        "made/chart.yaml:11:3: error C403: 9 of 'hits' has no case; 'hits' can be 0..9; "
        "add `9: …`, or `else: …` for the rest"
    ]


def test_run_needs_a_case_for_every_outcome(told: Told) -> None:
    other = "nodes: {throw: {roll: d6, cases: {1: low, 2..5: middle, 6: high}}}\n"
    other += "outcomes: {low: {title: Low}, middle: {title: Middle}, high: {title: High}}\n"
    text = "nodes:\n  call: {run: other, cases: {low: bad, high: good}}\n" + OUT
    assert told(text, Code.GAP, other=other) == [
        "made/chart.yaml:4:3: error C403: middle of 'outcome of made/other' has no case; "
        "'outcome of made/other' can be low, middle, high; add `middle: …`, or `else: …` for the rest"
    ]


def test_look_up_may_lack_keys_but_not_have_two_for_one_value(told: Told) -> None:
    text = f"""{FACTS}
nodes:
  sum:
    tally: total
    modifiers:
      - {{by: terrain, add: {{woods: +1}}}}
      - {{by: size, add: {{..3: 1, 3..5: 2, 10..: 3}}}}
    cases: {{..2: bad, 3..: good}}
{OUT}"""
    assert told(text, Code.GAP, Code.OVERLAP) == [
        "made/chart.yaml:15:40: error C404: ..3 and 3..5 both hold 3; the first one wins; give each value one key",
        "made/chart.yaml:15:49: warning C404: key '10..' can never come up; 'size' can be 0..9; "
        "delete it, or mend what it looks at",
    ]


def test_number_that_a_chart_gives_has_its_range(told: Told) -> None:
    other = "nodes: {throw: {roll: d6, next: end}}\ngives: {score: throw}\noutcomes: {end: {title: End}}\n"
    text = "nodes:\n  call: {run: other, as: back, next: pick}\n"
    text += "  pick: {decide: back.score - 1, cases: {0..4: good, 6..: bad}}\n" + OUT
    assert told(text, Code.GAP, Code.OVERLAP, other=other) == [
        "made/chart.yaml:5:3: error C403: 5 of 'back.score - 1' has no case; 'back.score - 1' can be 0..5; "
        "add `5: …`, or `else: …` for the rest",
        "made/chart.yaml:5:59: warning C404: case '6..' can never come up; 'back.score - 1' can be 0..5; "
        "delete it, or mend what it looks at",
    ]


def test_counts_and_totals_of_a_list_may_be_any_number(told: Told) -> None:
    text = """
facts:
  men: {ask: The men, noun: man, list: [nerve]}
  nerve: {ask: His nerve, number: 1..6}
nodes:
  many: {decide: count(men), cases: {1..: much, 0: bad}}
  much: {decide: total(men.nerve), cases: {1..: good}}
"""
    assert told(text + OUT, Code.GAP) == [
        "made/chart.yaml:9:3: error C403: ..0 of 'total(men.nerve)' has no case; 'total(men.nerve)' can be any number; "
        "add `..0: …`, or `else: …` for the rest"
    ]


def test_many_gaps_are_not_all_listed(told: Told) -> None:
    cases = ", ".join(f"{number}: good" for number in range(0, 30, 3))
    assert told(decide("wide", cases), Code.GAP) == [
        "made/chart.yaml:12:3: error C403: ..-1, 1..2, 4..5, 7..8, 10..11, 13..14 and 5 more of 'wide' have no case; "
        "'wide' can be any number; add `..-1: …`, `1..2: …`, `4..5: …`, `7..8: …`, `10..11: …`, `13..14: …`, "
        "or `else: …` for the rest"
    ]


@pytest.mark.parametrize(
    "node",
    [
        "pick: {decide: size, cases: {1: good, else: bad}}",
        "pick: {table: size, rows: {1: good, else: bad}}",
        "pick: {tally: sum, modifiers: [{by: size, add: {1: 1}}], cases: {..0: good, 1..: bad}}",
    ],
    ids=["decision", "table", "look-up"],
)
def test_value_of_no_known_type_is_left_alone(
    chart_of: Callable[..., Chart], monkeypatch: pytest.MonkeyPatch, node: str
) -> None:
    chart = chart_of(f"facts:\n  size: {{ask: Size, number: 0..0}}\nnodes:\n  {node}\n{OUT}")
    for expr in exprs_of(chart.nodes["pick"]):
        expr.type, expr.tree = (t.ANYTHING, ("name", "nobody")) if expr.text == "size" else (expr.type, expr.tree)
    assert [problem for check in (check_cases, check_tables, check_look_ups) for problem in check(chart)] == []


def test_charts_that_are_run_are_looked_at_once(told: Told) -> None:
    other = "nodes: {throw: {roll: d6, cases: {1..5: end}}}\noutcomes: {end: {title: End}}\n"
    text = (
        "nodes:\n  one: {run: other, next: two}\n  two: {run: other, next: good}\noutcomes: {good: {title: Good}}\n"
    )
    assert told(text, other=other) == [
        "made/other.yaml:3:9: error C403: 6 of 'throw' has no case; 'throw' can be 1..6; "
        "add `6: …`, or `else: …` for the rest"
    ]
