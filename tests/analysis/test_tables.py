from collections.abc import Callable

import pytest

from refcli.core.problem import Code

Told = Callable[..., list[str]]


def table(rows: str, columns: str = "[elite, raw]", more: str = "") -> str:
    return f"""
facts:
  score: {{ask: Score, number: 0..9}}
  grade: {{ask: Grade, choices: {{elite: Elite, veteran: Veteran, raw: Raw}}}}
nodes:
  look:
    table: [score, grade]
    columns: {columns}
    rows: {{{rows}}}
    {more}
outcomes:
  good: {{title: Good}}
  bad: {{title: Bad}}
"""


def test_what_no_row_covers_is_proposed(told: Told) -> None:
    found = told(table("..2: [bad, good, good], 4..8: [good]", "[elite, veteran, raw]"), Code.GAP)
    assert found == [
        "made/chart.yaml:8:3: error C403: 3 and 9 of 'score' have no row; 'score' can be 0..9; "
        "add `3: […, …, …]`, `9: […, …, …]`"
    ]


def test_what_no_column_covers_is_proposed(told: Told) -> None:
    assert told(table("..5: [bad, good], 6..: [good]"), Code.GAP) == [
        "made/chart.yaml:8:3: error C403: veteran of 'grade' has no column; 'grade' can be elite, veteran, raw; "
        "add to `columns`: veteran, with a cell in every row"
    ]


def test_rows_and_columns_that_lack_are_told_apart(told: Told) -> None:
    assert told(table("..3: [bad, good], 5..: [good]"), Code.GAP) == [
        "made/chart.yaml:8:3: error C403: 4 of 'score' has no row; 'score' can be 0..9; add `4: […, …]`",
        "made/chart.yaml:8:3: error C403: veteran of 'grade' has no column; 'grade' can be elite, veteran, raw; "
        "add to `columns`: veteran, with a cell in every row",
    ]


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        ("..5: [bad], 6..: [good]", "[elite, veteran, raw]"),
        ("0..5: [bad], else: [good]", "[elite, else]"),
    ],
    ids=["all written", "else for the rest"],
)
def test_whole_table_is_no_problem(told: Told, rows: str, columns: str) -> None:
    assert told(table(rows, columns), Code.GAP, Code.OVERLAP) == []


def test_rows_that_meet_and_rows_that_never_come_up_are_told(told: Told) -> None:
    assert told(table("..5: [bad], 4..: [good], 10..: [good]", "[elite, else]"), Code.OVERLAP) == [
        "made/chart.yaml:11:24: error C404: ..5 and 4.. both hold 4..5; the first one wins; give each value one row",
        "made/chart.yaml:11:37: warning C404: row '10..' can never come up; 'score' can be 0..9; "
        "delete it, or mend what it looks at",
    ]


def test_table_of_numbers_without_columns_is_checked_too(told: Told) -> None:
    text = """
facts:
  score: {ask: Score, number: 0..9}
nodes:
  look: {table: score, rows: {..4: 1, 6..: 2}, as: worth, next: end}
outcomes:
  end: {title: End, says: Worth <worth>.}
"""
    assert told(text, Code.GAP) == [
        "made/chart.yaml:7:3: error C403: 5 of 'score' has no row; 'score' can be 0..9; add `5: […]`"
    ]
