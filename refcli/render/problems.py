"""Problems as plain text: place and message, the line with a caret, what was probably meant and how to mend it."""

import re
import unicodedata
from collections.abc import Sequence

from refcli.core.problem import Problem

MAX_LINE = 100
"""The most characters shown of a line; longer ones are cut around the caret."""
_LEAD = 30
"""How much of a cut line is shown before the caret."""
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")


def render(problem: Problem, text_lines: Sequence[str] = ()) -> str:
    """A problem as a few lines of text.

    Args:
        problem: what is wrong.
        text_lines: the lines of its file; without them the excerpt is left out.
    """
    place, severity, code = problem.place, problem.severity.value, problem.code.id
    lines = [harmless(f"{place}: {severity} {code}: {problem.message}")]
    if 1 <= place.line <= len(text_lines):
        lines += _excerpt(text_lines[place.line - 1], place.line, place.column, problem.width)
    mend = f"mend: {problem.mend}" if problem.mend else ""
    if advice := "   ".join(filter(None, (problem.hint, mend))):
        lines.append(harmless(f"  {advice}"))
    return "\n".join(lines)


def harmless(text: str) -> str:
    """Text without characters that would move the cursor, colour the screen or turn the direction of writing."""
    return _UNSEEN.sub(lambda found: " " if found[0] == "\t" else "·", text)


def _excerpt(line: str, number: int, column: int, width: int) -> list[str]:
    """The line, and a line with carets under `width` characters from `column` on, both counted from 1."""
    line = harmless(line.rstrip("\r\n"))
    at = min(max(column - 1, 0), len(line))
    if len(line) > MAX_LINE:
        start = max(0, min(at - _LEAD, len(line) - MAX_LINE))
        end = start + MAX_LINE
        before, after = "…" if start else "", "…" if end < len(line) else ""
        line, at = before + line[start:end] + after, at - start + len(before)
    shown = [f"{number:>5} | {line}".rstrip()]
    if width > 0 and column > 0:
        width = max(1, min(width, len(line) - at))
        pad, carets = " " * _cells(line[:at]), "^" * max(1, _cells(line[at : at + width]))
        shown.append(f"      | {pad}{carets}")
    return shown


def _cells(text: str) -> int:
    """How many columns a text takes on a screen."""
    if text.isascii():
        return len(text)
    wide = sum(1 for char in text if unicodedata.east_asian_width(char) in "WF")
    return len(text) + wide - sum(1 for char in text if unicodedata.combining(char))
