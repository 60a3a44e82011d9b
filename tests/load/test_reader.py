"""Reading YAML: text stays text, everything has its place, hostile files are refused at once."""

import time

import pytest
import yaml

from refcli.core.place import Place
from refcli.core.problem import Code
from refcli.load import reader
from refcli.load.report import MAX_PROBLEMS, Report
from refcli.load.scalars import plain
from refcli.load.tree import Entries, Scalar, Source


@pytest.fixture(params=["libyaml", "pure Python"])
def loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both parsers: the fast one, and the one that serves where it is missing."""
    if request.param == "pure Python":
        monkeypatch.setattr(reader, "_LOADER", yaml.SafeLoader)
    elif not hasattr(yaml, "CSafeLoader"):
        pytest.skip("this PyYAML comes without libyaml")
    return str(request.param)


def read(text: str) -> Entries:
    report = Report()
    tree = reader.read_tree(Source("made.yaml", text), report)
    assert report.problems == []
    assert tree is not None
    return tree


def faults(text: str | bytes) -> list[str]:
    data = text if isinstance(text, bytes) else text.encode()
    report = Report()
    source = reader.decode(data, "made.yaml", report)
    tree = reader.read_tree(source, report) if source is not None else None
    assert tree is not None or report.problems
    return [str(problem) for problem in report.problems]


def scalar(tree: Entries, key: str) -> Scalar:
    value = tree.pairs[key][1]
    assert isinstance(value, Scalar)
    return value


def test_text_stays_text(loader: str) -> None:
    tree = read("a: yes\nb: 012\nc: 1:30\nd: +1\ne: 6.10\nf: ~\nno: off\n12: 2017-01-01\n")
    assert {key: scalar(tree, key).text for key in tree.pairs} == {
        "a": "yes",
        "b": "012",
        "c": "1:30",
        "d": "+1",
        "e": "6.10",
        "f": "~",
        "no": "off",
        "12": "2017-01-01",
    }


def test_examples_get_plain_values() -> None:
    tree = read("given: {wet: yes, dry: 'yes', count: -3, word: open, men: [{down: no}], column: {7: 4}}\n")
    assert plain(tree.pairs["given"][1]) == {
        "wet": True,
        "dry": "yes",
        "count": -3,
        "word": "open",
        "men": [{"down": False}],
        "column": {"7": 4},
    }


def test_what_was_refused_has_no_plain_value() -> None:
    report = Report()
    tree = reader.read_tree(Source("made.yaml", "given: [1, *a, [b, c]: ]\n"), report)
    assert tree is not None
    assert plain(tree.pairs["given"][1]) == [1, None, {}]


def test_every_part_has_its_place(loader: str) -> None:
    tree = read("a: {b: [c,  'd e']}\n# Ä\nä: |\n  words\n")
    inner = tree.pairs["a"][1]
    assert isinstance(inner, Entries)
    key, items = inner.pairs["b"]
    assert (key.place, items.place) == (Place("made.yaml", 1, 5), Place("made.yaml", 1, 8))
    quoted = items.parts[1]  # type: ignore[union-attr]
    assert (quoted.place, quoted.width) == (Place("made.yaml", 1, 13), 5)
    assert tree.pairs["ä"][0].place == Place("made.yaml", 3, 1)


@pytest.mark.parametrize(
    ("text", "word", "line", "column"),
    [
        pytest.param("a: one two\n", "two", 1, 8, id="plain"),
        pytest.param("a: 'one two'\n", "two", 1, 9, id="quoted"),
        pytest.param("a: 'it''s two'\n", "two", 1, 11, id="doubled quote"),
        pytest.param('a: "one\\ttwo three"\n', "three", 1, 14, id="escape"),
        pytest.param('a: "\\x41\\u0042 two"\n', "two", 1, 16, id="escapes of letters"),
        pytest.param("a: 'C:\\x two'\n", "two", 1, 10, id="backslash that is none"),
        pytest.param("a: one\n  two three\n", "three", 2, 7, id="folded plain text"),
        pytest.param("a: 'one\n\n  two three'\n", "three", 3, 7, id="folded quoted text"),
        pytest.param("a: >-\n  one\n  two\n", "two", 3, 3, id="folded block"),
        pytest.param("a: |\n  one\n    two\n", "two", 3, 5, id="block that keeps its lines"),
        pytest.param("ä: {b: Größe two}\n", "two", 1, 14, id="behind letters of two bytes"),
    ],
)
def test_each_character_of_a_text_has_its_place(text: str, word: str, line: int, column: int, loader: str) -> None:
    tree = read(text)
    value = next(iter(tree.pairs.values()))[1]
    while isinstance(value, Entries):
        value = next(iter(value.pairs.values()))[1]
    assert isinstance(value, Scalar)
    assert value.spot(value.text.index(word)) == Place("made.yaml", line, column)


def test_spots_of_many_characters_are_those_of_each() -> None:
    value = scalar(read("a: 'it''s\n  one <x> and\n\n  <y> more'\n"), "a")
    offsets = list(range(len(value.text)))
    assert value.spots(offsets) == [value.spot(offset) for offset in offsets]


def test_line_ends_and_byte_order_marks_make_no_difference() -> None:
    report = Report()
    plainly, windows, old = (
        reader.decode(data, "x", report)
        for data in (b"a: 1\nb: 2\n", b"\xef\xbb\xbfa: 1\r\nb: 2\r\n", b"a: 1\rb: 2\r")
    )
    assert plainly is not None
    assert windows is not None
    assert old is not None
    assert plainly.text == windows.text == old.text


def test_a_comment_needs_two_spaces_only_behind_prose() -> None:
    assert read("a: one two  # a comment\nb: 3 # another\n").pairs.keys() == {"a", "b"}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(
            "title: Größe".encode("latin-1"),
            "made.yaml:1:10: error C106: the file is not UTF-8 text; save the file as UTF-8",
            id="latin-1",
        ),
        pytest.param(
            "title: x".encode("utf-16"),
            "made.yaml:1:1: error C106: the file is not UTF-8 text; save the file as UTF-8",
            id="utf-16",
        ),
        pytest.param(
            b"title: a\npage: \x00",
            "made.yaml:2:7: error C106: the file holds the control character U+0000; delete it, or save the file as "
            "UTF-8 text",
            id="NUL",
        ),
        pytest.param(
            b"title: \x1b[31mred",
            "made.yaml:1:8: error C106: the file holds the control character U+001B; delete it, or save the file as "
            "UTF-8 text",
            id="escape sequence",
        ),
        pytest.param(
            "title: a\u202eb".encode(),
            "made.yaml:1:9: error C106: the file holds the control character U+202E; delete it, or save the file as "
            "UTF-8 text",
            id="turned direction",
        ),
        pytest.param(
            b'title: "\\x1b[31mred"',
            "made.yaml:1:8: error C106: this text holds the control character U+001B; delete its escape",
            id="escaped control character",
        ),
        pytest.param(b"", "made.yaml: error C101: the file is empty", id="empty"),
        pytest.param(b"\n# nothing\n", "made.yaml: error C101: the file is empty", id="comment only"),
        pytest.param(
            b"hello\n",
            "made.yaml:1:1: error C101: the file must be a mapping of `key: value` lines, this is a single value",
            id="one word",
        ),
        pytest.param(b"a: 1\n'': 2\n", "made.yaml:2:1: error C203: a key is empty", id="empty key"),
        pytest.param(b": 2\n", "made.yaml:1:1: error C101: a key is missing before ':'", id="no key"),
        pytest.param(b"a: {?: 2}\n", "made.yaml:1:6: error C203: a key is missing before ':'", id="no key in braces"),
        pytest.param(
            b"a:\n  - 1\n  -\n",
            "made.yaml:3:4: error C203: this item of the list is empty; write something behind it, or delete it",
            id="empty item",
        ),
        pytest.param(
            b"{a:b, c: d}\n",
            "made.yaml:1:2: error C105: 'a:b' has no value: a colon needs a space behind it",
            id="colon without space in braces",
        ),
    ],
)
def test_what_is_no_chart_is_refused(data: bytes, message: str, loader: str) -> None:
    assert faults(data) == [message]


HOSTILE = {
    "5 MB": "x" * 5_000_000,
    "brackets": "a: " + "[" * 100_000,
    "braces": "a: " + "{" * 100_000,
    "dashes": "a:\n " + "- " * 100_000,
    "question marks": "? " * 100_000,
    "mappings": "a: " + "{a: " * 50_000,
    "steps": "".join(f"{' ' * depth}a:\n" for depth in range(900)),
    "quotes": '"' * 500_000,
    "open quote": "a: '" + "x" * 500_000,
    "tags": "!a " * 100_000,
    "anchors": "&a " * 100_000,
    "aliases": "*a " * 100_000,
    "documents": "---\n" * 100_000,
    "directives": "%A b\n" * 90_000,
    "colons": ": " * 200_000,
    "commas": "a: {" + "b," * 200_000,
    "tabs": "\t" * 400_000,
    "one key again and again": "a: 1\n" * 70_000,
    "billion laughs": "a: &a [x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused_quickly(name: str, loader: str) -> None:
    start = time.perf_counter()
    found = faults(HOSTILE[name])
    assert 1 <= len(found) <= MAX_PROBLEMS
    assert time.perf_counter() - start < 30  # seconds; a hang is what is meant


def test_a_file_too_large_is_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "_LOADER", None)
    assert faults("x: 1\n" * 200_000) == [
        "made.yaml: error C102: the file has more than 512 KB; split it into several charts"
    ]


def test_nesting_is_refused_where_it_gets_too_deep(loader: str) -> None:
    assert faults("a: " + "[" * 30 + "]" * 30) == [
        "made.yaml:1:27: error C102: lists and mappings stand in each other more than 24 deep"
    ]
    assert read("a: " + "[" * 23 + "]" * 23)


def test_only_so_many_problems_are_told() -> None:
    report = Report()
    reader.read_tree(Source("made.yaml", "a: 1\n" * 500), report)
    assert len(report.problems) == MAX_PROBLEMS
    assert {problem.code for problem in report.problems} == {Code.DUPLICATE_KEY}
    assert report.problems[-1].mend == "mend these 100 first; there may be more"


def test_any_other_complaint_of_the_parser_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def __init__(self, text: str) -> None:
            self.text = text

        def get_event(self) -> None:
            raise yaml.YAMLError("out of paper")

        def dispose(self) -> None:
            pass

    monkeypatch.setattr(reader, "_LOADER", Broken)
    assert faults("a: 1\n") == ["made.yaml: error C101: this is not readable YAML: out of paper"]


def test_a_file_that_is_an_alias_is_told_once(loader: str) -> None:
    assert faults("*a\n") == ["made.yaml:1:1: error C104: the alias '*a' is refused; write the value out here"]


def test_width_of_a_text_over_several_lines_is_that_of_its_first() -> None:
    value = scalar(read("a: one two\n  three\n"), "a")
    assert (value.width, repr(value)) == (7, "Scalar('one two three', made.yaml:1:4)")
