"""Lists with a size and rules for their records, and what is known of records at the end."""

from typing import Any

import pytest

from refcli.core.chart import Chart
from refcli.core.errors import ReplyError
from refcli.core.need import Ask
from refcli.core.ruling import records, ruling
from refcli.core.walk import Walk, advance, pending, start
from tests.core.conftest import ChartOf

BOOK = """
    facts:
      men:
        ask: The men
        noun: man
        list: [name, hurt, nerve, limit, ready]
        size: 1..3
        must:
          - {be: nerve <= limit, says: The nerve is never above its limit}
          - {be: not (hurt and ready), says: A man who is hurt is not ready}
      name: {ask: His name, text: yes}
      hurt: {ask: 'Is he hurt?', default: no}
      nerve: {ask: His nerve, number: 0..9}
      limit: {ask: Its limit, number: 0..9}
      ready: Is he ready?
"""
CHART = """
    nodes:
      all: {each: men, run: man, as: fates, next: rest}
      rest: {decide: count(men where ready) > 0, yes: good, no: bad}
    outcomes:
      good: {title: Good}
      bad: {title: Bad}
"""
MAN = """
    nodes:
      first: {decide: limit > 0, yes: second, no: falls}
      second: {decide: nerve > 2, yes: stands, no: falls}
    outcomes:
      stands: {title: Stands}
      falls: {title: Falls, changes: {hurt: yes, nerve: 0}}
"""


@pytest.fixture
def chart(chart_of: ChartOf) -> Chart:
    return chart_of(CHART, BOOK, man=MAN)


def asked(walk: Walk) -> list[str]:
    need = pending(walk)
    assert isinstance(need, Ask), need
    return [question.key for question in need.questions]


@pytest.mark.parametrize(
    ("men", "message"),
    [
        ([], "men: a list of 1 to 3 is needed, not of 0"),
        ([{}] * 4, "men: a list of 1 to 3 is needed, not of 4"),
        (
            [{}, {"name": "Keller", "nerve": 5, "limit": 4}],
            "men, Keller: The nerve is never above its limit (nerve 5, limit 4)",
        ),
        ([{}, {"nerve": 5, "limit": 4}], "men, man 2: The nerve is never above its limit (nerve 5, limit 4)"),
        ([{"ready": True, "hurt": "yes"}], "men, man 1: A man who is hurt is not ready (hurt yes, ready yes)"),
        ([{"nerve": 5, "limit": 10}], "men, man 1: limit: 10 is out of range; a number in 0..9 is needed"),
    ],
)
def test_a_list_that_breaks_its_rules_is_refused(chart: Chart, men: list[Any], message: str) -> None:
    walk = start(chart)
    with pytest.raises(ReplyError) as fault:
        advance(walk, {"men": men})
    assert str(fault.value) == message
    with pytest.raises(ReplyError) as fault:
        start(chart, {"men": men})
    assert str(fault.value) == message


def test_a_list_that_keeps_its_rules_is_taken(chart: Chart) -> None:
    walk = advance(start(chart), {"men": [{"name": "Keller", "nerve": 5, "limit": 5, "ready": True}, {"hurt": True}]})
    assert asked(walk) == ["men[2].limit"]


def test_a_field_answered_later_keeps_the_rules(chart: Chart) -> None:
    walk = advance(start(chart), {"men": [{"name": "Keller"}, {"nerve": 5}]})
    walk = advance(walk, {"men[1].limit": 4})
    assert asked(walk) == ["men[1].nerve"]
    with pytest.raises(ReplyError) as fault:
        advance(walk, {"men[1].nerve": 5})
    assert str(fault.value) == "men, Keller: The nerve is never above its limit (nerve 5, limit 4)"
    assert fault.value.key == "men[1].nerve"
    walk = advance(walk, {"men[1].nerve": 4})
    assert asked(walk) == ["men[2].limit"]
    with pytest.raises(ReplyError) as fault:
        advance(walk, {"men[2].limit": 4})
    assert str(fault.value) == "men, man 2: The nerve is never above its limit (nerve 5, limit 4)"


def test_what_no_node_reads_any_more_is_still_held_against_a_rule(chart_of: ChartOf) -> None:
    text = """
        nodes:
          one: {decide: count(men where limit > 3) > 0, yes: two, no: bad}
          two: {decide: count(men where nerve > 3) > 0, yes: good, no: bad}
        outcomes: {good: {title: Good}, bad: {title: Bad}}
    """
    walk = advance(advance(start(chart_of(text, BOOK)), {"men": [{}]}), {"men[1].limit": 4})
    with pytest.raises(ReplyError) as fault:
        advance(walk, {"men[1].nerve": 5}, "default")
    assert str(fault.value) == "men, man 1: The nerve is never above its limit (nerve 5, limit 4)"


def test_several_answers_about_one_record_are_looked_at_together(chart_of: ChartOf) -> None:
    text = """
        nodes:
          add: {tally: sum, modifiers: [{add: total(men.nerve)}, {add: total(men.limit)}], next: end}
        outcomes: {end: {title: End, gives: {sum: sum}}}
    """
    walk = advance(start(chart_of(text, BOOK)), {"men": [{}, {}]})
    assert asked(walk) == ["men[1].nerve", "men[2].nerve", "men[1].limit", "men[2].limit"]
    with pytest.raises(ReplyError) as fault:
        advance(walk, {"men[1].nerve": 3, "men[2].limit": 2, "men[1].limit": 2})
    assert str(fault.value) == "men, man 1: The nerve is never above its limit (nerve 3, limit 2)"
    walk = advance(walk, {"men[1].nerve": 3, "men[2].limit": 2, "men[1].limit": 3})
    assert asked(walk) == ["men[2].nerve"]


def test_a_ruling_tells_the_records_as_they_are_at_the_end(chart: Chart) -> None:
    men = [{"name": "Keller", "nerve": 5, "limit": 5}, {"name": "Brown", "limit": 5}, {"limit": 0, "nerve": 0}]
    walk = advance(start(chart), {"men": men})
    walk = advance(walk, {"men[2].nerve": 1})
    walk = advance(walk, {"men[1].ready": True, "men[2].ready": False, "men[3].ready": False})
    assert ruling(walk)["records"] == {
        "men": [
            {"name": "Keller", "nerve": 5, "limit": 5, "ready": True},
            {"name": "Brown", "limit": 5, "nerve": 0, "hurt": True, "ready": False},
            {"limit": 0, "nerve": 0, "hurt": True, "ready": False},
        ]
    }
    assert list(ruling(walk, trail=True))[-2:] == ["records", "trail"]


def test_records_given_at_the_start_are_told_too(chart: Chart) -> None:
    walk = start(chart, {"men": [{"limit": 4, "nerve": 3, "ready": True}]})
    assert records(walk) == {"men": ({"limit": 4, "nerve": 3, "ready": True},)}


def test_no_list_no_records(chart_of: ChartOf) -> None:
    text = "facts:\n  wet: Wet?\nnodes:\n  a: {decide: wet, yes: end, no: end}\noutcomes: {end: {title: End}}"
    assert "records" not in ruling(advance(start(chart_of(text)), {"wet": True}))


def test_own_lists_and_those_of_charts_that_are_run(chart_of: ChartOf) -> None:
    text = """
        facts:
          men: {ask: My men, list: [nerve]}
        nodes:
          mine: {decide: count(men where nerve > 1) > 0, yes: call, no: call}
          call: {run: other, next: end}
        outcomes: {end: {title: End}}
    """
    other = """
        facts:
          guns: {ask: The guns, list: [limit]}
        nodes:
          a: {decide: count(men where limit > 1) + count(guns where limit > 1) > 0, yes: end, no: end}
        outcomes: {end: {title: End}}
    """
    walk = advance(start(chart_of(text, BOOK, other=other)), {"men": [{"nerve": 2}]})
    walk = advance(walk, {"men": [{"limit": 3}]})
    walk = advance(walk, {"guns": [{"limit": 3}]})
    assert ruling(walk)["records"] == {"men": [{"limit": 3}], "chart.men": [{"nerve": 2}]}
