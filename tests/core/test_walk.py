"""The walk: what is asked when, what is handed on, what changes, and where it stops."""

from typing import Any

import pytest

from refcli.core.errors import ChartError, LimitError, ReplyError, WalkError
from refcli.core.need import Ask, Draw, Outcome, Roll
from refcli.core.ruling import ruling
from refcli.core.walk import Walk, advance, pending, start
from tests.core.conftest import ChartOf

BOG = """
    facts:
      mover: {ask: 'Who?', choices: {tracked: Tracked, wheeled: Wheeled, foot: On foot}}
      rating: {ask: Rating, number: -3..3, default: 0}
      bogged: Already bogged?
    nodes:
      throw: {roll: d10, as: die, next: score}
      score:
        tally: score
        start: die
        modifiers:
          - {by: mover, add: {tracked: +2, wheeled: -1}}
          - {when: mover is not foot, add: rating, label: Rating}
          - {when: bogged, add: -1, note: 'Reading: bogged counts.'}
        cases: {..3: bogged_down, 4..5: choice, 6..: through}
    gives: {score: score}
    outcomes:
      through: {title: Through, tone: good, says: Total <score>.}
      choice: {title: Choice}
      bogged_down: {title: Bogged, tone: bad, effects: [{when: bogged, do: Leave the marker.}, Stay.]}
"""


def asked(walk: Walk) -> list[str]:
    need = pending(walk)
    assert isinstance(need, Ask), need
    return [question.key for question in need.questions]


def ended(walk: Walk) -> Outcome:
    need = pending(walk)
    assert isinstance(need, Outcome), need
    return need


def run(walk: Walk, *replies: Any) -> Walk:
    for reply in replies:
        walk = advance(walk, reply)
    return walk


def test_a_tally_asks_in_rounds_only_what_counts(chart_of: ChartOf) -> None:
    walk = start(chart_of(BOG))
    need = pending(walk)
    assert isinstance(need, Roll)
    assert (str(need.dice), need.name) == ("d10", "die")
    walk = advance(walk, 4)
    assert asked(walk) == ["mover", "bogged"]
    foot = advance(walk, {"mover": "foot", "bogged": False})
    assert ended(foot).id == "choice"
    tracked = advance(walk, {"mover": "tracked", "bogged": True})
    assert asked(tracked) == ["rating"]
    assert pending(tracked).questions[0].default == 0  # type: ignore[union-attr]
    assert ended(advance(tracked, {"rating": 1})).says == "Total 6."


def test_part_of_a_form_may_be_answered(chart_of: ChartOf) -> None:
    walk = run(start(chart_of(BOG)), 4, {"bogged": False})
    assert asked(walk) == ["mover"]


def test_a_ruling_tells_all(chart_of: ChartOf) -> None:
    walk = run(start(chart_of(BOG), {"bogged": "yes"}), 4, {"mover": "wheeled"})
    walk = advance(walk, {"rating": 0}, "default")
    found = ruling(walk, "case 1", trail=True)
    trail = found.pop("trail")
    assert found == {
        "id": "case 1",
        "chart": "made/chart",
        "outcome": "bogged_down",
        "title": "Bogged",
        "says": "",
        "effects": ["Leave the marker.", "Stay."],
        "gives": {"score": 2},
        "changes": {},
        "rolls": {"die": 4},
        "draws": [],
        "defaults": ["rating"],
        "readings": ["Reading: bogged counts."],
    }
    assert trail[1] == {
        "chart": "made/chart",
        "node": "score",
        "kind": "tally",
        "value": 2,
        "start": 4,
        "modifiers": [{"label": "Wheeled", "add": -1}, {"label": "Bogged", "add": -1}],
        "to": "bogged_down",
        "notes": ["Reading: bogged counts."],
    }


def test_a_bad_reply_leaves_the_walk_as_it_was(chart_of: ChartOf) -> None:
    walk = start(chart_of(BOG))
    with pytest.raises(ReplyError, match="d10 gives 1 to 10, not 11"):
        advance(walk, 11)
    assert ended(run(walk, 9, {"mover": "foot", "bogged": False})).id == "through"


def test_an_unknown_fact_is_refused_with_a_suggestion(chart_of: ChartOf) -> None:
    with pytest.raises(ReplyError, match=r"Chart has no fact .moverr.; did you mean .mover.\?"):
        start(chart_of(BOG), {"moverr": "foot"})


def test_a_house_rule_is_asked_only_on_request(chart_of: ChartOf) -> None:
    chart = chart_of("""
        facts:
          way: {ask: 'Which way?', choices: {old: Old, new: New}, default: old, house_rule: yes, note: 'Reading: old.'}
        nodes: {test: {decide: way, cases: {old: a, new: b}}}
        outcomes: {a: {title: A}, b: {title: B}}
    """)
    walk = start(chart)
    assert ended(walk).id == "a"
    assert (ruling(walk)["defaults"], ruling(walk)["readings"]) == (["way"], ["Reading: old."])
    assert asked(start(chart, house_rules=True)) == ["way"]
    assert ended(start(chart, {"way": "new"})).id == "b"


def test_a_free_choice_stands_alone_and_last(chart_of: ChartOf) -> None:
    walk = start(
        chart_of("""
        facts: {wet: 'Wet?', stay: {ask: 'Stay?', decides: player}, cold: 'Cold?'}
        nodes:
          sum:
            tally: n
            modifiers: [{when: stay, add: 1}, {when: wet, add: 1}, {when: cold, add: 1}]
            cases: {..1: a, 2..: b}
        outcomes: {a: {title: A}, b: {title: B}}
    """)
    )
    assert asked(walk) == ["wet", "cold"]
    assert asked(advance(walk, {"wet": True, "cold": False})) == ["stay"]


def test_a_default_may_need_other_facts_first(chart_of: ChartOf) -> None:
    chart = chart_of("""
        facts: {level: {ask: Level, number: 0..9}, rating: {ask: Rating, number: 0..3, default: level - 2}}
        nodes: {test: {decide: rating > 1, yes: a, no: b}}
        outcomes: {a: {title: A}, b: {title: B}}
    """)
    walk = start(chart)
    assert asked(walk) == ["level"]
    need = pending(advance(walk, {"level": 9}))
    assert isinstance(need, Ask)
    assert need.questions[0].default == 3  # held within the fact's range


ATTACK = """
    nodes:
      first: {draw: cards, as: card, next: men}
      men:
        each: squad
        when: not gone
        run: hit
        with: {strength: strength}
        until: stops
        as: fates
        next: count
      count: {decide: count(fates where outcome is down), cases: {0: calm, 1..: losses}}
    gives: {downs: count(fates where outcome is down), points: total(fates.points)}
    facts:
      strength: {ask: Strength, number: ..}
    outcomes: {calm: {title: Calm}, losses: {title: Losses}}
"""
HIT = """
    facts: {strength: {ask: Strength, number: ..}}
    nodes:
      pull: {draw: cards, as: card, next: sum}
      sum:
        tally: result
        start: strength
        modifiers: [{add: card.value.signed, label: Card}, {when: smoke > 0, add: -1, label: Smoke}]
        cases: {..2: safe, 3..: near}
      near: {decide: card.spot(morale) == 1, yes: safe, no: down}
    gives: {points: 0, stops: card.value.signed == -3}
    changes: {strength: strength + 1, smoke: 0}
    outcomes:
      safe: {title: Safe}
      down: {title: Down, gives: {points: 2}, changes: {gone: yes}}
"""
SQUAD = """
    facts:
      squad: {ask: The squad, noun: man, list: [name, gone, morale]}
      name: {ask: Name, text: yes}
      gone: {ask: 'Is he gone?', default: no}
      morale: {ask: Morale, number: 1..4}
      smoke: {ask: Smoke, number: 0..3}
"""
CARDS = """
    title: Cards
    fields:
      value:
        ask: Number on the card
        choices:
          b1: {label: Black 1, signed: 1}
          b3: {label: Black 3, signed: 3}
          r3: {label: Red 3, signed: -3}
      spot: {ask: Spot, number: 1..4, columns: 1..4}
"""


def attack(chart_of: ChartOf) -> Walk:
    return start(chart_of(ATTACK, SQUAD, CARDS, hit=HIT))


def test_a_card_that_nothing_reads_asks_for_nothing(chart_of: ChartOf) -> None:
    need = pending(attack(chart_of))
    assert isinstance(need, Draw)
    assert (need.first, need.fields) == (None, ())


def test_an_each_asks_over_all_records_and_runs_those_it_chose(chart_of: ChartOf) -> None:
    walk = advance(attack(chart_of), {})
    assert asked(walk) == ["squad"]
    walk = advance(walk, {"squad": [{"name": "Ann"}, {"name": "Bob", "gone": True}, {}]})
    need = pending(walk)
    assert isinstance(need, Ask)
    assert [(q.key, q.subject, q.default) for q in need.questions] == [
        ("squad[1].gone", "Ann", False),
        ("squad[3].gone", "man 3", False),
    ]
    walk = advance(walk, {"squad[1].gone": False, "squad[3].gone": False})
    need = pending(walk)
    assert isinstance(need, Draw)
    assert need.first is not None
    assert (need.first.name, need.fields) == ("value", ("value", "spot"))
    walk = advance(walk, {"value": "b3"})
    assert asked(walk) == ["strength", "smoke"]
    walk = advance(walk, {"strength": 1, "smoke": 1})
    assert asked(walk) == ["squad[1].morale"]  # needed for the column only
    walk = advance(walk, {"squad[1].morale": 2})
    assert asked(walk) == ["card.spot(2)"]
    walk = advance(walk, {"card.spot(2)": 3})
    # strength grew to 2 for the next man, and the smoke is gone for the walk
    walk = run(walk, {"value": "b1", "spot": {}}, {"squad[3].morale": 1}, {"card.spot(1)": 1})
    outcome = ended(walk)
    assert (outcome.id, dict(outcome.gives)) == ("losses", {"downs": 1, "points": 2})
    steps = [(s.label, s.value) for s in walk.trail if s.kind == "record"]
    assert steps == [("Ann", 1), ("man 3", 3)]
    sums = [(s.value, [(line.label, line.amount) for line in s.lines]) for s in walk.trail if s.kind == "tally"]
    assert sums == [(3, [("Strength", 1), ("Card", 3), ("Smoke", -1)]), (3, [("Strength", 2), ("Card", 1)])]


def test_until_stops_an_each_early(chart_of: ChartOf) -> None:
    men = [{"gone": False}, {"gone": False}]
    walk = run(attack(chart_of), {}, {"squad": men}, {"value": "r3"}, {"strength": 0, "smoke": 0})
    assert ended(walk).id == "calm"
    assert [s.value for s in walk.trail if s.kind == "record"] == [1]


def test_equal_futures_are_equal_positions(chart_of: ChartOf) -> None:
    men = [{"gone": False, "morale": 1, "name": "Ann"}, {"gone": False, "morale": 1, "name": "Bob"}]
    begun = run(attack(chart_of), {}, {"squad": men})
    facts = {"strength": 1, "smoke": 0}
    one = run(begun, {"value": "b1", "spot": {1: 1, 3: 4}}, facts)
    two = run(begun, {"value": "b1", "spot": {1: 1, 4: 2}}, facts)
    assert one.position == two.position
    assert hash(one.position) == hash(two.position)
    assert one.trail != two.trail


def test_a_roll_made_already_is_handed_on(chart_of: ChartOf) -> None:
    chart = chart_of(
        """
        nodes:
          throw: {roll: d6, as: die, next: call}
          call: {run: helper, with: {thrown: die, level: die + 1}, as: back, next: test}
          test: {decide: back.total + back.level, cases: {..9: a, 10..: b}}
        outcomes: {a: {title: A}, b: {title: B}}
        """,
        helper="""
        facts: {level: {ask: Level, number: ..}}
        nodes:
          throw: {roll: d6, as: thrown, next: sum}
          sum: {set: {total: thrown + level}, next: out}
        gives: {total: total}
        changes: {level: level * 2}
        outcomes: {out: {title: Out}}
        """,
    )
    walk = advance(start(chart), 3)
    assert ended(walk).id == "b"  # 3 + 4, and a level of 8
    assert ruling(walk)["rolls"] == {"die": 3}


def test_a_pool_counts_its_dice(chart_of: ChartOf) -> None:
    chart = chart_of("""
        facts: {dice: {ask: Dice, number: 0..200}, need: {ask: Need, number: 2..6}}
        nodes:
          throw: {roll: d6, dice: dice, count: {hits: die >= need, ones: die == 1}, next: test}
          test: {decide: hits > ones, yes: a, no: b}
        outcomes: {a: {title: A}, b: {title: B}}
    """)
    walk = start(chart, {"dice": 4, "need": 4})
    need = pending(walk)
    assert isinstance(need, Roll)
    assert need.pool == 4
    assert asked(start(chart, {"dice": 4})) == ["need"]  # before anybody throws
    done = advance(walk, [5, 4, 2, 1])
    assert ended(done).id == "a"
    assert ruling(done)["rolls"] == {"throw": [5, 4, 2, 1]}
    assert ended(start(chart, {"dice": 0, "need": 4})).id == "b"
    with pytest.raises(LimitError, match=r"made/chart, node 'throw': more than 100 dice in a pool"):
        start(chart, {"dice": 101, "need": 4})


def test_a_walk_that_never_ends_is_stopped_by_a_named_limit(chart_of: ChartOf) -> None:
    chart = chart_of("""
        nodes: {throw: {roll: d6, as: die, cases: {1: a, 2..: throw}}}
        outcomes: {a: {title: A}}
    """)
    walk = start(chart)
    for _ in range(10_000):
        walk = advance(walk, 6)
    with pytest.raises(LimitError, match=r"more than 10,000 steps"):
        advance(walk, 6)
    assert len({start(chart).position, walk.position}) == 1  # a reroll is one state


def test_numbers_stay_within_bounds(chart_of: ChartOf) -> None:
    chart = chart_of("""
        facts: {size: {ask: Size, number: ..}}
        nodes:
          square: {set: {a: size * size, b: a * a}, next: test}
          test: {decide: b > 0, yes: good, no: bad}
        outcomes: {good: {title: A}, bad: {title: B}}
    """)
    assert ended(start(chart, {"size": 100})).id == "good"
    with pytest.raises(LimitError, match="more than 1,000,000,000 as the size of 'b'"):
        start(chart, {"size": 1000})


def test_a_value_without_a_case_names_the_node(chart_of: ChartOf) -> None:
    chart = chart_of("""
        facts: {size: {ask: Size, number: 0..9}}
        nodes: {test: {decide: size, cases: {0: good, 1..3: bad}}}
        outcomes: {good: {title: A}, bad: {title: B}}
    """)
    with pytest.raises(WalkError, match=r"chart.yaml:5:9: made/chart, node 'test' has no case for 4"):
        start(chart, {"size": 4})


def test_dividing_rounds_down_once_at_the_end(chart_of: ChartOf) -> None:
    chart = chart_of("""
        facts: {a: {ask: A, number: 0..9}}
        nodes:
          sum:
            tally: n
            start: a
            modifiers: [{divide: 2, label: Half}, {multiply: 3, label: Times 3}, {add: 0}]
            next: good
        gives: {n: n}
        outcomes: {good: {title: Good}}
    """)
    walk = start(chart, {"a": 3})
    assert ended(walk).gives == {"n": 4}
    assert [(line.label, line.op, line.amount) for line in walk.trail.steps[0].lines] == [
        ("A", "start", 3),
        ("Half", "divide", 2),
        ("Times 3", "multiply", 3),
    ]


def test_what_is_never_asked_keeps_its_default_until_it_is_changed(chart_of: ChartOf) -> None:
    from refcli.drivers.loop import drive
    from refcli.drivers.script import Case, CaseSupplier, Unasked

    chart = chart_of("""
        facts: {gone: {ask: 'Is he gone?', default: no, asked: no}}
        nodes: {test: {decide: gone, yes: a, no: b}}
        outcomes: {a: {title: A}, b: {title: B}}
    """)
    nobody = [Unasked(house_rules=True)]
    assert ended(drive(start(chart), nobody)).id == "b"
    case = CaseSupplier(Case(given={"gone": "yes"}, rolls={}, draws=[]))
    assert ended(drive(start(chart), [case, *nobody])).id == "a"


def test_the_first_chart_whose_condition_holds_is_offered_next(chart_of: ChartOf) -> None:
    chart = chart_of(
        """
        facts: {wet: 'Wet?', cold: 'Cold?'}
        nodes: {test: {decide: wet or cold, yes: a, no: a}}
        outcomes: {a: {title: A, then: [{when: wet, chart: helper}, {when: cold, chart: made/other}]}}
        """,
        helper="nodes: {a: {do: A, next: b}}\noutcomes: {b: {title: B}}",
        other="nodes: {a: {do: A, next: b}}\noutcomes: {b: {title: B}}",
    )
    after = {
        (wet, cold): ended(start(chart, {"wet": wet, "cold": cold})).then
        for wet in (True, False)
        for cold in (True, False)
    }
    assert after == {
        (True, True): "made/helper",
        (True, False): "made/helper",
        (False, True): "made/other",
        (False, False): "",
    }


def test_going_back_is_allowed_through_a_chart_that_always_rolls(chart_of: ChartOf) -> None:
    again = "nodes: {go: {run: helper, as: back, cases: {high: done, low: go}}}\noutcomes: {done: {title: Done}}"
    rolls = "nodes: {go: {roll: d6, cases: {..3: low, 4..: high}}}\noutcomes: {low: {title: L}, high: {title: H}}"
    assert ended(run(start(chart_of(again, helper=rolls)), 1, 2, 6)).id == "done"
    asks = "nodes: {go: {decide: wet, yes: low, no: high}}\nfacts: {wet: 'Wet?'}\noutcomes: {low: {title: L}, high: {title: H}}"
    with pytest.raises(ChartError, match="C402"):
        chart_of(again, helper=asks)


def test_a_card_handed_on_is_asked_for_what_is_read_of_it(chart_of: ChartOf) -> None:
    chart = chart_of(
        """
        nodes:
          pull: {draw: cards, as: drawn, next: call}
          call: {run: helper, with: {card: drawn}, as: back, next: end}
        outcomes: {end: {title: End}}
        """,
        cards=CARDS,
        helper="""
        nodes: {pull: {draw: cards, as: card, next: look}, look: {decide: card.spot(2) > 1, yes: a, no: b}}
        outcomes: {a: {title: A}, b: {title: B}}
        """,
    )
    walk = start(chart)
    need = pending(walk)
    assert isinstance(need, Draw)
    assert (need.first, need.fields) == (None, ("spot",))
    walk = advance(walk, {})
    assert asked(walk) == ["card.spot(2)"]
    done = advance(walk, {"card.spot(2)": 3})
    assert ruling(done)["draws"] == [{"spot": {"2": 3}}]


def test_a_field_read_in_a_called_chart_is_not_asked_again(chart_of: ChartOf) -> None:
    chart = chart_of(
        """
        nodes:
          pull: {draw: cards, as: drawn, next: call}
          call: {run: helper, with: {card: drawn}, as: back, next: again}
          again: {decide: drawn.spot(2) > 1, yes: a, no: b}
        outcomes: {a: {title: A}, b: {title: B}}
        """,
        cards=CARDS,
        helper="""
        nodes: {pull: {draw: cards, as: card, next: look}, look: {decide: card.spot(2) > 1, yes: a, no: b}}
        outcomes: {a: {title: A}, b: {title: B}}
        """,
    )
    assert ended(run(start(chart), {}, {"card.spot(2)": 2})).id == "a"


def test_a_card_drawn_again_has_fields_of_its_own(chart_of: ChartOf) -> None:
    chart = chart_of(
        """
        nodes:
          pull: {draw: cards, as: card, next: three}
          three: {decide: card.value.signed > 1, yes: look, no: pull}
          look: {decide: card.spot(1) == 2, yes: a, no: pull}
        outcomes: {a: {title: A}}
        """,
        cards=CARDS,
    )
    replies = [{"value": "b1"}, {"value": "b3"}, {"card.spot(1)": 1}, {"value": "b3"}, {"card.spot(1)": 2}]
    done = run(start(chart), *replies)
    assert ruling(done)["draws"] == [
        {"value": "b1"},
        {"value": "b3", "spot": {"1": 1}},
        {"value": "b3", "spot": {"1": 2}},
    ]
    fed_back = start(chart)
    for card in ruling(done)["draws"]:
        fed_back = advance(fed_back, card)
    assert ruling(fed_back) == ruling(done)
