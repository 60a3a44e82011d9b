"""What a chart was when it was walked: digests of every file that a ruling may rest on."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from refcli.core.chart import Chart
    from refcli.drivers.walks import Record


def digests(chart: "Chart") -> dict[str, str]:
    """The SHA-256 of each text that a walk of the chart may rest on, by what it is.

    Those of the chart, of all charts it runs, of their books, and of the decks they draw from; of a deck that the
    player has counted himself also that of his count. Line ends of any kind are alike. A file that is gone has none.
    """
    from refcli.core.chart import DrawNode
    from refcli.core.family import family

    charts = family([chart]).values()
    found = {one.id: one.digest for one in charts}
    books = {one.book.id: one.book for one in charts}
    decks = {node.deck.id: node.deck for one in charts for node in one.nodes.values() if isinstance(node, DrawNode)}
    found |= {f"the book {name}": _of_file(book.place.file) for name, book in books.items()}
    found |= {f"the deck {name}": _of_file(deck.place.file) for name, deck in decks.items()}
    found |= {f"the count of {name}": _of_file(deck.counted) for name, deck in decks.items() if deck.counted}
    return dict(sorted(found.items()))


def digest(parts: Mapping[str, Any]) -> str:
    """One SHA-256 for all of them."""
    from hashlib import sha256

    return sha256("".join(f"{name} {part}\n" for name, part in sorted(parts.items())).encode()).hexdigest()


def changed(record: "Record", chart: "Chart") -> list[str]:
    """What of a chart is no longer as it was when a walk was played; empty where all is."""
    now, then = digests(chart), record.files
    if digest(now) == record.digest:
        return []
    return sorted(name for name in {*now, *then} if now.get(name) != then.get(name)) or [chart.id]


def _of_file(file: str) -> str:
    from hashlib import sha256

    try:
        data = Path(file).read_bytes()
    except (OSError, ValueError):
        return ""
    return sha256(data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")).hexdigest()
