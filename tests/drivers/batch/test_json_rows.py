import json
import os
import signal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refcli.drivers.batch import json_rows
from refcli.drivers.batch.json_rows import careful, count, mendable, parse_json, read, undisturbed, whole
from refcli.drivers.batch.row import MAX_DEPTH, Row, depth_of

LOADS = [json_rows.loads, json_rows.quick_loads()]


def rows(data: bytes, loads: Any = json_rows.loads) -> list[Row]:
    return list(read(data, 0, 0, loads))


def test_there_is_a_faster_reader_than_that_of_python() -> None:
    assert json_rows.quick_loads() is not json_rows.loads


@pytest.mark.parametrize("loads", LOADS, ids=["json", "quick"])
def test_lines_are_read_with_their_line_and_number(loads: Any) -> None:
    data = b'{"id": 1}\n\n  \r\n# a remark\n{"id": 2}\r\n{"id": 3}'
    assert rows(data, loads) == [Row(1, 1, {"id": 1}), Row(5, 2, {"id": 2}), Row(6, 3, {"id": 3})]
    assert next(read(data, 10, 20, loads)) == Row(11, 21, {"id": 1})


@pytest.mark.parametrize("loads", LOADS, ids=["json", "quick"])
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
        (b'{"given": {"a": 1, "a": 2}}', "the key 'a' stands twice"),
        (b'{"id": "x:y", "id": "x"}', "the key 'id' stands twice"),
        (b'{"id": "\\u003a", "id": "x"}', "the key 'id' stands twice"),
        (b'{"a": 1, "a": 2, "given": "x"}', "the key 'a' stands twice"),
        (b'{"id": "\xff"}', "the line is not UTF-8 text"),
        (b"[" * 100_000, "the line is nested too deep to be a case"),
        (b'{"a":' * 5000, "the line is nested too deep to be a case"),
        (b'{"a":' + b"[" * 500 + b"]" * 500 + b"}", "the line is nested too deep to be a case"),
        (b'{"id": ' + b"9" * 5000 + b"}", "a number has too many digits"),
        (b"hello", "this is not readable JSON: expecting value at column 1"),
    ],
    ids=["half", "brace", "list", "nan", "infinity", "twice", "twice within", "colons", "escape", "odd", "bytes",
         "deep", "deep maps", "closed", "digits", "text"],
)  # fmt: skip
def test_a_bad_line_is_handed_on_as_its_error(data: bytes, error: str, loads: Any) -> None:
    first, last = rows(data + b'\n{"id": "next"}\n', loads)
    first = first if first.error else careful(first.source, 1, 1)  # as whoever rules does with a row that fails
    assert (first.line, first.error) == (1, error)
    assert last == Row(2, 2, {"id": "next"})


def test_ctrl_c_waits_for_an_import_that_cannot_bear_it() -> None:
    after = []

    def interrupted() -> None:
        with undisturbed():
            os.kill(os.getpid(), signal.SIGINT)
            after.append("went on")

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert after == ["went on"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        interrupted()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
CASES = st.dictionaries(st.sampled_from(["id", "given", "rolls", "seed", "a:b"]) | st.text(max_size=3), PLAIN)


@given(st.lists(CASES, max_size=6), st.booleans(), st.sampled_from([(", ", ": "), (",", ":"), (" , ", " : ")]))
def test_both_readers_read_the_same(cases: list[Any], ascii_only: bool, separators: tuple[str, str]) -> None:
    lines = [json.dumps(case, ensure_ascii=ascii_only, separators=separators) for case in cases]
    data = "\n".join(lines).encode("utf-8", "surrogatepass")
    slow = [Row(row.line, row.number, row.raw, row.error) for row in rows(data)]
    for fast, row in zip(rows(data, LOADS[1]), slow, strict=True):
        if "seed" in (row.raw or {}) or not _has_giant(row.raw):
            assert fast == row


def _has_giant(value: Any) -> bool:
    """Whether a number is beyond what every reader holds; a ruling that meets one reads its row again."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(map(_has_giant, parts)) or (isinstance(value, int) and not -(2**63) <= value < 2**64)


def test_a_giant_seed_is_no_rounded_one() -> None:
    (row,) = rows(b'{"seed": 123456789012345678901234567890}', LOADS[1])
    assert row.raw == {"seed": 123456789012345678901234567890}


@given(
    st.lists(st.sampled_from([b"{}", b"", b" ", b"\t\r", b"#", b" # {}", b"[1]", b"x", b'{"a": 1}\r']), max_size=9)
)
def test_what_is_counted_is_what_is_read(lines: list[bytes]) -> None:
    data = b"\n".join(lines)
    for text in (data, data + b"\n"):
        lines_counted, rows_counted = count(text)
        assert rows_counted == len(rows(text))
        assert lines_counted == text.count(b"\n") + (text != b"" and not text.endswith(b"\n"))


@pytest.mark.parametrize(("data", "size"), [(b"", 0), (b"ab", 0), (b"a\nb", 2), (b"a\n\n", 3)])
def test_whole_lines_end_with_an_end(data: bytes, size: int) -> None:
    assert whole(data) == size


def test_a_number_with_thousands_of_digits_is_told_without_python_s_words() -> None:
    with pytest.raises(ValueError, match=r"^a number has too many digits$"):
        parse_json(b"1" * 5000)


@pytest.mark.parametrize(("value", "depth"), [(1, 0), ([], 1), ([{"a": []}], 3), ({"a": {"b": 1}}, 2)])
def test_depth_is_counted_level_by_level(value: Any, depth: int) -> None:
    assert depth_of(value) == depth


def test_depth_is_not_counted_for_ever() -> None:
    value: list[Any] = []
    value.append(value)
    assert depth_of(value) == MAX_DEPTH + 1


@pytest.mark.parametrize(
    ("line", "mended"),
    [
        (b'{"id": "a", "x": 1}', b'{"id": "a", "x": 1}'),
        (b'  {"x": 1}\r', b'{"id": 7, "x": 1}'),
        (b"{}", b'{"id": 7 }'),
        (b'{"x": NaN}', b'{"id": 7, "x": NaN}'),
        (b'{"id": NaN}', b'{"id": NaN}'),
        (b'{"id": null, "x": "\xc3\xa4"}', b'{"id": 7, "x": "\\u00e4"}'),
        (b"{", b'{"id": 7 '),
        (b"nonsense", b"nonsense"),
        (b'{"x": "\xff"}', b'{"id": 7, "x": "\xff"}'),
    ],
)
def test_a_bad_row_is_kept_with_why_and_under_its_name(line: bytes, mended: bytes) -> None:
    kept = mendable(careful(line, 9, 7), "it is\nwrong")
    assert kept == b"# line 9: it is wrong\n" + mended + b"\n"


def test_a_bad_row_of_yaml_is_kept_as_json() -> None:
    assert mendable(Row(3, 2, {"given": {"a": "ä"}}), "why") == (
        b'# line 3: why\n{"id": 2, "given": {"a": "\\u00e4"}}\n'
    )
    assert mendable(Row(3, 2, None, "unreadable"), "unreadable") == b"# line 3: unreadable\n"
