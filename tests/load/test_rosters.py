"""Rosters: what is read, and all that can be wrong with one."""

from pathlib import Path

import pytest

from refcli.core.errors import UsageError
from refcli.load.library import Library
from refcli.load.rosters import is_roster
from tests.load.conftest import END, write_book

GO = "nodes:\n  go: {decide: count(men) > 0, yes: end, no: end}" + END
BOOK = """
facts:
  name: {ask: His name, text: yes}
  motto: {ask: His motto, text: yes}
  wet: Is he wet?
  nerve: {ask: His nerve, number: 0..6}
  limit: {ask: Its limit, number: 0..6}
  arm: {ask: His arm, choices: {bow: A bow, sling: A sling}}
  wind: {ask: How windy, number: 0..3}
  men:
    ask: The men
    noun: man
    size: 1..3
    must: [{be: nerve <= limit, says: No nerve is above its limit}]
    list: [name, wet, nerve, limit]
  archers: {ask: The archers, noun: archer, list: [name, arm, nerve]}
"""
SOUND = """
title: Our men
book: made
groups:
  first:
    - {name: Keller, nerve: 3, limit: 4, arm: bow, wet: no}
    - {nerve: 2, motto: yes}
    - {name: 7, wind: 3}
  bows: [{arm: sling}]
"""


@pytest.fixture
def library(folder: Path) -> Library:
    write_book(folder, BOOK, chart=GO)
    return Library([folder])


def write(text: str, name: str = "mine.txt") -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.lstrip("\n"), encoding="utf-8")
    return path


def test_a_roster_is_read(library: Library) -> None:
    roster, problems = library.roster(write(SOUND))
    assert problems == []
    assert roster is not None
    assert (roster.title, roster.book, roster.file, roster.size) == ("Our men", "made", "mine.txt", 4)
    assert [(group.name, group.records, group.names) for group in roster.groups] == [
        (
            "first",
            (
                {"name": "Keller", "nerve": 3, "limit": 4, "arm": "bow", "wet": False},
                {"nerve": 2, "motto": "yes"},
                {"name": "7", "wind": 3},
            ),
            ("Keller", "yes", "7"),
        ),
        ("bows", ({"arm": "sling"},), ("",)),
    ]


def groups(*lines: str) -> str:
    return "book: made\ngroups:\n" + "".join(f"  {line}\n" for line in lines)


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        (
            "groups: {a: [{name: X}]}\n",
            ["1:1: error C202: the roster needs 'book'; add `book:`, the book whose facts the records answer"],
        ),
        ("book: made\n", ["1:1: error C202: the roster needs 'groups'; add `groups:`, each group with its records"]),
        (
            "book: mad\nname: Ours\ngroups: {a: [{nome: X}]}\n",
            [
                "2:1: error C201: the roster has no key 'name'; it can be: title, book, groups, scores",
                "1:7: error C701: there is no book 'mad'; did you mean 'made'?",
            ],
        ),
        (
            groups("a: [{name: X}]", "a: [{name: Y}]"),
            ["4:3: error C103: 'a' stands twice in one mapping; the first is on line 3; delete or rename one"],
        ),
        (
            groups("First Squad: [{name: X}]"),
            [
                "3:3: error C205: 'First Squad' cannot be a name: small letters a-z, digits and _ make one, a letter first; for example 'first_squad'"
            ],
        ),
        (groups("a: []"), ["3:6: error C203: 'a' needs 1 or more, this has 0"]),
        (groups("a: [{}]"), ["3:7: error C203: this mapping needs an entry, this has none"]),
        (
            groups("a: [Keller]"),
            ["3:7: error C203: a record like {fact: value} is needed here, this is a single value"],
        ),
        (
            groups("a: {name: X}"),
            ["3:6: error C203: 'a' needs a list, each record like {fact: value}, this is a mapping"],
        ),
        (
            groups("a: [{name: X, nerv: 3}]"),
            ["3:17: error C302: there is no fact 'nerv' in the book 'made'; did you mean 'nerve'?"],
        ),
        (groups("a: [{men: 3}]"), ["3:8: error C203: 'men' is a list: a record cannot hold another"]),
        (
            groups("a: [{name: [X], wet: maybe, nerve: 7, arm: bo}]"),
            [
                "3:14: error C203: name: a text is needed, not ['X']",
                "3:24: error C203: wet: answer yes or no, not 'maybe'",
                "3:38: error C203: nerve: 7 is out of range; a number in 0..6 is needed",
                "3:46: error C203: arm: 'bo' is not a choice; did you mean 'bow'?",
            ],
        ),
        (
            groups("a:", "  - {name: Keller}", "  - {motto: Ho, name: KELLER}", "  - {nerve: 2, name: keller}"),
            [
                "5:25: error C207: 'KELLER' stands twice in the group 'a'; the first is on line 4; give each a name of its own",
                "6:24: error C207: 'keller' stands twice in the group 'a'; the first is on line 4; give each a name of its own",
            ],
        ),
        (
            groups("a: [{name: 'Keller, Hans'}]"),
            ["3:14: error C205: 'Keller, Hans' holds a comma: names are picked with commas between them"],
        ),
        (
            groups("a: [{nerve: 3, limit: 2}, {name: Keller, limit: 2, nerve: 3}]"),
            [
                "3:8: error C703: man 1: No nerve is above its limit (nerve 3, limit 2)",
                "3:30: error C703: Keller: No nerve is above its limit (nerve 3, limit 2)",
            ],
        ),
        (
            groups("a: [{wet: yes}, {wind: 2}]"),
            [
                "3:3: error C702: the group 'a' fits no list of the book; each of its records needs a field of one list: men, archers"
            ],
        ),
        (
            groups("a: [{wet: yes}, {wet: yes}, {wet: yes}, {wet: no}]"),
            ["3:3: error C702: the group 'a' fits no list of the book; it has 4; 'men' takes 1 to 3"],
        ),
        (groups("a: [{nerve: 3, limit: 2}, {arm: bow}, {nerve: 1}, {nerve: 2}]"), []),
        ("book: made\ngroups: {a: [{name: X]}\n", ["2:14: error C101: this '{' is never closed; add a '}'"]),
    ],
)
def test_a_bad_roster_is_told(library: Library, text: str, messages: list[str]) -> None:
    path = write(text)
    found = [str(problem).removeprefix("mine.txt:") for problem in library.roster(path)[1]]
    assert found == messages


def test_a_book_without_lists_has_no_rosters(folder: Path) -> None:
    write_book(folder, "facts:\n  wet: Wet?\n", chart="nodes:\n  go: {do: Go., next: end}" + END)
    _, problems = Library([folder]).roster(write(groups("a: [{wet: yes}]")))
    assert [str(problem) for problem in problems] == [
        "mine.txt:3:3: error C702: the group 'a' fits no list of the book; the book 'made' has no lists"
    ]


def test_what_is_broken_in_the_book_is_told_there(folder: Path) -> None:
    write_book(folder, BOOK.replace("0..3", "many"), chart=GO)
    assert Library([folder]).roster(write(groups("a: [{name: X, wind: 3}]")))[1] == []
    (folder / "made" / "book.yaml").write_text("title: [")
    _, problems = Library([folder]).roster(write(groups("a: [{name: X}]")))
    assert [problem.place.file for problem in problems] == ["made/book.yaml"]


def test_a_file_that_is_not_there_or_no_text(library: Library) -> None:
    assert [str(p) for p in library.roster(Path("none.yaml"))[1]] == ["none.yaml: error C106: there is no such file"]
    Path("bad.yaml").write_bytes(b"groups: \xff")
    assert [str(p) for p in library.roster(Path("bad.yaml"))[1]] == [
        "bad.yaml:1:9: error C106: the file is not UTF-8 text; save the file as UTF-8"
    ]


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        (SOUND, True),
        ("{book: made, groups: {a: [{name: X}]}}", True),
        ("groups :\n  a: [", True),
        ("title: A chart\nnodes:\n  groups: {do: Go., next: end}\n", False),
        ("title: groups:\n", False),
        ("", False),
    ],
)
def test_a_file_with_groups_is_a_roster(folder: Path, text: str, is_one: bool) -> None:
    assert is_roster(write(text)) is is_one


def test_no_file_is_no_roster(folder: Path) -> None:
    assert not is_roster(Path("none"))
    assert not is_roster(folder)


def test_rosters_that_come_with_a_book_have_names(folder: Path) -> None:
    write_book(folder, BOOK, chart=GO)
    for name in ("made/rosters/sample.yaml", "made/rosters/late.yaml", "other/rosters/sample.yaml"):
        write(SOUND, name)
    write("title: Other\n", "other/book.yaml")
    write("title: Not one\n", "outside.yaml")
    Path("made/rosters/link.yaml").symlink_to(Path("outside.yaml").resolve())
    library = Library([folder])
    assert library.find_roster("late") == Path("made/rosters/late.yaml")
    assert library.find_roster("sample", "made") == Path("made/rosters/sample.yaml")
    assert library.find_roster("other/sample", "made") == Path("other/rosters/sample.yaml")
    assert library.find_roster("outside.yaml") == Path("outside.yaml")
    for text, message in {
        "sample": "--roster: 'sample' could be 2 rosters: made/sample, other/sample",
        "smaple": "--roster: there is no file 'smaple'; did you mean 'sample'?",
        "made/lat": "--roster: there is no file 'made/lat'; did you mean 'made/late'?",
        "made/../sample": "--roster: there is no file 'made/../sample'; did you mean 'made/sample'?",
        "link": "--roster: there is no file 'link'; it can be: late, sample, made/late, made/sample, other/sample",
    }.items():
        with pytest.raises(UsageError) as fault:
            library.find_roster(text)
        assert str(fault.value) == message


def test_a_folder_of_rosters_makes_no_charts(folder: Path) -> None:
    write_book(folder, BOOK, chart=GO)
    write(SOUND, "made/rosters/sample.yaml")
    library = Library([folder])
    assert library.catalogue.ids() == ["made/chart"]
    assert library.problems("made") == []
    assert library.problems(Path("made/rosters/sample.yaml")) == []
