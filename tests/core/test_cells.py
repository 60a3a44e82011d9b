import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refcli.core.cells import escaped, row_of, unescaped

SIGNS = st.text(st.sampled_from(list("=+-@'\t\r\n;,\" a1.＝＠−")), max_size=12)


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("+cmd", "'+cmd"),
        ("-cmd", "'-cmd"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("  =1", "'  =1"),
        ("\t=1", "'\t'=1"),
        ("＝1", "'＝1"),
        ("a;=1", "a;'=1"),
        ("a\n=1", "a\n'=1"),
        ("'=1", "''=1"),
        ("-3", "-3"),
        ("+2", "+2"),
        ("-3.5", "-3.5"),
        ("-3-4", "'-3-4"),
        ("a=1", "a=1"),
        ("−3", "−3"),
        ("", ""),
    ],
)
def test_a_formula_stands_behind_an_apostrophe_and_a_number_does_not(text: str, cell: str) -> None:
    assert escaped(text) == cell
    assert unescaped(cell) == text


@given(SIGNS)
def test_nothing_is_lost_by_it(text: str) -> None:
    assert unescaped(escaped(text)) == text


@given(st.lists(SIGNS, min_size=2, max_size=4), st.sampled_from(",;\t"))
def test_no_cell_of_a_row_begins_a_formula_in_any_country(cells: list[str], delimiter: str) -> None:
    line = row_of(cells, delimiter)
    assert [unescaped(cell) for cell in next(csv.reader(io.StringIO(line, newline=""), delimiter=delimiter))] == cells
    for other in ",;\t" if delimiter == "," else delimiter:
        for row in csv.reader(io.StringIO(line, newline=""), delimiter=other):
            for cell in row:
                first = cell.lstrip(' "')[:1]
                number = re.match(r"[+-]?\d+([,;\t]|$)", cell)  # what stands beside it is no part of a formula
                assert first not in ("=", "+", "-", "@", "＝", "＠") or number, (line, row)
