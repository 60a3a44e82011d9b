"""What a walk hands to the one that follows it."""

from pathlib import Path

from refcli.core.family import family
from refcli.core.walk import start
from refcli.drivers.handover import handed_over
from refcli.drivers.history import History
from refcli.drivers.loop import drive
from refcli.load.library import Library
from tests.helpers import CARDS, MAN, MEN, VOLLEY, Replies, end, write_charts

BOOK = (
    "facts:"
    + MEN
    + """
    cold: Is it cold?
    wind: {ask: Wind, number: 0..9}
"""
)
NEXT = """
    facts:
      score: {ask: Score, number: 0..9}
      loud: Is it loud?
    nodes:
      test: {decide: cold and loud and wind + score > count(men where down), yes: good, no: bad}
    outcomes:
      good: {title: Good}
      bad: {title: Bad}
"""
FIRST = """
    facts:
      loud: Is it loud?
      score: {ask: Score, number: 0..9}
    nodes:
      test: {decide: cold and wind > 3 and loud, yes: good, no: bad}
    gives: {score: score + 1, other: 7}
    outcomes:
      good: {title: Good, changes: {wind: wind - 1}, then: next}
      bad: {title: Bad, gives: {score: 99}}
"""


def test_shared_facts_as_they_stand_now_and_gives_go_along(tmp_path: Path) -> None:
    shelf = Library([write_charts(tmp_path, FIRST, book=BOOK, cards=CARDS, next=NEXT)])
    history = History()
    replies = [{"cold": True}, {"wind": 6}, {"loud": True}, {"score": 4}]
    walk = drive(start(shelf.load("made/chart")), [Replies(replies)], history=history)
    follows = shelf.load("made/next")
    assert end(walk).then == "made/next"
    # the chart's own `loud` stays behind; `wind` is as the outcome changed it; `score` is what was given, not asked
    assert handed_over(walk, history.done, follows) == {"cold": True, "wind": 5, "made/next.score": 5}


def test_what_does_not_fit_stays_behind(tmp_path: Path) -> None:
    shelf = Library([write_charts(tmp_path, FIRST, book=BOOK, cards=CARDS, next=NEXT)])
    history = History()
    walk = drive(start(shelf.load("made/chart")), [Replies([{"cold": False}, {"score": 4}])], history=history)
    assert end(walk).gives["score"] == 99
    assert handed_over(walk, history.done, shelf.load("made/next")) == {"cold": False}


def test_lists_go_along_with_what_became_of_their_records(tmp_path: Path) -> None:
    shelf = Library([write_charts(tmp_path, VOLLEY, book=BOOK, cards=CARDS, man=MAN, next=NEXT)])
    chart = shelf.load("made/chart")
    assert len(family([chart])) == 2
    history = History()
    replies = [
        {"shots": 1}, [4], {"men": [{"name": "Jones"}, {"name": "Smith"}]}, {"men[1].down": False, "men[2].down": True},
        {"suit": "b1"}, {"brave": False},
    ]  # fmt: skip
    walk = drive(start(chart), [Replies(replies)], history=history)
    assert handed_over(walk, history.done, shelf.load("made/next")) == {
        "men": [{"name": "Jones", "down": True}, {"name": "Smith", "down": True}]
    }
