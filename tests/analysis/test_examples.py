from collections.abc import Callable
from textwrap import dedent

import pytest

from refcli.analysis.examine import Findings
from refcli.analysis.examples import check_example
from refcli.core.chart import Chart
from refcli.core.problem import Code
from refcli.core.walk import start
from tests.helpers import CARDS, CROSSING, MAN, MEN, VOLLEY

Examine = Callable[..., Findings]
LINE = 36
"""Where the first example stands."""


def crossing(example: str) -> str:
    return dedent(CROSSING) + f"examples:\n  - {{name: tank, {example}}}\n"


def told(found: Findings) -> list[str]:
    return [str(problem) for problem in found.sorted if problem.code is Code.EXAMPLE]


GIVEN = "given: {mover: tracked, rating: 1, stuck: no, wet: no}"


@pytest.mark.parametrize(
    "example",
    [
        GIVEN + ", rolls: {die: 3}, outcome: through, gives: {score: 6}, says: scores 6",
        "given: {mover: tracked, stuck: no, wet: no}, rolls: {die: 4}, outcome: through",
        GIVEN + ", rolls: {die: [9]}, outcome: through",
        "given: {mover: gun, stuck: [no], wet: no, way: back}, rolls: {die: 6}, outcome: halt",
        "given: {mover: gun, stuck: no, wet: no, way: on, chart.rating: 0}, rolls: {chart.die: 6}, outcome: through",
    ],
    ids=["all given", "default left out", "a list of rolls", "a list of answers", "names with their chart"],
)
def test_example_that_comes_out_is_no_problem(examined: Examine, example: str) -> None:
    assert told(examined(crossing(example))) == []


@pytest.mark.parametrize(
    ("example", "message"),
    [
        (
            GIVEN.replace("}", ", way: back}") + ", rolls: {die: 2}, outcome: through",
            "comes out as 'halt', not 'through'; decided at 'turn' (line 30), which was Back; mend the chart, or the example",
        ),
        (
            GIVEN + ", rolls: {die: 9}, outcome: through, gives: {score: 11}",
            "gives score 12, not 11; decided at 'score' (line 24), which was 12; mend the chart, or the example",
        ),
        (
            GIVEN + ", rolls: {die: 9}, outcome: through, gives: {sum: 11}",
            "gives no 'sum' (only score); decided at 'score' (line 24), which was 12; mend the chart, or the example",
        ),
        (
            GIVEN + ", rolls: {die: 9}, outcome: through, says: It scores 11",
            "says 'It scores 12.', without 'It scores 11'; decided at 'score' (line 24), which was 12; "
            "mend the chart, or the example",
        ),
        (
            "given: {mover: tracked, wet: no}, rolls: {die: 9}, outcome: through",
            "does not answer 'stuck' (made/chart); add `given: {stuck: …}`",
        ),
        (GIVEN + ", outcome: through", "does not roll 'die' (made/chart); add `rolls: {die: …}`"),
        (
            GIVEN + ", rolls: {die: 11}, outcome: through",
            "stops: rolls.die: d10 gives 1 to 10, not 11; mend the example, or the chart",
        ),
        (
            "given: {mover: tank, stuck: no, wet: no}, rolls: {die: 9}, outcome: through",
            "stops: mover: 'tank' is not a choice; it can be: tracked, troops, gun; mend the example, or the chart",
        ),
        (
            "given: {mover: tracked, stuk: no, wet: no}, rolls: {die: 9}, outcome: through",
            "stops: Chart has no fact 'stuk'; did you mean 'stuck'?; mend the example, or the chart",
        ),
        (
            GIVEN.replace("}", ", way: on}") + ", rolls: {die: 9, other: 3}, outcome: through",
            "stops: Chart has no roll 'other'; it can be: die; mend the example, or the chart",
        ),
        (
            GIVEN.replace("}", ", way: on}") + ", rolls: {die: 9}, outcome: through",
            "answers what is never asked: way; decided at 'score' (line 24), which was 12; take it out",
        ),
        (
            GIVEN + ", rolls: {die: [9, 3]}, outcome: through",
            "answers what is never asked: rolls.die (1 of 2 used); decided at 'score' (line 24), which was 12; take it out",
        ),
        (
            GIVEN + ", rolls: {die: 9}, draws: [b1], outcome: through",
            "answers what is never asked: draws (0 of 1 used); decided at 'score' (line 24), which was 12; take it out",
        ),
    ],
    ids=[
        "outcome",
        "number given",
        "name given",
        "words",
        "missing answer",
        "missing roll",
        "impossible roll",
        "impossible answer",
        "unknown fact",
        "unknown roll",
        "answer too many",
        "roll too many",
        "card too many",
    ],
)
def test_example_that_does_not_come_out_says_what_came(examined: Examine, example: str, message: str) -> None:
    assert told(examined(crossing(example))) == [f"made/chart.yaml:{LINE}:5: error C601: example 'tank' {message}"]


def test_yes_and_no_are_compared_as_such(examined: Examine) -> None:
    text = """\
nodes: {throw: {roll: d6, next: end}}
gives: {high: throw > 3, score: throw}
outcomes: {end: {title: End}}
examples:
  - {name: high, rolls: {throw: 4}, outcome: end, gives: {high: yes, score: 4}}
  - {name: one, rolls: {throw: 1}, outcome: end, gives: {high: no, score: yes}}
"""
    assert told(examined(text)) == [
        "made/chart.yaml:8:5: error C601: example 'one' gives score 1, not yes; mend the chart, or the example"
    ]


def test_house_rule_is_its_default_unless_the_example_sets_it(examined: Examine) -> None:
    text = """\
facts:
  way: {ask: Which way, choices: {away: Away, any: Any}, default: away, house_rule: true}
nodes: {pick: {decide: way, cases: {away: far, any: near}}}
outcomes: {far: {title: Far}, near: {title: Near}}
examples:
  - {name: as printed, outcome: far}
  - {name: house rule, given: {way: any}, outcome: near}
"""
    found = examined(text)
    assert told(found) == []
    assert str(found.covers["made/chart"].edges) == "2/2"


def test_default_that_reads_another_fact_needs_it_only_where_it_is_taken(examined: Examine) -> None:
    text = """\
facts:
  grade: {ask: Grade, number: 0..3}
  rating: {ask: Rating, number: 0..9, default: grade + 1}
nodes: {pick: {decide: rating, cases: {..3: low, 4..: high}}}
outcomes: {low: {title: Low}, high: {title: High}}
examples:
  - {name: rating read off the card, given: {rating: 5}, outcome: high}
  - {name: rating from the grade, given: {grade: 3}, outcome: high}
  - {name: both, given: {grade: 3, rating: 2}, outcome: low}
"""
    assert told(examined(text)) == [
        "made/chart.yaml:11:5: error C601: example 'both' answers what is never asked: grade; "
        "decided at 'pick' (line 6), which was 2; take it out"
    ]


def test_example_of_a_chart_that_runs_another_answers_both(examined: Examine) -> None:
    text = (
        dedent(VOLLEY)
        + """\
examples:
  - name: one falls
    given: {shots: 2, men: [{name: Ann, down: no, nerve: 2}, {down: yes}], brave: no}
    rolls: {fire: [4, 5]}
    draws: [{suit: b1}]
    outcome: bad
  - name: one stands
    given: {shots: 1, men: [{down: no, nerve: 2}], brave: yes}
    rolls: {fire: [4]}
    draws: [{suit: b1, spot: {2: 3}}]
    outcome: good
  - name: nobody
    given: {shots: 0, men: []}
    outcome: good
"""
    )
    found = examined(text, book="facts:" + MEN, cards=CARDS, man=MAN)
    assert told(found) == []
    assert {name: str(cover.edges) for name, cover in found.covers.items()} == {
        "made/chart": "4/4",
        "made/man": "4/5",
    }


def test_missing_card_and_pool_are_told_by_name(examined: Examine) -> None:
    text = (
        dedent(VOLLEY)
        + """\
examples:
  - {name: no dice, given: {shots: 3, men: []}, outcome: good}
  - {name: no card, given: {shots: 0, men: [{down: no}]}, outcome: good}
"""
    )
    assert told(examined(text, book="facts:" + MEN, cards=CARDS, man=MAN)) == [
        "made/chart.yaml:14:5: error C601: example 'no dice' does not roll 'fire' (made/chart); "
        "add `rolls: {fire: […, …, …]}`",
        "made/chart.yaml:15:5: error C601: example 'no card' does not draw the card 'card' (made/man); "
        "add it to `draws: […]`",
    ]


def test_walk_that_has_not_ended_cannot_be_checked(chart_of: Callable[..., Chart]) -> None:
    chart = chart_of(crossing(GIVEN + ", rolls: {die: 3}, outcome: through"))
    with pytest.raises(TypeError, match="the walk has not ended"):
        check_example(chart, chart.examples[0], start(chart), [])
