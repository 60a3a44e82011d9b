"""What a case may have to give: everything that any walk asks for, and nothing that a chart is told."""

import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from refcli.analysis.wanted import Wanted, fields_read, wanted
from refcli.core.chart import Chart
from refcli.core.errors import RefcliError
from refcli.core.fact import Fact, Kind
from refcli.core.need import Ask, Need, Outcome, Roll
from refcli.core.walk import Walk, advance, pending, start
from refcli.load.library import Library
from tests.helpers import load_chart

FLOWCHARTS = Path(__file__).parents[2] / "flowcharts"


@cache
def shelf() -> Library:
    return Library([FLOWCHARTS])


CHARTS = sorted(chart.id for book in Library([FLOWCHARTS]).titles() for chart in book.charts)

BOOK = """
    facts:
      steady: Is he steady?
      nerve: {ask: His nerve, number: 1..6, default: 7 - luck}
      luck: {ask: His luck, number: 1..6}
      men: {ask: Who is there, noun: man, list: [steady]}
      weather: Is it wet?
      never: Does nobody read this?
"""
CHART = """
    facts: {brave: Is he brave, odd: Is it odd}
    nodes:
      all: {each: men, run: part, with: {size: 2}, next: once}
      once: {run: part, with: {size: 3, steady: brave, thrown: 4}, next: alone}
      alone: {run: other, next: over}
    outcomes: {over: {title: Over}}
"""
PART = """
    facts: {size: {ask: How large, number: 1..9}, wide: Is it wide}
    nodes:
      throw: {roll: d6, as: thrown, next: big}
      big: {decide: size + thrown > 2 and steady and wide, yes: test, no: left}
      test: {decide: nerve > 3 and weather, yes: gone, no: left}
    outcomes: {gone: {title: Gone}, left: {title: Left}}
"""
OTHER = """
    facts: {wide: Is it wide}
    nodes:
      first: {draw: cards, as: card, next: look}
      look: {decide: card.colour is red and wide, yes: throw, no: over}
      throw: {roll: d6, dice: 2, count: {hits: die > 3}, next: again}
      again: {roll: 2d6, as: thrown, next: over}
    outcomes: {over: {title: Over}}
"""
CARDS = """
    title: Cards
    fields: {colour: {ask: Colour, choices: {red: Red, black: Black}}, wild: Is it wild}
"""


def test_what_callers_and_records_tell_is_not_wanted(tmp_path: Path) -> None:
    chart = load_chart(tmp_path, CHART, book=BOOK, cards=CARDS, part=PART, other=OTHER)
    met = wanted(chart)
    assert list(met.facts) == [
        ("made/chart", "brave"),
        ("", "men"),
        ("made/part", "wide"),
        ("", "nerve"),
        ("", "luck"),
        ("", "weather"),
        ("made/other", "wide"),
    ]
    assert {key: list(nodes) for key, nodes in met.rolls.items()} == {
        ("made/part", "thrown"): ["throw"],
        ("made/other", "throw"): ["throw"],
        ("made/other", "thrown"): ["again"],
    }
    assert {key: list(nodes) for key, nodes in met.draws.items()} == {("made/other", "card"): ["first"]}
    other = chart.charts["made/other"]
    assert [field.name for field in fields_read(met.draws["made/other", "card"]["first"], other)] == ["colour"]


def answer(chance: random.Random, fact: Fact) -> Any:
    match fact.kind:
        case Kind.YES_NO:
            return chance.random() < 0.5
        case Kind.NUMBER:
            low = -9 if fact.low is None else fact.low
            return chance.randint(low, low + 9 if fact.high is None else fact.high)
        case Kind.CHOICE:
            return chance.choice(fact.choices).key
        case Kind.TEXT:
            return "x"
    least, most = fact.size
    return [{}] * chance.randint(least, min(most, max(least, 3)))


def reply(chance: random.Random, need: Need) -> Any:
    if isinstance(need, Ask):
        return {question.key: answer(chance, question.fact) for question in need.questions}
    if isinstance(need, Roll):
        if need.pool is None:
            return chance.randint(need.dice.low, need.dice.high)
        return [chance.randint(1, need.dice.sides) for _ in range(need.pool)]
    return {}


def missed(met: Wanted, need: Need) -> list[str]:
    """What is asked for and was not foreseen."""
    if isinstance(need, Roll):
        return [] if (need.chart, need.name) in met.rolls else [f"roll {need.name}"]
    if not isinstance(need, Ask):
        return [] if (need.chart, getattr(need, "name", "")) in met.draws else [f"draw of {need.chart}"]
    lists = {(name, field.name) for (_, name), fact in met.facts.items() for field in fact.fields}
    fields = {name for nodes in met.draws.values() for node in nodes.values() for name in node.deck.fields}
    found = []
    for question in need.questions:
        slot = question.slot
        if slot.field:
            known = (slot.name, slot.field) in lists if slot.record is not None else slot.field in fields
        else:
            known = ("", slot.name) in met.facts or (question.chart, slot.name) in met.facts
        found += [] if known else [f"{question.chart} {slot.name}.{slot.field}"]
    return found


def stroll(walk: Walk, chance: random.Random, met: Wanted) -> list[str]:
    """A walk with any answers, for as long as they are legal."""
    for _ in range(300):
        need = pending(walk)
        if isinstance(need, Outcome):
            return []
        if found := missed(met, need):
            return found
        try:
            walk = advance(walk, reply(chance, need))
        except RefcliError:
            return []
    return []


@pytest.mark.parametrize("name", CHARTS)
def test_no_walk_asks_for_more(name: str) -> None:
    chart: Chart = shelf().load(name)
    met = wanted(chart)
    chance = random.Random(name)
    for _ in range(8):
        assert stroll(start(chart, house_rules=True), chance, met) == []


@pytest.mark.parametrize("name", CHARTS)
def test_every_name_in_the_worked_examples_is_foreseen(name: str) -> None:
    chart = shelf().load(name)
    met = wanted(chart)
    facts, rolls = {key[1] for key in met.facts}, {key[1] for key in met.rolls}
    for example in chart.examples:
        assert {key.rpartition(".")[2] for key in example.given} <= facts
        assert {key.rpartition(".")[2] for key in example.rolls} <= rolls
        assert met.draws or not example.draws
