"""The types of made names: ranges of numbers, words, results, and names that loops make again."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from refcli.core import types as t
from refcli.core.chart import Band, Modifier, Op, TallyNode
from refcli.core.expr import Expr
from refcli.core.place import Place
from refcli.load.edges import NO_EDGES
from refcli.load.inference import in_order
from refcli.load.ranges import covers, tally_range
from tests.load.conftest import END, ChartOf, FaultsOf

PLACE = Place("made.yaml", 1, 1)
BOOK = """
facts:
  wet: Is it wet?
  wind: {ask: How windy, number: 0..6}
  any: {ask: Any number, number: ..}
  ground: {ask: Which ground, choices: {open: {label: In the open, tem: 0}, wood: {label: In a wood, tem: -2}}}
  crew: {ask: The crew, noun: man, list: [wet]}
"""


def made(chart_of: ChartOf, nodes: str, name: str, **charts: str) -> t.Type:
    kind: t.Type = chart_of(f"nodes:\n  {nodes}" + END, BOOK, **charts).made[name]
    return kind


@pytest.mark.parametrize(
    ("nodes", "kind"),
    [
        ("go: {set: {x: wind + 1}, next: end}", t.Number(1, 7)),
        ("go: {set: {x: any}, next: end}", t.Number(None, None)),
        ("go: {set: {x: ground.tem}, next: end}", t.Number(-2, 0)),
        ("go: {set: {x: wet and wind > 2}, next: end}", t.YES_NO),
        ("go: {set: {x: wood}, next: end}", t.Word(frozenset({"wood"}))),
        ("go: {roll: 2d6+1, as: x, next: end}", t.Number(3, 13)),
        ("x: {roll: d10, next: end}", t.Number(1, 10)),
        ("go: {roll: d6, dice: wind, count: {x: die > 3}, next: end}", t.Number(0, 6)),
        ("go: {roll: d6, dice: any, count: {x: die > 3}, next: end}", t.Number(0, 100)),
        ("go: {roll: d6, dice: 0, count: {x: die > 3}, next: end}", t.Number(0, 0)),
        ("go: {table: wind, rows: {..2: -1, 3: end, 4..: 8}, as: x, next: end}", t.Number(-1, 8)),
        ("go: {tally: x, next: end}", t.Number(0, 0)),
        ("go: {tally: x, start: wind, modifiers: [{add: 2}], next: end}", t.Number(2, 8)),
        ("go: {tally: x, start: wind, modifiers: [{add: 2, when: wet}], next: end}", t.Number(0, 8)),
        ("go: {tally: x, modifiers: [{by: ground, add: {open: 1, wood: 3}}], next: end}", t.Number(1, 3)),
        ("go: {tally: x, modifiers: [{by: ground, add: {wood: 3}}], next: end}", t.Number(0, 3)),
        ("go: {tally: x, modifiers: [{by: ground, add: {wood: 3, else: 2}}], next: end}", t.Number(2, 3)),
        ("go: {tally: x, modifiers: [{by: wind, add: {..3: 1, 4..: 2}}], next: end}", t.Number(1, 2)),
        ("go: {tally: x, modifiers: [{by: wind, add: {..3: 1, 5..: 2}}], next: end}", t.Number(0, 2)),
        ("go: {tally: x, modifiers: [{by: wet, add: {yes: 1, no: 2}}], next: end}", t.Number(1, 2)),
        ("go: {tally: x, start: wind, modifiers: [{divide: 4}], next: end}", t.Number(0, 1)),
        ("go: {tally: x, start: wind, modifiers: [{divide: 2}, {multiply: 2}], next: end}", t.Number(0, 6)),
        ("go: {tally: x, start: -3, modifiers: [{divide: 2}], next: end}", t.Number(-2, -2)),
        ("go: {tally: x, start: wind, modifiers: [{multiply: -2, when: wet}], next: end}", t.Number(-12, 6)),
        ("go: {tally: x, start: any, modifiers: [{add: 3}], cap: 0..9, next: end}", t.Number(0, 9)),
        ("go: {tally: x, start: wind, cap: 8.., next: end}", t.Number(8, 8)),
        ("go: {tally: x, start: any, cap: ..8, next: end}", t.Number(None, 8)),
        ("go: {tally: x, start: wind, cap: ..-8, next: end}", t.Number(-8, -8)),
    ],
)
def test_range_or_type_of_what_a_node_makes(nodes: str, kind: t.Type, chart_of: ChartOf) -> None:
    assert made(chart_of, nodes, "x") == kind


def test_several_makers_are_joined(chart_of: ChartOf) -> None:
    nodes = "go: {decide: wet, yes: a, no: b}\n  a: {set: {x: 1}, next: end}\n  b: {roll: d6, as: x, next: end}"
    assert made(chart_of, nodes, "x") == t.Number(1, 6)


def test_a_name_may_be_made_of_names_made_further_down(chart_of: ChartOf) -> None:
    nodes = "a: {decide: wet, yes: c, no: c}\n  b: {set: {x: y + 1}, next: end}\n  c: {roll: d6, as: y, next: b}"
    assert made(chart_of, nodes, "x") == t.Number(2, 7)


def test_a_number_that_a_loop_makes_again_is_open(chart_of: ChartOf) -> None:
    nodes = """
  begin: {set: {turns: 0, place_now: ground}, next: throw}
  throw: {roll: d6, next: again}
  again: {set: {turns: turns + 1, place_now: wood if place_now is open else place_now}, next: more}
  more: {decide: throw > turns, yes: throw, no: end}"""
    chart = chart_of("nodes:" + nodes + END, BOOK)
    turns, now = chart.made["turns"], chart.made["place_now"]
    assert isinstance(turns, t.Number)
    assert turns.high is None
    assert isinstance(now, t.Word)
    assert now.keys == {"open", "wood"}


def test_data_of_a_word_that_a_loop_makes_again_can_be_read(chart_of: ChartOf) -> None:
    nodes = """
  begin: {set: {now: ground}, next: throw}
  throw: {roll: d6, next: again}
  again: {set: {now: ground if now.tem < 0 else now}, next: more}
  more: {decide: throw > 3, yes: throw, no: end}"""
    now = made(chart_of, nodes.removeprefix("\n  "), "now")
    assert isinstance(now, t.Word)
    assert now.keys == {"open", "wood"}


INNER = """
nodes:
  throw: {roll: d6, next: hit}
  hit: {decide: throw > 3, yes: struck, no: missed}
changes: {wet: yes}
outcomes:
  struck: {title: Struck, gives: {loss: 1, left: 0}}
  missed: {title: Missed, gives: {loss: 0}}
"""


def test_result_of_a_run_has_what_every_outcome_gives(chart_of: ChartOf) -> None:
    kind = made(chart_of, "go: {run: inner, as: x, next: end}", "x", inner=INNER)
    assert isinstance(kind, t.Result)
    assert (kind.chart, kind.many) == ("Inner", False)
    assert kind.fields == {
        "outcome": t.Word(frozenset({"struck", "missed"})),
        "loss": t.Number(0, 1),
        "wet": t.YES_NO,
    }


def test_results_of_an_each_are_many_and_the_same_for_all_that_run_the_chart(chart_of: ChartOf) -> None:
    nodes = "go: {decide: wet, yes: a, no: b}\n  a: {each: crew, run: inner, as: x, next: c}\n"
    nodes += "  b: {each: crew, run: inner, when: wet, as: x, next: c}\n  c: {set: {y: total(x.loss)}, next: end}"
    kind = made(chart_of, nodes, "x", inner=INNER)
    assert isinstance(kind, t.Result)
    assert kind.many


def test_outcomes_that_give_one_name_two_types_are_told(faults_of: FaultsOf) -> None:
    text = """
        nodes:
          go: {decide: wet, yes: one, no: two}
        outcomes:
          one: {title: One, gives: {loss: 1}}
          two: {title: Two, gives: {loss: wet}}
        """
    assert faults_of(text, BOOK) == [
        "6:35: error C503: 'loss' is a yes/no value here and a number in another outcome",
    ]


def test_names_are_ordered_by_need() -> None:
    needs = {"a": ["b"], "b": ["c", "d"], "c": ["b"], "d": [], "e": ["e", "a"]}
    assert in_order(needs) == [["d"], ["b", "c"], ["a"], ["e"]]


def test_long_chains_of_names_need_no_deep_stack() -> None:
    needs = {f"n{i}": [f"n{i + 1}"] for i in range(5000)} | {"n5000": []}
    assert in_order(needs)[0] == ["n5000"]


@pytest.mark.parametrize(
    ("patterns", "low", "high", "all_held"),
    [
        ([Band(None, 3), Band(4, None)], None, None, True),
        ([Band(4, None), Band(None, 3)], None, None, True),
        ([Band(None, 3), Band(5, None)], 0, 9, False),
        ([Band(0, 9)], 0, 9, True),
        ([Band(0, 9)], None, 9, False),
        ([Band(0, 8)], 0, 9, False),
        ([Band(1, 9)], 0, 9, False),
        ([Band(0, 9), Band(3, 4)], 0, 9, True),
        ([], 0, 9, False),
        ([], 3, 3, False),
    ],
)
def test_bands_cover_a_range(patterns: list[Band], low: int | None, high: int | None, all_held: bool) -> None:
    assert covers(list(patterns), t.Number(low, high)) is all_held


def test_only_a_case_for_the_rest_covers_a_text() -> None:
    assert covers([Band(1, 2), "else"], t.TEXT)
    assert not covers([Band(1, 2)], t.TEXT)


def expr(low: int, high: int) -> Expr:
    made = Expr("made", PLACE)
    made.type = t.Number(low, high)
    return made


@pytest.mark.parametrize("seed", range(60))
def test_range_of_a_tally_is_that_of_all_its_totals(seed: int) -> None:
    """Every total is worked out with fractions, and compared with the ends of the range."""
    random = Random(seed)
    start = sorted((random.randint(-3, 3), random.randint(-3, 3)))
    totals = {Fraction(value) for value in range(start[0], start[1] + 1)}
    modifiers = []
    for _ in range(random.randint(0, 3)):
        op, always = random.choice(list(Op)), random.random() < 0.5
        low = random.randint(1, 3) if op is Op.DIVIDE else random.randint(-2, 2)
        high = low if op is Op.DIVIDE else low + random.randint(0, 2)
        when = None if always else expr(0, 1)
        modifiers.append(Modifier(op, ((None, expr(low, high)),), PLACE, when=when))
        amounts = range(low, high + 1)
        changed = {by_hand_changed(total, op, amount) for total, amount in product(totals, amounts)}
        totals = changed if always else changed | totals
    whole = sorted(total.__floor__() for total in totals)
    node = TallyNode(id="a", place=PLACE, go=NO_EDGES, name="x", start=expr(*start), modifiers=tuple(modifiers))
    assert tally_range(node) == t.Number(whole[0], whole[-1])


def by_hand_changed(total: Fraction, op: Op, amount: int) -> Fraction:
    if op is Op.ADD:
        return total + amount
    return total * amount if op is Op.MULTIPLY else total / amount


def test_range_of_a_tally_that_grows_beyond_all_bounds_is_open() -> None:
    modifiers = tuple(Modifier(Op.MULTIPLY, ((None, expr(10**9, 10**9)),), PLACE) for _ in range(5))
    node = TallyNode(id="a", place=PLACE, go=NO_EDGES, name="x", start=expr(1, 1), modifiers=modifiers)
    assert tally_range(node) == t.NUMBER


GROWING = """
nodes:
  begin: {set: {a: 0}, next: throw}
  throw: {roll: d6, next: next_one}
  next_one: {set: {b: a + 1}, next: keep}
  keep: {set: {a: b}, next: more}
  more: {decide: throw > 3, yes: throw, no: end}
"""


def test_a_range_that_grows_from_round_to_round_is_opened_on_that_side(chart_of: ChartOf) -> None:
    chart = chart_of(GROWING + END)
    assert (chart.made["a"], chart.made["b"]) == (t.Number(0, None), t.Number(1, None))


def test_names_that_do_not_settle_may_be_any_number(chart_of: ChartOf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("refcli.load.inference.MAX_ROUNDS", 1)
    chart = chart_of(GROWING + END)
    assert (chart.made["a"], chart.made["b"]) == (t.NUMBER, t.NUMBER)


def test_names_of_a_loop_with_two_types_are_told(faults_of: FaultsOf) -> None:
    text = GROWING.replace("a: b}", "a: b > 2}") + END
    assert faults_of(text) == [
        "6:16: error C503: 'a' is a yes/no value here and a number in another node; give it another name",
    ]
