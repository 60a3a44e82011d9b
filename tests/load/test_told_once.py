"""One mistake is one message, with its place: what only follows from it is not told too."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from refcli.load.files import read_lines
from refcli.load.library import Library
from tests.load.conftest import END, FaultsOf, write_book

CHART = """\
title: Leap
facts:
  width: {ask: How wide, number: 1..20}
  armoured: Is he in armour?
nodes:
  jump: {roll: 2d6, as: throw, next: reach}
  reach: {tally: sum, start: throw, modifiers: [{when: armoured, add: -2}], next: across}
  across:
    decide: sum >= width
    yes: over
    no: falls
outcomes:
  over: {title: Across}
  falls: {title: Falls in, says: He reached <sum> feet.}
"""
OVER = "{title: Across}"
FALLS = "He reached <sum> feet."
NO_SLOT = (
    "is not filled in: only a name can stand there, like <total>; make a value of it with a `set` node, and name that"
)
CUT = "inside one-line {…} a comma ends the text before it; quote the text that holds the comma"


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        (OVER, "{titel: Across}", "13:10: error C201: an outcome has no key 'titel'; did you mean 'title'?"),
        ("nodes:", "nods:", "5:1: error C201: the chart has no key 'nods'; did you mean 'nodes'?"),
        ("numb", "nunb", "3:26: error C201: a fact has no key 'nunber'; did you mean 'number'?"),
        ("ask: How", "aks: How", "3:11: error C201: a fact has no key 'aks'; did you mean 'ask'?"),
        (
            "{tally:",
            "{taly:",
            "7:3: error C208: node 'reach' has no kind; did you mean 'tally'?; give it one of each, do, decide, set, "
            "tally, roll, draw, table, run",
        ),
        ("{roll: 2d6, as", "{rol: 2d6, as", "6:3: error C208: node 'jump' has no kind"),
        (
            "decide: sum >= width\n    yes: over\n    no: falls\n",
            "decide: sum - width\n    cases: {..−1: falls, 0..: over}\n",
            "10:13: error C204: '..−1' is no range: write the plain minus sign -",
        ),
        (
            "yes: over\n    no: falls\n",
            "cases: {All of it: over, else: falls}\n",
            "10:13: error C205: 'All of it' is no case: it can be a range, a choice, yes, no or else",
        ),
        (
            "  falls: {",
            "  across: {title: Across}\n  falls: {",
            "14:3: error C207: 'across' is both an outcome and a node (line 8); rename one",
        ),
        (
            "as: throw, next: reach}",
            "as: throw, next: dry}\n  dry: {set: {width: 3}, next: reach}",
            "7:15: error C207: 'width' is made here, but it is a fact already (line 3); give it another name",
        ),
        ("start: throw", "start: min(throw, 9)", f"7:41: error C105: '9)' has no value: {CUT}"),
        (FALLS, "He reached <sum, feet>.", f"14:51: error C105: 'feet>.' has no value: {CUT}"),
        ("2d6", "2d6+9999999999", "6:16: error C206: '2d6+9999999999' goes beyond 1,000,000,000"),
        ("  jump", "\N{NO-BREAK SPACE} jump", "6:1: error C101: this line is indented with the sign U+00A0"),
        ("    yes", "   \N{EN SPACE}yes", "10:4: error C101: this line is indented with the sign U+2002"),
        (FALLS, "By <0 - sum>.", f"14:37: error C501: '<0 - sum>' {NO_SLOT}"),
        (FALLS, "<sum> is <Sum>.", f"14:43: error C501: '<Sum>' {NO_SLOT}"),
        (FALLS, "< sum > feet.", f"14:34: error C501: '< sum >' {NO_SLOT}"),
        ("add: -2}", "add: -2, label: <the sum>}", f"7:82: error C501: '<the sum>' {NO_SLOT}"),
    ],
)
def test_a_mistake_is_told_once(was: str, now: str, told: str, faults_of: FaultsOf) -> None:
    assert was in CHART
    found = faults_of(CHART.replace(was, now, 1))
    assert len(found) == 1, found
    assert found[0].startswith(told)


@pytest.mark.parametrize(
    "says", ["FS < 3 or > 5", "x<3 then y>2", "<3, or >5", "<= 3 and >", "<sum", "<<sum>>", "<3>"]
)
def test_signs_that_fill_nothing_in_are_words(says: str, faults_of: FaultsOf) -> None:
    assert faults_of(CHART.replace(FALLS, f"'{says}'")) == []


def test_without_nodes_no_word_is_blamed(faults_of: FaultsOf) -> None:
    assert faults_of(CHART.partition("nodes:")[0] + "nodes: none" + END + "gives: {sum: sum}") == [
        "5:8: error C203: 'nodes' needs a mapping, each node (each, do, decide, set …), this is a single value"
    ]


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (Path.mkdir, "this is a folder, not a file"),
        (os.mkfifo, "this is no plain file"),
        (lambda path: path.symlink_to("/dev/zero"), "this is no plain file"),
        (lambda path: path.symlink_to(path.name), "there is no such file"),
    ],
)
def test_what_is_no_file_is_told_and_never_waited_for(make: Callable[[Path], None], told: str, folder: Path) -> None:
    write_book(folder, chart=CHART)
    (folder / "made" / "chart.yaml").unlink()
    make(folder / "made" / "chart.yaml")
    found = [problem.message for problem in Library([folder]).problems("made/chart")]
    assert found == [told]
    assert read_lines("made/chart.yaml") == []
