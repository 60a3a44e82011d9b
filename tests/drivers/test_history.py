"""Going back and trying out, as laws of any chart: the same replies lead to the same walk, and a trial leaves no trace."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from refcli.core.chart import Chart
from refcli.core.errors import RefcliError, ReplyError
from refcli.core.need import Need
from refcli.core.walk import Walk, start
from refcli.drivers.chance import Chance
from refcli.drivers.history import Done, History
from refcli.drivers.loop import Back, Quit, Stopped, Supplied, drive
from refcli.drivers.memory import Known, Memory, answers_in
from refcli.drivers.whatif import answers_so_far, changed_reply, compared, what_if
from refcli.load.library import Library
from tests.helpers import CROSSING, Replies, load_chart, load_volley
from tests.strategies import charts, files, reply

SETTINGS = settings(deadline=None, max_examples=120, suppress_health_check=list(HealthCheck))


class Someone:
    """A player who answers anything legal, so many times."""

    def __init__(self, draw: Any, most: int) -> None:
        self.draw = draw
        self.most = most

    def supply(self, walk: Walk, need: Need) -> Supplied:
        self.most -= 1
        if self.most < 0:
            raise Quit
        return Supplied(reply(self.draw, need), "asked")

    def watch(self, history: History) -> None:
        """So that nobody asks him in a trial."""

    def undone(self, cut: Sequence[Done]) -> None:
        """What is taken back is forgotten."""


def load(folder: Path, text: str) -> Chart:
    for name, content in files(text).items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return Library([folder]).load("made/chart")


def played(chart: Chart, data: st.DataObject, most: int) -> tuple[Walk, History] | None:
    """A walk by some replies, to its end or not; None where an error ended it."""
    history = History()
    try:
        return drive(start(chart), [Someone(data.draw, most)], history=history), history
    except Stopped as stop:
        return (stop.walk, history) if stop.fault is None else None
    except RefcliError:
        return None


@SETTINGS
@given(text=charts(), data=st.data(), most=st.integers(1, 20))
def test_a_trial_with_the_same_reply_is_the_walk_itself(
    tmp_path_factory: pytest.TempPathFactory, text: str, data: st.DataObject, most: int
) -> None:
    found = played(load(tmp_path_factory.mktemp("charts"), text), data, most)
    if found is None:
        return
    walk, history = found
    for place, done in enumerate(history.done):
        then = history.trial(place, done.reply, [Known(history.done[place + 1 :])])
        # what nobody reads any more is dropped where a walk stops, and a trial does not stop where the walk did
        assert (then.position.trimmed(), then.need) == (walk.position.trimmed(), walk.need)


@SETTINGS
@given(text=charts(), data=st.data(), most=st.integers(1, 20), steps=st.integers(1, 25))
def test_what_is_taken_back_brings_the_walk_back_when_it_is_given_again(
    tmp_path_factory: pytest.TempPathFactory, text: str, data: st.DataObject, most: int, steps: int
) -> None:
    found = played(load(tmp_path_factory.mktemp("charts"), text), data, most)
    if found is None or not found[1].done:
        return
    walk, history = found
    whole = list(history.done)
    earlier = history.back(steps)
    assert earlier is whole[max(len(whole) - steps, 0)].walk
    assert history.done == whole[: max(len(whole) - steps, 0)]
    again = Replies([done.reply for done in whole[len(history.done) :]] + [Quit])
    try:
        back = drive(earlier, [again], history=history)
    except Stopped as stop:
        back = stop.walk
    assert back == walk


@SETTINGS
@given(text=charts(), data=st.data(), most=st.integers(1, 20))
def test_what_if_leaves_everything_as_it_was_and_always_tells_something(
    tmp_path_factory: pytest.TempPathFactory, text: str, data: st.DataObject, most: int
) -> None:
    found = played(load(tmp_path_factory.mktemp("charts"), text), data, most)
    if found is None:
        return
    walk, history = found
    before = list(history.done)
    for answer in answers_so_far(history):
        assert str(answer)
        other = reply(data.draw, answer.need)
        value = other.get(answer.question.key) if answer.question is not None else other
        if answer.field or value is None:
            continue
        try:
            then = what_if(history, answer, value)
        except RefcliError:
            continue
        assert compared(walk, then, lambda one: [])
    assert history.done == before


def test_going_back_takes_back_what_was_used_up(tmp_path: Path) -> None:
    """The same dice come again, and what came of a reply by itself goes with it."""
    chart = load_chart(
        tmp_path,
        """
        facts:
          one: {ask: One, number: 0..9}
          two: {ask: Two, number: 0..9}
        nodes:
          a: {roll: d100, as: first, next: b}
          b: {set: {x: first + one}, next: c}
          c: {roll: d100, as: second, next: d}
          d: {set: {y: x + second + two}, next: done}
        gives: {y: y}
        outcomes:
          done: {title: Done}
        """,
    )
    history = History()
    again = [{"one": 1}, Back, {"one": 2}, {"two": 3}]
    walk = drive(start(chart), [Chance(7), Replies(again)], history=history)
    plainly = drive(start(chart), [Chance(7), Replies([{"one": 2}, {"two": 3}])])
    assert walk == plainly
    assert [done.his for done in history.done] == [False, True, False, True]


def test_back_before_anything_was_replied_is_nowhere() -> None:
    assert History().back() is None


def test_too_many_steps_back_are_all_of_them(tmp_path: Path) -> None:
    history = History()
    with pytest.raises(Stopped):
        drive(start(load_volley(tmp_path)), [Replies([{"shots": 2}, [4, 1], Quit])], history=history)
    walk = history.back(99)
    assert walk is not None
    assert (len(walk.trail), history.done) == (0, [])


def test_a_reply_that_does_not_fit_leaves_a_trial_without_a_trace(tmp_path: Path) -> None:
    chart = load_chart(tmp_path, CROSSING)
    history = History()
    chance = Chance(3)
    with pytest.raises(Stopped):
        drive(start(chart), [Replies([{"mover": "gun"}, Quit]), chance], history=history)
    mark = chance.mark()
    (answer,) = answers_so_far(history)
    with pytest.raises(ReplyError):
        history.trial(0, changed_reply(history.done[0], answer, "tank"), [])
    assert chance.mark() == mark


def test_memory_offers_the_nearest_first_and_each_only_once(tmp_path: Path) -> None:
    chart = load_chart(tmp_path, CROSSING)
    history = History()
    with pytest.raises(Stopped):
        drive(start(chart), [Replies([{"mover": "gun"}, {"rating": 2}, Quit])], history=history)
    (mover, _), (rating, _) = answers_in(history.done)
    memory = Memory({rating: [1], mover: ["troops"]})
    assert memory.offer(rating) == (1, "as last time")
    memory.keep(history.done[1:])
    assert memory.offer(rating) == (2, "as before")
    memory.spent(rating)
    assert memory.offer(rating) is None
    memory.keep(history.done)
    assert memory.offer(mover) == ("gun", "as before")


def test_memory_offers_nothing_that_is_not_legal_any_more(tmp_path: Path) -> None:
    chart = load_chart(tmp_path, CROSSING)
    memory = Memory({("x",): [99]})
    assert memory.offer(("x",), chart.facts["rating"]) is None
    assert memory.offer(("x",)) == (99, "as last time")
