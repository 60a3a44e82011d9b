"""The loop: suppliers in order, going back, stopping without loss."""

from pathlib import Path
from typing import Any

import pytest

from refcli.core.chart import Chart
from refcli.core.errors import LimitError, ReplyError, UnansweredError
from refcli.core.need import Ask, Roll
from refcli.core.ruling import ruling
from refcli.core.walk import start
from refcli.drivers.chance import Chance
from refcli.drivers.history import History
from refcli.drivers.loop import Back, Quit, Stopped, drive
from refcli.drivers.record import answers_of
from refcli.drivers.script import Case, CaseSupplier, Defaults
from tests.helpers import CARDS, CROSSING, Replies, end, load_chart, load_volley


@pytest.fixture
def crossing(tmp_path: Path) -> Chart:
    return load_chart(tmp_path, CROSSING)


@pytest.fixture
def volley(tmp_path: Path) -> Chart:
    return load_volley(tmp_path)


def names(player: Replies) -> list[str]:
    """What a player was asked, first question by first question."""
    return [need.questions[0].key if isinstance(need, Ask) else need.name for need in player.needs]  # type: ignore[union-attr]


def test_suppliers_are_asked_in_order_and_may_answer_part(crossing: Chart) -> None:
    case = CaseSupplier(Case(given={"wet": "yes", "mover": "gun"}))
    player = Replies([{"stuck": "no"}, 9])
    walk = drive(start(crossing), [case, Defaults(), player])
    assert end(walk).gives == {"score": 7}
    assert [[q.key for q in need.questions] for need in player.needs if isinstance(need, Ask)] == [["stuck"]]
    sources = {used.name: used.source for step in walk.trail for used in step.used}
    assert sources == {"mover": "given", "rating": "default", "stuck": "asked", "wet": "given"}


def test_back_returns_to_the_walk_before_the_last_reply(crossing: Chart) -> None:
    player = Replies(
        [{"mover": "gun"}, {"rating": 3}, Back, Back, {"mover": "tracked"}, {"rating": 0}, {"stuck": 0 > 1}]
    )
    player.replies += [{"wet": False}, Back, {"wet": True}, 9]
    walk = drive(start(crossing), [player])
    assert end(walk).gives == {"score": 10}
    assert (
        names(player)
        == "mover rating stuck rating mover rating stuck wet throw wet throw".replace("throw", "die").split()
    )


def test_back_at_the_first_question_only_says_so(crossing: Chart) -> None:
    said: list[str] = []
    all_at_once = {"mover": "gun", "rating": 0, "stuck": False, "wet": False}
    drive(start(crossing), [Replies([Back, Back, all_at_once, 9])], note=said.append)
    assert said == ["This is the first question."] * 2
    drive(start(crossing), [Replies([Back, all_at_once, 9])])


def test_back_passes_over_what_the_player_did_not_answer(crossing: Chart) -> None:
    case = CaseSupplier(Case(given={"mover": "gun", "rating": 0, "wet": "no"}, rolls={"die": [5, 9]}))
    player = Replies([{"stuck": True}, {"way": "on"}])
    assert end(drive(start(crossing), [case, player])).id == "halt"
    case = CaseSupplier(Case(given={"mover": "gun", "rating": 0, "wet": "no"}, rolls={"die": [5, 9]}))
    player = Replies([{"stuck": False}, Back, {"stuck": False}, {"way": "on"}])
    assert end(drive(start(crossing), [case, player])).id == "through"
    assert names(player) == ["stuck", "way", "stuck", "way"]
    assert case.leftover() == ["rolls.die (1 of 2 used)"]


def test_back_does_not_give_new_dice(crossing: Chart) -> None:
    given = CaseSupplier(Case(given={"mover": "gun", "rating": 0, "wet": "no"}))
    seed = next(s for s in range(99) if 5 <= Chance(s).roll(Roll(crossing.nodes["throw"].dice, "die", "", "")) <= 6)  # type: ignore[attr-defined, operator]
    player = Replies([{"stuck": False}, Back, {"stuck": False}, Back, {"stuck": False}, {"way": "on"}])
    walk = drive(start(crossing), [given, Chance(seed), player])
    assert names(player) == ["stuck", "way", "stuck", "way", "stuck", "way"]
    assert ruling(walk)["rolls"]["die"] in (5, 6)


@pytest.mark.parametrize(("how", "code"), [(Quit, 1), (EOFError, 1), (KeyboardInterrupt, 130)])
def test_stopping_keeps_what_was_answered(crossing: Chart, how: type[BaseException], code: int) -> None:
    player = Replies([{"mover": "gun"}, {"rating": 1, "stuck": True}, how])
    with pytest.raises(Stopped) as stop:
        drive(start(crossing), [player])
    assert stop.value.answers == {"given": {"mover": "gun", "rating": 1, "stuck": True}}
    assert stop.value.exit_code == code
    assert stop.value.interrupted is (code == 130)
    assert str(stop.value) == "stopped at 'Is the ground wet?' (made/chart)"
    assert isinstance(stop.value.walk.need, Ask)


def test_stopping_after_going_back_keeps_what_still_holds(crossing: Chart) -> None:
    with pytest.raises(Stopped) as stop:
        drive(start(crossing), [Replies([{"mover": "gun"}, {"rating": 1}, Back, Quit])])
    assert stop.value.answers == {"given": {"mover": "gun"}}


MEN = [{"name": "Jones"}, {"name": "Smith"}]
SCRIPT: list[Any] = [
    {"shots": 2},
    [4, 1],
    {"men": MEN},
    {"men[1].down": False, "men[2].down": False},
    {"suit": "b1"},
    {"brave": True},
    {"men[1].nerve": 3},
    {"card.spot(2)": 3},
    {},
    {"brave": True},
    {"men[2].nerve": 1},
    {"card.suit": "r2"},
    {"card.spot(2)": 1},
]
"""Every reply of a whole volley, one need at a time."""


@pytest.mark.parametrize("kept", range(len(SCRIPT)))
def test_answers_of_a_stopped_walk_bring_a_new_one_to_the_same_point(volley: Chart, kept: int) -> None:
    """At every point of a walk with a pool, records, cards and a chart that runs twice."""
    with pytest.raises(Stopped) as stop:
        drive(start(volley), [Replies([*SCRIPT[:kept], Quit])])
    again = Replies([Quit])
    with pytest.raises(Stopped) as second:
        drive(start(volley), [CaseSupplier(Case(**stop.value.answers)), again])
    assert second.value.walk.position == stop.value.walk.position
    assert second.value.walk.need == stop.value.walk.need
    assert second.value.answers == stop.value.answers
    rest = CaseSupplier(Case(**stop.value.answers))
    assert end(drive(start(volley), [rest, Replies(SCRIPT[kept:])])).id == "bad"
    assert rest.leftover() == []


def test_answers_hold_records_and_cards_as_a_case_does(volley: Chart) -> None:
    with pytest.raises(Stopped) as stop:
        drive(start(volley), [Replies([*SCRIPT[:-1], Quit])])
    assert stop.value.answers == {
        "given": {
            "shots": 2,
            "men": [{"name": "Jones", "down": False, "nerve": 3}, {"name": "Smith", "down": False, "nerve": 1}],
            "brave": [True, True],
        },
        "rolls": {"fire": [4, 1]},
        "draws": [{"suit": "b1", "spot": {"2": 3}}, {"suit": "r2"}],
    }


def test_answers_read_off_a_card_that_was_handed_over_stay_with_its_draw(tmp_path: Path) -> None:
    """Two cards of different names, each looked at by one and the same chart under a name of its own."""
    chart = load_chart(
        tmp_path,
        """
        nodes:
          one: {draw: cards, as: card, next: look}
          look: {run: peek, with: {card: card}, as: first, next: two}
          two: {draw: cards, as: other, next: again}
          again: {run: peek, with: {card: other}, as: second, next: end}
          end: {decide: first.outcome is wild and second.outcome is tame, yes: good, no: bad}
        outcomes: {good: {title: Good}, bad: {title: Bad}}
        """,
        cards=CARDS,
        peek="""
        nodes:
          card: {draw: cards, as: card, next: look}
          look: {decide: card.wild, yes: wild, no: tame}
        outcomes: {wild: {title: Wild}, tame: {title: Tame}}
        """,
    )
    player = Replies([{}, {"card.wild": True}, {}, {"card.wild": False}, Quit])
    history = History()
    assert end(drive(start(chart), [player], history=history)).id == "good"
    answers = answers_of(history.done[-1].walk, history.done)
    assert answers == {"draws": [{"wild": True}, {"wild": False}]}
    assert end(drive(start(chart), [CaseSupplier(Case(**answers))])).id == "good"


def test_replies_that_do_not_fit_are_the_suppliers_fault(crossing: Chart) -> None:
    with pytest.raises(ReplyError):
        drive(start(crossing), [Replies([{"mover": "tank"}])])


def test_error_after_the_player_has_answered_keeps_his_answers(tmp_path: Path) -> None:
    """A die that is thrown for ever: the walk's own limit ends it."""
    chart = load_chart(
        tmp_path,
        """
        facts:
          bonus: {ask: Bonus, number: 0..3}
        nodes:
          throw: {roll: d6, as: die, next: high}
          high: {decide: die + bonus > 9, yes: won, no: throw}
        outcomes:
          won: {title: Won}
        """,
    )
    case = CaseSupplier(Case(rolls={"die": 1}))
    with pytest.raises(Stopped) as stop:
        drive(start(chart), [case, Replies([{"bonus": 2}])])
    assert isinstance(stop.value.fault, LimitError)
    assert stop.value.answers["given"] == {"bonus": 2}
    assert str(stop.value).startswith(str(stop.value.fault))
    with pytest.raises(LimitError):
        drive(start(chart), [CaseSupplier(Case(given={"bonus": 2}, rolls={"die": 1}))])


@pytest.mark.parametrize(
    ("replies", "message"),
    [
        (
            [],
            "not answered (made/chart): 'Who is crossing?' by --set mover=tracked|troops|gun; 'Rating on the card' by --set rating=0; "
            "'Is it stuck already?' by --set stuck=yes|no; 'Is the ground wet?' by --set wet=yes|no; or a file by --given FILE",
        ),
        (
            [{"mover": "gun", "rating": 0, "stuck": False, "wet": False}],
            "not rolled (made/chart): d10 for 'Roll to cross'; give it in a case as rolls: {die: …}, or roll by --dice auto",
        ),
        (
            [{"mover": "gun", "rating": 0, "stuck": False, "wet": False}, 5],
            "not answered (made/chart): '[owner decides] Back or on?' by --set way=back|on; or a file by --given FILE",
        ),
    ],
)
def test_what_nobody_answers_is_named_with_what_would(crossing: Chart, replies: list[Any], message: str) -> None:
    with pytest.raises(UnansweredError) as fault:
        drive(start(crossing), [Replies(replies, "given")])
    assert str(fault.value) == message


def test_pools_and_records_that_nobody_answers_are_named(volley: Chart) -> None:
    with pytest.raises(UnansweredError, match=r"rolls: \{fire: \[…, …\]\}"):
        drive(start(volley), [Replies([{"shots": 2}], "given")])
    with pytest.raises(
        UnansweredError,
        match="'Jones: Is he down\\?' by --set down=yes\\|no; 'Smith: Is he down\\?' by --set down=yes\\|no",
    ):
        drive(start(volley), [Replies(SCRIPT[:3], "given")])
