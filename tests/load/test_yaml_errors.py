"""What the YAML parser refuses, in plain words at the line that causes it; the same with both parsers."""

from types import SimpleNamespace

import pytest
import yaml

from refcli.load import reader
from refcli.load.report import Report
from refcli.load.tree import Source
from refcli.load.yaml_errors import Trouble, reword

QUOTED = "quote the text: '…'"
CASES = {
    'a: "b\nc: d\n': "1:4: error C101: this quote is never closed; close it; inside '…' an apostrophe is written "
    "twice: ''",
    "a: 1\nb: 'it''s\nc: d\n": "2:4: error C101: this quote is never closed; close it; inside '…' an apostrophe is "
    "written twice: ''",
    "a: 'it's'\n": "1:8: error C101: something stands behind the closing quote or bracket; quote the whole text; "
    "inside '…' an apostrophe is written twice: ''",
    "a: {b: 'it's'}\n": "1:12: error C101: something stands behind the closing quote; inside '…' an apostrophe is "
    "written twice: ''",
    "a:\n\tb: 1\n": "2:1: error C101: a tab stands before this line; indent with spaces",
    "a:\n  b: 1\n\tc: 2\n": "3:1: error C101: a tab stands before this line; indent with spaces",
    "a:\n   b: 1\n  c: 2\n": "3:3: error C101: the indentation of this line fits nothing above; give it as many "
    "spaces as its neighbours",
    "a: 1\n  b: 2\n": "2:3: error C101: this line is indented deeper than the one above, which has its value already; "
    "indent it like the other keys",
    "a: 1\n\n  b: 2\n": "3:3: error C101: this line is indented deeper than the one above, which has its value "
    "already; indent it like the other keys",
    "a:\n  - b\n - c\n": "3:2: error C101: a list item stands among keys, or its indentation fits nothing above",
    "a: 1\n- b\n": "2:1: error C101: a list item stands among keys, or its indentation fits nothing above",
    "- a\nb: c\n": "2:1: error C101: a key stands among list items; indent it, or start it with '- '",
    "do: Phase 2a: calls\n": f"1:13: error C101: a colon inside an unquoted text; {QUOTED}",
    "a: {do: Phase 2a: calls}\n": f"1:17: error C101: a colon inside an unquoted text; {QUOTED}",
    "a: 1\nhello there\nb: 2\n": "2:1: error C101: this line is no `key: value`; indent it if it belongs to the text "
    "above, else give it a key",
    "a:b\nc: d\n": "1:2: error C101: a colon needs a space behind it; write `key: value`",
    "a: 1\nb:c\nd: e\n": "2:2: error C101: a colon needs a space behind it; write `key: value`",
    "a: {b: 1\nc: 2\n": "1:4: error C101: this '{' is never closed; add a '}'",
    "a: [b, 1\nc: 2\n": "1:4: error C101: this '[' is never closed; add a ']'",
    "a: {b: [1}\n": "1:8: error C101: this '[' is never closed; add a ']'",
    "a: {b: 1}}\n": f"1:10: error C101: '}}' closes nothing here; {QUOTED}",
    "a: {b: foo [bar] baz}\n": f"1:12: error C105: an unquoted text inside one-line {{…}} or […] may not hold '['; "
    f"{QUOTED}",
    "a: {b: foo {bar}}\n": f"1:12: error C105: an unquoted text inside one-line {{…}} or […] may not hold '{{'; {QUOTED}",
    "a: {b: Hill #3}\nc: d\n": f"1:13: error C105: the # starts a comment here, which hides the rest of the line; {QUOTED}",
    "a: Hill #3\n  and on\n": f"1:9: error C105: the # starts a comment here, so the text ends before it; {QUOTED}",
    "a: Hill #3\n  b: c\n": f"1:9: error C105: the # starts a comment here, so the text ends before it; {QUOTED}",
    "a: 1\nb: Hill #3\n  on\nc: d\n": f"2:9: error C105: the # starts a comment here, so the text ends before it; {QUOTED}",
    "a: {b: 'c' d}\n": f"1:12: error C101: a comma is missing here, or quotes around the whole text; {QUOTED}",
    'a: "b" c\n': "1:8: error C101: something stands behind the closing quote or bracket; quote the whole text; inside "
    "'…' an apostrophe is written twice: ''",
    'a: "b" > 3\n': "1:8: error C101: something stands behind the closing quote or bracket; quote the whole text; inside "
    "'…' an apostrophe is written twice: ''",
    "a: %foo\n": f"1:4: error C101: an unquoted text cannot start with '%'; {QUOTED}",
    "a: @foo\n": f"1:4: error C101: an unquoted text cannot start with '@'; {QUOTED}",
    "a: `foo`\n": f"1:4: error C101: an unquoted text cannot start with '`'; {QUOTED}",
    "a: * foo\n": f"1:4: error C101: an unquoted text cannot start with '*'; {QUOTED}",
    "a: & b\n": f"1:4: error C101: an unquoted text cannot start with '&'; {QUOTED}",
    "a: ? b\n": f"1:4: error C101: an unquoted text cannot start with '?'; {QUOTED}",
    "a: , b\n": f"1:4: error C101: an unquoted text cannot start with ','; {QUOTED}",
    "a: [b, , c]\n": f"1:8: error C101: something is missing before ','; {QUOTED}",
    "a: [b,": "1:7: error C101: the file ends in the middle of a {…} or […]",
    "a: | foo\n": f"1:6: error C101: nothing may follow '|' or '>' on its line; {QUOTED}",
    "a: - 1\n": "1:4: error C101: a list item cannot start here; put each '- ' on a line of its own",
    "a: 1\n...\nb: 2\n": "3:1: error C101: only one document may stand in a file; delete this line",
    "a: 1\n---\nb: 2\n": "2:1: error C101: a second document starts here: one file is one chart; put it into a file of "
    "its own",
    "[a, b]: c\n": "1:1: error C101: a key must be a single word, this is a list",
    "a: &x 1\n": "1:4: error C104: the anchor '&x' is refused; delete it, and write the value out where it is used",
    "a: !!python/object:os.system 1\n": "1:4: error C104: the tag '!!python/object:os.system' is refused; delete it: the "
    "language knows what each value is",
}


@pytest.mark.parametrize("text", CASES)
def test_complaint_in_plain_words(text: str) -> None:
    assert complaints(text) == [f"made.yaml:{CASES[text]}"]


@pytest.mark.parametrize("text", CASES)
def test_pure_parser_complains_alike(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "_LOADER", yaml.SafeLoader)
    assert complaints(text) == [f"made.yaml:{CASES[text]}"]


def test_question_mark_is_refused_by_both_parsers(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "a: {b: Is it so?, c: 1}\n"
    assert complaints(text) == [
        "made.yaml:1:8: error C105: an unquoted text inside one-line {…} or […] may not hold '?': readers of YAML "
        "disagree; quote it: 'Is it so?'"
    ]
    monkeypatch.setattr(reader, "_LOADER", yaml.SafeLoader)
    assert complaints(text) == [
        f"made.yaml:1:16: error C105: an unquoted text inside one-line {{…}} or […] may not hold '?'; {QUOTED}"
    ]


def test_what_nobody_has_met_yet_is_passed_on() -> None:
    source = Source("made.yaml", "a: 1\n")
    mark = SimpleNamespace(index=3, line=0, column=3)
    strange = Trouble(None, "the moon is full", None, mark)
    assert str(reword(strange, source)) == "made.yaml:1:4: error C101: this is not readable YAML: the moon is full"
    nowhere = Trouble(None, "the moon is full", None, None)
    assert str(reword(nowhere, source)) == "made.yaml: error C101: this is not readable YAML: the moon is full"


def complaints(text: str) -> list[str]:
    report = Report()
    reader.read_tree(Source("made.yaml", text), report)
    return [str(problem) for problem in report.problems]
