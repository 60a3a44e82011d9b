"""Nodes, outcomes and examples: what is read of each kind, and what is wrong with them beyond their shape."""

import pytest

from refcli.core import chart as c
from refcli.core.chart import ELSE, Band, Op
from refcli.core.dice import Dice
from tests.load.conftest import END, ChartOf, FaultsOf

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
composition: Half of each.
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
    then: strike
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
    assert (node.when.inner, node.when.reads) == ({"wet", "place"}, set())
    assert (node.until.inner, node.until.reads) == ({"loss"}, set())


def test_outcome_holds_what_the_chart_gives_beneath_its_own(kinds: c.Chart) -> None:
    end = kinds.outcomes["end"]
    assert (end.title, end.tone, end.says.source) == ("End", c.Tone.GOOD, "It is over.")
    assert [(when and when.text, text.source) for when, text in end.effects] == [
        (None, "Rest."),
        ("wet", "Dry the <ground>."),
    ]
    assert {name: expr.text for name, expr in end.gives.items()} == {"one": "1", "two": "3"}
    assert {name: expr.text for name, expr in end.changes.items()} == {"wind": "0", "wet": "no"}
    assert (end.then, end.note, end.page) == ("made/strike", "A reading.", "9")


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
    assert (deck.title, deck.note) == ("Fate", "Shuffle well. Half of each.")
    assert [(count, dict(card)) for count, card in deck.cards] == [
        (2, {"suit": "red", "spot": {1: 3, 2: 4}}),
        (1, {"suit": "black"}),
    ]
    assert deck.fields["spot"].columns == (1, 2)


@pytest.mark.parametrize(
    ("nodes", "messages"),
    [
        (
            "go: {decide: wet, next: end}",
            [
                "3:3: error C202: node 'go' needs 'yes' and 'no', or 'cases'; say where each answer leads",
                "3:21: error C201: a `decide` node has no key 'next'",
            ],
        ),
        (
            "go: {decide: wet, yes: end, cases: {no: end}}",
            ["3:21: error C203: node 'go' has both cases and yes; write yes among the cases"],
        ),
        (
            "go: {tally: sum, modifiers: [{by: ground, add: 3}], next: end}",
            ["3:45: error C203: `by` goes with a mapping, like by: terrain, add: {open: 1, woods: 2}"],
        ),
        (
            "go: {tally: sum, modifiers: [{add: {open: 3}}], next: end}",
            ["3:33: error C203: `by` goes with a mapping, like by: terrain, add: {open: 1, woods: 2}"],
        ),
        (
            "go: {tally: sum, modifiers: [{by: ground, add: {opn: 3, 1..: 2}}], next: end}",
            [
                "3:51: error C502: 'opn' is no choice of ground; did you mean 'open'?",
                "3:59: error C503: '1..' is no case of a choice of ground",
            ],
        ),
        (
            "go: {tally: sum, modifiers: [{divide: wind}], next: end}",
            ["3:41: error C503: divide by a plain number above "],
        ),
        (
            "go: {roll: d6, dice: 3, as: sum, next: end}",
            [
                "3:18: error C202: node 'go' has 'dice' but no 'count'; a pool has both: dice: how many, count: {name: ",
                "3:27: error C203: a pool has no total to name: name what you count; delete `as`",
            ],
        ),
        (
            "go: {roll: d6, count: {hits: die > 3}, next: end}",
            ["3:18: error C202: node 'go' has 'count' but no 'dice'"],
        ),
        (
            "go: {roll: d6, dice: 3, count: {a: die > 3, go2: die}, next: end}",
            ["3:52: error C503: a yes/no value is n"],
        ),
        (
            "else: {roll: d6, next: end}",
            [
                "3:3: error C205: 'else' cannot be a name: it means something in every expression; name the result with `"
            ],
        ),
        (
            "go: {set: {a: 1}, next: on}\n  on: {set: {b: a, b: 2}, next: end}",
            ["4:20: error C103: 'b' stands twice in"],
        ),
        (
            "go: {table: wind, rows: {..2: 3, 3..: end}, next: end}",
            ["3:3: error C202: node 'go' has numbers in its table and needs 'as'; add `as:`, a name for the number"],
        ),
        (
            "go: {table: wind, rows: {..2: end, 3..: end}, as: sum, next: end}",
            [
                "3:49: error C203: no cell of this table is a number, so its 'as' is never used; delete it",
                "3:58: error C203: no cell of this table is a number, so its 'next' is never used; delete it",
            ],
        ),
        (
            "go: {table: [wind, wet], rows: {..2: end, 3..: end}}",
            ["3:8: error C203: table: [row, column] goes with columns, and columns with it"],
        ),
        (
            "go: {table: [wind, wet, ground], rows: {..: end}}",
            ["3:15: error C203: 'table' needs 1 to 2, this has 3"],
        ),
        (
            "go: {table: wind, rows: {..2: [end, end], 3..: end}}",
            ["3:28: error C203: row '..2' has 2 cells, it needs one, as there are no columns"],
        ),
        (
            "go: {table: [wind, wet], columns: [yes, 3...4], rows: {..: [end, 1.5]}}",
            [
                "3:43: error C204: '3...4' is no range: write one like -3..3, 0.., ..5 or 7",
                "3:68: error C203: '1.5' is neither an integer nor the name of a node or outcome",
            ],
        ),
        ("go: {table: name, rows: {al: end, bo: end}}", ["3:28: error C503: a text has no cases"]),
        (
            "go: {each: crew, run: strike, cases: {struck: end}}",
            ["3:3: error C202: node 'go' needs 'next'; add ", "3:33: error C201: an `each` node has no key 'cases'"],
        ),
        (
            "go: {each: crew, run: strike, when: wat, next: end}",
            ["3:39: error C502: nothing here is called 'wat'; did you "],
        ),
        (
            "go: {each: crew, run: strike, until: los > 0, next: end}",
            ["3:40: error C502: nothing here is called 'los'"],
        ),
        (
            "go: {run: strike, with: {card: fate}, next: end}",
            ["3:34: error C502: nothing here is called 'fate'"],
        ),
        (
            "go: {run: strike, with: {die: 7}, next: end}",
            ["3:33: error C503: 7 is outside 1..6, the range of 'die'"],
        ),
        (
            "go: {run: strike, as: blow, next: on}\n  on: {set: {a: blow.left}, next: end}",
            ["4:17: error C502: Strike does not"],
        ),
        (
            "go: {run: strike, next: end, cases: {struck: end}}",
            ["3:21: error C203: node 'go' has both next and cases"],
        ),
        (
            "go: {draw: cards, as: card, next: on}\n  on: {set: {a: card}, next: end}",
            ["4:17: error C503: only a number, yes"],
        ),
        (
            "go: {decide: wind, cases: {..3: [end], 4..: end}}",
            ["3:35: error C203: '..3' needs the name of a node or out"],
        ),
        (
            "go: {decide: wind, cases: [end]}",
            ["3:29: error C203: 'cases' needs a mapping, each the name of a node or outcome, this is a list"],
        ),
        (
            "go: {run: strike, with: {force: [1]}, next: end}",
            ["3:35: error C203: 'force' needs an expression, this is a li"],
        ),
        (
            "go: {each: wind, run: strike, with: {force: nonsense}, next: end}",
            ["3:14: error C503: 'wind' is a number, not a list; it can be: crew"],
        ),
        (
            "go: {table: [wind, wet], columns: [yes, 3...4], rows: {..: [end, end, end]}}",
            ["3:43: error C204: '3...4' is no range: write one like -3..3, 0.., ..5 or 7"],
        ),
        (
            "go: {table: [wind, wet], columns: [yes, no], rows: {..: end, else: [end, []]}}",
            ["3:76: error C203: a number o"],
        ),
        ("go: {decide: name, cases: {}}", ["3:29: error C203: 'cases' needs an entry, this has none"]),
    ],
)
def test_a_bad_node_is_told_once(nodes: str, messages: list[str], faults_of: FaultsOf) -> None:
    found = faults_of(f"nodes:\n  {nodes}" + END, BOOK, CARDS, strike=STRIKE)
    assert len(found) == len(messages), found
    for told, message in zip(found, messages, strict=True):
        assert told.startswith(message)


def test_a_list_is_handed_on_by_its_name(faults_of: FaultsOf) -> None:
    inner = "facts:\n  gang: {ask: The gang, list: [wet]}\nnodes:\n  go: {each: gang, run: strike, next: end}" + END
    text = "nodes:\n  go: {run: inner, with: {gang: crew}, next: on}\n  on: {run: inner, with: {gang: crew if wet else crew}, next: end}"
    assert faults_of(text + END, BOOK, CARDS, inner=inner, strike=STRIKE) == [
        "4:33: error C503: a list is handed on by its name alone"
    ]


def test_a_fact_may_not_be_called_die_beside_a_pool(faults_of: FaultsOf) -> None:
    text = "facts:\n  die: Does he die?\nnodes:\n  go: {roll: d6, dice: 2, count: {hits: die > 4}, next: end}" + END
    assert faults_of(text) == [
        "5:3: error C205: 'die' means one die in a pool, but there is a fact of that name; rename the fact"
    ]


def test_faults_of_one_part_do_not_hide_those_of_others(faults_of: FaultsOf) -> None:
    text = """
        page: [3]
        facts:
          dry: {ask: Is it dry, defalt: no}
        nodes:
          go: {decide: dri, yes: on, no: off}
          on: {tally: sum, modifiers: [{add: wet}], next: end}
        outcomes:
          end: {title: End, says: It is <sun>.}
        examples:
          - {name: none, outcome: over}
        """
    assert [told.split(";")[0] for told in faults_of(text, BOOK)] == [
        "2:7: error C203: 'page' needs a text, this is a list",
        "4:25: error C201: a fact has no key 'defalt'",
        "6:16: error C502: nothing here is called 'dri'",
        "6:34: error C301: edge 'no' leads to unknown node 'off'",
        "7:38: error C503: a number is needed here, this is a yes/no value",
        "9:34: error C502: nothing here is called 'sun'",
        "11:27: error C301: there is no outcome 'over'",
    ]
