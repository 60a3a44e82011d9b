"""What goes to the printer in tests: the shipped books, the demo book, and one whose every text is hostile."""

from functools import cache
from pathlib import Path
from typing import Any

from refcli.load.library import Library
from refcli.render.edition import Edition, Page, edition
from refcli.render.graph import book_graph, graph

ROOT = Path(__file__).parents[1]
SHIPPED = Library([ROOT / "flowcharts"])
DEMO = Library([ROOT / "tests" / "data" / "charts"])
BOOKS = [book.id for book in SHIPPED.titles()]

HOSTILE = (
    "<script>boo()</script>", "<img src=x onerror=boo()>", '" onmouseover="boo()', "' onfocus='boo()' x='",
    "</style><style>*{display:none}", "]]><svg onload=boo()>", "&lt;b&gt;", "&#60;i&#62;", "javascript:boo()",
    "{{boo}}", "${boo}", "#boo()", "`boo`", "\\22 }body{display:none}", "-->", "<!--", "𝔘nicode 🎲", "שלום עולם",
    "<a href=https://example.org/x>", "<iframe src=//example.org>", "</title></svg></a></section></main>", "x" * 300,
)  # fmt: skip
"""Texts that would like to be something else."""


@cache
def book_edition(name: str, *, demo: bool = False) -> Edition:
    """A whole book."""
    shelf = DEMO if demo else SHIPPED
    books = {book.id: book for book in shelf.titles()}
    titles = {chart.id: (chart.title, chart.page) for book in books.values() for chart in book.charts}
    loaded = [(shelf.load(chart.id), chart.listed) for chart in books[name].charts]
    return edition(loaded[0][0].book, loaded, titles, whole=True)


@cache
def chart_edition(name: str, *, demo: bool = False) -> Edition:
    """A single chart."""
    whole = book_edition(name.partition("/")[0], demo=demo)
    (page,) = [page for page in whole.pages if page.data["id"] == name]
    return Edition(name, page.data["title"], whole.book, (page,), whole.titles)


@cache
def hostile_edition() -> Edition:
    """The demo book with a hostile text behind every text that an author may write."""
    whole = book_edition("demo", demo=True)
    at = iter(range(1_000_000))

    def spoilt(value: Any, key: str = "") -> Any:
        if isinstance(value, str):
            return f"{value} {HOSTILE[next(at) % len(HOSTILE)]}" if key in _WRITTEN and value != "next" else value
        if isinstance(value, list):
            return [spoilt(part, key) for part in value]
        if isinstance(value, dict):
            kept = key in _OWN_KEYS  # what an author names: choices, look-ups, abbreviations, decks
            return {
                f"{name} {HOSTILE[next(at) % len(HOSTILE)]}" if kept else name: spoilt(part, key if kept else name)
                for name, part in value.items()
            }
        return value

    book = spoilt(whole.book)
    titles = {name: (spoilt(title, "title"), spoilt(page, "page")) for name, (title, page) in whole.titles.items()}
    pages = []
    for page in whole.pages:
        data = spoilt(page.data)
        pages.append(Page(data, graph(data, titles), page.listed))
    return Edition(
        "demo", book["title"], book, tuple(pages), titles, book_graph(book, [p.data for p in pages], titles)
    )


_OWN_KEYS = {"choices", "amounts", "glossary", "gives", "changes"}
_WRITTEN = _OWN_KEYS | {
    "title", "source", "page", "summary", "ask", "answers", "default", "who", "help", "note", "noun", "says", "words",
    "goes", "label", "when", "be", "do", "row", "column", "columns", "on", "cells", "make_up", "name",
}  # fmt: skip
