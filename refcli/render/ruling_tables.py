"""Rulings as tables: for a spreadsheet, or in columns on the screen. Nothing here prints.

The same law holds as in `rulings`: the bytes of a ruling depend on the ruling alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from refcli.core.cells import cell_of, row_of
from refcli.core.chart import Chart, DrawNode, EachNode, RollNode
from refcli.render.rulings import compact
from refcli.render.words import clean, showable

_PLAIN = ("id", "chart", "outcome", "error", "line", "title", "says")
_LISTS = {"effects": " | ", "readings": " | ", "unused": " | ", "defaults": " ", "placeholders": " "}
"""Columns of lists of texts, with what stands between these."""
_MAPS = {"gives": "gives", "changes": "changes", "rolls": "roll"}
"""What a ruling maps names to, and how its columns begin; a roll is read back from a column of that name."""
_WHERE = {first: name for name, first in _MAPS.items()}
MOST_KNOWN = 2000
"""How many cells are remembered as they stand in a table: most come again and again."""


def csv_columns(charts: Iterable[Chart], *, trail: bool) -> tuple[str, ...]:
    """The columns of a table of rulings of these charts; what has no column of its own goes to the last, `more`.

    Args:
        charts: the first is the one that rules, the others are those that it runs.
        trail: with the audit trail.
    """
    every = list(charts)
    outcomes = [node for chart in every[:1] for node in chart.outcomes.values()]
    names = [f"gives.{name}" for node in outcomes for name in node.gives]
    names += [f"changes.{name}" for node in outcomes for name in node.changes]
    nodes = [node for chart in every for node in chart.nodes.values()]
    names += [f"roll.{node.name or node.id}" for node in nodes if isinstance(node, RollNode)]
    some = ["draws", "placeholders"] if any(isinstance(node, DrawNode) for node in nodes) else []
    some += ["records"] if any(isinstance(node, EachNode) for node in nodes) else []
    tail = ["effects", "defaults", "readings", "then", "unused", *(["trail"] if trail else []), "more"]
    return (*_PLAIN, *dict.fromkeys(names), *some, *tail)


class Csv:
    """A row of cells each, below a row of names; no cell can carry a formula into a spreadsheet.

    Args:
        columns: the names, see `csv_columns`.
        encoding: what the output can show.
    """

    def __init__(self, columns: Sequence[str], encoding: str = "utf-8") -> None:
        self.columns = columns
        self._encoding = encoding
        self._plain = {name for name in columns if name.partition(".")[0] not in _MAPS.values()}
        self._within = {name: {c.partition(".")[2] for c in columns if c.startswith(f"{first}.")}
                        for name, first in _MAPS.items()}  # fmt: skip
        self._known: dict[str, str] = {}
        self._plan = [(_WHERE.get(name.partition(".")[0]), name.partition(".")[2] or name) for name in columns[:-1]]

    def head(self) -> bytes:
        """The names of the columns."""
        return row_of(self.columns).encode(self._encoding, "replace")

    def line(self, found: Mapping[str, Any]) -> bytes:
        """A ruling, or an error in its place."""
        cells = []
        known = self._known
        for within, name in self._plan:
            value = found.get(name) if within is None else found[within].get(name) if within in found else None
            if value is None or value == []:
                cells.append("")
                continue
            if value.__class__ is int:
                cells.append(str(value))
                continue
            text = value if value.__class__ is str else _cell(name, within, value)
            cell = known.get(text)
            if cell is None:
                cell = cell_of(text)
                if name != "id" and len(known) < MOST_KNOWN:
                    known[text] = cell
            cells.append(cell)
        more = self._more(found)
        cells.append(cell_of(compact(more)) if more else "")
        return f"{','.join(cells)}\n".encode(self._encoding, "replace")

    def _more(self, found: Mapping[str, Any]) -> dict[str, Any]:
        """What has no column."""
        more: dict[str, Any] = {}
        for name, value in found.items():
            if name in self._within:
                if not value.keys() <= self._within[name]:
                    left = {key: part for key, part in value.items() if key not in self._within[name]}
                    more |= {f"{_MAPS[name]}.{key}": part for key, part in left.items()}
            elif name not in self._plain and value != []:
                more[name] = value
        return more


def _cell(name: str, within: str | None, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str | int):
        return str(value)
    if within == "rolls":
        return " ".join(map(str, value))
    if within is None and name in _LISTS and all(isinstance(part, str) for part in value):
        return _LISTS[name].join(value)
    return compact(value)


class Table:
    """A line on the screen each, in columns of fixed width; what is too long is cut.

    Args:
        width: how many columns the screen has.
        encoding: what the screen can show.
    """

    def __init__(self, width: int, encoding: str = "utf-8") -> None:
        self._encoding = encoding
        rest = width - 12 - 2 - 2 - 2
        self._widths = (12, rest * 2 // 5, rest * 2 // 5, rest - 2 * (rest * 2 // 5))

    def head(self) -> bytes:
        """The names of the columns."""
        return self._bytes(("CASE", "OUTCOME", "GIVES", "ROLLED"))

    def line(self, found: Mapping[str, Any]) -> bytes:
        """A ruling; an error is told in full."""
        if "error" in found:
            case, *_ = self._fit((found["id"],))
            return self._text(f"{case}  {clean(found['error'])} (line {found['line']})")
        rolled = [*_words(found["rolls"]), *(_words(card)[0] for card in found["draws"] if card)]
        return self._bytes((found["id"], found["title"], ", ".join(_words(found["gives"])), ", ".join(rolled)))

    def _bytes(self, cells: Iterable[Any]) -> bytes:
        return self._text("  ".join(self._fit(cells)).rstrip())

    def _fit(self, cells: Iterable[Any]) -> list[str]:
        texts = [" ".join(clean(str(cell)).split()) for cell in cells]
        pairs = zip(texts, self._widths, strict=False)
        return [(text if len(text) <= width else text[: width - 1] + "…").ljust(width) for text, width in pairs]

    def _text(self, text: str) -> bytes:
        return f"{showable(text, self._encoding)}\n".encode(self._encoding, "replace")


def _words(values: Mapping[str, Any]) -> list[str]:
    """Names with their values, as one says them."""
    return [f"{name.replace('_', ' ')} {_value(value)}" for name, value in values.items()]


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(part, int) for part in value):
        return " ".join(map(str, value))
    return str(value) if isinstance(value, str | int) else compact(value)
