"""Laws of the walk, on charts that nobody thought of."""

from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from refcli.core.chart import Chart
from refcli.core.errors import RefcliError
from refcli.core.fast import compiled
from refcli.core.need import Ask, Outcome, Roll
from refcli.core.ruling import ruling
from refcli.core.walk import Walk, advance, pending, start
from tests.strategies import charts, files, reply

SETTINGS = settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))


def load(folder: Path, text: str) -> Chart:
    from refcli.load.library import Library

    for name, content in files(text).items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return Library([folder]).load("made/chart")


def snapshot(walk: Walk) -> tuple[Any, ...]:
    return walk.position, hash(walk.position), walk.trail.steps, walk.need, dict(walk.sources)


@SETTINGS
@given(text=charts(), data=st.data())
def test_a_legal_chart_with_legal_replies_ends_in_an_outcome_or_a_named_error(
    tmp_path_factory: Any, text: str, data: st.DataObject
) -> None:
    """Also: advance leaves the old walk untouched, and equal replies make equal walks."""
    chart = load(tmp_path_factory.mktemp("charts"), text)
    walk = twin = start(chart)
    for _ in range(200):
        need = pending(walk)
        if isinstance(need, Outcome):
            break
        before = snapshot(walk)
        given_reply = reply(data.draw, need)
        try:
            later = advance(walk, given_reply)
        except RefcliError as fault:
            assert str(fault)
            return
        assert snapshot(walk) == before
        twin = advance(twin, given_reply)
        assert snapshot(later) == snapshot(twin)
        assert hash(later.position) == hash(twin.position)
        walk = later
    assert isinstance(pending(walk), Outcome) or len(walk.trail) > 50


@SETTINGS
@given(text=charts(rich=False), data=st.data())
def test_the_fast_path_rules_as_the_walk_does(tmp_path_factory: Any, text: str, data: st.DataObject) -> None:
    chart = load(tmp_path_factory.mktemp("charts"), text)
    fast = compiled(chart)
    assert fast is not None
    walk = start(chart)
    answers: dict[str, Any] = {}
    rolls: dict[str, int] = {}
    for _ in range(60):
        need = pending(walk)
        if isinstance(need, Outcome):
            break
        if isinstance(need, Ask):
            default = {q.key: q.default for q in need.questions if q.default is not None}
            if default and data.draw(st.booleans()):
                walk = advance(walk, default, "default")
                continue
            given_reply = reply(data.draw, need)
            answers |= given_reply
            walk = advance(walk, given_reply)
        elif isinstance(need, Roll):
            if need.name not in rolls:
                rolls[need.name] = data.draw(st.integers(need.dice.low, need.dice.high))
            walk = advance(walk, rolls[need.name])
    if not isinstance(pending(walk), Outcome):
        assert fast.decide(answers, rolls) is None  # rolls over and over: left to the walk and its limit
        return
    outcome = pending(walk)
    assert isinstance(outcome, Outcome)
    assert fast.decide(answers, rolls) == (outcome.id, dict(outcome.gives))
    assert fast.ruling(answers, rolls) == ruling(walk)
    assert fast.ruling(answers, rolls, trail=True) == ruling(walk, trail=True)


@SETTINGS
@given(text=charts(rich=False), data=st.data())
def test_the_fast_path_leaves_what_is_missing_or_illegal_to_the_walk(
    tmp_path_factory: Any, text: str, data: st.DataObject
) -> None:
    chart = load(tmp_path_factory.mktemp("charts"), text)
    fast = compiled(chart)
    assert fast is not None
    odd = st.sampled_from(["wrong", 99, None, 1.5, [], {}, True])
    names = st.sampled_from(["wet", "cold", "size", "skill", "ground", "grade"])
    answers = data.draw(st.dictionaries(names, odd))
    rolls = data.draw(st.dictionaries(st.sampled_from([f"die{i}" for i in range(7)]), odd))
    found = fast.decide(answers, rolls)
    if found is not None:  # then the walk, given the same, finds no fault either
        walk = start(chart)
        while not isinstance(need := pending(walk), Outcome):
            if isinstance(need, Ask):
                reply_now = {q.key: answers.get(q.key, q.default) for q in need.questions}
                walk = advance(walk, reply_now)
            else:
                assert isinstance(need, Roll)
                walk = advance(walk, rolls[need.name])
        assert found == (need.id, dict(need.gives))
