"""Where something stands in a file."""

from typing import NamedTuple


class Place(NamedTuple):
    """A spot in a chart file: path as shown to the user, line and column counted from 1 (0: the whole file)."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file
