"""Lists answered from rosters: what is offered, what a text names, and what is said of one that names nothing."""

from typing import Any

import pytest

from refcli.core.errors import ReplyError, UsageError
from refcli.core.expr import Expr
from refcli.core.fact import Fact, Kind, Must
from refcli.core.roster import Group, Roster
from refcli.core.struct import replace
from refcli.core.values import Frozen
from refcli.drivers.rosters import Offer, Rosters
from tests.helpers import PLACE, make_fact


def rule(text: str, *fields: Fact) -> Expr:
    from refcli.load.sights import FactSight

    made = Expr(text, PLACE)
    made.check(FactSight({field.name: field for field in fields}, {}))
    return made


NAME = make_fact(Kind.TEXT, name="name")
WET = make_fact(Kind.YES_NO, name="wet")
NERVE = make_fact(Kind.NUMBER, name="nerve", low=0, high=6)
LIMIT = make_fact(Kind.NUMBER, name="limit", low=0, high=6)
MEN = make_fact(
    Kind.LIST,
    name="men",
    noun="man",
    fields=(NAME, WET, NERVE, LIMIT),
    size=(1, 3),
    must=(Must(rule("nerve <= limit", NERVE, LIMIT), "No nerve is above its limit"),),
)
CARDS = make_fact(Kind.LIST, name="cards", noun="card", fields=(make_fact(Kind.NUMBER, name="worth"),))


def group(name: str, *records: dict[str, Any]) -> Group:
    return Group(name, tuple(map(Frozen, records)), tuple(str(record.get("name", "")) for record in records))


FIRST = group("first_squad", {"name": "Keller", "nerve": 3, "arm": "bow"}, {"name": "Hans Brown", "wet": True})
SECOND = group("second_squad", {"name": "Keller", "nerve": 4}, {"name": "Kurz", "nerve": 5, "limit": 4}, {"nerve": 1})
CROWD = group("crowd", *({"name": f"Man{number}", "nerve": 2} for number in range(4)))
GUNS = group("guns", {"calibre": 7})
OURS = Roster(book="made", groups=(FIRST, GUNS, SECOND, CROWD), file="ours.yaml")
ROSTERS = Rosters([OURS, Roster(book="other", groups=(group("first_squad", {"name": "Far"}),), file="other.yaml")])


def test_groups_that_fit_are_offered_with_their_names() -> None:
    assert ROSTERS.offer(MEN, "made") == Offer(
        (
            "1 first_squad: Keller, Hans Brown",
            "2 second_squad: Keller, Kurz, 1 man without a name",
            "- crowd, name by name: Man0, Man1, Man2, Man3",
        ),
        "1 to 2, or names with commas",
    )
    assert ROSTERS.offer(MEN, "other") == Offer(("1 first_squad: Far",), "1, or names with commas")
    only = Rosters([Roster(book="made", groups=(CROWD,), file="a")])
    assert only.offer(MEN, "made") == Offer(("- crowd, name by name: Man0, Man1, Man2, Man3",), "names with commas")


def test_a_list_that_may_be_empty_offers_that_too() -> None:
    few = replace(MEN, size=(0, 3))
    offer = ROSTERS.offer(few, "other")
    assert offer == Offer(("0 no men", "1 first_squad: Far"), "0 to 1, or names with commas")
    assert ROSTERS.pick(few, "0", "other") == []
    crowd = Rosters([Roster(book="made", groups=(CROWD,), file="a")])
    lines = ("0 no men", "- crowd, name by name: Man0, Man1, Man2, Man3")
    assert crowd.offer(few, "made") == Offer(lines, "0, or names with commas")
    assert crowd.pick(few, "0", "made") == []
    with pytest.raises(ReplyError, match=r"^choose 1 to 1, not 0$"):
        ROSTERS.pick(MEN, "0", "other")


@pytest.mark.parametrize(("fact", "book"), [(CARDS, "made"), (MEN, "nowhere")])
def test_nothing_is_offered_where_nothing_fits(fact: Fact, book: str) -> None:
    assert ROSTERS.offer(fact, book) is None
    assert Rosters().offer(fact, book) is None


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("1", ["Keller", "Hans Brown"]),
        ("first_squad", ["Keller", "Hans Brown"]),
        (" First squad ", ["Keller", "Hans Brown"]),
        ("fir", ["Keller", "Hans Brown"]),
        ("hans brown", ["Hans Brown"]),
        ("brow", ["Hans Brown"]),
        ("second_squad.keller, Man2", ["Keller", "Man2"]),
        ("Man3,Man0 , man1", ["Man3", "Man0", "Man1"]),
        ("first_squad, Man1", ["Keller", "Hans Brown", "Man1"]),
    ],
)
def test_a_text_names_groups_and_records(text: str, names: list[str]) -> None:
    assert [record["name"] for record in ROSTERS.pick(MEN, text, "made")] == names


def test_what_a_list_does_not_read_is_left_out() -> None:
    assert ROSTERS.pick(MEN, "1", "made") == [{"name": "Keller", "nerve": 3}, {"name": "Hans Brown", "wet": True}]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3", "choose 1 to 2, not 3"),
        ("0", "choose 1 to 2, not 0"),
        ("Kelr", "the roster has no group and no man 'Kelr'; did you mean 'Keller'?"),
        ("frist_squad", "the roster has no group and no man 'frist_squad'; did you mean 'first_squad'?"),
        ("zzz", "the roster has no group and no man 'zzz'"),
        ("Keller", "'Keller' could be first_squad.Keller, second_squad.Keller; write it so"),
        ("k", "'k' could be Keller, Kurz; type more of it"),
        ("Man1, man1", "'Man1' is named twice"),
        ("first_squad, Hans Brown", "'Hans Brown' is named twice"),
        ("Man1,, Man2", "a name is missing before or behind a comma"),
        (",", "a name is missing before or behind a comma"),
        ("crowd", "a list of 1 to 3 is needed, not of 4"),
        ("guns", "the group 'guns' has nothing that 'men' reads"),
        ("second_squad", "Kurz: No nerve is above its limit (nerve 5, limit 4)"),
    ],
)
def test_a_text_that_names_nothing_good_says_what_would_do(text: str, message: str) -> None:
    with pytest.raises(ReplyError) as fault:
        ROSTERS.pick(MEN, text, "made")
    assert str(fault.value) == message


def test_numbers_where_no_group_fits_whole() -> None:
    with pytest.raises(ReplyError) as fault:
        Rosters([Roster(book="made", groups=(CROWD,), file="a")]).pick(MEN, "1", "made")
    assert str(fault.value) == "no group fits as a whole; type names, commas between them"


def test_a_record_that_says_nothing_of_a_list_is_refused() -> None:
    mixed = Rosters([Roster(book="made", groups=(group("mixed", {"name": "A"}, {"name": "B"}),), file="a")])
    with pytest.raises(ReplyError) as fault:
        mixed.pick(CARDS, "B", "made")
    assert str(fault.value) == "'B' has nothing that 'cards' reads"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2", ({}, {})),
        ('[{"wet": true}]', ({"wet": True},)),
        ("Hans", [{"name": "Hans Brown", "wet": True}]),
    ],
)
def test_beforehand_a_number_counts_and_a_bracket_begins_json(text: str, found: Any) -> None:
    assert ROSTERS.read(MEN, text, "made") == found


def test_without_a_roster_names_make_new_records() -> None:
    assert ROSTERS.read(MEN, "Hans", "nowhere") == ({"name": "Hans"},)
    assert ROSTERS.read(NERVE, "2", "made") == 2


KELLER, HANS = {"name": "Keller", "nerve": 3}, {"name": "Hans Brown", "wet": True}


@pytest.mark.parametrize(
    ("raw", "filled"),
    [
        ("first_squad", [KELLER, HANS]),
        (["first_squad"], [KELLER, HANS]),
        (["Hans Brown", {"wet": False}], [HANS, {"wet": False}]),
        (["first_squad.Keller", "Hans Brown"], [KELLER, HANS]),
        ([["first_squad"], [{"wet": True}], "Hans Brown"], [[KELLER, HANS], [{"wet": True}], [HANS]]),
        ([{"wet": True}], [{"wet": True}]),
        ([], []),
        (7, 7),
    ],
)
def test_a_case_is_filled_in(raw: Any, filled: Any) -> None:
    facts = {"men": [WET, MEN], "wet": [WET], "made.men": [MEN]}
    given = {"men": raw, "wet": "first_squad", "made.men": raw, "unknown": "first_squad"}
    assert ROSTERS.fill(given, facts, "made") == given | {"men": filled, "made.men": filled}
    assert ROSTERS.fill(given, facts, "nowhere") == given


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("fir", "men: the roster has no group and no man 'fir'; did you mean 'first_squad'?"),
        ("1", "men: the roster has no group and no man '1'"),
        ([["first"]], "men: the roster has no group and no man 'first'; did you mean 'first_squad'?"),
        ("second_squad", "men: Kurz: No nerve is above its limit (nerve 5, limit 4)"),
    ],
)
def test_a_case_gives_whole_names(raw: Any, message: str) -> None:
    with pytest.raises(ReplyError) as fault:
        ROSTERS.fill({"men": raw}, {"men": [MEN]}, "made")
    assert (str(fault.value), fault.value.key) == (message, "men")


def test_two_groups_of_one_name_are_one_too_many() -> None:
    with pytest.raises(UsageError) as fault:
        Rosters([OURS, Roster(book="made", groups=(group("crowd", {"name": "X"}),), file="more.yaml")])
    assert str(fault.value) == "--roster: a group 'crowd' is in ours.yaml and in more.yaml; rename one"
