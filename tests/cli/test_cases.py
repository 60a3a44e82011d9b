import io
import json
from pathlib import Path

import pytest

from refcli.cli.cases import MAX_LINE, Row, read_lines, read_rows
from refcli.cli.cases_yaml import read_yaml
from refcli.core.errors import ChartError, UsageError


def lines(data: bytes) -> list[Row]:
    return list(read_lines(io.BytesIO(data)))


def test_lines_are_read_with_their_line_and_number() -> None:
    assert lines(b'{"id": 1}\n\n  \r\n{"id": 2}\r\n{"id": 3}') == [
        Row(1, 1, {"id": 1}),
        Row(4, 2, {"id": 2}),
        Row(5, 3, {"id": 3}),
    ]


def test_a_byte_order_mark_is_skipped() -> None:
    assert lines(b'\xef\xbb\xbf{"id": "a"}\n') == [Row(1, 1, {"id": "a"})]


def test_other_encodings_are_named() -> None:
    with pytest.raises(UsageError, match=r"^the input is UTF-16 text; save it as UTF-8$"):
        lines('{"id": 1}'.encode("utf-16"))


def test_empty_input_has_no_cases() -> None:
    assert lines(b"") == []
    assert lines(b"\n\n") == []
    assert list(read_yaml(b" \n", "x.yaml")) == []


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b'{"id": }', "this is not readable JSON: expecting value at column 8"),
        (b"{", "this is not readable JSON: expecting property name enclosed in double quotes at column 2; "
         "write one case per line"),
        (b'[{"id": 1}', "this begins a list: write one case per line, or give the list as YAML (--format yaml)"),
        (b'{"given": {"guns": NaN}}', "NaN is not a number that a case can use"),
        (b'{"given": {"guns": -Infinity}}', "-Infinity is not a number that a case can use"),
        (b'{"id": 1, "id": 2}', "the key 'id' stands twice"),
        (b'{"id": "\xff"}', "the line is not UTF-8 text"),
        (b"[" * 100_000, "the line is nested too deep to be a case"),
        (b'{"id": ' + b"9" * 5000 + b"}", "a number has too many digits"),
        (b"hello", "this is not readable JSON: expecting value at column 1"),
    ],
    ids=["half", "brace", "list", "nan", "infinity", "twice", "bytes", "deep", "digits", "text"],
)  # fmt: skip
def test_a_bad_line_is_handed_on_as_its_error(data: bytes, error: str) -> None:
    first, last = lines(data + b'\n{"id": "next"}\n')
    assert (first.line, first.error) == (1, error)
    assert last == Row(2, 2, {"id": "next"})


def test_an_endless_line_is_cut() -> None:
    first, last = lines(b'{"id": "' + b"x" * (2 * MAX_LINE + 9) + b'"}\n{"id": "next"}\n')
    assert first == Row(1, 1, None, "the line has more than 4 MB")
    assert last == Row(2, 2, {"id": "next"})


@pytest.mark.parametrize(
    "text",
    [
        "- id: a\n  given: {hit: yes, guns: 2}\n\n- {id: b}\n",
        "# the cases\n- id: a\n  given: {hit: yes, guns: 2}\n- {id: b}\n",
        "cases:\n  - id: a\n    given: {hit: yes, guns: 2}\n  - {id: b}\n",
        "---\n- id: a\n  given: {hit: yes, guns: 2}\n- {id: b}\n",
        '[{"id": "a", "given": {"hit": yes, "guns": 2}}, {"id": "b"}]',
    ],
    ids=["list", "comment", "mapping", "start", "flow"],
)
def test_yaml_is_a_list_or_a_mapping_of_cases(text: str) -> None:
    rows = list(read_yaml(text.encode(), "x.yaml"))
    assert [row.raw for row in rows] == [{"id": "a", "given": {"hit": True, "guns": 2}}, {"id": "b"}]
    numbers = [number for number, line in enumerate(text.split("\n"), 1) if "id: a" in line or "id: b" in line]
    assert [row.line for row in rows] == (numbers or [1, 1])


def test_yaml_cases_take_chart_and_seed_from_above() -> None:
    rows = read_yaml(b"chart: demo/volley\nseed: 7\ncases:\n- {id: a}\n- {id: b, seed: 9}\n", "x.yaml")
    assert [row.raw for row in rows] == [
        {"chart": "demo/volley", "seed": 7, "id": "a"},
        {"chart": "demo/volley", "seed": 9, "id": "b"},
    ]


def test_a_fault_in_one_yaml_case_leaves_the_others() -> None:
    rows = list(read_yaml(b"- {id: a, id: b}\n- {id: c}\n", "x.yaml"))
    assert [(row.line, row.error) for row in rows] == [(1, "line 1: 'id' stands twice in one mapping"), (2, "")]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("case:\n- {id: a}\n", "x.yaml: a file of cases has no 'case'; did you mean 'cases'?"),
        ("chart: demo/volley\n", "x.yaml: a file of cases is a list, or a mapping with a list called 'cases'"),
        ("cases: none\n", "x.yaml: a file of cases is a list, or a mapping with a list called 'cases'"),
    ],
)
def test_yaml_without_cases_is_wrong_usage(text: str, error: str) -> None:
    with pytest.raises(UsageError) as raised:
        list(read_yaml(text.encode(), "x.yaml"))
    assert str(raised.value) == error


def test_unreadable_yaml_is_told_with_its_place() -> None:
    with pytest.raises(ChartError, match=r"^x\.yaml:2:"):
        list(read_yaml(b"- id: a\n  given: {x: 1\n", "x.yaml"))


def test_files_are_read_by_their_suffix(tmp_path: Path) -> None:
    for name, text in (("a.yml", "- {id: a}"), ("a.jsonl", '{"id": "a"}'), ("a.txt", '{"id": "a"}')):
        (tmp_path / name).write_text(text)
        assert [row.raw for row in read_rows(str(tmp_path / name), None)] == [{"id": "a"}]
    (tmp_path / "b.txt").write_text("- {id: a}")
    assert [row.raw for row in read_rows(str(tmp_path / "b.txt"), "yaml")] == [{"id": "a"}]


def test_what_cannot_be_opened_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^cannot read '.*none\.jsonl': No such file or directory$"):
        list(read_rows(str(tmp_path / "none.jsonl"), None))
    with pytest.raises(UsageError, match=r"^cannot read '.*': Is a directory$"):
        list(read_rows(str(tmp_path), None))


def test_an_unknown_format_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match=r"^--format: there is no format 'jsn'; did you mean 'jsonl'\?$"):
        list(read_rows("-", "jsn"))


def test_rows_hold_plain_json(tmp_path: Path) -> None:
    data = {"id": "ä", "given": {"hit": True, "men": [{"name": "Abel"}]}, "rolls": {"die": [1, 2]}}
    assert lines(json.dumps(data).encode()) == [Row(1, 1, data)]
