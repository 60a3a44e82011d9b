"""A case as it was read, and what all formats have in common."""

from typing import Any

MAX_LINE = 4 * 1024 * 1024
"""The most bytes of one row; a real case has a thousandth of that."""
MAX_DEPTH = 100
"""How deep the values of a case may be nested."""
TOO_LONG = f"the line has more than {MAX_LINE // 1024 // 1024} MB"
UNCLOSED = "a quotation mark is opened and never closed"
TOO_DEEP = "the line is nested too deep to be a case"


class Row:
    """One case: the line it starts on and its number, both from 1; `error` where it could not be read.

    `source` is the row as it stands in the file: the bytes of a line, or the cells of a CSV row.
    """

    __slots__ = ("error", "line", "number", "raw", "source")

    def __init__(self, line: int, number: int, raw: Any = None, error: str = "", source: Any = None) -> None:
        self.line = line
        self.number = number
        self.raw = raw
        self.error = error
        self.source = source

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Row):
            return NotImplemented
        return (self.line, self.number, self.raw, self.error) == (other.line, other.number, other.raw, other.error)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Row({self.line}, {self.number}, {self.raw!r}, {self.error!r})"


def depth_of(value: Any) -> int:
    """How deep a value is nested, but no more than a little over MAX_DEPTH; never recursive."""
    depth, level = 0, [value]
    while depth <= MAX_DEPTH:
        inner = [one for one in level if isinstance(one, dict | list)]
        if not inner:
            return depth
        depth += 1
        level = [part for one in inner for part in (one.values() if isinstance(one, dict) else one)]
    return depth
