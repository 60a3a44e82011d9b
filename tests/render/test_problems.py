"""Problems as text: excerpt and caret, wide letters, long lines, nothing that moves the cursor."""

import pytest

from refcli.core.place import Place
from refcli.core.problem import Code, Problem, Severity
from refcli.render.problems import render


def problem(
    line: int, column: int, width: int = 1, hint: str = "", mend: str = "", message: str = "wrong"
) -> Problem:
    return Problem(Code.UNKNOWN_TARGET, Place("made.yaml", line, column), message, hint, mend, width)


def test_problem_with_all_its_parts() -> None:
    found = Problem(
        Code.UNKNOWN_TARGET,
        Place("flowcharts/infantry/assault.yaml", 2, 13),
        "edge 'pinned' leads to unknown node 'moral_check'",
        "did you mean 'morale_check' (line 88)?",
        "rename the target, or add a node 'moral_check'",
        11,
    )
    assert render(found, ["nodes:", "    pinned: moral_check"]) == (
        "flowcharts/infantry/assault.yaml:2:13: error C301: edge 'pinned' leads to unknown node 'moral_check'\n"
        "    2 |     pinned: moral_check\n"
        "      |             ^^^^^^^^^^^\n"
        "  did you mean 'morale_check' (line 88)?   mend: rename the target, or add a node 'moral_check'"
    )


def test_warning_without_lines() -> None:
    found = Problem(Code.UNUSED, Place("made.yaml"), "nothing reads 'wet'", severity=Severity.WARNING)
    assert render(found) == "made.yaml: warning C602: nothing reads 'wet'"


@pytest.mark.parametrize(
    ("line", "column", "width", "shown", "carets"),
    [
        ("next: ende", 7, 4, "next: ende", "      ^^^^"),
        ("next: ende", 7, 40, "next: ende", "      ^^^^"),
        ("next: ende", 7, 0, "next: ende", None),
        ("next: ende", 40, 3, "next: ende", "          ^"),
        ("\tnext: ende", 8, 4, " next: ende", "       ^^^^"),
        ("日本: ende", 5, 4, "日本: ende", "      ^^^^"),
        ("日本: ende", 1, 2, "日本: ende", "^^^^"),
        ("e\u0301: ende", 5, 4, "e\u0301: ende", "   ^^^^"),
        ("\x1b[31m: ende", 8, 4, "·[31m: ende", "       ^^^^"),
        ("a\u202eb: ende", 6, 4, "a·b: ende", "     ^^^^"),
    ],
)
def test_carets_stand_under_what_is_meant(line: str, column: int, width: int, shown: str, carets: str | None) -> None:
    lines = render(problem(1, column, width), [line]).split("\n")
    assert lines[1] == f"    1 | {shown}"
    assert lines[2:] == ([] if carets is None else [f"      | {carets}"])


@pytest.mark.parametrize(("column", "start"), [(1, "xxx"), (500, "…xxx"), (1000, "…xxx")])
def test_long_lines_are_cut_around_the_caret(column: int, start: str) -> None:
    line = "x" * (column - 1) + "!" + "x" * (1000 - column)
    _, excerpt, carets = render(problem(1, column), [line]).split("\n")
    assert len(excerpt) <= 8 + 102
    assert excerpt.removeprefix("    1 | ").startswith(start if column > 1 else "!xx")
    assert excerpt[carets.index("^")] == "!"


def test_line_that_is_not_there_is_left_out() -> None:
    assert render(problem(7, 1), ["one"]) == "made.yaml:7:1: error C301: wrong"


def test_message_cannot_move_the_cursor() -> None:
    assert render(problem(0, 0, hint="h\x1b[2J", message="m\x07\n")) == "made.yaml: error C301: m··\n  h·[2J"
