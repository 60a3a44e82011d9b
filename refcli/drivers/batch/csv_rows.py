"""Cases written as a table: a column for each fact, and for what was rolled and drawn.

A cell may hold JSON where it begins with [ or {; several rolls or draws stand in one cell with blanks between. An
empty cell says nothing. What a spreadsheet would take for a formula stands behind an apostrophe: `core/cells.py`.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from refcli.core.cells import unescaped
from refcli.core.errors import UsageError
from refcli.core.problem import did_you_mean
from refcli.drivers.batch.json_rows import parse_json
from refcli.drivers.batch.row import MAX_LINE, TOO_DEEP, Row

PLAIN = ("id", "chart", "seed", "expect", "draws", "placeholders")
"""Columns with a meaning of their own, whatever the chart."""
IGNORED = ("error", "line")
"""Columns that stand in rejects and rulings and say nothing to a case."""
_is_number = re.compile(r"0|-?[1-9][0-9]{0,17}").fullmatch
"""A number that is written in the one way that loses nothing when it is read."""


class Header:
    """The columns of a table: `names` in order, and the sign between the cells."""

    def __init__(self, names: Sequence[str], delimiter: str = ",") -> None:
        self.names = tuple(name.strip() for name in names)
        self.delimiter = delimiter
        self._kinds = [_kind(name) for name in self.names]

    def check(self, file: str, title: str, facts: Iterable[str], rolls: Iterable[str], draws: Iterable[str]) -> None:
        """See that a chart knows all the columns.

        Args:
            file: the table, for messages.
            title: what the chart is called.
            facts: the names of its facts.
            rolls: the names of its rolls.
            draws: the names of its draws.

        Raises:
            UsageError: it does not know one; suggests the nearest.
        """
        legal = [*facts, *(f"roll.{name}" for name in rolls), *(f"draw.{name}" for name in draws)]
        for name, (kind, _) in zip(self.names, self._kinds, strict=True):
            if kind not in ("", "ignored", "plain") and name not in legal:
                forgot = [full for full in (f"roll.{name}", f"draw.{name}") if full in legal]
                near = [one for one in legal if one.count(".") <= max(1, name.count("."))]
                hint = f"did you mean '{forgot[0]}'?" if forgot else did_you_mean(name, [*near, *PLAIN], 0)
                hint = hint or did_you_mean(name, [one for one in near if "." not in one], 12)
                raise UsageError(f"{file}: {title} has no column '{_brief(name)}'; {hint}".removesuffix("; "))

    def case(self, cells: Sequence[str]) -> dict[str, Any]:
        """The case that a row of cells means.

        Raises:
            ValueError: the cells do not fit the columns; says how.
        """
        if len(cells) > len(self.names):
            more = [cell for cell in cells[len(self.names) :] if cell.strip()]
            if more:
                raise ValueError(f"{len(cells)} cells, but the header has {len(self.names)} columns")
        found: dict[str, Any] = {}
        for place, ((kind, name), cell) in enumerate(zip(self._kinds, cells, strict=False), 1):
            if kind == "ignored" or not (text := unescaped(cell).strip()):
                continue
            if kind == "given":
                found.setdefault("given", {})[name] = _value(text)
            elif kind == "roll":
                found.setdefault("rolls", {})[name] = _several(text)
            elif kind == "draw":
                found.setdefault("draws", {})[name] = _several(text)
            elif not kind:
                raise ValueError(f"column {place} has no name, but a value")
            else:
                found[name] = _plain(name, text)
        return found

    def name(self, cells: Sequence[str]) -> dict[str, Any]:
        """The id and the chart of a row that is no case."""
        known = zip(self.names, cells, strict=False)
        return {
            name: _plain(name, unescaped(cell).strip()) for name, cell in known if name in ("id", "chart") and cell
        }


def _brief(name: str) -> str:
    return name if len(name) <= 60 else f"{name[:59]}…"


def _kind(name: str) -> tuple[str, str]:
    """What a column is: given, roll, draw, plain, ignored or nothing; and the name behind the point."""
    if name in PLAIN:
        return "plain", name
    if name in IGNORED:
        return "ignored", name
    first, _, rest = name.partition(".")
    if rest and first in ("roll", "draw"):
        return first, rest
    return ("given" if name else ""), name


def _value(text: str) -> Any:
    """What a cell says: JSON where it is some, else its text."""
    if text[0] in "[{":
        try:
            return parse_json(text.encode("utf-8", "surrogatepass"))
        except ValueError as fault:
            if str(fault) == TOO_DEEP:
                raise
    return text


def _several(text: str) -> Any:
    """What a cell says that may hold several values with blanks between them."""
    found = _value(text)
    if not isinstance(found, str):
        return found
    words = [int(word) if _is_number(word) else word for word in re.split(r"[\s;]+", text.strip("; "))]
    return words[0] if len(words) == 1 else words


def _plain(name: str, text: str) -> Any:
    if name == "id":
        return int(text) if _is_number(text) else text
    if name in ("draws", "placeholders"):
        found = _several(text)
        return found if isinstance(found, list) else [found]
    return _value(text)


def parse_header(text: str, file: str) -> Header:
    """The columns by the first line of a table. What stands between the cells shows there: comma, semicolon or tab.

    Raises:
        UsageError: a column stands twice, or there are no names.
    """
    delimiter = max(",;\t", key=text.count)
    try:
        names: list[str] = next(_reader([text], delimiter), [])
    except csv.Error as fault:
        raise UsageError(f"{file}: the line of names cannot be read: {_why(fault)}") from None
    header = Header([unescaped(name) for name in names], delimiter)
    named = [name for name in header.names if name]
    if not named:
        raise UsageError(f"{file}: a table of cases begins with a line of column names")
    seen: set[str] = set()
    for name in named:
        if name in seen:
            raise UsageError(f"{file}: the column '{_brief(name)}' stands twice")
        seen.add(name)
    return header


class _Lines:
    """Hands out lines and remembers whether more were asked for than there are."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = iter(lines)
        self.ended = False

    def __iter__(self) -> Iterator[str]:
        yield from self._lines
        self.ended = True


def whole(data: bytes, header: Header) -> int:
    """How many of these bytes are whole rows: a row may go on over several lines within quotation marks."""
    end = data.rfind(b"\n") + 1
    if data.find(b'"', 0, end) < 0:
        return end
    lines = _split(data[:end].decode("latin-1"))
    feed = _Lines(lines)
    reader = _reader(feed, header.delimiter)
    done = 0
    while True:
        try:
            next(reader)
        except StopIteration:
            break
        except csv.Error:
            pass
        if feed.ended:
            break
        done = reader.line_num
    return sum(map(len, lines[:done]))


def count(data: bytes, header: Header) -> tuple[int, int]:
    """How many lines and how many rows these whole rows are."""
    if not data:
        return 0, 0
    text = data.decode("latin-1")
    end = len(text) - text.endswith("\n")
    lines = text.count("\n", 0, end) + 1
    if '"' in text:
        return lines, sum(1 for _ in _records(text, header.delimiter))
    blank = re.compile(rf"\n[ \t{header.delimiter}]*\r*(?=\n|\Z)")
    return lines, lines - sum(1 for _ in blank.finditer(f"\n{text[:end]}"))


def read(data: bytes, line: int, number: int, header: Header) -> Iterator[Row]:
    """The rows of whole rows of a table, with `line` lines and `number` rows before them."""
    try:
        text = data.decode("utf-8")
        broken = False
    except UnicodeDecodeError:
        text = data.decode("utf-8", "surrogateescape")
        broken = True
    for start, cells, error in _records(text, header.delimiter):
        number += 1
        raw: Any = None
        if broken and any("\udc80" <= sign <= "\udcff" for cell in cells for sign in cell):
            error = "the line is not UTF-8 text"
        if not error:
            try:
                raw = header.case(cells)
            except ValueError as fault:
                error, raw = str(fault), header.name(cells)
        yield Row(line + start, number, raw, error, cells)


def _records(text: str, delimiter: str) -> Iterator[tuple[int, list[str], str]]:
    """The rows with the line they start on, from 1, and what is wrong with them; blank ones are passed over."""
    lines = _split(text)
    reader = _reader(lines, delimiter)
    start = 0
    while True:
        error = ""
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as fault:
            cells, error = (
                ["".join(lines[start : reader.line_num]).strip()],
                f"this is no row of a table: {_why(fault)}",
            )
        if error or any(cell.strip(" \t") for cell in cells):
            yield start + 1, cells, error
        start = reader.line_num


def _why(fault: csv.Error) -> str:
    """What is wrong with a line, in words."""
    if "new-line" in str(fault):
        return "its lines end by a carriage return alone; save it with the line ends of today"
    return str(fault)


def cells_of(data: bytes, header: Header) -> list[str]:
    """The cells of a line that is no whole row."""
    return next(_reader([data.decode("utf-8", "surrogateescape")], header.delimiter), [])


def _split(text: str) -> list[str]:
    """The lines with their ends."""
    lines = text.split("\n")
    last = lines.pop()
    return [f"{line}\n" for line in lines] + ([last] if last else [])


def _reader(lines: Iterable[str], delimiter: str) -> Any:
    csv.field_size_limit(2 * MAX_LINE)
    return csv.reader(lines, delimiter=delimiter)


def mendable(row: Row, reason: str, header: Header) -> list[str]:
    """A bad row as the cells of a line of the rejects, which begin with why and, if it has none, an id."""
    cells = [unescaped(cell) for cell in row.source or ()]  # whoever writes them escapes them again
    kept = [place for place, name in enumerate(header.names) if name not in IGNORED]
    cells = [cells[place] if place < len(cells) else "" for place in kept] + cells[len(header.names) :]
    told = f"line {row.line}: {' '.join(reason.split())}"
    names = [header.names[place] for place in kept]
    if "id" not in names:
        return [told, str(row.number), *cells]
    at = names.index("id")
    return [told, *cells[:at], cells[at].strip() or str(row.number), *cells[at + 1 :]]


def mendable_names(header: Header) -> list[str]:
    """The line of names that the rejects of a table begin with."""
    names = [name for name in header.names if name not in IGNORED]
    return ["error", *names] if "id" in names else ["error", "id", *names]
