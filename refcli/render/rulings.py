"""Rulings one after the other as lines of JSON; `ruling_tables` has the other forms. Nothing here prints.

Law of this file: the bytes of a ruling depend on the ruling alone, so that blocks of them can be made anywhere.
"""

import json
from collections.abc import Mapping
from typing import Any, Protocol

FORMS = ("jsonl", "csv", "table")
"""How rulings can be written."""
compact = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_ascii = json.JSONEncoder(separators=(",", ":")).encode


class Writer(Protocol):
    """Writes rulings in one of the forms."""

    def head(self) -> bytes:
        """What stands before the first."""

    def line(self, found: Mapping[str, Any]) -> bytes:
        """A ruling, or an error in its place."""


class JsonLines:
    """A line of JSON each.

    Args:
        ascii_only: write other signs as escapes, for outputs that cannot show them.
        quick: the fastest writer there is; it takes a moment to get ready, so this is for long files.
    """

    def __init__(self, *, ascii_only: bool = False, quick: bool = False) -> None:
        self._text = _ascii if ascii_only else compact
        self._dumps: Any = None
        if quick and not ascii_only:
            try:
                from orjson import OPT_APPEND_NEWLINE, dumps
            except ImportError:
                return
            self._dumps, self._option = dumps, OPT_APPEND_NEWLINE

    def head(self) -> bytes:
        """Nothing."""
        return b""

    def line(self, found: Mapping[str, Any]) -> bytes:
        """A ruling, or an error in its place."""
        if self._dumps is not None:
            try:
                return self._dumps(found, None, self._option)  # type: ignore[no-any-return]
            except TypeError:  # half a sign, a number beyond all bounds: the slow one writes the same and these too
                pass
        try:
            return self._text(found).encode() + b"\n"
        except UnicodeEncodeError:
            return _ascii(found).encode() + b"\n"
