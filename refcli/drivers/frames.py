"""Cases out of frames, as pandas and polars have them: a column for each fact, and for what was rolled and drawn.

Neither is imported here: a frame is what has columns and can hand out its rows. Columns are called as in a table
of cases, see `batch/csv_rows.py`. A cell without a value says nothing; a text with JSON in it is read as there.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from refcli.drivers.batch.csv_rows import IGNORED, PLAIN
from refcli.drivers.batch.json_rows import parse_json


def is_frame(cases: object) -> bool:
    """Whether something is a frame."""
    kind = type(cases)
    return hasattr(kind, "columns") and (hasattr(kind, "itertuples") or hasattr(kind, "iter_rows"))


def is_lazy(cases: object) -> bool:
    """Whether something will be a frame once it is worked out."""
    return hasattr(type(cases), "collect_schema") and not is_frame(cases)


def names_of(frame: Any) -> list[str]:
    """The names of a frame's columns."""
    return [str(name) for name in frame.columns]


def cases_of(frame: Any) -> Iterator[dict[str, Any]]:
    """The rows of a frame as cases."""
    places = [_place(name) for name in names_of(frame)]
    rows: Iterable[tuple[Any, ...]] = (
        frame.iter_rows() if hasattr(frame, "iter_rows") else frame.itertuples(index=False, name=None)
    )
    for row in rows:
        found: dict[str, Any] = {"given": {}, "rolls": {}}
        for (part, name), cell in zip(places, row, strict=True):
            value = _value(cell)
            if value is None or part == "nothing":
                continue
            if part:
                found.setdefault(part, {})[name] = _several(value) if part != "given" else value
            else:
                found[name] = value
        yield found


def _place(name: str) -> tuple[str, str]:
    """The part of a case that a column belongs to, and its name there; no part for an entry of the case itself."""
    if name in IGNORED:
        return "nothing", name
    if name in PLAIN:
        return "", name
    first, _, rest = name.partition(".")
    return (f"{first}s", rest) if rest and first in ("roll", "draw") else ("given", name)


def _value(cell: Any) -> Any:
    """What a cell says, as plain data; None where it says nothing."""
    if cell.__class__ in (str, int, bool):
        return _read(cell) if cell.__class__ is str else cell
    if hasattr(cell, "tolist"):  # a number of numpy's, or an array
        cell = cell.tolist()
    try:
        if cell is None or cell != cell:
            return None
    except (TypeError, ValueError):  # what is not there at all cannot be compared
        return None
    if isinstance(cell, bool | int):
        return cell
    if hasattr(cell, "as_integer_ratio"):  # whole numbers come as fractions where others are missing
        return _whole(cell)
    if isinstance(cell, Mapping):
        return {str(name): _value(part) for name, part in cell.items() if _value(part) is not None}
    if isinstance(cell, str):
        return _read(str(cell))
    if isinstance(cell, Iterable):
        return [_value(part) for part in cell]
    return cell


def _whole(number: Any) -> Any:
    """A fraction as a whole number, where it is one."""
    try:
        above, below = number.as_integer_ratio()
    except (OverflowError, ValueError):  # there is nothing beyond all numbers
        return number
    return above if below == 1 else float(number)


def plain(value: Any) -> Any:
    """A value as plain data: numbers and arrays of numpy are Python's own, and so are records and lists of them."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, list | tuple) else value


def _read(text: str) -> Any:
    """A text, or the JSON in it; None for a blank one."""
    text = text.strip()
    if text[:1] in ("[", "{"):
        try:
            return parse_json(text.encode("utf-8", "surrogatepass"))
        except ValueError:
            return text
    return text or None


def _several(value: Any) -> Any:
    """Throws or cards; several in one cell have blanks between them."""
    words = value.split() if isinstance(value, str) else ()
    return words if len(words) > 1 else value
