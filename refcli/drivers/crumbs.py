"""Where a walk stands: the book, the page, and the way from chart to chart and man to man."""

from collections.abc import Sequence

from refcli.core.position import Frame, Position
from refcli.core.scope import Scope
from refcli.core.walk import Walk
from refcli.drivers.answers import clean
from refcli.drivers.memory import subject

MARK = " ▸ "
"""Stands between the parts of the way."""


def source_of(frame: Frame, page: str = "") -> str:
    """Where a chart stands in print: its book's source and its page."""
    book = frame.chart.book
    page = page or frame.chart.page
    where = f"page {page}" if page[:1].isdigit() else page
    return clean(", ".join(filter(None, (book.source or book.title, where))))


def place_words(walk: Walk) -> str:
    """The book and page, such as `Up Front, page 3`."""
    chart = walk.position.top.chart
    page = f"page {chart.page}" if chart.page[:1].isdigit() else chart.page
    page = "" if page.casefold() == chart.title.casefold() else page
    return clean(", ".join(filter(None, (chart.book.title, page))))


def crumbs(walk: Walk) -> list[str]:
    """The way, outermost first: titles of charts, and `man 3 of 5, Keller` where one is run for each of a list."""
    found: list[str] = []
    for depth, frame in enumerate(walk.position.frames):
        if frame.record is not None and frame.record.record is not None:
            found.append(record_words(walk.position, depth))
        found.append(frame.chart.title)
    return [clean(part) for part in found]


def record_words(position: Position, depth: int) -> str:
    """Which record of its list the run at a depth is for."""
    record = position.frames[depth].record
    if record is None or record.record is None:
        return ""
    scope = Scope(position, depth - 1, {})
    owner = scope.fact_of(type(record)(record.depth, record.name))
    store = position.shared if record.depth < 0 else position.frames[record.depth].facts
    which = f"{owner.noun} {record.record + 1}"
    name = subject(position, record)
    count = f"{which} of {len(store.get(record.name, ()))}"
    return count if name == which else f"{count}, {name}"


def trimmed(parts: Sequence[str], width: int, mark: str = MARK) -> str:
    """The way on one line: where it is too long, its beginning and middle give way to `…`, and long names are cut."""
    most = max(width // 2, 12) if len(parts) > 1 else width
    parts = [_cut(part, most) for part in parts]
    whole = mark.join(parts)
    if len(whole) <= width or len(parts) < 3:
        return whole
    for dropped in range(1, len(parts) - 2):
        short = mark.join([parts[0], "…", *parts[1 + dropped :]])
        if len(short) <= width:
            return short
    left = width - len(f"…{mark}{mark}")
    if left < 20:
        return mark.join(["…", parts[-1]])
    last = _cut(parts[-1], max(left // 2, left - len(parts[-2])))
    return mark.join(["…", _cut(parts[-2], left - len(last)), last])  # whose turn it is, and in which chart


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
