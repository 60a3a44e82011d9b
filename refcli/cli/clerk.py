"""The clerk of a batch: a block of cases in, the bytes that go out. The same in one process, in many, and elsewhere.

Law of this file: what a clerk makes of a block depends on the block and his terms alone. A row becomes a ruling in
one place only, `Referee.line`.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refcli.core.errors import RefcliError
from refcli.core.struct import Struct, replace
from refcli.drivers.batch import json_rows
from refcli.drivers.batch.blocks import Block, Form, Mark
from refcli.drivers.batch.row import Row
from refcli.drivers.batch.swift import Sheet, Swift
from refcli.drivers.batch.totals import MOST_IDS, MOST_TOLD, Done
from refcli.render.rulings import JsonLines, Writer

if TYPE_CHECKING:
    from refcli.cli.referee import Referee

LONG = 64 * 1024
"""A file with more bytes is worth getting the fast reader and writer of JSON ready."""


class Terms(Struct, kw_only=True):
    """All that rulings depend on besides the cases; plain values, so that they can be sent to other processes.

    `header` are the names of a table's columns with its `delimiter`, none for JSON lines. `to` is how rulings are
    written, nothing where only counts are wanted; `columns` are those of a table. `rejects` tells whether bad rows
    are kept. `packed` and `rejects_packed` tell whether what goes out is packed by gzip. With `stop` the first bad
    row ends the batch.
    """

    chart: str | None = None
    seed: int | None = None
    trail: bool = False
    house_rules: bool = False
    charts: tuple[str, ...] = ()
    decks: tuple[str, ...] = ()
    rosters: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    delimiter: str = ","
    to: str = "jsonl"
    columns: tuple[str, ...] = ()
    width: int = 80
    encoding: str = "utf-8"
    rejects: bool = False
    packed: bool = False
    rejects_packed: bool = False
    stop: bool = False

    def referee(self) -> "Referee":
        """A referee who rules by these terms.

        Raises:
            UsageError: a chart, folder or file is not there.
            ChartError: one has faults.
        """
        from refcli.cli.common import library
        from refcli.cli.referee import Referee

        shelf = library([Path(one) for one in self.charts], [Path(one) for one in self.decks])
        referee = Referee(shelf, self.chart, self.seed, trail=self.trail, house_rules=self.house_rules)
        if self.rosters:
            from refcli.cli.rosters import open_rosters

            referee.rosters = open_rosters(shelf, self.rosters)
        return referee

    def form(self) -> Form:
        """How the cases are written."""
        if not self.header:
            return Form()
        from refcli.drivers.batch.csv_rows import Header

        return Form(Header(self.header, self.delimiter))

    def writer(self, *, quick: bool = False) -> Writer | None:
        """How the rulings are written; None for not at all."""
        if self.to == "csv":
            from refcli.render.ruling_tables import Csv

            return Csv(self.columns, self.encoding)
        if self.to == "table":
            from refcli.render.ruling_tables import Table

            return Table(self.width, self.encoding)
        return JsonLines(ascii_only=self.encoding != "utf-8", quick=quick) if self.to == "jsonl" else None


class Clerk:
    """Rules on blocks.

    Args:
        terms: what the rulings depend on.
        path: the file that blocks without bytes of their own are read from.
        referee: one who rules by the terms; made anew when None.
    """

    def __init__(self, terms: Terms, path: Path | None = None, referee: "Referee | None" = None) -> None:
        self.terms = terms
        self.referee = terms.referee() if referee is None else referee
        self.path = path
        self._form = terms.form()
        self._writer = terms.writer()
        self._is_quick = False
        self._swift: Swift | None = None

    def __reduce__(self) -> Any:
        return Clerk, (self.terms, self.path)

    def __call__(self, block: Block) -> Done:
        """Rule on a block.

        Raises:
            RefcliError: its bytes are not in the file any more.
        """
        if not self._is_quick and (block.mark.offset or block.size > LONG):
            self._is_quick = True
            self._form.hurry()
            self._writer = self.terms.writer(quick=True)
            self._swift = self._way()
        data = self.read(block) if block.data is None else block.data
        sheet = Sheet(block.mark.number)
        if self._swift is None or block.error:
            rows = self._form.rows(block, data)
        else:
            rows = self._swift.unusual(data, block.mark.line, block.mark.number, sheet)
        done = self.rule(rows, block.mark, sheet)
        if done.stopped:
            lines = done.after.line - block.mark.line
            size = _size_of(data, lines)
        else:
            lines = 1 if block.error else data.count(b"\n") + (not data.endswith(b"\n"))
            size = block.size
        return replace(done, after=block.mark.plus(size, lines, done.after.number - block.mark.number))

    def _way(self) -> Swift | None:
        """The way of most lines of JSON; a batch of many of them is faster so."""
        if self._form.header is not None:
            return None
        write = self._writer.line if self._writer is not None else None
        return Swift(self.referee.compiled, json_rows.quick_loads(), write, self.terms.seed)

    def rule(self, rows: Iterator[Row], mark: Mark, sheet: Sheet | None = None) -> Done:
        """Rule on some rows, which follow that mark; on the sheet is what has come of others between them.

        Of the place behind them only the number is sure, and where the batch stops there the line too.
        """
        line, writer = self.referee.line, self._writer
        sheet = Sheet(mark.number) if sheet is None else sheet
        out, counts, ids = sheet.out, sheet.counts, sheet.ids
        rejects: list[bytes] = []
        told: list[tuple[int, str]] = []
        errors, stopped = 0, ""
        for row in rows:
            found = line(row)
            if "error" in found:
                row, found = self._again(row, found)
            sheet.number = number = row.number
            if number <= MOST_IDS:
                ids.append(found["id"])
            if "error" in found:
                if self.terms.rejects:
                    rejects.append(self._mendable(row, found["error"]))
                if self.terms.stop:
                    stopped = f"line {row.line}: {found['error']}"
                    mark = Mark(mark.offset, row.line - 1, number - 1)
                    break
                errors += 1
                if len(told) < MOST_TOLD:
                    told.append((row.line, found["error"]))
            else:
                key = found["chart"], found["outcome"]
                counts[key] = counts.get(key, 0) + 1
            if writer is not None:
                out.append(writer.line(found))
        after = mark if stopped else Mark(mark.offset, mark.line, sheet.number)
        return Done(
            packed(b"".join(out), self.terms.packed),
            packed(b"".join(rejects), self.terms.rejects_packed),
            after, counts, errors, tuple(told), tuple(ids), stopped,
        )  # fmt: skip

    def _again(self, row: Row, found: dict[str, Any]) -> tuple[Row, dict[str, Any]]:
        """A bad row once more by the careful reader, which has the right words and reads what the fast one cannot."""
        if row.error or not isinstance(row.source, bytes):
            return row, found
        row = json_rows.careful(row.source, row.line, row.number)
        return row, self.referee.line(row)

    def _mendable(self, row: Row, reason: str) -> bytes:
        if not self.terms.header:
            return json_rows.mendable(row, reason)
        from refcli.core.cells import row_of
        from refcli.drivers.batch.csv_rows import mendable

        assert self._form.header is not None
        cells = mendable(row, reason, self._form.header)
        return row_of(cells, self.terms.delimiter).encode("utf-8", "surrogateescape")

    def read(self, block: Block) -> bytes:
        """The bytes of a block, out of the file.

        Raises:
            RefcliError: they are not there any more.
        """
        assert self.path is not None
        with self.path.open("rb", buffering=0) as file:
            file.seek(block.mark.offset)
            data = b""
            while len(data) < block.size:
                more = file.read(block.size - len(data))
                if not more:
                    raise RefcliError(f"'{self.path}' got shorter while it was read")
                data += more
        return data


def _size_of(data: bytes, lines: int) -> int:
    """How many bytes the first lines are."""
    size = 0
    for _ in range(lines):
        size = data.index(b"\n", size) + 1
    return size


def packed(data: bytes, wanted: bool) -> bytes:
    """The bytes as they are or packed by gzip; parts that are packed one by one are read as one."""
    if not wanted or not data:
        return data
    import gzip

    return gzip.compress(data, 6, mtime=0)
