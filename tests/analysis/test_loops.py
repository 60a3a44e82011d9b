from collections.abc import Callable
from typing import Any

import pytest

from refcli.core.problem import Code

Told = Callable[..., list[str]]

FACTS = """
facts:
  bonus: {ask: Bonus, number: -9..9}
  skill: {ask: Skill, number: 0..2}
  stubborn: Does he insist?
  terrain: {ask: Ground, choices: {open: Open, woods: Woods}}
"""
OUT = "\noutcomes: {end: {title: End}}\n"
CARDS = """
title: Cards
fields:
  suit: {ask: Colour, choices: {black: {label: Black, red: no, worth: 1}, red: {label: Red, red: yes, worth: 2}}}
  value: {ask: Value, number: 1..10}
  wild: Is it wild?
  wide: {ask: Width, number: 1..}
  spot: {ask: Spot in column <column>, number: 1..3, columns: 1..4}
"""
KNOWN = """
title: Cards
fields:
  suit: {ask: Colour, choices: {black: Black, red: Red, green: Green}}
  value: {ask: Value, number: 1..10}
cards:
  - {suit: black, value: 1}
  - {suit: red, value: 2, count: 3}
  - {suit: red, value: 3}
"""


def loop(nodes: str) -> str:
    body = "".join(f"  {line.strip()}\n" for line in nodes.strip().splitlines())
    return f"{FACTS}nodes:\n{body}{OUT}"


@pytest.mark.parametrize(
    "nodes",
    [
        "throw: {roll: d6, cases: {1: throw, 2..: end}}",
        """throw: {roll: d6, as: die, next: test}
           test: {decide: die >= 5, yes: end, no: throw}""",
        """throw: {roll: d6, as: die, next: test}
           test: {decide: die + skill >= 5 or stubborn, yes: end, no: throw}""",
        """throw: {roll: d6, as: die, next: test}
           test: {decide: not (die < 3 and stubborn), yes: end, no: throw}""",
        """one: {roll: d6, as: mine, next: two}
           two: {roll: d6, as: yours, next: lead}
           lead: {tally: lead, start: mine, modifiers: [{add: -yours}, {add: bonus}], cases: {1..: end, ..-1: end, 0: one}}""",
        """throw: {roll: d6, as: die, next: sum}
           sum: {tally: sum, start: die, modifiers: [{when: stubborn, add: -2}, {by: terrain, add: {woods: +1}}], next: test}
           test: {decide: sum, cases: {4..: end, else: throw}}""",
        """throw: {roll: d6, as: die, next: later}
           later: {set: {half: die - skill, more: half + 1}, next: test}
           test: {decide: more == 3, yes: throw, no: end}""",
        """card: {draw: cards, as: card, next: test}
           test: {decide: card.suit, cases: {black: card, red: end}}""",
        """card: {draw: cards, as: card, next: test}
           test: {decide: card.value + skill < 10, yes: end, no: card}""",
        """card: {draw: cards, as: card, next: test}
           test: {decide: card.suit.red, yes: end, no: card}""",
        """card: {draw: cards, as: card, next: test}
           test: {decide: card.suit.worth + bonus == 3, yes: card, no: end}""",
        """card: {draw: cards, as: card, next: test}
           test: {decide: card.wild, yes: end, no: card}""",
        """card: {draw: cards, as: card, next: test}
           test: {decide: card.suit is not red, yes: card, no: end}""",
        """card: {draw: known, as: card, next: test}
           test: {decide: card.suit, cases: {red: end, else: card}}""",
        """card: {draw: known, as: card, next: test}
           test: {decide: card.value, cases: {..2: card, 3..: end}}""",
        """none: {set: {tries: 0}, next: throw}
           throw: {roll: d6, as: die, next: more}
           more: {set: {tries: tries + 1}, next: test}
           test: {decide: tries >= 3 or die == 6, yes: end, no: throw}""",
        """none: {set: {left: 9}, next: throw}
           throw: {roll: d6, next: less}
           less: {tally: left, start: left, modifiers: [{add: -2}, {when: stubborn, add: 1}], cases: {..0: end, 1..: throw}}""",
        """none: {set: {left: 9}, next: throw}
           throw: {roll: d6, as: die, next: less}
           less: {set: {left: left - die}, next: test}
           test: {decide: left + skill, cases: {..0: end, 1..: throw}}""",
        """none: {set: {sum: 0}, next: throw}
           throw: {roll: d6, as: die, next: more}
           more: {tally: sum, start: sum, modifiers: [{add: die}, {when: stubborn, add: 1}], cases: {..9: throw, 10..: end}}""",
        """throw: {roll: d6, as: die, next: test}
           test: {decide: skill >= 0 and die > 2, yes: end, no: throw}""",
        """none: {set: {sum: 0}, next: throw}
           throw: {roll: d6, next: more}
           more: {set: {sum: 1 + sum}, next: test}
           test: {decide: -sum < -3, yes: end, no: throw}""",
    ],
    ids=[
        "roll with cases",
        "comparison",
        "or with a fact",
        "not and",
        "difference of two dice and any bonus",
        "total of die and facts",
        "seen through a set",
        "word on a card",
        "number on a card",
        "data of a card",
        "number of a card's choice",
        "yes or no on a card",
        "one word on a card",
        "word in a deck that is known",
        "number in a deck that is known",
        "counter or die",
        "total that falls",
        "counter that falls by the die",
        "total that grows",
        "fact that always holds",
        "counter with its sign turned",
    ],
)
def test_loop_that_chance_surely_leaves_is_no_problem(told: Told, nodes: str) -> None:
    cards = KNOWN if "draw: known" in nodes else CARDS
    assert told(loop(nodes.replace("draw: known", "draw: cards")), Code.ENDLESS, cards=cards) == []


WARNING = (
    "made/chart.yaml:{line}:3: warning C408: this loop may never end: {ring}; no roll or draw in it is sure to lead out, "
    "whatever the facts are; let a roll or draw of the loop decide, or lead an edge out of it"
)


@pytest.mark.parametrize(
    ("nodes", "ring"),
    [
        (
            """throw: {roll: d6, as: die, next: test}
               test: {decide: stubborn, yes: throw, no: end}""",
            "throw -> test -> throw",
        ),
        (
            """throw: {roll: d6, as: die, next: test}
               test: {decide: die + bonus >= 5, yes: end, no: throw}""",
            "throw -> test -> throw",
        ),
        (
            """throw: {roll: d6, as: die, next: test}
               test: {decide: die >= 5 and not stubborn, yes: end, no: throw}""",
            "throw -> test -> throw",
        ),
        (
            """throw: {roll: d6, as: die, next: sum}
               sum: {tally: sum, start: die, modifiers: [{when: stubborn, add: -5}], cases: {..1: throw, 2..: end}}""",
            "throw -> sum -> throw",
        ),
        (
            """throw: {roll: d6, as: die, next: sum}
               sum: {set: {gap: die - die + skill}, next: test}
               test: {decide: gap, cases: {0: throw, 1..: end}}""",
            "throw -> sum -> test -> throw",
        ),
        (
            """throw: {roll: d6, as: die, next: again}
               again: {roll: d6, cases: {1..3: pick, 4..: pick}}
               pick: {decide: terrain, cases: {open: again, woods: end}}""",
            "again -> pick -> again",
        ),
        (
            """throw: {roll: d6, as: die, next: test}
               test: {decide: terrain is woods and die > 0 or die > 7, yes: end, no: throw}""",
            "throw -> test -> throw",
        ),
        (
            """pick: {set: {ground: terrain}, next: throw}
               throw: {roll: d6, as: die, next: more}
               more: {set: {ground: open if die > 3 else terrain}, next: test}
               test: {decide: ground is woods, yes: end, no: throw}""",
            "throw -> more -> test -> throw",
        ),
        (
            """card: {draw: cards, as: card, next: test}
               test: {decide: card.wide > 3, yes: end, no: card}""",
            "card -> test -> card",
        ),
        (
            """card: {draw: cards, as: card, next: test}
               test: {decide: card.spot(2) > bonus, yes: end, no: card}""",
            "card -> test -> card",
        ),
        (
            """card: {draw: cards, as: card, next: test}
               test: {decide: card.value + card.value > 3, yes: end, no: card}""",
            "card -> test -> card",
        ),
        (
            """none: {set: {sum: 0}, next: throw}
               throw: {roll: d6, as: die, next: more}
               more: {set: {sum: sum + die - 3}, next: test}
               test: {decide: sum >= 3, yes: end, no: throw}""",
            "throw -> more -> test -> throw",
        ),
        (
            """none: {set: {up: 0, down: 0}, next: throw}
               throw: {roll: d6, next: more}
               more: {set: {up: up + 1}, next: less}
               less: {set: {down: down - 1}, next: test}
               test: {decide: up + down >= 3, yes: end, no: throw}""",
            "throw -> more -> less -> test -> throw",
        ),
        (
            """throw: {roll: d6, as: die, next: sum}
               sum: {tally: sum, start: die, modifiers: [{add: die}], cases: {..2: throw, 3..: end}}""",
            "throw -> sum -> throw",
        ),
        (
            """throw: {roll: d6, as: die, next: sum}
               sum: {tally: sum, start: die, modifiers: [{when: die > 2, add: 1}], cases: {..1: throw, 2..: end}}""",
            "throw -> sum -> throw",
        ),
        (
            """throw: {roll: d6, as: die, next: sum}
               sum: {tally: sum, start: die, modifiers: [{add: 1}], cap: 0..9, cases: {..2: throw, 3..: end}}""",
            "throw -> sum -> throw",
        ),
        (
            """throw: {roll: d6, as: die, next: look}
               look: {table: die, rows: {..3: throw, 4..: end}}""",
            "throw -> look -> throw",
        ),
        (
            """throw: {roll: d6, as: die, next: test}
               test: {decide: die >= 3 and die <= 5, yes: end, no: throw}""",
            "throw -> test -> throw",
        ),
        (
            """first: {roll: d6, as: die, next: throw}
               throw: {roll: d6, as: other, next: test}
               test: {decide: die + other * 0 > 3, yes: end, no: throw}""",
            "throw -> test -> throw",
        ),
    ],
    ids=[
        "fact alone",
        "bonus may be too low",
        "fact keeps it shut",
        "modifier may keep it shut",
        "die cancels itself",
        "choice of ground",
        "word of a fact",
        "word made by chance",
        "open number on a card",
        "numbered field against any bonus",
        "one card twice",
        "counter that may turn",
        "counters against each other",
        "die twice in a total",
        "modifier that reads the die",
        "total with a cap",
        "table",
        "die twice in a test",
        "roll outside the loop",
    ],
)
def test_loop_that_facts_may_keep_shut_is_a_warning(told: Told, nodes: str, ring: str) -> None:
    line = 10 + [part.split(":")[0].strip() for part in nodes.splitlines()].index(ring.split()[0])
    assert told(loop(nodes), Code.ENDLESS, cards=CARDS) == [WARNING.format(line=line, ring=ring)]


@pytest.mark.parametrize(
    ("nodes", "line", "ring"),
    [
        (
            """start: {decide: stubborn, yes: throw, no: end}
               throw: {roll: d6, as: die, next: again}
               again: {roll: d6, next: throw}""",
            11,
            "throw -> again -> throw",
        ),
        (
            """throw: {roll: d6, as: die, next: test}
               test: {decide: die >= 7, yes: end, no: throw}""",
            10,
            "throw -> test -> throw",
        ),
    ],
    ids=["no edge out", "exit beyond the die"],
)
def test_loop_without_a_way_out_is_an_error(told: Told, nodes: str, line: int, ring: str) -> None:
    start = ring.split()[0]
    assert told(loop(nodes), Code.ENDLESS) == [
        f"made/chart.yaml:{line}:3: error C408: no way leads from '{start}' to an outcome: {ring}; lead an edge out of it"
    ]


def test_loop_through_a_run_is_a_warning(told: Told) -> None:
    other = (
        "nodes: {throw: {roll: d6, cases: {1: low, 2..: high}}}\noutcomes: {low: {title: Low}, high: {title: High}}"
    )
    text = loop("throw: {roll: d6, next: call}\ncall: {run: other, cases: {low: throw, high: end}}")
    found: list[Any] = told(text, Code.ENDLESS, other=other)
    assert found == [WARNING.format(line=10, ring="throw -> call -> throw")]


NUMBERED = """
title: Cards
fields:
  suit: {ask: Colour, choices: {black: Black, red: Red}}
  spot: {ask: Spot in column <column>, number: 1..column, columns: 1..4}
"""


@pytest.mark.parametrize(
    ("test", "sure"),
    [
        ("card.spot(4) > 3", True),
        ("card.spot(3) > 2", True),
        ("card.spot(3) > 3", False),
        ("card.spot(skill + 2) > 1", True),
        ("card.spot(skill + 1) > 1", False),
        ("card.spot(bonus) > 1", False),
    ],
)
def test_a_column_brings_no_more_than_its_own_number(told: Told, test: str, sure: bool) -> None:
    nodes = f"""card: {{draw: cards, as: card, next: test}}
                test: {{decide: '{test}', yes: end, no: card}}"""
    assert (told(loop(nodes), Code.ENDLESS, cards=NUMBERED) == []) is sure
