"""Journals read: torn ends are let be, everything else that is wrong is named; walks are found by part of a name."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from refcli.core.errors import UsageError
from refcli.drivers.journal import JournalError
from refcli.drivers.walks import Kept, Record, find, journals, read_journal, records, without

HEAD = {"journal": 1, "chart": "made/chart", "digest": "d", "files": {"made/chart": "d"}}
GUN = {"ask": {"mover": "gun"}, "chart": "made/chart", "by": "asked"}
RATING = {"ask": {"rating": 2}, "chart": "made/chart", "by": "default"}
DIE = {"roll": "die", "shows": 7, "chart": "made/chart", "by": "rolled", "auto": True}
CARD = {"draw": "card", "shows": {"suit": "b1"}, "chart": "made/man", "by": "asked", "his": False}
END = {"outcome": "through", "title": "Through", "ended": "2026-11-29T20:00:00Z", "ruling": {}}


def write(folder: Path, *lines: Any, name: str = "20261129-200509-chart", end: bytes = b"\n") -> Path:
    """A journal of these lines, each data or bytes as they stand."""
    folder.mkdir(exist_ok=True)
    file = folder / f"{name}.jsonl"
    file.write_bytes(b"\n".join(x if isinstance(x, bytes) else json.dumps(x).encode() for x in lines) + end)
    return file


def test_a_journal_as_read(tmp_path: Path) -> None:
    file = write(tmp_path, HEAD, GUN, RATING, DIE, CARD)
    assert read_journal(file) == Record(
        file,
        HEAD,
        "d",
        {"made/chart": "d"},
        (
            Kept("ask", "", "made/chart", {"mover": "gun"}, "asked"),
            Kept("ask", "", "made/chart", {"rating": 2}, "default"),
            Kept("roll", "die", "made/chart", 7, "rolled"),
            Kept("draw", "card", "made/man", {"suit": "b1"}, "asked", False),
        ),
        auto=True,
        size=file.stat().st_size,
    )
    assert read_journal(file).entered == 2


def test_steps_back_take_replies_away(tmp_path: Path) -> None:
    record = read_journal(write(tmp_path, HEAD, GUN, RATING, DIE, {"back": 1}, CARD))
    assert [str(reply) for reply in record.replies] == ["mover = gun", "the draw 'card' = suit b1"]
    assert record.kept == ()


def test_the_ruling_ends_it_unless_the_player_went_back_from_there(tmp_path: Path) -> None:
    assert read_journal(write(tmp_path, HEAD, GUN, END)).ruled == "Through"
    record = read_journal(write(tmp_path, HEAD, GUN, END, {"back": 0}, GUN))
    assert (record.ending, record.ruled, len(record.replies)) == (None, "", 1)


def test_answers_without_a_place_in_a_changed_chart_are_kept_until_they_are_given_again(tmp_path: Path) -> None:
    changed = {"changed": 1, "digest": "new", "files": {"made/chart": "new"}}
    wet = {"ask": {"wet": True}, "chart": "made/chart", "by": "asked"}
    seven = {**DIE, "by": "asked"}
    record = read_journal(write(tmp_path, HEAD, GUN, wet, RATING, seven, changed))
    assert (record.digest, record.files) == ("new", {"made/chart": "new"})
    assert [str(reply) for reply in record.replies] == ["mover = gun"]
    assert [str(reply) for reply in record.kept] == ["wet = yes", "the roll 'die' = 7"]
    record = read_journal(write(tmp_path, HEAD, GUN, wet, RATING, seven, changed, {**wet, "ask": {"wet": False}}))
    assert [str(reply) for reply in record.kept] == ["the roll 'die' = 7"]


def test_of_each_question_the_first_answer_is_used_up() -> None:
    def asked(**answers: Any) -> Kept:
        return Kept("ask", "", "made/chart", answers, "asked")

    kept = [asked(wet=True, cold=False), asked(wet=False), Kept("ask", "", "made/other", {"wet": True}, "asked")]
    kept = without(kept, asked(wet=True))
    assert kept == [asked(cold=False), asked(wet=False), Kept("ask", "", "made/other", {"wet": True}, "asked")]
    dice = [Kept("roll", "die", "made/chart", face, "asked") for face in (3, 4)]
    assert without(dice, Kept("roll", "die", "made/chart", 6, "asked")) == dice[1:]
    assert without(dice, Kept("roll", "other", "made/chart", 6, "asked")) == dice


@pytest.mark.parametrize("cut", range(1, len(json.dumps(DIE)) + 1))
def test_a_torn_last_line_is_let_be_wherever_it_is_torn(tmp_path: Path, cut: int) -> None:
    whole = write(tmp_path, HEAD, GUN)
    size = whole.stat().st_size
    record = read_journal(write(tmp_path, HEAD, GUN, json.dumps(DIE).encode()[:cut], end=b""))
    is_whole = cut == len(json.dumps(DIE))
    assert len(record.replies) == (2 if is_whole else 1)
    assert record.size == (size + cut if is_whole else size)
    assert record.is_cut == is_whole


@pytest.mark.parametrize("end", [b"\n\0\0\0\0", b"\n\n\n", b"\n\xff\xfe\n", b'\n{"ask"\n{"a', b"\n[1]\n", b"\r\n"])
def test_rubbish_at_the_end_is_a_torn_end(tmp_path: Path, end: bytes) -> None:
    assert len(read_journal(write(tmp_path, HEAD, GUN, end=end)).replies) == 1


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([HEAD, b'{"ask', GUN], ", line 2, is damaged"),
        ([HEAD, {"asks": 1}, GUN], ", line 2, is nothing that a journal says"),
        ([HEAD, GUN, {"back": 2}], ", line 3, is nothing that a journal says"),
        ([HEAD, GUN, {"back": True}], ", line 3, is nothing that a journal says"),
        ([HEAD, GUN, {"back": -1}], ", line 3, is nothing that a journal says"),
        ([HEAD, {"changed": 0, "digest": 1}], ", line 2, is nothing that a journal says"),
        ([HEAD, {**GUN, "ask": []}], ", line 2, is nothing that a journal says"),
        ([HEAD, {**GUN, "by": 1}], ", line 2, is nothing that a journal says"),
        ([HEAD, {**DIE, "shows": "7"}], ", line 2, is nothing that a journal says"),
        ([HEAD, {**DIE, "his": "no"}], ", line 2, is nothing that a journal says"),
        ([HEAD, {"outcome": 1}], ", line 2, is nothing that a journal says"),
        ([{**HEAD, "chart": 1}], ", line 1: it does not say which chart was walked"),
        ([{**HEAD, "files": 1}], ", line 1: it does not say which chart was walked"),
        ([{**HEAD, "journal": 2}], " was written by another version of refcli: its format is not 1"),
        ([GUN], " is no journal of refcli: its first line does not say so"),
        ([b"title: Chart"], " is no journal of refcli: its first line does not say so"),
        ([b""], " is no journal of refcli: its first line does not say so"),
        ([b"[" * 100_000], " is no journal of refcli: its first line does not say so"),
    ],
)
def test_what_is_no_journal_is_named_with_its_line(tmp_path: Path, lines: list[Any], message: str) -> None:
    file = write(tmp_path, *lines)
    with pytest.raises(JournalError) as fault:
        read_journal(file)
    assert str(fault.value) == f"'{file}'{message}"


def test_a_file_that_cannot_be_opened_or_is_too_large_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(JournalError) as fault:
        read_journal(tmp_path / "none.jsonl")
    assert str(fault.value) == f"cannot read '{tmp_path / 'none.jsonl'}': No such file or directory"
    monkeypatch.setattr("refcli.drivers.walks.MAX_BYTES", 2**20)
    file = write(tmp_path, HEAD, b" " * 2**20)
    with pytest.raises(JournalError) as fault:
        read_journal(file)
    assert str(fault.value) == f"'{file}' is too large for a journal: more than 1 MB"


def test_words_of_a_journal_are_safe_to_print(tmp_path: Path) -> None:
    bad = "\x1b[31mred\x1b]0;title\x07\n"
    record = read_journal(write(tmp_path, {**HEAD, "title": bad}, {**GUN, "ask": {bad: bad}}, {**END, "title": bad}))
    assert (record.text("title"), record.ruled, str(record.replies[0])) == ("red ", "red ", "red  = red ")


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """Three walks, the second of which was left last."""
    folder = tmp_path / "walks"
    for place, name in enumerate(["20261128-100000-bridge", "20261129-090000-river", "20261129-100000-bridge"]):
        file = write(folder, HEAD, GUN, name=name)
        os.utime(file, ns=(0, [1, 3, 2][place] * 10**9))
    (folder / "notes.txt").write_text("no journal")
    return folder


def test_the_walk_left_last_comes_first(shelf: Path) -> None:
    assert [path.stem for path in journals(shelf)] == [
        "20261129-090000-river",
        "20261129-100000-bridge",
        "20261128-100000-bridge",
    ]
    assert journals(shelf / "none") == []


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("20261129-090000-river", "20261129-090000-river"),
        ("20261129-090000-river.jsonl", "20261129-090000-river"),
        ("20261128", "20261128-100000-bridge"),
        ("river", "20261129-090000-river"),
        ("29-1", "20261129-100000-bridge"),
    ],
)
def test_a_walk_is_found_by_any_part_of_its_name(shelf: Path, word: str, name: str) -> None:
    assert find(word, shelf).stem == name


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("bridge", "'bridge' could be 2 walks: 20261129-100000-bridge, 20261128-100000-bridge"),
        ("20261129", "'20261129' could be 2 walks: 20261129-090000-river, 20261129-100000-bridge"),
        ("ford", "there is no walk 'ford'; refcli log lists them"),
        ("", "there is no walk ''; refcli log lists them"),
        ("../x", "there is no walk '../x'; refcli log lists them"),
    ],
)
def test_a_word_that_means_none_or_several_is_told(shelf: Path, word: str, message: str) -> None:
    with pytest.raises(UsageError) as fault:
        find(word, shelf)
    assert str(fault.value) == message


def test_no_walk_at_all(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^no walk has been kept yet$"):
        find("x", tmp_path / "none")


def test_a_broken_journal_does_not_hide_the_others_and_one_just_begun_is_left_out(shelf: Path) -> None:
    (shelf / "20261130-000000-empty.jsonl").touch()
    bad = write(shelf, b"rubbish", name="20261130-000001-bad")
    found = list(records(shelf))
    assert [one.id if isinstance(one, Record) else one[0] for one in found] == [
        bad,
        "20261129-090000-river",
        "20261129-100000-bridge",
        "20261128-100000-bridge",
    ]
