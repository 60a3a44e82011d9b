"""Hypothesis strategies: legal charts as text, and legal replies to whatever they need."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from refcli.core.fact import Fact, Kind
from refcli.core.need import Ask, Draw, Need, Roll

FACTS = {
    "wet": "Is it wet?",
    "cold": "{ask: 'Is it cold?', default: no}",
    "size": "{ask: Size, number: 0..4}",
    "skill": "{ask: Skill, number: -3..3, default: 0}",
    "ground": "{ask: Ground, choices: {open: {label: Open, tem: 0}, wood: {label: Wood, tem: -2}, wall: {label: Wall, tem: -3}}}",
    "grade": "{ask: Grade, note: 'Reading: a grade.', choices: {raw: Raw, elite: Elite}, default: raw}",
    "squad": "{ask: The squad, noun: man, list: [pinned, morale]}",
    "pinned": "Is he pinned?",
    "morale": "{ask: Morale, number: 1..6}",
}
"""All facts a generated chart may read; `squad` is a list of records."""

YES_NO = ["wet", "cold", "not wet", "ground is wood", "ground in [open, wall]", "size > 2", "grade is elite"]
NUMBERS = ["1", "size", "-skill", "ground.tem", "2 if wet else -1", "max(size, 2)", "half_up(size + 1)", "size // 2"]
LISTS = ["count(squad where pinned)", "count(squad)", "total(squad.morale where not pinned)"]


@st.composite
def charts(draw: st.DrawFn, *, rich: bool = True) -> str:
    """The text of a legal chart: nodes lead forward, and back only from a roll.

    Args:
        draw: given by Hypothesis.
        rich: use lists, pools, cards and charts run by charts too (what the fast path leaves to the walk).
    """
    count = draw(st.integers(1, 7))
    lines = ["title: Made up", "summary: Made up.", "facts:"]
    lines += [f"  {name}: {text}" for name, text in FACTS.items()]
    lines.append("nodes:")
    numbers = NUMBERS + (LISTS if rich else [])
    kinds = ["do", "decide", "bands", "set", "tally", "roll", "table"] + (
        ["pool", "draw", "run", "each"] if rich else []
    )
    for index in range(count):
        ahead = [f"n{later}" for later in range(index + 1, count)] + ["last", "good", "bad"]
        target = st.sampled_from(ahead)
        kind = draw(st.sampled_from(kinds))
        lines += _node(draw, index, kind, ahead[0], target, numbers)
    lines += [
        "  last: {decide: wet, yes: good, no: bad}",
        "outcomes:",
        "  good: {title: Good, tone: good, says: 'Size <size>.', effects: [{when: wet, do: Dry it.}], gives: {sum: size + skill}}",
        "  bad: {title: Bad, tone: bad, note: 'Reading: bad is bad.', gives: {sum: 0}}",
    ]
    return "\n".join(lines) + "\n"


def _node(draw: st.DrawFn, index: int, kind: str, to: str, target: Any, numbers: list[str]) -> list[str]:
    name = f"n{index}"
    number, test = st.sampled_from(numbers), st.sampled_from(YES_NO)
    match kind:
        case "do":
            return [f"  {name}: {{do: Carry on, next: {to}}}"]
        case "decide":
            return [f"  {name}: {{decide: '{draw(test)}', yes: {to}, no: {draw(target)}}}"]
        case "bands":
            return [
                f"  {name}: {{decide: '{draw(number)}', cases: {{..0: {to}, 1: {draw(target)}, 2..: {draw(target)}}}}}"
            ]
        case "set":
            return [f"  {name}: {{set: {{made{index}: '{draw(number)}', more{index}: made{index} + 1}}, next: {to}}}"]
        case "tally":
            modifiers = "".join(
                f"\n      - {{{draw(st.sampled_from(['add', 'add', 'multiply']))}: '{draw(number)}', when: '{draw(test)}'}}"
                for _ in range(draw(st.integers(1, 3)))
            )
            return [
                f"  {name}:\n    tally: total{index}\n    start: '{draw(number)}'\n    modifiers:{modifiers}\n"
                "      - {by: ground, add: {wood: +2}, note: 'Reading: wood.'}\n"
                f"      - {{divide: {draw(st.integers(1, 3))}}}\n    cap: -5..9\n"
                f"    cases: {{..0: {to}, 1..: {draw(target)}}}"
            ]
        case "roll":
            back = draw(st.sampled_from([to, name]))
            return [f"  {name}: {{roll: 2d6, as: die{index}, cases: {{..5: {back}, 6..: {to}}}}}"]
        case "table":
            return [
                f"  {name}:\n    table: [size, ground]\n    columns: [open, wood, wall]\n    rows:\n"
                f"      ..1: [{to}, {draw(target)}, 3]\n      2..: [4]\n    as: cell{index}\n"
                f"    next: {draw(target)}"
            ]
        case "pool":
            return [f"  {name}: {{roll: d6, dice: size, count: {{hits{index}: die >= 4}}, next: {to}}}"]
        case "draw":
            after = f"n{index}x"
            return [
                f"  {name}: {{draw: cards, as: card{index}, next: {after}}}",
                f"  {after}: {{decide: card{index}.red and card{index}.spot(2) > 1, yes: {to}, no: {draw(target)}}}",
            ]
        case "run":
            return [
                f"  {name}: {{run: helper, with: {{level: '{draw(number)}'}}, as: back{index},"
                f" cases: {{high: {to}, low: {draw(target)}}}}}"
            ]
        case _:
            return [
                f"  {name}: {{each: squad, when: not pinned, run: helper, with: {{level: morale}}, as: fates{index},"
                f" next: n{index}x}}",
                f"  n{index}x: {{decide: count(fates{index} where outcome is high) > 0, yes: {to}, no: {draw(target)}}}",
            ]


BOOK = """
title: Made up
source: Nowhere
decks: {cards: cards.yaml}
"""
DECK = """
title: Cards
fields:
  red: 'Is it red?'
  spot: {ask: Spot, number: 1..3, columns: 1..4}
"""
HELPER = """
title: Helper
facts:
  level: {ask: Level, number: ..}
nodes:
  throw: {roll: d6, as: thrown, next: test}
  test: {decide: thrown + level > 5, yes: high, no: low}
gives: {level_was: level}
outcomes:
  high: {title: High}
  low: {title: Low}
"""


def files(text: str) -> dict[str, str]:
    """A book of files with the chart `made/chart`."""
    return {"made/book.yaml": BOOK, "made/cards.yaml": DECK, "made/helper.yaml": HELPER, "made/chart.yaml": text}


def answer(draw: Callable[[Any], Any], fact: Fact) -> Any:
    """A legal answer to a fact."""
    match fact.kind:
        case Kind.YES_NO:
            return draw(st.booleans())
        case Kind.NUMBER:
            return draw(st.integers(-9 if fact.low is None else fact.low, 9 if fact.high is None else fact.high))
        case Kind.CHOICE:
            return draw(st.sampled_from([choice.key for choice in fact.choices]))
        case Kind.TEXT:
            return draw(st.text(max_size=5))
        case Kind.LIST:
            record = st.fixed_dictionaries({}, optional={"pinned": st.booleans(), "morale": st.integers(1, 6)})
            return draw(st.lists(record, max_size=3))


def reply(draw: Callable[[Any], Any], need: Need) -> Any:
    """A legal reply to a need."""
    if isinstance(need, Ask):
        asked = draw(st.sampled_from([need.questions, need.questions[:1]]))
        return {question.key: answer(draw, question.fact) for question in asked}
    if isinstance(need, Roll):
        face = st.integers(need.dice.low, need.dice.high)
        return draw(face) if need.pool is None else draw(st.lists(face, min_size=need.pool, max_size=need.pool))
    assert isinstance(need, Draw)
    return {"red": draw(st.booleans())} if draw(st.booleans()) else {}
