"""The rows of table nodes."""

from refcli.core.chart import Row
from refcli.core.problem import Code
from refcli.load.edges import Declared, Raw
from refcli.load.report import Report


def rows_of(raw: Raw, found: Declared) -> tuple[Row, ...]:
    """The rows as far as they could be read."""
    rows = []
    for (key, pattern), cells in raw.get("rows", ()):
        if cells is None:
            found.whole = False
            continue
        values = tuple(value for _, value in (cells if isinstance(cells, list) else [cells]))
        rows.append(Row(pattern=pattern, cells=values, place=key.place, key=key.text))
    return tuple(rows)


def check_widths(raw: Raw, columns: int, report: Report) -> None:
    """A row has a cell for each column, or one for all."""
    for (key, _), cells in raw.get("rows", ()):
        count = len(cells) if isinstance(cells, list) else 1
        if count not in (1, columns) and "columns" not in raw["bad"]:
            need = f"{columns}, one for each column, or one for all" if columns else "one, as there are no columns"
            report.add(Code.WRONG_SHAPE, key, f"row '{key.text}' has {count} cells, it needs {need}")
