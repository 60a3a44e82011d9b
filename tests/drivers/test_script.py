"""Cases: what they answer, in which order, and what they say of their own faults."""

from pathlib import Path
from typing import Any

import pytest

from refcli.core.chart import Chart
from refcli.core.errors import ReplyError, UnansweredError
from refcli.core.ruling import ruling
from refcli.core.walk import start
from refcli.drivers.loop import drive
from refcli.drivers.script import Case, CaseSupplier, Defaults, check_names, joined, read_case
from tests.helpers import CROSSING, end, load_chart, load_volley

TANK = {"mover": "tracked", "rating": 1, "stuck": "no", "wet": True}


@pytest.fixture
def crossing(tmp_path: Path) -> Chart:
    return load_chart(tmp_path, CROSSING)


@pytest.fixture
def volley(tmp_path: Path) -> Chart:
    return load_volley(tmp_path)


def rule(chart: Chart, **case: Any) -> tuple[str, list[str]]:
    """The outcome of a case, and what it left over."""
    supplier = CaseSupplier(Case(**case))
    return end(drive(start(chart), [supplier, Defaults()])).id, supplier.leftover()


@pytest.mark.parametrize(
    "given",
    [
        TANK,
        {"chart.mover": "tracked", "made/chart.rating": "1", "stuck": False, "wet": ["yes"]},
        {**TANK, "mover": "gun", "chart.mover": "troops", "made/chart.mover": "tracked"},
    ],
    ids=["plain names", "names with charts, values as words", "the most exact name counts"],
)
def test_facts_by_name(crossing: Chart, given: dict[str, Any]) -> None:
    assert rule(crossing, given=given, rolls={"die": 4})[0] == "through"


@pytest.mark.parametrize("rolls", [{"die": 2}, {"die": [2]}, {"chart.die": "2"}, {"made/chart.die": 2.0, "die": 9}])
def test_rolls_by_name(crossing: Chart, rolls: dict[str, Any]) -> None:
    assert rule(crossing, given={**TANK, "way": "back"}, rolls=rolls)[0] == "halt"


def test_defaults_fill_what_is_not_given_and_the_ruling_says_so(crossing: Chart) -> None:
    given = {"mover": "gun", "stuck": "no", "wet": "no"}
    walk = drive(start(crossing), [CaseSupplier(Case(given=given, rolls={"die": 9})), Defaults()])
    assert ruling(walk)["defaults"] == ["rating"]


def test_given_facts_are_not_called_defaults(crossing: Chart) -> None:
    walk = drive(start(crossing), [CaseSupplier(Case(given=TANK, rolls={"die": 9})), Defaults()])
    assert ruling(walk)["defaults"] == []


MEN = [{"name": "Jones", "down": "no", "nerve": 2}, {"name": "Smith", "down": "yes"}, {"name": "Brown", "down": "no"}]


def test_lists_answer_in_order_and_a_list_of_records_is_one_value(volley: Chart) -> None:
    case = {
        "given": {"shots": 2, "men": MEN, "brave": ["yes", "no"]},
        "rolls": {"fire": [4, 1]},
        "draws": ["b1"],
        "id": 1,
    }
    with pytest.raises(UnansweredError, match="column 2"):
        rule(volley, **case)
    case["draws"] = [{"suit": "b1", "spot": {"2": 3}}, "b1"]
    assert rule(volley, **case) == ("bad", [])


def test_one_value_answers_every_time(volley: Chart) -> None:
    given = {"shots": 2, "men": MEN, "brave": "yes", "nerve": 6, "spot": 2}
    assert rule(volley, given=given, rolls={"fire": [4, 1]}, draws=["b1", "b1"]) == ("good", [])


def test_cards_by_name_are_taken_in_order(volley: Chart) -> None:
    case: dict[str, Any] = {"given": {"shots": 2, "men": MEN, "brave": "yes", "nerve": 6, "spot": 2}}
    case["rolls"] = {"fire": [4, 1]}
    for draws in (
        {"card": ["b1", "r2"]},
        {"man.card": "b1", "card": ["r2"]},
        {"made/man.card": ["b1", {"suit": "r2"}]},
    ):
        supplier = CaseSupplier(Case(**case, draws=draws))
        found = ruling(drive(start(volley), [supplier, Defaults()]))
        assert [card["suit"] for card in found["draws"]] == ["b1", "r2"]
        assert supplier.leftover() == []
        assert supplier.rest().get("draws") is None
    assert rule(volley, **case, draws={"card": ["b1", "b1", "r2"]}) == ("good", ["draws.card (2 of 3 used)"])
    with pytest.raises(UnansweredError):
        rule(volley, **case, draws={"card": "b1"})
    with pytest.raises(ReplyError) as fault:
        rule(volley, **case, draws={"card": ["b1", "b9"]})
    assert str(fault.value) == "draws.card, card 2: suit: 'b9' is not a choice; it can be: b1, r2"
    with pytest.raises(ReplyError) as fault:
        check_names(Case(draws={"crad": "b1"}), volley)
    assert str(fault.value) == "Chart has no draw 'crad'; did you mean 'card'?"


def test_cards_by_name_that_were_not_used_come_next(volley: Chart) -> None:
    supplier = CaseSupplier(
        Case(given={"shots": 2, "men": MEN}, rolls={"fire": [4, 1]}, draws={"card": ["b1", "r2"]})
    )
    with pytest.raises(UnansweredError):
        drive(start(volley), [supplier])
    assert supplier.rest()["draws"] == ["r2"]
    assert joined({"draws": [{"suit": "b1"}]}, supplier.rest())["draws"] == [{"suit": "b1"}, "r2"]


def test_list_that_has_run_out_answers_no_more(volley: Chart) -> None:
    given = {"shots": 2, "men": MEN, "brave": ["yes"], "nerve": 6, "spot": 2}
    with pytest.raises(UnansweredError, match="Does he stand"):
        rule(volley, given=given, rolls={"fire": [4, 1]}, draws=["b1", "b1"])


def test_leftovers_are_told(crossing: Chart) -> None:
    given = {**TANK, "way": "back", "stuck": ["no", "yes", "no"]}
    outcome, left = rule(crossing, given=given, rolls={"die": [9, 3]}, draws=["b1"])
    assert outcome == "through"
    assert left == ["stuck (1 of 3 used)", "way", "rolls.die (1 of 2 used)", "draws (0 of 1 used)"]


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ({"given": {"mover": "tank"}}, "mover: 'tank' is not a choice; it can be: tracked, troops, gun"),
        ({"given": {"chart.mover": "trackd"}}, "chart.mover: 'trackd' is not a choice; did you mean 'tracked'?"),
        ({"given": {**TANK, "rating": 9}}, "rating: 9 is out of range; a number in -3..3 is needed"),
        ({"given": {**TANK, "stuck": None}}, "stuck: answer yes or no, not nothing"),
        ({"given": TANK, "rolls": {"die": 11}}, "rolls.die: d10 gives 1 to 10, not 11"),
        ({"given": TANK, "rolls": {"chart.die": ["x"]}}, "rolls.chart.die: d10 gives 1 to 10, not 'x'"),
        ({"given": TANK, "rolls": {"die": True}}, "rolls.die: d10 gives 1 to 10, not yes"),
    ],
)
def test_wrong_values_name_the_key(crossing: Chart, case: dict[str, Any], message: str) -> None:
    with pytest.raises(ReplyError) as fault:
        rule(crossing, **case)
    assert str(fault.value) == message


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ({"rolls": {"fire": [4]}}, "rolls.fire: fire takes 2 dice, not [4]"),
        ({"rolls": {"fire": 4}}, "rolls.fire: fire takes 2 dice, not [4]"),
        ({"draws": ["b9"]}, "draws, card 1: suit: 'b9' is not a choice; it can be: b1, r2"),
        (
            {"draws": [{"colour": 1}]},
            "draws, card 1: a card of Fate cards has no 'colour'; it can be: suit, wild, spot",
        ),
    ],
)
def test_wrong_dice_and_cards_name_the_key(volley: Chart, case: dict[str, Any], message: str) -> None:
    given = {"shots": 2, "men": MEN, "brave": "yes"}
    with pytest.raises(ReplyError) as fault:
        rule(volley, given=given, **{"rolls": {"fire": [4, 4]}, **case})
    assert str(fault.value) == message


@pytest.mark.parametrize(
    ("case", "message"),
    [
        (Case(given={"movr": 1}), "Chart has no fact 'movr'; did you mean 'mover'?"),
        (Case(given={"chart.movr": 1}), "Chart has no fact 'chart.movr'; did you mean 'chart.mover'?"),
        (
            Case(given={"x": 1}, place="line 3"),
            "line 3: Chart has no fact 'x'; it can be: mover, rating, stuck, wet, way",
        ),
        (Case(rolls={"dye": 1}), "Chart has no roll 'dye'; did you mean 'die'?"),
    ],
)
def test_unknown_names_are_told_with_a_suggestion(crossing: Chart, case: Case, message: str) -> None:
    with pytest.raises(ReplyError) as fault:
        check_names(case, crossing)
    assert str(fault.value) == message


def test_names_of_charts_that_are_run_of_records_cards_and_pools_are_known(volley: Chart) -> None:
    names = ["shots", "brave", "man.force", "made/man.brave", "men", "down", "man.nerve", "spot", "suit", "smoke"]
    check_names(Case(given=dict.fromkeys(names), rolls={"fire": 1, "chart.fire": 1}), volley)
    with pytest.raises(ReplyError):
        check_names(Case(given={"chart.brave": 1}), volley)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ([], "a case is a mapping of id, chart, given, rolls, draws, placeholders, seed, expect"),
        ({"givn": {}}, "a case has no 'givn'; did you mean 'given'?"),
        ({"given": []}, "'given' must map names to values"),
        ({"rolls": 3}, "'rolls' must map names to values"),
        ({"draws": "b4"}, "'draws' must be a list of cards, or map names to cards"),
        ({"seed": "x"}, "'seed' must be a whole number"),
        ({"chart": ["made/chart"]}, "'chart' must be the name of a chart"),
        ({"chart": 5}, "'chart' must be the name of a chart"),
        (
            {"x" * 5000: 1},
            f"a case has no '{'x' * 99}…'; it can be: id, chart, given, rolls, draws, placeholders, seed, expect",
        ),
    ],
)
def test_what_is_no_case(raw: Any, message: str) -> None:
    with pytest.raises(ReplyError) as fault:
        read_case(raw, "")
    assert str(fault.value) == message


def test_a_case_whose_chart_is_null_names_none() -> None:
    assert read_case({"chart": None}).chart == ""


def test_case_from_plain_data() -> None:
    case = read_case({"id": 3, "chart": "made/chart", "given": {"a": 1}, "seed": "7", "draws": ["b4"]}, "line 2")
    assert case == Case(id=3, chart="made/chart", given={"a": 1}, seed=7, draws=["b4"], place="line 2")


def test_rest_and_joined_go_on_where_a_case_stopped(crossing: Chart) -> None:
    case = Case(given={"mover": "gun", "stuck": ["no", "yes"], "wet": ["no"]}, rolls={"die": [3, 4]}, draws=["b1"])
    supplier = CaseSupplier(case)
    with pytest.raises(UnansweredError):
        drive(start(crossing), [supplier])
    rest = supplier.rest()
    assert rest == {"given": {"mover": "gun", "stuck": ["yes"]}, "rolls": {"die": [3, 4]}, "draws": ["b1"]}
    answers = {"given": {"mover": "gun", "stuck": ["no"], "wet": False}, "rolls": {"die": [9]}}
    assert joined(answers, rest) == {
        "given": {"mover": "gun", "stuck": ["no", "yes"], "wet": False},
        "rolls": {"die": [9, 3, 4]},
        "draws": ["b1"],
    }
