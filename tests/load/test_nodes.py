"""Nodes, outcomes, examples and decks: what is read of each kind."""

import pytest

from refcli.core import chart as c
from refcli.core.chart import ELSE, Band, Op
from refcli.core.dice import Dice
from tests.load.conftest import ChartOf

BOOK = """
facts:
  wet: Is it wet?
  wind: {ask: How windy, number: 0..6}
  ground: {ask: Which ground, choices: {open: {label: In the open, tem: 0}, wood: {label: In a wood, tem: -2}}}
  name: {ask: His name, text: yes}
  crew: {ask: The crew, noun: man, list: [name, wet]}
"""
CARDS = """
title: Fate
composition: known
note: Shuffle well.
fields:
  suit: {ask: Suit, choices: {red: Red, black: Black}}
  spot: {ask: Spot in <column>, number: 1..6, columns: 1..2}
cards:
  - {suit: red, spot: {1: 3, 2: 4}, count: 2}
  - {suit: black}
"""
STRIKE = """
facts:
  force: {ask: Force, number: 0..9}
nodes:
  throw: {roll: d6, as: die, next: card}
  card: {draw: cards, next: hit}
  hit: {decide: die + force > wind, yes: struck, no: missed}
outcomes:
  struck: {title: Struck, gives: {loss: 1, left: 0}, changes: {wet: yes}}
  missed: {title: Missed, gives: {loss: 0}}
"""
KINDS = """
title: All kinds
page: 12-13
summary: Every kind of node.
note: Nothing.
facts:
  steady: {ask: Steady, default: no}
nodes:
  warn: {do: The wind is <wind>., label: Warning for <ground>, note: A reading., page: 4, next: keep}
  keep: {set: {half: half_up(wind), calm: wind == 0}, next: sum}
  sum:
    tally: score
    start: half
    modifiers:
      - {by: ground, add: {open: +1, wood: ground.tem}, label: Ground}
      - {when: wet, multiply: 2, note: Doubled.}
      - {divide: 3}
    cap: 0..9
    cases: {..2: throw, 3: pool, else: look}
  throw: {roll: 2d6+1, next: card}
  card: {draw: cards, as: fate, next: look}
  pool: {roll: d6, dice: wind, count: {hits: die >= 4, sixes: die == 6}, next: look}
  look:
    table: [wind, wet]
    columns: [yes, no]
    rows:
      ..2: [3, ask]
      3..: ask
    as: looked
    next: ask
  ask: {decide: steady, yes: hit, no: each_one}
  hit: {run: strike, with: {force: 3}, as: blow, cases: {struck: end, missed: end}}
  each_one: {each: crew, when: not wet and place < 3, run: strike, with: {die: 3}, until: loss > 0, as: blows, next: end}
gives: {one: 1, two: 2}
changes: {wind: 0}
outcomes:
  end:
    title: End
    tone: good
    says: It is over.
    effects: [Rest., {when: wet, do: Dry the <ground>.}]
    gives: {two: 3}
    changes: {wet: no}
    then: [{when: wet, chart: chart}, {chart: strike}]
    note: A reading.
    page: 9
examples:
  - name: calm
    given: {wind: 0, wet: no, crew: [{name: Al}]}
    rolls: {throw: 7, pool: [1, 2]}
    draws: [red, {suit: red, spot: {2: 3}}]
    outcome: end
    gives: {one: 1}
    says: over
    house_rules: yes
  - {outcome: end}
"""


@pytest.fixture
def kinds(chart_of: ChartOf) -> c.Chart:
    return chart_of(KINDS, BOOK, CARDS, strike=STRIKE)


def edges(node: c.Node) -> list[tuple[object, str, str]]:
    return [(case.pattern, case.target, case.key) for case in node.go.cases]


def test_chart_says_what_it_is(kinds: c.Chart) -> None:
    assert (kinds.id, kinds.title, kinds.page) == ("made/chart", "All kinds", "12-13")
    assert (kinds.summary, kinds.start, len(kinds.digest)) == ("Every kind of node.", "warn", 64)
    assert kinds.charts.keys() == {"made/strike"}
    assert kinds.book.title == "Made up"


def test_do(kinds: c.Chart) -> None:
    node = kinds.nodes["warn"]
    assert isinstance(node, c.DoNode)
    assert node.label is not None
    assert (node.text.source, node.label.source) == ("The wind is <wind>.", "Warning for <ground>")
    assert (node.note, node.page, node.place.line, node.place.column) == ("A reading.", "4", 8, 3)
    assert edges(node) == [(ELSE, "keep", "next")]


def test_set(kinds: c.Chart) -> None:
    node = kinds.nodes["keep"]
    assert isinstance(node, c.SetNode)
    assert [(name, expr.text) for name, expr in node.values] == [("half", "half_up(wind)"), ("calm", "wind == 0")]


def test_tally(kinds: c.Chart) -> None:
    node = kinds.nodes["sum"]
    assert isinstance(node, c.TallyNode)
    assert node.start is not None
    assert (node.name, node.start.text, node.cap) == ("score", "half", Band(0, 9))
    ground, wet, third = node.modifiers
    assert ground.by is not None
    assert ground.label is not None
    assert (ground.op, ground.by.text, ground.label.source) == (Op.ADD, "ground", "Ground")
    assert [(key, expr.text) for key, expr in ground.amounts] == [("open", "+1"), ("wood", "ground.tem")]
    assert wet.when is not None
    assert (wet.op, wet.when.text, wet.note) == (Op.MULTIPLY, "wet", "Doubled.")
    assert (third.op, [(key, expr.text) for key, expr in third.amounts]) == (Op.DIVIDE, [(None, "3")])
    assert edges(node) == [(Band(None, 2), "throw", "..2"), (Band(3, 3), "pool", "3"), (ELSE, "look", "else")]


def test_roll_and_draw(kinds: c.Chart) -> None:
    throw, card, pool = kinds.nodes["throw"], kinds.nodes["card"], kinds.nodes["pool"]
    assert isinstance(throw, c.RollNode)
    assert (throw.dice, throw.name, throw.pool) == (Dice(2, 6, 1), "throw", None)
    assert isinstance(card, c.DrawNode)
    assert (card.deck.name, card.name) == ("cards", "fate")
    assert isinstance(pool, c.RollNode)
    assert pool.pool is not None
    assert (pool.dice, pool.name, pool.pool.text) == (Dice(1, 6), None, "wind")
    assert [(name, test.text) for name, test in pool.counts] == [("hits", "die >= 4"), ("sixes", "die == 6")]


def test_table(kinds: c.Chart) -> None:
    node = kinds.nodes["look"]
    assert isinstance(node, c.TableNode)
    assert node.column is not None
    assert (node.row.text, node.column.text, node.name) == ("wind", "wet", "looked")
    assert node.columns == ((True, "yes"), (False, "no"))
    assert [(row.pattern, row.cells, row.key) for row in node.rows] == [
        (Band(None, 2), (3, "ask"), "..2"),
        (Band(3, None), ("ask",), "3.."),
    ]


def test_decide_and_run(kinds: c.Chart) -> None:
    ask, hit = kinds.nodes["ask"], kinds.nodes["hit"]
    assert edges(ask) == [(True, "hit", "yes"), (False, "each_one", "no")]
    assert isinstance(hit, c.RunNode)
    assert (hit.chart_id, hit.name, {name: expr.text for name, expr in hit.given.items()}) == (
        "made/strike",
        "blow",
        {"force": "3"},
    )
    assert edges(hit) == [("struck", "end", "struck"), ("missed", "end", "missed")]


def test_each(kinds: c.Chart) -> None:
    node = kinds.nodes["each_one"]
    assert isinstance(node, c.EachNode)
    assert node.when is not None
    assert node.until is not None
    assert (node.records, node.chart_id, node.name) == ("crew", "made/strike", "blows")
    assert (node.when.inner, node.when.reads) == (frozenset({"wet", "place"}), frozenset())
    assert (node.until.inner, node.until.reads) == (frozenset({"loss"}), frozenset())


def test_outcome_holds_what_the_chart_gives_beneath_its_own(kinds: c.Chart) -> None:
    end = kinds.outcomes["end"]
    assert (end.title, end.tone, end.says.source) == ("End", c.Tone.GOOD, "It is over.")
    assert [(when and when.text, text.source) for when, text in end.effects] == [
        (None, "Rest."),
        ("wet", "Dry the <ground>."),
    ]
    assert {name: expr.text for name, expr in end.gives.items()} == {"one": "1", "two": "3"}
    assert {name: expr.text for name, expr in end.changes.items()} == {"wind": "0", "wet": "no"}
    assert [(when and when.text, chart) for when, chart in end.then] == [("wet", "made/chart"), (None, "made/strike")]
    assert (end.note, end.page) == ("A reading.", "9")


def test_examples_hold_plain_values(kinds: c.Chart) -> None:
    calm, bare = kinds.examples
    assert (calm.name, calm.outcome, calm.says, calm.place.line) == ("calm", "end", "over", 47)
    assert calm.given == {"wind": 0, "wet": False, "crew": [{"name": "Al"}]}
    assert calm.rolls == {"throw": 7, "pool": [1, 2]}
    assert calm.draws == ("red", {"suit": "red", "spot": {"2": 3}})
    assert calm.gives == {"one": 1}
    assert (bare.name, bare.given, bare.draws) == ("example 2", {}, ())


def test_deck(kinds: c.Chart) -> None:
    deck = kinds.book.decks["cards"]
    assert (deck.title, deck.note) == ("Fate", "Shuffle well.")
    assert [(count, dict(card)) for count, card in deck.cards] == [
        (2, {"suit": "red", "spot": {1: 3, 2: 4}}),
        (1, {"suit": "black"}),
    ]
    assert deck.fields["spot"].columns == (1, 2)
