"""What a walk has made of the men of a roster: found again by name or by what they are, and said in a few words."""

from pathlib import Path
from typing import Any

import pytest

from refcli.core.walk import Walk, start
from refcli.drivers.loop import drive
from refcli.drivers.marks import Marks, marks_of
from refcli.drivers.rosters import Rosters
from refcli.drivers.script import Case, CaseSupplier, Defaults
from refcli.load.library import Library
from tests.helpers import write_charts

BOOK = """
facts:
  name: {ask: His name, text: yes}
  down: Is he down?
  gone: {ask: 'Is he gone?', default: no, asked: no}
  wounds: {ask: His wounds, number: 0..9, default: 0}
  mood: {ask: His mood, choices: {calm: Calm, wild: Wild}}
  note_of: {ask: A note, number: 0..9}
  men: {ask: The men, noun: man, list: [name, down, gone, wounds, mood, note_of]}
"""
CHART = """
nodes:
  each_man: {each: men, run: shot, as: fates, next: sum}
  sum: {set: {points: count(fates where outcome is falls) * 2}, next: end}
gives: {vp: points, kills: 'count(fates where outcome is dies)'}
outcomes:
  end: {title: End}
"""
SHOT = """
facts:
  how: {ask: How, choices: {miss: Miss, hit: Hit, kill: Kill, calm: Calm}}
nodes:
  down_already: {decide: down, yes: test, no: test}
  test: {decide: how, cases: {miss: stands, hit: falls, kill: dies, calm: rests}}
outcomes:
  stands: {title: Stands, changes: {note_of: 3}}
  falls: {title: Falls, changes: {down: yes, wounds: wounds + 1, note_of: 4}}
  dies: {title: Dies, changes: {gone: yes}}
  rests: {title: Rests, changes: {down: no, mood: calm}}
"""
ROSTER = """\
book: made
groups:
  first:
    - {name: Keller, down: no, mood: wild}
    - {name: Brown, down: yes, mood: wild}
    - {down: no, wounds: 2}
    - {down: no, wounds: 2}
  second:
    - {name: Keller, down: no, mood: calm}
    - {name: Kurz, down: no}
scores:
  ours: {vp: 3}
  theirs: {vp: 0, kills: 1}
"""


@pytest.fixture
def shelf(tmp_path: Path) -> Library:
    (tmp_path / "ours.yaml").write_text(ROSTER, encoding="utf-8")
    return Library([write_charts(tmp_path / "charts", CHART, book=BOOK, shot=SHOT)])


def opened(shelf: Library, tmp_path: Path) -> Rosters:
    roster, problems = shelf.roster(tmp_path / "ours.yaml")
    assert roster is not None, problems
    return Rosters([roster])


def marked(shelf: Library, tmp_path: Path, men: Any, how: list[str]) -> tuple[Walk, Marks]:
    """A walk of these men, and what became of them."""
    rosters = opened(shelf, tmp_path)
    chart = shelf.load("made/chart")
    given = {"men": rosters.named(chart.book.facts["men"], men, "made"), "how": how}
    walk = drive(start(chart), [CaseSupplier(Case(given=given)), Defaults()])
    return walk, marks_of(walk, rosters)


def told(found: Marks) -> list[tuple[str, str, int, str, Any]]:
    return [(one.who, one.group.name, one.number, one.fact.name, one.value) for one in found.marks]


def test_what_an_outcome_has_changed_is_a_mark_and_a_mere_note_is_none(shelf: Library, tmp_path: Path) -> None:
    found = marked(shelf, tmp_path, "first.Keller, Brown, Kurz", ["hit", "calm", "kill"])[1]
    assert told(found) == [
        ("Keller", "first", 0, "down", True),
        ("Keller", "first", 0, "wounds", 1),
        ("Brown", "first", 1, "down", False),
        ("Brown", "first", 1, "mood", "calm"),
        ("Kurz", "second", 1, "gone", True),
    ]
    assert found.lines() == [
        "down: Keller",
        "wounds: Keller 1",
        "no longer down: Brown",
        "mood: Brown Calm",
        "gone: Kurz",
    ]
    assert [str(gain) for gain in found.gains] == ["ours: vp 3 +2", "theirs: vp 0 +2, kills 1 +1"]


def test_men_of_one_name_are_told_apart_by_what_is_known_of_them(shelf: Library, tmp_path: Path) -> None:
    found = marked(shelf, tmp_path, "second.Keller", ["kill"])[1]
    assert told(found) == [("Keller", "second", 0, "gone", True)]
    both = marked(shelf, tmp_path, "second.Keller, first.Keller", ["kill", "hit"])[1]
    assert [one[1:4] for one in told(both)] == [("second", 0, "gone"), ("first", 0, "down"), ("first", 0, "wounds")]


def test_the_nameless_are_found_by_what_they_are_each_once(shelf: Library, tmp_path: Path) -> None:
    found = marked(shelf, tmp_path, [{"down": False, "wounds": 2}, {"down": False, "wounds": 2}], ["kill", "kill"])[1]
    assert told(found) == [("3 of first", "first", 2, "gone", True), ("4 of first", "first", 3, "gone", True)]


def test_strangers_are_named_and_left_alone(shelf: Library, tmp_path: Path) -> None:
    men = ["Kurz", {"name": "Jones", "down": False}, {"down": True, "wounds": 1}, {"name": "Keller", "down": True}]
    found = marked(shelf, tmp_path, men, ["kill", "kill", "kill", "kill"])[1]
    assert told(found) == [("Kurz", "second", 1, "gone", True)]
    assert found.lines() == ["gone: Kurz", "(in no roster: Jones, man 3, Keller)"]


def test_nothing_to_keep(shelf: Library, tmp_path: Path) -> None:
    walk, found = marked(shelf, tmp_path, "first", ["miss", "miss", "miss", "miss"])
    assert not found
    assert not marks_of(walk, Rosters())


def test_what_the_roster_says_already_is_no_mark(shelf: Library, tmp_path: Path) -> None:
    """As where another window has written it meanwhile."""
    walk, found = marked(shelf, tmp_path, "Kurz", ["kill"])
    assert found.marks
    file = tmp_path / "ours.yaml"
    file.write_text(file.read_text().replace("Kurz, down: no", "Kurz, down: no, gone: yes"))
    assert not marks_of(walk, opened(shelf, tmp_path)).marks
