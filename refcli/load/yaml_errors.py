"""What the YAML parser complains about, in the words of somebody who writes charts."""

import re
from typing import NamedTuple

from refcli.core.place import Place
from refcli.core.problem import Code, Problem
from refcli.load.tree import Mark, Source

QUOTE = "quote the text: '…'"
BEHIND = "something stands behind the closing quote or bracket"
WHOLE = "quote the whole text; inside '…' an apostrophe is written twice: ''"
_TIGHT = re.compile(r"^\s*(?:- )?[a-z_][\w-]*:(?=\S)")


class Trouble(NamedTuple):
    """A complaint of the parser: while doing what, and what it met, each with its mark."""

    context: str | None
    problem: str | None
    context_mark: Mark | None
    problem_mark: Mark | None


class _Spot(NamedTuple):
    """Line and column (from 0) with what to say about them."""

    line: int
    column: int
    message: str
    mend: str = ""
    code: Code = Code.YAML


def reword(trouble: Trouble, source: Source) -> Problem:
    """The complaint as a problem at the line that causes it."""
    mark = trouble.problem_mark or trouble.context_mark
    if mark is None:
        return Problem(Code.YAML, Place(source.file), f"this is not readable YAML: {trouble.problem}", width=0)
    spot = _spot(trouble, mark, source)
    lines = source.text.count("\n") + (not source.text.endswith("\n"))
    line = min(spot.line, max(lines - 1, 0))
    column = spot.column if line == spot.line else len(source.line(line).rstrip())
    return Problem(spot.code, Place(source.file, line + 1, column + 1), spot.message, mend=spot.mend)


def _spot(trouble: Trouble, mark: Mark, source: Source) -> _Spot:
    context, problem = trouble.context or "", trouble.problem or ""
    start = trouble.context_mark or mark
    char = source.text[mark.index : mark.index + 1]
    here = mark.line, mark.column
    if "nesting" in problem:
        return _Spot(*here, "lists and mappings stand in each other too deep", "", Code.TOO_LARGE)
    if "quoted scalar" in context and "escape" not in problem:
        mend = "close it; inside '…' an apostrophe is written twice: ''"
        return _Spot(start.line, start.column, "this quote is never closed", mend)
    if "escape" in problem:
        what = 'inside "…" a backslash starts an escape that YAML does not know'
        return _Spot(*here, what, "use '…' instead, or write the backslash twice")
    if char == "\t" or " tab " in problem:
        return _Spot(*here, "a tab stands before this line", "indent with spaces")
    if "mapping values are not allowed" in problem:
        return _colon(mark, source)
    if "could not find expected ':'" in problem:
        return _no_colon(start, source)
    if "flow" in context:
        return _flow(context, start, mark, source)
    if "alias" in context or "anchor" in context or "tag" in context:
        return _sign(source.text[start.index : start.index + 1], start.line, start.column)
    if "cannot start any token" in problem or "mapping keys" in problem or "node content" in problem:
        return _sign(char, *here)
    if "block scalar" in context:
        if source.line(start.line)[: start.column].rstrip().endswith(("'", '"')):
            return _Spot(start.line, start.column, BEHIND, WHOLE)
        return _Spot(*here, "nothing may follow '|' or '>' on its line", QUOTE)
    if "sequence entries" in problem:
        return _Spot(*here, "a list item cannot start here", "put each '- ' on a line of its own")
    if "directive" in context:
        return _sign("%", start.line, start.column)
    if "<document start>" in problem:
        return _after_end(mark, source)
    if "block" in context:
        return _block(context, mark, source)
    return _Spot(*here, f"this is not readable YAML: {problem}")


def _sign(char: str, line: int, column: int) -> _Spot:
    return _Spot(line, column, f"an unquoted text cannot start with '{char}'", QUOTE)


def _comment_above(line: int, source: Source) -> _Spot | None:
    """A comment in the middle of a text that goes on below."""
    above = source.line(line - 1) if line else ""
    at = above.find(" #")
    if at < 0 or not above[:at].strip() or above[at - 1] == " ":
        return None
    what = "the # starts a comment here, so the text ends before it"
    return _Spot(line - 1, at + 1, what, QUOTE, Code.SWALLOWED)


def _colon(mark: Mark, source: Source) -> _Spot:
    """A colon where no key can stand."""
    before = source.line(mark.line)[: mark.column]
    if ": " in before:
        return _Spot(mark.line, mark.column, "a colon inside an unquoted text", QUOTE)
    above = mark.line - 1
    while above > 0 and not source.line(above).strip():
        above -= 1
    tight = _TIGHT.match(source.line(above))
    if above >= 0 and tight:
        return _Spot(above, tight.end() - 1, "a colon needs a space behind it", "write `key: value`")
    indent = len(before) - len(before.lstrip())
    what = "this line is indented deeper than the one above, which has its value already"
    return _Spot(mark.line, indent, what, "indent it like the other keys")


def _no_colon(start: Mark, source: Source) -> _Spot:
    """A line that is no `key: value`."""
    line = source.line(start.line)
    if tight := _TIGHT.match(line):
        return _Spot(start.line, tight.end() - 1, "a colon needs a space behind it", "write `key: value`")
    what = "this line is no `key: value`"
    return _Spot(start.line, start.column, what, "indent it if it belongs to the text above, else give it a key")


def _flow(context: str, start: Mark, mark: Mark, source: Source) -> _Spot:
    """Something wrong within {…} or […]."""
    char = source.text[mark.index : mark.index + 1]
    if "node" in context and not char:
        return _Spot(mark.line, mark.column, "the file ends in the middle of a {…} or […]")
    if "node" in context:
        return _Spot(mark.line, mark.column, f"something is missing before '{char}'", QUOTE)
    opener, closer = ("{", "}") if "mapping" in context else ("[", "]")
    line = source.line(start.line)
    comment = line.find(" #", start.column)
    if mark.line > start.line and comment >= 0:
        what = "the # starts a comment here, which hides the rest of the line"
        return _Spot(start.line, comment + 1, what, QUOTE, Code.SWALLOWED)
    if mark.line == start.line and char and char in "{[?":
        what = f"an unquoted text inside one-line {{…}} or […] may not hold '{char}'"
        return _Spot(mark.line, mark.column, what, QUOTE, Code.SWALLOWED)
    if mark.line == start.line and char == ":":
        return _Spot(mark.line, mark.column, "a colon inside an unquoted text", QUOTE)
    if mark.line == start.line and line[mark.column - 1 : mark.column] in ("'", '"'):
        what = "something stands behind the closing quote"
        return _Spot(mark.line, mark.column, what, "inside '…' an apostrophe is written twice: ''")
    if (mark.line == start.line and char in ("'", '"')) or (mark.line == start.line and char.isalnum()):
        return _Spot(mark.line, mark.column, "a comma is missing here, or quotes around the whole text", QUOTE)
    return _Spot(start.line, start.column, f"this '{opener}' is never closed", f"add a '{closer}'")


def _after_end(mark: Mark, source: Source) -> _Spot:
    """Something behind the end of the whole."""
    if source.line(mark.line)[: mark.column].strip():
        return _Spot(mark.line, mark.column, BEHIND)
    return _Spot(mark.line, mark.column, "only one document may stand in a file", "delete this line")


def _block(context: str, mark: Mark, source: Source) -> _Spot:
    """A line that fits nothing above it, or something behind a value."""
    line = source.line(mark.line)
    before, char = line[: mark.column], line[mark.column : mark.column + 1]
    here = mark.line, mark.column
    if before.strip():
        if char in ("}", "]", ","):
            return _Spot(*here, f"'{char}' closes nothing here", QUOTE)
        return _Spot(*here, BEHIND, WHOLE)
    if comment := _comment_above(mark.line, source):
        return comment
    if char == "-":
        return _Spot(*here, "a list item stands among keys, or its indentation fits nothing above")
    if char == ":":
        return _Spot(*here, "a key is missing before ':'")
    if "collection" in context and not before:
        return _Spot(*here, "a key stands among list items", "indent it, or start it with '- '")
    return _Spot(*here, "the indentation of this line fits nothing above", "give it as many spaces as its neighbours")
