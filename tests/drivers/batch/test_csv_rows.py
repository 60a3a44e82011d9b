import csv
import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refcli.core.cells import row_of
from refcli.core.errors import UsageError
from refcli.drivers.batch.csv_rows import Header, count, mendable, mendable_names, parse_header, read, whole
from refcli.drivers.batch.row import Row

HEADER = Header(["id", "mover", "roll.die", "draw.card", "seed", "error"])


def rows(text: str | bytes, header: Header = HEADER) -> list[Row]:
    return list(read(text.encode() if isinstance(text, str) else text, 1, 0, header))


def one(text: str, header: Header = HEADER) -> Any:
    (row,) = rows(text, header)
    assert row.error == ""
    return row.raw


@pytest.mark.parametrize(
    ("text", "case"),
    [
        ("1,tracked,4,b1,7,", {"id": 1, "given": {"mover": "tracked"}, "rolls": {"die": 4}, "draws": {"card": "b1"},
                               "seed": "7"}),
        ("a", {"id": "a"}),
        ("007,,,,,", {"id": "007"}),
        ("'=x, tracked ,,,,", {"id": "=x", "given": {"mover": "tracked"}}),
        ("1,,4 5;6,b1 r2,,", {"id": 1, "rolls": {"die": [4, 5, 6]}, "draws": {"card": ["b1", "r2"]}}),
        ('1,"[{""name"": ""Abel""}]","[1, 2]","{""suit"": ""b1""}",,',
         {"id": 1, "given": {"mover": [{"name": "Abel"}]}, "rolls": {"die": [1, 2]}, "draws": {"card": {"suit": "b1"}}}),
        ("1,[Abel],,,,", {"id": 1, "given": {"mover": "[Abel]"}}),
        ("1,,,,,line 3: it was wrong", {"id": 1}),
        ("1,,,,,,,", {"id": 1}),
    ],
)  # fmt: skip
def test_a_row_of_cells_is_a_case(text: str, case: Any) -> None:
    assert one(text) == case


def test_draws_and_placeholders_may_stand_in_order() -> None:
    header = Header(["draws", "placeholders", "expect"])
    assert one("b1 r2,cards,through", header) == {
        "draws": ["b1", "r2"], "placeholders": ["cards"], "expect": "through",
    }  # fmt: skip
    assert one('"[{""suit"": ""b1""}]",,"{""gives"": {""score"": 6}}"', header) == {
        "draws": [{"suit": "b1"}], "expect": {"gives": {"score": 6}},
    }  # fmt: skip
    assert one('"{""suit"": ""b1""}",,', header) == {"draws": [{"suit": "b1"}]}


def test_rows_have_the_line_they_start_on() -> None:
    text = '1,"a\nb",,,,\r\n\r\n , ,\n,,,,,\n2,c,,,,'
    assert [(row.line, row.number, row.raw) for row in rows(text)] == [
        (2, 1, {"id": 1, "given": {"mover": "a\nb"}}),
        (7, 2, {"id": 2, "given": {"mover": "c"}}),
    ]


@pytest.mark.parametrize(
    ("text", "error", "raw"),
    [
        ("1,a,,,,,x", "7 cells, but the header has 6 columns", {"id": 1}),
        (b"1,\xff,,,,", "the line is not UTF-8 text", None),
        ("1,a\rb,,,,", "this is no row of a table: its lines end by a carriage return alone; "
         "save it with the line ends of today", None),
        (f"1,{'[' * 200}{']' * 200},,,,", "the line is nested too deep to be a case", {"id": 1}),
    ],
    ids=["cells", "bytes", "return", "deep"],
)  # fmt: skip
def test_a_bad_row_is_handed_on_as_its_error(text: str | bytes, error: str, raw: Any) -> None:
    data = (text.encode() if isinstance(text, str) else text) + b"\n2,b,,,,\n"
    first, last = rows(data)
    assert (first.error, first.raw, last.raw) == (error, raw, {"id": 2, "given": {"mover": "b"}})


def test_a_column_without_a_name_may_be_empty_and_nothing_else() -> None:
    first, last = rows("1,,\n2,,x\n", Header(["id", "mover", ""]))
    assert (first.raw, first.error) == ({"id": 1}, "")
    assert last.error == "column 3 has no name, but a value"


@pytest.mark.parametrize(
    ("text", "delimiter"), [("id,mover\n", ","), ("id;mover\r\n", ";"), ("id\tmover", "\t"), ("id,\n", ",")]
)
def test_what_stands_between_the_cells_shows_in_the_header(text: str, delimiter: str) -> None:
    header = parse_header(text, "x.csv")
    assert (header.names, header.delimiter) == (("id", "mover" if "mover" in text else ""), delimiter)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("id,mover,id", "x.csv: the column 'id' stands twice"),
        (",,", "x.csv: a table of cases begins with a line of column names"),
    ],
)
def test_a_bad_header_is_wrong_usage(text: str, error: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse_header(text, "x.csv")
    assert str(raised.value) == error


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("movr", "x.csv: Crossing has no column 'movr'; did you mean 'mover'?"),
        ("dye", "x.csv: Crossing has no column 'dye'; it can be: mover, wet"),
        ("die", "x.csv: Crossing has no column 'die'; did you mean 'roll.die'?"),
        ("card", "x.csv: Crossing has no column 'card'; did you mean 'draw.card'?"),
        ("roll.dye", "x.csv: Crossing has no column 'roll.dye'; did you mean 'roll.die'?"),
        ("chrt", "x.csv: Crossing has no column 'chrt'; did you mean 'chart'?"),
    ],
)
def test_a_column_that_the_chart_does_not_know_is_wrong_usage(name: str, error: str) -> None:
    names = (["mover", "wet", "crossing.mover"], ["die"], ["card"])
    Header(["id", "mover", "crossing.mover", "roll.die", "", "error", "draw.card"]).check("x.csv", "Crossing", *names)
    with pytest.raises(UsageError) as raised:
        Header(["id", name]).check("x.csv", "Crossing", *names)
    assert str(raised.value) == error


CELLS = st.text(st.sampled_from(list('ab1,;"\n\r\t =é')), max_size=6)


@given(st.lists(st.lists(CELLS, min_size=2, max_size=4), max_size=6), st.sampled_from(",;\t"))
def test_what_is_counted_is_what_is_read(table: list[list[str]], delimiter: str) -> None:
    header = Header(["mover", "wet", "other", "more"], delimiter)
    data = "".join(row_of(cells, delimiter) for cells in table).encode()
    assert whole(data, header) == len(data)
    assert count(data, header) == (data.count(b"\n"), len(rows(data, header)))


@given(st.lists(CELLS, max_size=12), st.sampled_from(",;\t"))
def test_any_text_is_cut_counted_and_read_alike(parts: list[str], delimiter: str) -> None:
    header = Header(["mover", "wet"], delimiter)
    data = delimiter.join(parts).encode()
    end = whole(data, header)
    assert 0 <= end <= len(data)
    part = data[:end]
    assert count(part, header)[1] == len(rows(part, header))


def test_a_row_over_several_lines_is_whole_only_at_its_end() -> None:
    assert whole(b'a,b\n"c\nd', HEADER) == 4
    assert whole(b'a,b\n"c\nd\n', HEADER) == 4
    assert whole(b'a,b\n"c\nd"\n', HEADER) == 10
    assert whole(b'a,5" gun\nb,c\n', HEADER) == 13


def test_a_bad_row_is_kept_with_why_and_under_its_name() -> None:
    header = Header(["mover", "error", "roll.die"])
    assert mendable_names(header) == ["error", "id", "mover", "roll.die"]
    assert mendable(Row(4, 3, None, "", ["a", "was bad", "4"]), "it is\nbad", header) == [
        "line 4: it is bad",
        "3",
        "a",
        "4",
    ]
    assert mendable(Row(4, 3, None, "", ["a", "", "4", "5"]), "bad", header) == ["line 4: bad", "3", "a", "4", "5"]
    header = Header(["mover", "id", "roll.die"])
    assert mendable_names(header) == ["error", "mover", "id", "roll.die"]
    assert mendable(Row(4, 3, None, "", ["a", "x"]), "bad", header) == ["line 4: bad", "a", "x", ""]
    assert mendable(Row(4, 3, None, "", ["a", "", "4"]), "bad", header) == ["line 4: bad", "a", "3", "4"]


def test_a_kept_row_comes_back_as_it_was() -> None:
    header = Header(["id", "mover"])
    cells = ["'=x", 'a "b"\n;=c']
    line = row_of(mendable(Row(4, 3, None, "", cells), "bad", header))
    _, *back = next(csv.reader(io.StringIO(line, newline="")))
    again = Header(mendable_names(header))
    assert again.case(["", *back]) == header.case(cells) == {"id": "=x", "given": {"mover": 'a "b"\n;=c'}}
