"""Replay: the same walk from its journal on any chart; the first reply that no longer fits; the seed's own dice."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from refcli.core.chart import Chart
from refcli.core.errors import RefcliError
from refcli.core.need import Ask, Need, Outcome
from refcli.core.ruling import ruling
from refcli.core.struct import replace
from refcli.core.walk import Walk, start
from refcli.drivers.chance import Chance
from refcli.drivers.journal import Journal
from refcli.drivers.loop import Back, Quit, Stopped, Supplied, Supplier, drive
from refcli.drivers.replay import Offering, Replayer, replay
from refcli.drivers.script import Case, CaseSupplier, Defaults
from refcli.drivers.walks import Kept, Record, read_journal
from refcli.load.library import Library
from tests.helpers import CROSSING, Replies, end, load_chart, load_volley
from tests.strategies import charts, files, reply

SETTINGS = settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))


def journal_in(folder: Path, chart: Chart, seed: int = 7) -> Journal:
    head = {"chart": chart.id, "digest": chart.digest, "files": {chart.id: chart.digest}, "seed": seed, "stream": ""}
    return Journal(lambda: head, print, folder=folder)


def played(chart: Chart, folder: Path, row: Sequence[Supplier], replies: list[Any]) -> tuple[Walk, Record]:
    """A walk played to its end or until its player quits, and its journal."""
    journal = journal_in(folder, chart)
    walk: Walk
    try:
        walk = drive(start(chart, house_rules=True), [*row, journal, Replies(replies)], recorder=journal)
        journal.end(ruling(walk))
    except Stopped as stop:
        walk = stop.walk
        journal.close()
    assert journal.path is not None
    return walk, read_journal(journal.path)


FULL: list[Any] = [
    {"mover": "gun"},
    {"rating": 0},
    Back,
    {"rating": 1},
    {"stuck": False},
    {"wet": True},
    5,
    {"way": "on"},
]


@pytest.fixture
def crossing(tmp_path: Path) -> Chart:
    return load_chart(tmp_path, CROSSING)


def test_the_same_walk_again(crossing: Chart, tmp_path: Path) -> None:
    walk, record = played(crossing, tmp_path / "walks", [], list(FULL))
    found = replay(crossing, record)
    assert (found.walk, found.fault, found.odd, found.taken) == (walk, "", (), 6)
    assert found.has_ended


@pytest.mark.parametrize("count", range(1, 8))
def test_a_walk_stopped_anywhere_stands_there_again(crossing: Chart, tmp_path: Path, count: int) -> None:
    walk, record = played(crossing, tmp_path / "walks", [Defaults()], [*FULL[:count], Quit])
    found = replay(crossing, record)
    assert (found.walk, found.fault, found.has_ended) == (walk, "", False)


class Someone:
    """A player who answers anything legal, goes back now and then, leaves some dice to chance, and may quit."""

    def __init__(self, draw: Any, most: int, chance: Chance) -> None:
        self.draw, self.most, self.chance = draw, most, chance

    def supply(self, walk: Walk, need: Need) -> Supplied:
        self.most -= 1
        if self.most < 0:
            raise Quit
        if self.draw(st.integers(0, 9)) == 0:
            raise Back(self.draw(st.integers(1, 3)))
        if not isinstance(need, Ask) and self.draw(st.booleans()) and (made := self.chance.supply(walk, need)):
            return made
        return Supplied(reply(self.draw, need), "asked")

    def mark(self) -> Any:
        return self.chance.mark()

    def rewind(self, mark: Any) -> None:
        self.chance.rewind(mark)


def load(folder: Path, text: str) -> Chart:
    for name, content in files(text).items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return Library([folder]).load("made/chart")


@SETTINGS
@given(text=charts(), data=st.data(), most=st.integers(1, 40), defaults=st.booleans(), auto=st.booleans())
def test_a_journal_replays_to_an_equal_walk(
    tmp_path_factory: pytest.TempPathFactory, text: str, data: st.DataObject, most: int, defaults: bool, auto: bool
) -> None:
    """Whatever the chart and the replies, and wherever it stopped: position, trail, need and dice are the same."""
    folder = tmp_path_factory.mktemp("charts")
    chart = load(folder, text)
    chance = Chance(data.draw(st.integers(0, 99)))
    journal = journal_in(folder / "walks", chart, chance.seed)
    known = data.draw(
        st.dictionaries(st.sampled_from(["wet", "cold", "skill"]), st.just(True) | st.just(1), max_size=2)
    )
    given_before = {name: 1 if name == "skill" else True for name in known}
    row: list[Supplier] = [CaseSupplier(Case(given=given_before))]
    row += [Defaults()] if defaults else []
    row += [chance] if auto else []
    try:
        walk = drive(
            start(chart, house_rules=True), [*row, journal, Someone(data.draw, most, chance)], recorder=journal
        )
        journal.end(ruling(walk))
    except Stopped as stop:
        walk = stop.walk
        journal.close()
    except RefcliError:
        return
    if journal.path is None:  # nothing was asked
        return
    record = read_journal(journal.path)
    found = replay(chart, record)
    assert found.fault == ""
    assert found.odd == ()
    assert found.walk is not None
    assert found.walk == walk
    assert found.walk.position == walk.position
    assert found.walk.trail.steps == walk.trail.steps
    assert dict(found.walk.sources) == dict(walk.sources)
    if isinstance(walk.need, Outcome):
        assert record.ending is not None
        again = json.loads(json.dumps(ruling(found.walk)))
        assert record.ending["ruling"] == again
    # and the generator and the case stand where they stood, so that what comes next is the same
    case, dice = CaseSupplier(Case(given=given_before)), Chance(chance.seed)
    replayer = Replayer(record.replies, scripted=case, chance=dice)
    try:
        drive(start(chart, house_rules=True), [replayer, Replies([Quit])])
    except Stopped:
        assert dice.mark() == chance.mark()
        assert case.mark() == row[0].mark()  # type: ignore[attr-defined]


# changed charts


def changed(tmp_path: Path, *pairs: tuple[str, str]) -> Chart:
    """The crossing with some of its words changed."""
    text = CROSSING
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return load_chart(tmp_path, text)


@pytest.mark.parametrize(
    ("old", "new", "taken", "fault"),
    [
        (
            "gun: Gun pushed by hand}",
            "cart: Cart}",
            0,
            "reply 1, mover = gun (made/chart), no longer fits: mover: 'gun' is not a choice; it can be: tracked, troops, cart",
        ),
        (
            "number: -3..3",
            "number: -3..0",
            1,
            "reply 2, rating = 1 (made/chart), no longer fits: rating: 1 is out of range; a number in -3..0 is needed",
        ),
        (
            "- {when: wet, add: -1}",
            "- {when: wet and way is on, add: -1}",
            4,
            "reply 5, the roll 'die' = 5 (made/chart), no longer fits: the chart now comes to '[owner decides] Back or on?' "
            "(made/chart) there",
        ),
        (
            "roll: d10, as: die",
            "roll: d4, as: die",
            4,
            "reply 5, the roll 'die' = 5 (made/chart), no longer fits: d4 gives 1 to 4, not 5",
        ),
        (
            "- {when: stuck, add: -1}",
            "",
            2,
            "reply 3, stuck = no (made/chart), no longer fits: the chart now comes to 'Is the ground wet?' (made/chart) there",
        ),
        (
            "..3: halt, 4..5: turn, 6..: through",
            "..4: halt, 5: turn, 6..: through",
            5,
            "reply 6, way = on (made/chart), no longer fits: the walk now ends before it, at the outcome 'Halted' (made/chart)",
        ),
        (
            "on: through}}",
            "on: huge}}\n      huge: {set: {big: die * 900000000}, next: through}",
            5,
            "reply 6, way = on (made/chart), no longer fits: made/chart, node 'huge': more than 1,000,000,000 as the size of 'big'",
        ),
    ],
)
def test_the_first_reply_that_no_longer_fits_is_named(
    crossing: Chart, tmp_path: Path, old: str, new: str, taken: int, fault: str
) -> None:
    record = played(crossing, tmp_path / "walks", [], list(FULL))[1]
    more = [("add: {tracked: +2, gun: -1}", "add: {tracked: +2}")] if "cart" in new else []
    found = replay(changed(tmp_path / "new", (old, new), *more), record)
    assert (found.taken, found.fault) == (taken, fault)
    assert found.fitting == record.replies[:taken]
    assert found.kept == record.replies[taken:]


def test_a_chart_that_changed_without_harm_still_rules(crossing: Chart, tmp_path: Path) -> None:
    walk, record = played(crossing, tmp_path / "walks", [], list(FULL))
    found = replay(changed(tmp_path / "new", ("Is it stuck already?", "Does it stick?")), record)
    assert (found.fault, found.taken) == ("", 6)
    assert found.walk is not None
    assert ruling(found.walk) == ruling(walk)


def test_a_chart_that_cannot_start_any_more_says_why(crossing: Chart, tmp_path: Path) -> None:
    record = played(crossing, tmp_path / "walks", [], list(FULL))[1]
    broken = load_chart(
        tmp_path / "new",
        "nodes:\n  one: {set: {big: 999999999}, next: two}\n  two: {set: {huge: big * big}, next: done}\noutcomes: {done: {title: Done}}\n",
    )
    found = replay(broken, record)
    assert (found.walk, found.taken) == (None, 0)
    assert found.fault
    assert found.kept == record.replies


# dice


def test_dice_that_the_seed_does_not_give_are_named(tmp_path: Path) -> None:
    chart = load_volley(tmp_path)
    chance = Chance(7)
    record = played(chart, tmp_path / "walks", [chance], [{"shots": 3}, Quit])[1]
    assert replay(chart, record).odd == ()
    thrown = record.replies[1]
    assert (thrown.kind, thrown.source) == ("roll", "rolled")
    other = [face % 6 + 1 for face in thrown.reply]
    record = Record(
        record.path, record.head, "", {}, (record.replies[0], Kept("roll", "fire", thrown.chart, other, "rolled"))
    )
    assert replay(chart, record).odd == (f"reply 2, the roll 'fire' = {' '.join(map(str, other))}",)


def test_dice_told_by_a_player_are_not_the_seeds(tmp_path: Path) -> None:
    chart = load_volley(tmp_path)
    record = played(chart, tmp_path / "walks", [], [{"shots": 3}, [1, 1, 1], Quit])[1]
    assert replay(chart, record).odd == ()


# answers offered again


def test_answers_are_offered_and_dice_lie_as_they_fell(crossing: Chart, tmp_path: Path) -> None:
    record = played(crossing, tmp_path / "walks", [], list(FULL))[1]
    new = changed(
        tmp_path / "new",
        ("rating: {", "dark: Is it dark?\n      rating: {"),
        ("- {when: stuck, add: -1}", "- {when: dark, add: -1}\n          - {when: stuck, add: -1}"),
    )
    found = replay(new, record)
    assert (found.taken, found.fault.partition(":")[0]) == (
        4,
        "reply 5, the roll 'die' = 5 (made/chart), no longer fits",
    )
    told: list[str] = []
    defaults: list[dict[str, Any]] = []

    class Enter:
        """Takes whatever is preselected, no where nothing is."""

        def supply(self, walk: Walk, need: Need) -> Supplied:
            assert isinstance(need, Ask)
            first = need.questions[0]
            defaults.append({question.key: question.default for question in need.questions})
            return Supplied({first.key: False if first.default is None else first.default}, "asked")

    row = [Replayer(found.fitting), Offering(Enter(), found.kept, told.append)]
    walk = drive(start(new, house_rules=True), row)
    assert defaults == [{"dark": None}, {"way": "on"}]
    assert told == ["The roll 'die' = 5, as before"]
    assert end(walk).id == "through"


def test_an_offer_that_is_no_longer_legal_is_not_made(crossing: Chart) -> None:
    class Look:
        def supply(self, walk: Walk, need: Need) -> Supplied:
            assert isinstance(need, Ask)
            assert [question.default for question in need.questions[:2]] == [None, 0]
            raise Quit

    kept = [Kept("ask", "", "made/chart", {"mover": "cart", "rating": 9}, "asked")]
    with pytest.raises(Stopped):
        drive(start(crossing), [Offering(Look(), kept, print)])


def test_going_back_brings_the_offer_back(crossing: Chart) -> None:
    seen: list[Any] = []

    class Look:
        def __init__(self) -> None:
            self.turns = iter([{"mover": "gun"}, Back, Quit])

        def supply(self, walk: Walk, need: Need) -> Supplied:
            assert isinstance(need, Ask)
            seen.append((need.questions[0].key, need.questions[0].default))
            turn = next(self.turns)
            if isinstance(turn, dict):
                return Supplied(turn, "asked")
            raise turn

    kept = [Kept("ask", "", "made/chart", {"mover": "troops"}, "asked")]
    with pytest.raises(Stopped):
        drive(start(crossing), [Offering(Look(), kept, print)])
    assert seen == [("mover", "troops"), ("rating", 0), ("mover", "troops")]


def test_a_reply_is_never_taken_for_a_question_of_that_name_in_another_chart(tmp_path: Path) -> None:
    chart = load_volley(tmp_path)
    record = played(chart, tmp_path / "walks", [], [{"shots": 0}, {"men": [{}]}, {"men[1].down": False}, {}, Quit])[1]
    moved = [replace(one, chart="made/chart") if one.kind == "draw" else one for one in record.replies]
    found = replay(chart, replace(record, replies=tuple(moved)))
    assert (found.taken, found.fault) == (
        3,
        "reply 4, the draw 'card' = unseen (made/chart), no longer fits: the chart now comes to the draw of a card of "
        "Fate cards (made/man) there",
    )
