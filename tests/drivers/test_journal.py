"""The journal: what is written, when, and what happens where it cannot be."""

import errno
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from refcli.core.chart import Chart
from refcli.core.ruling import ruling
from refcli.core.walk import Walk, start
from refcli.drivers.chance import Chance
from refcli.drivers.history import History
from refcli.drivers.journal import Journal, JournalError, home, is_held
from refcli.drivers.loop import Back, Quit, Stopped, Supplier, drive
from refcli.drivers.replay import Replayer, replay
from refcli.drivers.script import Case, CaseSupplier, Defaults
from refcli.drivers.walks import read_journal
from tests.helpers import CROSSING, Replies, load_chart, load_volley

DICE_FIRST = """
    facts: {wet: 'Is it wet?'}
    nodes:
      one: {roll: d6, as: die, next: two}
      two: {decide: wet and die > 2, yes: good, no: bad}
    outcomes: {good: {title: Good}, bad: {title: Bad}}
"""
HEAD = {"chart": "made/chart", "digest": "d", "files": {}}


@pytest.fixture
def crossing(tmp_path: Path) -> Chart:
    return load_chart(tmp_path, CROSSING)


class Kept:
    """A journal in a folder of its own, and what it has told the player."""

    def __init__(self, folder: Path) -> None:
        self.told: list[str] = []
        self.folder = folder / "walks"
        self.journal = Journal(lambda: HEAD, self.told.append, folder=self.folder)

    def play(self, chart: Chart, *row: Supplier, replies: list[Any]) -> Walk:
        """Drive a walk with the journal before its player."""
        return drive(start(chart), [*row, self.journal, Replies(replies)], recorder=self.journal)

    def lines(self) -> list[dict[str, Any]]:
        """What stands in the only file."""
        (file,) = self.folder.iterdir()
        return [json.loads(line) for line in file.read_bytes().splitlines()]


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    return Kept(tmp_path)


def test_every_reply_is_a_line_and_the_last_line_tells_the_ruling(crossing: Chart, kept: Kept) -> None:
    case = CaseSupplier(Case(given={"rating": 1}))
    walk = kept.play(
        crossing, case, replies=[{"mover": "gun"}, {"stuck": False}, Back, {"stuck": True}, {"wet": False}, 9]
    )
    kept.journal.end(ruling(walk))
    first, *rest = kept.lines()
    assert {**first, "started": ""} == {"journal": 1, **HEAD, "started": ""}
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", first["started"])
    assert rest[:-1] == [
        {"ask": {"rating": 1}, "chart": "made/chart", "by": "given"},
        {"ask": {"mover": "gun"}, "chart": "made/chart", "by": "asked"},
        {"ask": {"stuck": False}, "chart": "made/chart", "by": "asked"},
        {"back": 2},
        {"ask": {"stuck": True}, "chart": "made/chart", "by": "asked"},
        {"ask": {"wet": False}, "chart": "made/chart", "by": "asked"},
        {"roll": "die", "shows": 9, "chart": "made/chart", "by": "asked"},
    ]
    assert {**rest[-1], "ended": ""} == {
        "outcome": "through",
        "title": "Through",
        "ended": "",
        "ruling": json.loads(json.dumps(ruling(walk))),
    }
    assert kept.told == []


def test_pools_records_and_cards_are_kept_as_they_can_be_fed_back(tmp_path: Path, kept: Kept) -> None:
    chart = load_volley(tmp_path)
    with pytest.raises(Stopped):
        kept.play(
            chart,
            replies=[
                {"shots": 2},
                [4, 1],
                {"men": [{"name": "Jones"}]},
                {"men[1].down": False},
                {"suit": "b1"},
                Quit,
            ],
        )
    assert kept.lines()[1:] == [
        {"ask": {"shots": 2}, "chart": "made/chart", "by": "asked"},
        {"roll": "fire", "shows": [4, 1], "chart": "made/chart", "by": "asked"},
        {"ask": {"men": [{"name": "Jones"}]}, "chart": "made/chart", "by": "asked"},
        {"ask": {"men[1].down": False}, "chart": "made/chart", "by": "asked"},
        {"draw": "card", "shows": {"suit": "b1"}, "chart": "made/man", "by": "asked"},
    ]


def test_each_reply_is_on_disk_before_the_next_question(
    crossing: Chart, kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Written and synced: what the disk has when a question is put is all that was replied until then."""
    synced: list[int] = []
    real = os.fsync
    monkeypatch.setattr(
        "refcli.drivers.journal.os.fsync", lambda file: (synced.append(os.fstat(file).st_size), real(file))
    )
    seen: list[tuple[int, bool]] = []

    class Player(Replies):
        def supply(self, walk: Walk, need: Any) -> Any:
            files = list(kept.folder.iterdir()) if kept.folder.is_dir() else []
            if files:
                size = files[0].stat().st_size
                seen.append((len(kept.lines()) - 1, size in synced))
            return super().supply(walk, need)

    player = Player([{"mover": "gun"}, {"rating": 0}, {"stuck": False, "wet": False}, 9])
    drive(start(crossing), [kept.journal, player], recorder=kept.journal)
    assert seen == [(1, True), (2, True), (3, True)]


def test_a_walk_that_asks_nobody_leaves_no_file(crossing: Chart, kept: Kept) -> None:
    case = CaseSupplier(Case(given={"mover": "gun", "rating": 0, "stuck": "no", "wet": "no"}, rolls={"die": 9}))
    walk = kept.play(crossing, case, replies=[])
    kept.journal.end(ruling(walk))
    assert not kept.folder.exists()


def test_dice_that_fell_before_the_first_question_are_kept(tmp_path: Path, kept: Kept) -> None:
    """Whoever stops at the first question and goes on must not get new dice."""
    chart = load_chart(tmp_path, DICE_FIRST)
    with pytest.raises(Stopped):
        kept.play(chart, Chance(7), replies=[Quit])
    assert [line["by"] for line in kept.lines()[1:]] == ["rolled"]
    assert kept.journal.is_kept


def test_a_file_of_dice_only_is_discarded_where_nobody_was_there_to_answer(tmp_path: Path, kept: Kept) -> None:
    chart = load_chart(tmp_path, DICE_FIRST)
    with pytest.raises(Exception, match="not answered"):
        kept.play(chart, Chance(7), replies=[])
    assert len(kept.lines()) == 2
    kept.journal.discard()
    assert list(kept.folder.iterdir()) == []


def test_defaults_before_the_first_question_are_kept_with_it(crossing: Chart, kept: Kept) -> None:
    with pytest.raises(Stopped):
        kept.play(crossing, Defaults(), replies=[Quit])
    assert not kept.folder.exists()
    assert not kept.journal.is_kept


def test_names_sort_by_time_hold_the_chart_and_are_never_taken_twice(
    crossing: Chart, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "refcli.drivers.journal.time.gmtime",
        lambda: __import__("time").struct_time((2026, 11, 29, 20, 5, 9, 6, 333, 0)),
    )
    for _ in range(3):
        with pytest.raises(Stopped):
            Kept(tmp_path).play(crossing, replies=[{"mover": "gun"}, Quit])
    names = sorted(path.name for path in (tmp_path / "walks").iterdir())
    assert names == ["20261129-200509-chart-2.jsonl", "20261129-200509-chart-3.jsonl", "20261129-200509-chart.jsonl"]


def test_only_its_owner_may_read_it(crossing: Chart, kept: Kept) -> None:
    with pytest.raises(Stopped):
        kept.play(crossing, replies=[{"mover": "gun"}, Quit])
    (file,) = kept.folder.iterdir()
    assert oct(file.stat().st_mode)[-3:] == "600"
    assert oct(kept.folder.stat().st_mode)[-3:] == "700"


class Disk:
    """A disk that is full from the nth write on, for so many writes; of the first of them it takes some bytes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, at: int, times: int, some: int = 0) -> None:
        self.at, self.times, self.some, self.count = at, times, some, 0
        self.real = os.write
        monkeypatch.setattr("refcli.drivers.journal.os.write", self.write)

    def write(self, file: int, data: bytes) -> int:
        self.count += 1
        if self.count == self.at and self.some:
            return self.real(file, data[: self.some])
        if self.at <= self.count < self.at + self.times + bool(self.some):
            raise OSError(errno.ENOSPC, "No space left on device")
        return self.real(file, data)


REPLIES: list[Any] = [{"mover": "gun"}, {"rating": 0}, {"stuck": False}, {"wet": False}, 9]
NOTE = "Your answers cannot be kept on disk (No space left on device). Play on; they are printed when you stop."


@pytest.mark.parametrize("at", range(1, 7))
@pytest.mark.parametrize("some", [0, 5])
def test_a_full_disk_is_told_once_and_the_game_goes_on(
    crossing: Chart, kept: Kept, monkeypatch: pytest.MonkeyPatch, at: int, some: int
) -> None:
    Disk(monkeypatch, at, 999, some)
    walk = kept.play(crossing, replies=list(REPLIES))
    kept.journal.end(ruling(walk))
    assert kept.told == [NOTE]
    assert not kept.journal.is_kept
    assert len(list(kept.folder.iterdir())) == (0 if at == 1 else 1)


@pytest.mark.parametrize("at", range(1, 5))
@pytest.mark.parametrize("some", [0, 5])
def test_nothing_is_missing_or_twice_once_there_is_room_again(
    crossing: Chart, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int, some: int
) -> None:
    good, other = Kept(tmp_path / "good"), Kept(tmp_path / "other")
    good.journal.end(ruling(good.play(crossing, replies=list(REPLIES))))
    Disk(monkeypatch, at, 2, some)
    other.journal.end(ruling(other.play(crossing, replies=list(REPLIES))))
    assert other.lines()[1:-1] == good.lines()[1:-1]
    assert other.lines()[-1]["ruling"] == good.lines()[-1]["ruling"]
    assert other.told == [NOTE, "Your answers are on disk again."]
    assert other.journal.is_kept


def test_a_sync_that_fails_is_told(crossing: Chart, kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(file: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr("refcli.drivers.journal.os.fsync", fail)
    kept.play(crossing, replies=list(REPLIES))
    assert kept.told == [NOTE.replace("No space left on device", "Input/output error")]


def test_a_ctrl_c_in_the_midst_of_a_write_loses_and_doubles_nothing(
    crossing: Chart, kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.write
    calls = iter(range(99))

    def write(file: int, data: bytes) -> int:
        done = real(file, data)
        if next(calls) == 2:
            raise KeyboardInterrupt
        return done

    monkeypatch.setattr("refcli.drivers.journal.os.write", write)
    with pytest.raises(Stopped):
        kept.play(crossing, replies=list(REPLIES))
    kept.journal.close()
    asked = [line["ask"] for line in kept.lines()[1:]]
    assert asked == REPLIES[:3]


def test_a_folder_that_cannot_be_made_is_told(crossing: Chart, tmp_path: Path) -> None:
    (tmp_path / "walks").write_text("a file")
    kept = Kept(tmp_path)
    kept.play(crossing, replies=list(REPLIES))
    assert kept.told == [NOTE.replace("No space left on device", f"File exists: {tmp_path / 'walks'}")]


def test_a_walk_is_played_in_one_window_at_a_time(crossing: Chart, kept: Kept) -> None:
    with pytest.raises(Stopped):
        kept.play(crossing, replies=[{"mover": "gun"}, Quit])
    path = kept.journal.path
    assert path is not None
    assert is_held(path)
    other = Journal(lambda: HEAD, print)
    with pytest.raises(JournalError, match=f"^the walk {path.stem} is being played in another window$"):
        other.go_on(path, path.stat().st_size, known=1)
    kept.journal.close()
    assert not is_held(path)
    other.go_on(path, path.stat().st_size, known=1)
    other.close()


@pytest.mark.parametrize(
    ("env", "folder"),
    [
        ({"REFCLI_HOME": "/a", "XDG_STATE_HOME": "/b", "HOME": "/c"}, "/a"),
        ({"XDG_STATE_HOME": "/b", "HOME": "/c"}, "/b/refcli"),
        ({"XDG_STATE_HOME": "not/absolute", "HOME": "/c"}, "/c/.local/state/refcli"),
        ({"REFCLI_HOME": "", "HOME": "/c"}, "/c/.local/state/refcli"),
    ],
)
def test_where_walks_are_kept(monkeypatch: pytest.MonkeyPatch, env: dict[str, str], folder: str) -> None:
    for name in ("REFCLI_HOME", "XDG_STATE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert home() == Path(folder)


def test_an_answer_taken_back_after_the_ruling_opens_the_walk_again(crossing: Chart, kept: Kept) -> None:
    history = History()
    row = [kept.journal, Replies(list(REPLIES))]
    walk = drive(start(crossing, house_rules=True), row, recorder=kept.journal, history=history)
    kept.journal.end(ruling(walk))
    (file,) = kept.folder.iterdir()
    assert not is_held(file)
    earlier = history.back()
    assert earlier is not None
    kept.journal.back(len(history.done))
    assert is_held(file)
    assert read_journal(file).ending is None
    again = drive(earlier, [kept.journal, Replies([2])], recorder=kept.journal, history=history)
    kept.journal.end(ruling(again))
    record = read_journal(file)
    assert record.ruled == "Halted"
    assert replay(crossing, record).walk == again


@pytest.mark.parametrize("end", [b'{"ask": {"stuck": "' + b"x" * 200, b"\0" * 300, b""])
def test_going_on_cuts_a_torn_end_off_and_writes_no_reply_twice(crossing: Chart, kept: Kept, end: bytes) -> None:
    with pytest.raises(Stopped):
        kept.play(crossing, replies=[*REPLIES[:2], Quit])
    kept.journal.close()
    (file,) = kept.folder.iterdir()
    file.write_bytes(file.read_bytes() + end)
    record = read_journal(file)
    again = Journal(dict, kept.told.append)
    again.go_on(file, record.size, known=2, is_cut=record.is_cut)
    row = [Replayer(record.replies), again, Replies(REPLIES[2:])]
    drive(start(crossing, house_rules=True), row, recorder=again)
    again.close()
    assert [line["ask"] for line in kept.lines()[1:-1]] == REPLIES[:-1]
    assert kept.lines()[-1]["shows"] == 9
    assert kept.told == []


def test_going_on_behind_a_line_without_its_end(crossing: Chart, kept: Kept) -> None:
    with pytest.raises(Stopped):
        kept.play(crossing, replies=[*REPLIES[:2], Quit])
    kept.journal.close()
    (file,) = kept.folder.iterdir()
    file.write_bytes(file.read_bytes()[:-1])
    record = read_journal(file)
    again = Journal(dict, kept.told.append)
    again.go_on(file, record.size, known=2, is_cut=record.is_cut)
    row = [Replayer(record.replies), again, Replies([REPLIES[2], Quit])]
    with pytest.raises(Stopped):
        drive(start(crossing, house_rules=True), row, recorder=again)
    assert [line["ask"] for line in kept.lines()[1:]] == REPLIES[:3]
