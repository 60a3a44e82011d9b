"""A stream of bytes cut into blocks of whole rows, small enough to be held many at a time.

Where the cuts lie depends on the bytes alone for a file, and for a pipe on when they arrive; the rulings never do.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from refcli.core.struct import Struct
from refcli.drivers.batch import json_rows
from refcli.drivers.batch.row import MAX_LINE, TOO_LONG, UNCLOSED, Row

if TYPE_CHECKING:
    from refcli.drivers.batch.csv_rows import Header


class Mark(Struct):
    """A place between two rows: how many bytes, lines and rows are before it."""

    offset: int = 0
    line: int = 0
    number: int = 0

    def plus(self, size: int, lines: int, rows: int) -> "Mark":
        """The place that many bytes, lines and rows further on."""
        return Mark(self.offset + size, self.line + lines, self.number + rows)


class Block(Struct):
    """Whole rows of the input: `size` bytes behind a mark. Without `data` they are still in the file.

    With an `error` it is a single line that cannot be read; of one that is too long there is no `data`.
    """

    mark: Mark
    size: int
    data: bytes | None = None
    error: str = ""


class Form:
    """How rows are written: JSON Lines, or a table with a header."""

    def __init__(self, header: "Header | None" = None) -> None:
        self.header = header
        self._loads = json_rows.loads
        self._table: Any = None
        if header is not None:
            from refcli.drivers.batch import csv_rows

            self._table = csv_rows

    def hurry(self) -> None:
        """Take the fastest reader there is; it takes a moment to get ready, so this is for long files."""
        self._loads = json_rows.quick_loads()

    def whole(self, data: bytes) -> int:
        """How many of these bytes are whole rows."""
        if self.header is not None:
            return int(self._table.whole(data, self.header))
        return json_rows.whole(data)

    def after(self, block: Block, *, guess: bool = False) -> Mark:
        """The place behind a block that has its bytes.

        Args:
            block: the block.
            guess: take every line for a row where that is faster.
        """
        data = block.data or b""
        if block.error:
            lines, rows = 1, 1
        elif guess and self.header is None:
            lines = rows = data.count(b"\n") + (not data.endswith(b"\n"))
        else:
            lines, rows = self._table.count(data, self.header) if self.header is not None else json_rows.count(data)
        return block.mark.plus(block.size, lines, rows)

    def rows(self, block: Block, data: bytes) -> Iterator[Row]:
        """The rows of a block, whose bytes these are."""
        mark = block.mark
        if block.error:
            source = self._table.cells_of(data, self.header) if data and self.header is not None else None
            return iter((Row(mark.line + 1, mark.number + 1, None, block.error, source),))
        if self.header is not None:
            found: Iterator[Row] = self._table.read(data, mark.line, mark.number, self.header)
            return found
        return json_rows.read(data, mark.line, mark.number, self._loads)


class Cutter:
    """Cuts a stream into blocks.

    Args:
        read: gives the next bytes, fewer than a line may have; nothing at the end.
        form: how the rows are written.
        mark: where the first block begins.
        rest: bytes that were read already from there on.
    """

    def __init__(self, read: Callable[[], bytes], form: Form, mark: Mark, rest: bytes = b"") -> None:
        self.mark = mark
        self._read = read
        self._form = form
        self._rest = rest

    def blocks(self) -> Iterator[Block]:
        """The blocks, each with its bytes. Whoever takes one sets `mark` behind it before he asks for the next."""
        buffer = self._rest
        while True:
            end = buffer.find(b"\n")
            while end > MAX_LINE or (end < 0 and len(buffer) > MAX_LINE):
                size, buffer = self._drop_line(buffer)
                yield Block(self.mark, size, b"", TOO_LONG)
                end = buffer.find(b"\n")
            cut = self._form.whole(buffer) if end >= 0 else 0
            if cut:
                yield Block(self.mark, cut, buffer[:cut])
                buffer = buffer[cut:]
            elif len(buffer) > MAX_LINE:  # a row of a table over many lines
                yield Block(self.mark, end + 1, buffer[: end + 1], UNCLOSED)
                buffer = buffer[end + 1 :]
                continue
            fresh = self._more(len(buffer))
            if not fresh:
                break
            buffer += fresh
        yield from self._last(buffer)

    def _more(self, size: int) -> bytes:
        """The next bytes: at least a line's end, or all that is left, or too many for one line."""
        parts = []
        while fresh := self._read():
            parts.append(fresh)
            size += len(fresh)
            if b"\n" in fresh or size > MAX_LINE:
                break
        return b"".join(parts)

    def _drop_line(self, buffer: bytes) -> tuple[int, bytes]:
        """Pass over a line without keeping it: its size, and the bytes behind it."""
        size = 0
        while (end := buffer.find(b"\n")) < 0:
            size += len(buffer)
            buffer = self._read()
            if not buffer:
                return size, b""
        return size + end + 1, buffer[end + 1 :]

    def _last(self, buffer: bytes) -> Iterator[Block]:
        """The blocks at the end of the stream, where the last line may lack its end."""
        while buffer:
            cut = min(self._form.whole(buffer + b"\n"), len(buffer))
            error = ""
            if not cut:
                cut, error = buffer.find(b"\n") + 1 or len(buffer), UNCLOSED
            yield Block(self.mark, cut, buffer[:cut], error)
            buffer = buffer[cut:]
