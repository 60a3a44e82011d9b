"""Forms: what a line fills in, what a row turns to, and the total that goes with it."""

from pathlib import Path
from typing import Any

import pytest

from refcli.core.errors import ReplyError
from refcli.core.fact import Kind
from refcli.core.need import Ask
from refcli.core.walk import advance, start
from refcli.drivers.form import Edit, Form, Row
from refcli.drivers.prompt import prompt_for
from refcli.drivers.total import Total, total_of
from tests.helpers import CROSSING, load_chart, load_volley, make_fact, make_question


def made(**more: Any) -> Form:
    """A form of two boxes, a number from 0 to 3 and a choice."""
    facts = [
        make_fact(Kind.YES_NO, name="wet", ask="Is it wet?"),
        make_fact(Kind.YES_NO, name="dark", ask="Is it dark?"),
        make_fact(Kind.NUMBER, name="wire", ask="Wire cards", low=0, high=3),
        make_fact(Kind.CHOICE, {"open": "Open ground", "woods": "Deep woods"}, name="ground", ask="What ground?"),
    ]
    defaults = {"dark": True, "wire": 1, "ground": "open"}
    questions = [make_question(fact, default=defaults.get(fact.name)) for fact in facts]
    return Form([Row(question, prompt_for(question)) for question in questions], **more)


def test_a_form_begins_with_what_is_usual_and_shows_it() -> None:
    form = made()
    assert form.values == {"wet": False, "dark": True, "wire": 1, "ground": "open"}
    assert form.lines() == [
        "1 [ ] Is it wet?",
        "2 [x] Is it dark?",
        "3 [1] Wire cards",
        "4 [Open ground] What ground?",
    ]


@pytest.mark.parametrize(
    ("typed", "values"),
    [
        ("1", {"wet": True}),
        ("1 2", {"wet": True, "dark": False}),
        ("1,2", {"wet": True, "dark": False}),
        (" 2 ; 1 ", {"wet": True, "dark": False}),
        ("0", {"dark": False}),
        ("none", {"dark": False}),
        ("n", {"dark": False}),
        ("3=2", {"wire": 2}),
        ("3 = 0 1", {"wire": 0, "wet": True}),
        ("4=woods, 1", {"ground": "woods", "wet": True}),
        ("4=deep woods 1", {"ground": "woods", "wet": True}),
        ("4=2 3=3 2", {"ground": "woods", "wire": 3, "dark": False}),
        ("1=n 2=y", {}),
        ("2=no", {"dark": False}),
        ("3=", {"wire": 1}),
    ],
)
def test_a_line_fills_in_the_rows_it_names_and_leaves_the_others(typed: str, values: dict[str, Any]) -> None:
    form = made()
    before = form.values
    assert form.read(typed) is None
    assert form.values == {**before, **values}


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("9", "choose 1 to 4, not 9"),
        ("1 9", "choose 1 to 4, not 9"),
        ("1 1", "row 1 stands there twice"),
        ("1 3", "3 is no box to tick: type 3=… to set it"),
        ("3=7", "7 is out of range; a number from 0 to 3 is needed"),
        ("4=q", "row 4: 1 to 2, or a word's beginning"),
        ("4=sea", "'sea' is not a choice; choose 1 to 2, a key or the beginning of a word"),
        ("maybe", "type numbers to tick, 3=… to set; Enter as it stands; not 'maybe'"),
        ("1 maybe", "type numbers to tick, 3=… to set; Enter as it stands; not '1 maybe'"),
        ("-1", "type numbers to tick, 3=… to set; Enter as it stands; not '-1'"),
    ],
)
def test_a_line_that_makes_no_sense_changes_nothing(typed: str, message: str) -> None:
    form = made()
    before = form.values
    with pytest.raises(ReplyError) as fault:
        form.read(typed)
    assert str(fault.value) == message
    assert form.values == before


def test_the_number_of_a_row_that_is_no_box_asks_for_it_alone() -> None:
    form = made()
    found = form.read("3")
    assert isinstance(found, Edit)
    assert found.row is form.rows[2]


def test_rows_turn_round_within_their_range() -> None:
    wet, _, wire, ground = made().rows
    assert [wet.turned(), ground.turned(), ground.turned(-1)] == [True, "woods", "woods"]
    turned = []
    for _ in range(4):
        wire.value = wire.turned()
        turned.append(wire.value)
    assert turned == [2, 3, 0, 1]
    wire.value = 0
    assert wire.turned(-1) == 3


def test_an_open_range_stops_at_its_end() -> None:
    question = make_question(make_fact(Kind.NUMBER, name="wire", low=0), default=0)
    row = Row(question, prompt_for(question))
    assert (row.turned(), row.turned(-1)) == (1, 0)


def test_what_was_filled_in_is_told_in_a_few_words() -> None:
    form = made()
    form.read("2")
    assert form.brief() == "as it stands"
    form.read("1 3=2")
    assert form.brief() == "Is it wet? · Wire cards 2"
    form.read("2 4=woods")
    assert form.brief() == "4 rows"


def test_a_common_subject_is_told_once() -> None:
    fact = make_fact(Kind.YES_NO, name="down", ask="Is he down?")
    question = make_question(fact, subject="Jones")
    form = Form([Row(question, prompt_for(question))], "Jones")
    assert (form.title, form.lines()) == ("Jones: tick what applies", ["1 [ ] Is he down?"])


def test_a_box_tells_what_it_does_to_the_total(tmp_path: Path) -> None:
    chart = load_chart(tmp_path, CROSSING)
    walk = advance(start(chart), {"mover": "tracked"})
    need = walk.need
    assert isinstance(need, Ask)
    rows = [Row(question, prompt_for(question)) for question in need.questions]
    form = Form(rows, total=lambda values: total_of(walk, need, values))
    assert form.lines() == [
        "1 [0] Rating on the card",
        "2 [ ] Is it stuck already?  −1",
        "3 [ ] Is the ground wet?  −1",
    ]
    assert form.told() == "Modifier: 2"
    form.read("1=-3 2")
    assert form.told() == "Modifier: −2"


TALLY = """
    facts:
      base: {ask: Base, number: 0..9}
      doubled: Is it doubled?
      halved: Is it halved?
      extra: Is there more?
    nodes:
      sum:
        tally: sum
        label: Strength
        start: base
        modifiers:
          - {when: extra, add: 1}
          - {when: doubled, multiply: 2}
          - {when: halved, divide: 2}
        cap: ..6
        next: done
    outcomes:
      done: {title: Done}
"""


@pytest.mark.parametrize(
    ("answers", "total"),
    [
        ({"base": 5, "extra": False, "doubled": False, "halved": True}, Total("Strength", 2, True)),
        ({"base": 5, "extra": True, "doubled": True, "halved": True}, Total("Strength", 6, True)),
        ({"base": 5, "extra": True, "doubled": True, "halved": False}, Total("Strength", 6, True)),
        ({"base": 5, "extra": True}, Total("Strength", 6, False)),
        ({"extra": True, "doubled": True}, Total("Strength", 2, False)),
        ({}, Total("Strength", 0, False)),
    ],
)
def test_a_total_is_that_of_the_walk_and_leaves_out_what_is_unknown(
    tmp_path: Path, answers: dict[str, Any], total: Total
) -> None:
    walk = start(load_chart(tmp_path, TALLY))
    need = walk.need
    assert isinstance(need, Ask)
    assert total_of(walk, need, answers) == total
    if total.is_whole:
        (step,) = [step for step in advance(walk, answers).trail if step.kind == "tally"]
        assert step.value == total.value
    assert str(total).endswith("so far") != total.is_whole


def test_only_a_tally_has_a_total(tmp_path: Path) -> None:
    walk = start(load_volley(tmp_path))
    assert isinstance(walk.need, Ask)
    assert total_of(walk, walk.need, {"shots": 2}) is None
