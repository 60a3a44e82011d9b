from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refcli.drivers.batch.blocks import Block, Cutter, Form, Mark
from refcli.drivers.batch.csv_rows import Header
from refcli.drivers.batch.row import MAX_LINE, Row

TABLE = Form(Header(["id", "mover"]))


def reader(*parts: bytes) -> Callable[[], bytes]:
    pieces: Iterator[bytes] = iter([part for part in parts if part])
    return lambda: next(pieces, b"")


def cut(form: Form, *parts: bytes, rest: bytes = b"") -> tuple[list[Block], list[Row]]:
    cutter = Cutter(reader(*parts), form, Mark(), rest)
    blocks, rows = [], []
    for block in cutter.blocks():
        blocks.append(block)
        rows += list(form.rows(block, block.data or b""))
        cutter.mark = form.after(block)
    return blocks, rows


def sliced(data: bytes, sizes: list[int]) -> list[bytes]:
    parts = []
    for size in sizes:
        parts.append(data[:size])
        data = data[size:]
    return [*parts, data]


LINES = st.lists(
    st.sampled_from([b'{"id": 1}\n', b"\n", b"#\n", b"x\r\n", b'{"id": "' + b"y" * 40 + b'"}\n']), max_size=8
)


@given(LINES, st.lists(st.integers(1, 40), max_size=12), st.booleans())
def test_wherever_the_bytes_are_cut_the_rows_are_the_same(lines: list[bytes], sizes: list[int], ended: bool) -> None:
    data = b"".join(lines)
    data = data if ended else data[:-1]
    blocks, rows = cut(Form(), *sliced(data, sizes))
    assert rows == cut(Form(), data)[1]
    assert b"".join(block.data or b"" for block in blocks) == data
    assert [block.mark.offset for block in blocks] == [
        sum(block.size for block in blocks[:place]) for place in range(len(blocks))
    ]


ROWS = st.lists(
    st.sampled_from([b"a,b\n", b'"a\nb",c\n', b"\n", b",\n", b'a,5" gun\n', b'"x ""y""",z\r\n']), max_size=8
)


@given(ROWS, st.lists(st.integers(1, 9), max_size=20), st.booleans())
def test_a_table_too_is_the_same_wherever_it_is_cut(lines: list[bytes], sizes: list[int], ended: bool) -> None:
    data = b"".join(lines)
    data = data if ended else data[:-1]
    blocks, rows = cut(TABLE, *sliced(data, sizes))
    assert rows == cut(TABLE, data)[1]
    assert b"".join(block.data or b"" for block in blocks) == data


def test_a_block_has_its_place() -> None:
    blocks, rows = cut(Form(), b'{"id": 1}\n\n{"id"', b": 2}\n{}")
    assert blocks == [
        Block(Mark(0, 0, 0), 11, b'{"id": 1}\n\n'),
        Block(Mark(11, 2, 1), 10, b'{"id": 2}\n'),
        Block(Mark(21, 3, 2), 2, b"{}"),
    ]
    assert rows == [Row(1, 1, {"id": 1}), Row(3, 2, {"id": 2}), Row(4, 3, {})]


def test_bytes_that_were_read_before_come_first() -> None:
    assert cut(Form(), b"{}", rest=b'{"id": 1}\n{"id": 2}\n')[1] == [
        Row(1, 1, {"id": 1}), Row(2, 2, {"id": 2}), Row(3, 3, {}),
    ]  # fmt: skip


LONG = [
    (Form(), b'{"id": "' + b"x" * (2 * MAX_LINE + 9) + b'"}\n', b"{}\n", {}),
    (TABLE, b"a," + b"x" * (2 * MAX_LINE + 9) + b"\n", b"a,b\n", {"id": "a", "given": {"mover": "b"}}),
]


@pytest.mark.parametrize(("form", "line", "after", "case"), LONG, ids=["json", "table"])
@pytest.mark.parametrize("size", [100_000, 10**6])
def test_an_endless_line_is_told_and_not_kept(form: Form, line: bytes, after: bytes, case: Any, size: int) -> None:
    data = after + line + after
    parts = [data[at : at + size] for at in range(0, len(data), size)]
    blocks, rows = cut(form, *parts)
    assert rows == [Row(1, 1, case), Row(2, 2, None, "the line has more than 4 MB"), Row(3, 3, case)]
    assert [block.data for block in blocks if block.error] == [b""]


def test_an_endless_line_may_be_the_last() -> None:
    _, rows = cut(Form(), *[b"x" * 100_000] * 100)
    assert rows == [Row(1, 1, None, "the line has more than 4 MB")]


def test_a_quotation_mark_that_is_never_closed_spoils_its_line_only(monkeypatch: pytest.MonkeyPatch) -> None:
    bad = Row(2, 2, None, "a quotation mark is opened and never closed")
    good = {"id": "b", "given": {"mover": "c"}}
    _, rows = cut(TABLE, b'b,c\na,"open\nb,c\nb,c\n')
    assert rows == [Row(1, 1, good), bad, Row(3, 3, good), Row(4, 4, good)]
    assert rows[1].source == ["a", "open\n"]
    monkeypatch.setattr("refcli.drivers.batch.blocks.MAX_LINE", most := 400_000)
    many = b"b,c\n" * (most // 4 + 10_000)
    _, rows = cut(TABLE, b'b,c\na,"open\n', *[many[at : at + 10**5] for at in range(0, len(many), 10**5)])
    assert rows[:3] == [Row(1, 1, good), bad, Row(3, 3, good)]
    assert len(rows) == 2 + len(many) // 4
