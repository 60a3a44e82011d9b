"""The fast path rules as the walk does, or leaves it to the walk: made-up charts and cases, and all that are shipped."""

import itertools
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from refcli.cli.cases import read_rows
from refcli.cli.referee import Referee
from refcli.core.fast import compiled
from refcli.drivers.batch.row import Row
from refcli.drivers.chance import Chance
from refcli.load.library import Library
from tests.core.conftest import ChartOf
from tests.core.fast_charts import BOOK, CARDS, HELPER, OTHER, cases, made_charts
from tests.strategies import charts, files

ROOT = Path(__file__).parents[2]
SETTINGS = settings(deadline=None, max_examples=120, suppress_health_check=list(HealthCheck))


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Charts are compiled for their first case."""
    monkeypatch.setattr("refcli.drivers.quick.FIRST", 0)
    monkeypatch.setattr("refcli.drivers.quick.WORTH", 10**9)


def referee_of(text: str, folder: Path, other: str = OTHER, **options: Any) -> Referee:
    made = folder / "made"
    made.mkdir(exist_ok=True)
    files = {"book": BOOK, "cards": CARDS, "helper": HELPER, "other": other, "chart": text}
    for name, content in files.items():
        (made / f"{name}.yaml").write_text(content, encoding="utf-8")
    return Referee(Library([folder]), "made/chart", None, **options)


def compare(referee: Referee, raw: dict[str, Any]) -> bool | None:
    """See that the compiled chart says what the walk says, if it says anything: whether it did; None if nobody did."""
    found = referee.quick(raw, 7)
    if found is not None:
        assert json.dumps(found) == json.dumps(referee.rule(Row(7, 7, raw)))
        return True
    return None if "error" in referee.line(Row(7, 7, raw)) else False


def compare_some(data: st.DataObject, folder: Path, text: str) -> list[bool | None]:
    """See to some cases for a made-up chart."""
    options = {"trail": data.draw(st.booleans()), "house_rules": data.draw(st.booleans())}
    referee = referee_of(text, folder, **options)
    known = referee.chart("made/chart")
    some = data.draw(st.lists(cases(known.facts, frozenset(known.rolls)), min_size=1, max_size=5))
    return [compare(referee, raw) for raw in some]


@SETTINGS
@given(text=made_charts(), data=st.data())
def test_rulings_are_those_of_the_walk(
    tmp_path_factory: pytest.TempPathFactory, text: str, data: st.DataObject
) -> None:
    compare_some(data, tmp_path_factory.mktemp("charts"), text)


@SETTINGS
@given(text=charts(), data=st.data())
def test_rulings_of_simpler_charts_are_those_of_the_walk(
    tmp_path_factory: pytest.TempPathFactory, text: str, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("charts")
    (folder / "made").mkdir()
    for name, content in files(text).items():
        (folder / name).write_text(content, encoding="utf-8")
    referee = Referee(Library([folder]), "made/chart", None, trail=data.draw(st.booleans()))
    known = referee.chart("made/chart")
    for raw in data.draw(st.lists(cases(known.facts, frozenset(known.rolls)), min_size=1, max_size=5)):
        compare(referee, raw)


def test_few_of_those_cases_are_left_to_the_walk(tmp_path_factory: pytest.TempPathFactory) -> None:
    seen: Counter[bool | None] = Counter()

    @settings(SETTINGS, derandomize=True, max_examples=60)
    @given(text=made_charts(), data=st.data())
    def look(text: str, data: st.DataObject) -> None:
        seen.update(compare_some(data, tmp_path_factory.mktemp("charts"), text))

    look()
    assert seen[True] > 4 * seen[False], seen
    assert seen[True] > 30, seen


@SETTINGS
@given(text=made_charts(), data=st.data())
def test_decisions_are_those_of_the_walk(
    tmp_path_factory: pytest.TempPathFactory, text: str, data: st.DataObject
) -> None:
    referee = referee_of(text, tmp_path_factory.mktemp("charts"))
    known = referee.chart("made/chart")
    fast = compiled(known.chart)
    assert fast is not None
    plain = frozenset(name for name in known.facts if "." not in name)
    raw = data.draw(cases(plain, frozenset(name for name in known.rolls if "." not in name), odd=False))
    found = fast.decide(raw["given"], raw["rolls"])
    if found is not None:
        raw = {key: raw[key] for key in ("given", "rolls")}
        walked = referee.rule(Row(1, 1, raw))
        assert found == (walked["outcome"], walked["gives"])


SUB = """
title: Other
summary: Made up.
facts:
  wet: 'Is it wet?'
  pace: {ask: Pace, number: 0..3, note: 'Reading: pace.'}
  load: {ask: Load, number: 0..5, default: 2}
  limit: {ask: Limit, number: 0..9, default: pace + load}
  spare: {ask: Spare, number: 0..9, default: load - pace}
  all: {ask: All, number: 0..20, default: limit + pace}
  one: {ask: One, number: 0..9, default: pace}
  some: {ask: Some, number: 0..9, default: pace if wet else load}
nodes:
  begin: {do: Begin., next: look}
NODES
outcomes: {good: {title: Good}, bad: {title: Bad}}
"""
ASKED_BEHIND = {
    "a default": "  look: {decide: limit > 4, yes: good, no: bad}",
    "a default of a default": "  look: {decide: all > 6, yes: good, no: bad}",
    "a default with a condition": "  look: {decide: some > 2, yes: good, no: bad}",
    "what is known": (
        "  look: {decide: load > 2, yes: later, no: later}\n  later: {decide: limit > 4, yes: good, no: bad}"
    ),
    "what may be known": (
        "  look: {decide: wet, yes: first, no: later}\n  first: {decide: load > 2, yes: later, no: later}\n"
        "  later: {decide: limit > 4 and some > 2 or spare > 1, yes: good, no: bad}"
    ),
    "two defaults": "  look: {decide: limit > 4 and spare > 1, yes: good, no: bad}",
    "a form": "  look: {tally: sum, modifiers: [{add: spare}, {add: one}], cases: {..2: bad, 3..: good}}",
    "a form with conditions": (
        "  look: {tally: sum, modifiers: [{add: limit, when: wet}, {add: spare}, {add: load}],"
        " cases: {..2: bad, 3..: good}}"
    ),
    "a form of one": "  look: {tally: sum, start: load, modifiers: [{add: limit}], cases: {..4: bad, 5..: good}}",
    "a loop": (
        "  look: {decide: wet, yes: again, no: first}\n  first: {decide: limit > 4, yes: bad, no: again}\n"
        "  again: {roll: d6, cases: {..3: third, 4..: good}}\n  third: {decide: spare > 1, yes: first, no: look}"
    ),
}


@pytest.mark.parametrize("way", ASKED_BEHIND)
@pytest.mark.parametrize("each", [False, True], ids=["run", "each"])
def test_what_is_asked_only_for_a_default_counts_as_used_where_the_walk_asks_it(
    tmp_path: Path, way: str, each: bool
) -> None:
    start = "  begin: {each: squad, run: other, next: done}" if each else "  begin: {run: other, next: done}"
    top = f"title: Top\nsummary: Made up.\nnodes:\n{start}\noutcomes: {{done: {{title: Done}}}}\n"
    referee = referee_of(top, tmp_path, SUB.replace("NODES", ASKED_BEHIND[way]))
    answers = {"wet": True, "pace": 1, "load": 3, "limit": 5, "spare": 2, "all": 7, "one": 2, "some": 4}
    told = {"squad": [{"name": "Abel"}, {"name": "Bert"}]} if each else {}
    rolls = {"again": [2, 5, 2, 3, 6]} if "roll" in ASKED_BEHIND[way] else {}
    seen: Counter[bool | None] = Counter()
    for some in itertools.product([False, True], repeat=len(answers)):
        given = {name: value for (name, value), kept in zip(answers.items(), some, strict=True) if kept}
        for wet in (True, False):
            given = {**told, **given} | ({"wet": wet} if "wet" in given else {})
            seen[compare(referee, {"id": 1, "given": given, "rolls": rolls})] += 1
    assert seen[True] >= 40, seen
    assert seen[True] + seen[False] > 150, seen


HANDS_ON = """
title: Top
summary: Made up.
facts: {wet: 'Is it wet?', dry: {ask: 'Is it dry?', default: no}}
nodes:
  draw: {draw: cards, as: card, next: look}
  look: {decide: card.suit is red and wet, yes: ask, no: hand}
  ask: {decide: dry, yes: hand, no: hand}
  hand: {run: other, with: {drawn: card}, next: done}
outcomes: {done: {title: Done}}
"""
TAKES = """
title: Other
summary: Made up.
nodes:
  take: {draw: cards, as: drawn, next: look}
  look: {decide: drawn.wild, yes: again, no: good}
  again: {draw: cards, as: drawn, next: spot}
  spot: {decide: drawn.spot(2) > 1, yes: good, no: bad}
outcomes: {good: {title: Good}, bad: {title: Bad}}
"""


@pytest.mark.parametrize("more", [{}, {"wet": True}, {"wet": False}, {"wet": True, "dry": True}], ids=str)
def test_of_a_card_that_is_handed_on_the_trail_tells_what_is_read_of_it(tmp_path: Path, more: dict[str, Any]) -> None:
    referee = referee_of(HANDS_ON, tmp_path, TAKES, trail=True)
    for suit, wild in itertools.product(["red", "black"], [True, False]):
        card = {"suit": suit, "wild": wild, "spot": {"1": 1, "2": 2, "3": 3, "4": 1}}
        case = {"id": 1, "given": more, "rolls": {}, "draws": [card, card]}
        seen = compare(referee, case)
        assert seen is (None if suit == "red" and not more else True)
        steps = referee.line(Row(1, 1, case)).get("trail", [])
        assert [step["value"] for step in steps if step["kind"] == "given"] == [{"wild": wild}] * len(steps[:1])


COUNTS = """
title: Top
summary: Made up.
nodes: {look: {decide: total(squad.nerve) > 4, yes: good, no: bad}}
outcomes: {good: {title: Good}, bad: {title: Bad}}
"""


@pytest.mark.parametrize("nerve", [None, 3, [], [3], [3, 4], "x"], ids=str)
def test_an_answer_in_order_is_not_one_that_is_told_before_the_walk(tmp_path: Path, nerve: object) -> None:
    referee = referee_of(COUNTS, tmp_path)
    told = {} if nerve is None else {"nerve": nerve}
    for man, fast in (({"name": "Abel", "nerve": 3}, nerve in (None, 3)), ({"name": "Abel"}, nerve is None)):
        case = {"id": 1, "given": {**told, "squad": [man]}, "rolls": {}}
        assert compare(referee, case) is (True if fast else None if nerve == "x" else False)


FILES = sorted((ROOT / "tests" / "cases").glob("*/*.yaml"))
LEFT_TO_THE_WALK = 0.1
"""How many of the worked cases may be: those that answer in order, or a fact of one chart among several."""


def by_book() -> Iterator[Any]:
    for book in sorted({file.parent for file in FILES}):
        yield pytest.param([file for file in FILES if file.parent == book], id=book.name)


@pytest.mark.parametrize("files", list(by_book()))
def test_every_worked_case_of_the_rules_is_ruled_on_as_by_a_walk(files: list[Path]) -> None:
    library = Library([ROOT / "flowcharts"])
    plain, trailed = Referee(library, None, None), Referee(library, None, None, trail=True)
    fast = walked = 0
    for row in (row for file in files for row in read_rows(str(file), None)):
        raw = {key: value for key, value in row.raw.items() if key != "expect"}
        for referee in (plain, trailed):
            referee.chart(raw["chart"])
        found = trailed.quick(raw, row.number)
        short = plain.quick(raw, row.number)
        assert (found is None) == (short is None)
        if found is None:
            walked += 1
            continue
        fast += 1
        want = trailed.rule(Row(row.line, row.number, raw))
        assert json.dumps(found) == json.dumps(want), raw["id"]
        assert json.dumps(short) == json.dumps({key: value for key, value in want.items() if key != "trail"})
    assert walked <= LEFT_TO_THE_WALK * (fast + walked), f"{walked} of {fast + walked} cases were left to the walk"


LEAP = """
    facts:
      width: {ask: How wide, number: 1..20}
      armoured: {ask: 'In armour?', default: no}
      ground: {ask: Ground, choices: {rock: {label: Rock, slip: 0}, mud: {label: Mud, slip: 1}}, default: rock}
    nodes:
      jump: {roll: 2d6, as: throw, next: reach}
      reach:
        tally: reach
        start: throw
        modifiers: [{when: armoured, add: -2, label: Armour}, {by: ground, add: {mud: -1}}]
        cases: {..2: again, 3..: across}
      again: {roll: d6, as: throw, next: reach}
      across: {decide: reach >= width, yes: over, no: falls}
    outcomes:
      over: {title: Across, says: '<armoured> on <ground>'}
      falls: {title: Falls in, says: He reached <reach> feet.}
"""


@pytest.mark.parametrize("armoured", [True, "yes", " Yes ", "y", "true"])
@pytest.mark.parametrize("width", [5, "5", " 5 ", "+5", 5.0])
def test_answers_are_read_in_all_the_ways_that_they_may_be_written(
    chart_of: ChartOf, armoured: object, width: object
) -> None:
    fast = compiled(chart_of(LEAP))
    assert fast is not None
    assert fast.ruling({"armoured": armoured, "width": width}, {"throw": "7"}) == {
        "chart": "made/chart",
        "outcome": "over",
        "title": "Across",
        "says": "yes on Rock",
        "effects": [],
        "gives": {},
        "changes": {},
        "rolls": {"throw": 7},
        "draws": [],
        "defaults": ["ground"],
        "readings": [],
    }


@pytest.mark.parametrize(
    ("given", "rolls"),
    [
        ({}, {"throw": 7}),
        ({"width": 21}, {"throw": 7}),
        ({"width": True}, {"throw": 7}),
        ({"width": 5, "armoured": 1}, {"throw": 7}),
        ({"width": 5, "armoured": None}, {"throw": 7}),
        ({"width": 5, "armoured": ["yes", "no"]}, {"throw": 7}),
        ({"width": 5, "ground": "sand"}, {"throw": 7}),
        ({"width": [5]}, {"throw": 7}),
        ({"width": 5}, {}),
        ({"width": 5}, {"throw": 13}),
        ({"width": 5}, {"throw": 7.5}),
        ({"width": 5}, {"throw": []}),
        ({"width": 5}, {"throw": [2, 1]}),
    ],
    ids=str,
)
def test_what_is_missing_or_wrong_is_left_to_the_walk(
    chart_of: ChartOf, given: dict[str, object], rolls: dict[str, object]
) -> None:
    fast = compiled(chart_of(LEAP))
    assert fast is not None
    assert fast.ruling(given, rolls) is None
    assert fast.decide(given, rolls) is None


def test_several_throws_of_a_name_are_taken_in_order_and_what_is_left_is_told(chart_of: ChartOf) -> None:
    fast = compiled(chart_of(LEAP))
    assert fast is not None
    found = fast.ruling(
        {"width": 5, "wat": 1, "armoured": "yes"}, {"throw": [3, 2, 6, 1], "other": 1}, ["red"], case=3
    )
    assert found is not None
    assert (found["id"], found["outcome"], found["rolls"]) == (3, "falls", {"throw": [3, 2, 6]})
    assert found["unused"] == ["wat", "rolls.throw (3 of 4 used)", "rolls.other", "draws (0 of 1 used)"]


def test_what_a_case_leaves_open_is_rolled_as_for_the_walk(chart_of: ChartOf) -> None:
    fast = compiled(chart_of(LEAP))
    assert fast is not None
    thrown = []
    for stream in map(str, range(30)):
        found = fast.ruling({"width": 5}, {}, chance=Chance(7, stream).throw)
        assert found is not None
        dice = Chance(7, stream)
        expected = [dice.throw(node.dice) for node in fast.chart.nodes.values() if node.id == "jump"]
        throws = found["rolls"]["throw"]
        assert (throws if isinstance(throws, list) else [throws])[:1] == expected
        thrown.append(expected[0])
    assert len(set(thrown)) > 4
    assert fast.ruling({"width": 5}, {}) is None


def test_a_chart_that_is_too_large_with_all_that_it_runs_is_left_to_the_walk(
    chart_of: ChartOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    chart = chart_of(LEAP)
    monkeypatch.setattr("refcli.core.layout.MAX_NODES", 6)
    assert compiled(chart) is not None
    monkeypatch.setattr("refcli.core.layout.MAX_NODES", 5)
    assert compiled(chart) is None


def test_a_chart_of_another_book_is_left_to_the_walk(tmp_path: Path) -> None:
    for book, chart in (("near", NEAR), ("far", FAR)):
        folder = tmp_path / book
        folder.mkdir()
        (folder / "book.yaml").write_text(f"title: {book}\nsource: Nowhere\n")
        (folder / "chart.yaml").write_text(chart)
    library = Library([tmp_path])
    assert compiled(library.load("near/chart")) is None
    assert compiled(library.load("far/chart")) is not None


NEAR = """
title: Near
summary: Made up.
nodes: {go: {run: far/chart, next: done}}
outcomes: {done: {title: Done}}
"""
FAR = """
title: Far
summary: Made up.
nodes: {go: {do: Walk., next: done}}
outcomes: {done: {title: Done}}
"""
