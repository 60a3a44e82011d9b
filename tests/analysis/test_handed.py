from collections.abc import Callable

import pytest

from refcli.core.problem import Code

Told = Callable[..., list[str]]

BOOK = """
facts:
  smoke: {ask: Smoke cards, number: 0..5}
  men: {ask: The men, noun: man, list: [nerve]}
  nerve: {ask: His nerve, number: 1..6}
"""
OTHER = """
facts:
  force: {ask: Force, number: 0..6}
nodes:
  throw: {roll: d6, as: die, next: test}
  test: {decide: die > force + smoke, yes: good, no: bad}
outcomes: {good: {title: Good}, bad: {title: Bad}}
"""


def run(given: str) -> str:
    return f"""
facts:
  size: {{ask: Size, number: 0..9}}
nodes:
  call: {{run: other, with: {{{given}}}, next: end}}
outcomes: {{end: {{title: End}}}}
"""


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            "force: size",
            "made/chart.yaml:7:36: error C407: 'size' for 'force' can be 0..9; made/other takes 0..6; "
            "write `min(6, max(0, size))`, or widen 'force'",
        ),
        (
            "force: 0, die: size",
            "made/chart.yaml:7:44: error C407: 'size' for 'die' can be 0..9; made/other takes 1..6; "
            "write `min(6, max(1, size))`, or widen 'die'",
        ),
        (
            "force: 0, smoke: smoke - 1",
            "made/chart.yaml:7:46: error C407: 'smoke - 1' for 'smoke' can be -1..4; made/other takes 0..5; "
            "write `min(5, max(0, smoke - 1))`, or widen 'smoke'",
        ),
    ],
    ids=["own fact", "roll", "fact of the book"],
)
def test_number_handed_on_must_stay_in_its_range(told: Told, given: str, message: str) -> None:
    assert told(run(given), Code.OUT_OF_RANGE, book=BOOK, other=OTHER) == [message]


@pytest.mark.parametrize("given", ["force: 6", "force: 'min(size, 6)'", "force: 3, die: 'min(size, 5) + 1'"])
def test_number_within_its_range_is_no_problem(told: Told, given: str) -> None:
    assert told(run(given), Code.OUT_OF_RANGE, book=BOOK, other=OTHER) == []


def test_a_list_handed_on_must_have_a_size_that_is_taken(told: Told) -> None:
    book = """
    facts:
      nerve: {ask: His nerve, number: 1..6}
      men: {ask: The men, size: 1..10, list: [nerve]}
      crowd: {ask: A crowd, list: [nerve]}
      team: {ask: A team, size: 2..4, list: [nerve]}
    """
    other = """
    nodes:
      test: {decide: count(men where nerve > 3) > 2, yes: good, no: bad}
    outcomes: {good: {title: Good}, bad: {title: Bad}}
    """
    calls = """
    nodes:
      one: {run: other, with: {men: crowd}, next: two}
      two: {run: other, with: {men: team}, next: end}
    outcomes: {end: {title: End}}
    """
    assert told(calls, Code.OUT_OF_RANGE, book=book, other=other) == [
        "made/chart.yaml:5:33: error C407: 'crowd' for 'men' can be a list of 0 to 100; made/other takes 1 to 10; "
        "give 'crowd' the same `size:`"
    ]


def test_the_size_of_a_list_bounds_what_is_counted(told: Told) -> None:
    book = """
    facts:
      nerve: {ask: His nerve, number: 1..6}
      men: {ask: The men, size: 2..4, list: [nerve]}
      smoke: {ask: Smoke, number: 0..4}
    """
    text = """
    nodes:
      all: {each: men, run: other, with: {smoke: place}, next: whole}
      whole: {decide: count(men), cases: {2: some, 3..4: some}}
      some: {decide: count(men where nerve > 3), cases: {..0: end, 1..4: end}}
    outcomes: {end: {title: End}}
    """
    other = "nodes: {a: {decide: smoke > 2, yes: end, no: end}}\noutcomes: {end: {title: End}}\n"
    assert told(text, Code.OUT_OF_RANGE, Code.GAP, Code.OVERLAP, book=book, other=other) == []


def test_record_comes_before_facts_in_an_each(told: Told) -> None:
    text = """
    facts:
      nerve_lost: {ask: Lost, number: 0..1}
    nodes:
      all: {each: men, run: other, with: {force: nerve - nerve_lost, smoke: place - 1}, next: end}
    outcomes: {end: {title: End}}
    """
    assert told(text, Code.OUT_OF_RANGE, book=BOOK, other=OTHER) == [
        "made/chart.yaml:7:73: error C407: 'place - 1' for 'smoke' can be 0..99; made/other takes 0..5; "
        "write `min(5, max(0, place - 1))`, or widen 'smoke'"
    ]


def test_change_beside_the_outcomes_is_told_once(told: Told) -> None:
    text = """
    nodes:
      throw: {roll: d6, cases: {1: bad, 2..: good}}
    changes: {smoke: smoke + throw}
    outcomes: {good: {title: Good}, bad: {title: Bad, changes: {smoke: smoke - 1}}}
    """
    assert told(text, Code.OUT_OF_RANGE, book=BOOK) == [
        "made/chart.yaml:6:18: error C407: 'smoke + throw' for 'smoke' can be 1..11; it takes 0..5; "
        "write `min(5, max(0, smoke + throw))`, or widen 'smoke'",
        "made/chart.yaml:7:68: error C407: 'smoke - 1' for 'smoke' can be -1..4; it takes 0..5; "
        "write `min(5, max(0, smoke - 1))`, or widen 'smoke'",
    ]
