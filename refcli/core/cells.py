"""Cells of tables for spreadsheets: none of them may come to life as a formula when the table is opened."""

import re
from collections.abc import Iterable

_LEAD = r"(?=[ '\"]*[=+\-@\t\r＝＋－＠])"
_starts = re.compile(_LEAD).match
_INNER = re.compile(rf"([;\t\r\n]){_LEAD}")
_escaped_start = re.compile(rf"'{_LEAD}").match
_ESCAPED_INNER = re.compile(rf"([;\t\r\n])'{_LEAD}")
_is_number = re.compile(r"[+-]?\d+(?:\.\d+)?", re.ASCII).fullmatch
_is_plain = re.compile(rf"(?!{_LEAD})[^\",;\t\r\n]*").fullmatch
_needs_marks = re.compile(r'[",;\t\r\n]').search


def escaped(text: str) -> str:
    """A cell that no spreadsheet takes for a formula: an apostrophe stands before what could begin one.

    Also behind a semicolon, a tab or a line's end, where a spreadsheet of another country may begin a new cell.
    Numbers stay as they are.
    """
    if _starts(text) and not _is_number(text):
        text = f"'{text}"
    return _INNER.sub(r"\1'", text)


def unescaped(text: str) -> str:
    """The text of an `escaped` cell."""
    if "'" not in text:
        return text
    return _ESCAPED_INNER.sub(r"\1", text[1:] if _escaped_start(text) else text)


def row_of(cells: Iterable[str], delimiter: str = ",") -> str:
    """A line of a table, escaped and quoted, with its end."""
    return f"{delimiter.join(map(cell_of, cells))}\n"


def cell_of(text: str) -> str:
    """A cell as it stands in a table: escaped, and in quotation marks where any spreadsheet needs them."""
    if _is_plain(text):
        return text
    text = escaped(text)
    return '"' + text.replace('"', '""') + '"' if _needs_marks(text) else text
