"""A book or a chart as one page of HTML that needs nothing else: no network, no script, no other file."""

from collections.abc import Mapping, Sequence

from refcli.render.cites import page_beside
from refcli.render.edition import Edition, Page
from refcli.render.html.build import Child, Markup, el
from refcli.render.html.chart import chart_section, cite, picture
from refcli.render.html.facts import shared_facts, shared_section
from refcli.render.html.style import style
from refcli.render.html.text import Anchors, Terms, Words

SAFE = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""What the page may load: nothing; its own styles are in it."""


def html(edition: Edition, *, paper: str) -> str:
    """An edition as a page.

    Args:
        edition: what is printed.
        paper: `a4` or `letter`, for those who print the page.

    Raises:
        UsageError: the library that lays out flow charts is not installed.
    """
    anchors = Anchors(page.data["id"] for page in edition.pages)
    whole = edition.map is not None
    body = _book(edition, anchors) if whole else _chart(edition, anchors)
    heads = [
        (anchors.places[page.data["id"]], f"{at} {page.data['title']}") for at, page in enumerate(edition.pages, 1)
    ]
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=SAFE),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("title", edition.title if whole else f"{edition.title} · {edition.book['title']}"),
        el("style", Markup(style(paper, edition.title, heads if whole else []))),
    )
    return f"<!DOCTYPE html>\n{el('html', head, body, lang='en')}"


def _book(edition: Edition, anchors: Anchors) -> Markup:
    """The body of a page with a book: its front, its charts, its decks and its glossary."""
    links, glossary = anchors.links(), edition.book.get("glossary", {})
    shared = shared_facts(edition)
    charts = []
    for number, page in enumerate(edition.pages, 1):
        words = Words(page.data, anchors, edition.titles, Terms(glossary))
        charts.append(chart_section(page, words, links, shared=shared, number=number))
    return el(
        "body",
        el("a", "Skip to the charts", href="#charts", class_="skip"),
        _front(edition, anchors, shared=bool(shared)),
        el("main", charts, id="charts"),
        shared_section(shared, Terms(glossary)),
        _decks(edition),
        _glossary(glossary),
    )


def _chart(edition: Edition, anchors: Anchors) -> Markup:
    """The body of a page with a single chart, which explains only those abbreviations that stand in it."""
    (page,) = edition.pages
    glossary = edition.book.get("glossary", {})
    terms = Terms(glossary)
    section = chart_section(page, Words(page.data, anchors, edition.titles, terms), anchors.links())
    return el(
        "body",
        el("a", "Skip to the chart", href="#charts", class_="skip"),
        _title(edition),
        el("main", section, id="charts"),
        _glossary({term: meaning for term, meaning in glossary.items() if term in terms.met}),
        class_="alone",
    )


def _title(edition: Edition) -> Markup:
    """The head of a page with a single chart."""
    (page,) = edition.pages
    return el("header", el("h1", edition.title, id="top"), el("p", cite(page.data), class_="told"))


def _front(edition: Edition, anchors: Anchors, *, shared: bool) -> list[Child]:
    """The front of a book: title, source, contents and map."""
    source = edition.book.get("source", "")
    title = el("h1", edition.title, id="top")
    return [
        el("header", title, el("p", f"Source: {source}", class_="told") if source else None),
        el("nav", el("h2", "Contents"), _contents(edition, anchors, shared), id="contents", aria_label="Contents"),
        _map(edition, anchors),
    ]


def _contents(edition: Edition, anchors: Anchors, shared: bool) -> list[Child]:
    listed = [page for page in edition.pages if page.listed]
    serving = [page for page in edition.pages if not page.listed]
    more = [("map", "Map of the book")]
    more += [("shared", "Shared questions")] if shared else []
    more += [("decks", "Decks")] if edition.book.get("decks") else []
    more += [("glossary", "Glossary")] if edition.book.get("glossary") else []
    return [
        _entries(listed, 1, anchors),
        [el("h3", "Charts that serve the others"), _entries(serving, len(listed) + 1, anchors)] if serving else None,
        el("p", [[" · " if at else "", el("a", title, href=f"#{place}")] for at, (place, title) in enumerate(more)]),
    ]


def _entries(pages: Sequence[Page], first: int, anchors: Anchors) -> Child:
    if not pages:
        return None
    told = []
    for page in pages:
        data = page.data
        cite = page_beside(data["title"], data.get("page", ""))
        summary = el("span", data.get("summary", ""), class_="summary")
        link = el("a", data["title"], href=f"#{anchors.places[data['id']]}")
        told.append(el("li", link, el("span", f" · {cite}" if cite else "", class_="told"), " ", summary))
    return el("ol", told, start=first)


def _map(edition: Edition, anchors: Anchors) -> Child:
    if edition.map is None:
        return None
    told = f"Map of {edition.title}: which chart leads to which. All of them stand in the contents."
    return el("section", el("h2", "Map of the book"), picture(edition.map, anchors.links(), told), id="map")


def _decks(edition: Edition) -> Child:
    decks = edition.book.get("decks", {})
    if not decks:
        return None
    terms = Terms(edition.book.get("glossary", {}))
    told = []
    for deck in decks.values():
        notes = ". ".join(filter(None, (deck["make_up"], deck.get("note", ""))))
        told.append([el("dt", deck["title"]), el("dd", terms.text(notes))])
    return el("section", el("h2", "Decks"), el("dl", told), id="decks")


def _glossary(glossary: Mapping[str, str]) -> Child:
    if not glossary:
        return None
    told = [el("div", el("dt", term), el("dd", meaning)) for term, meaning in glossary.items()]
    return el("section", el("h2", "Glossary"), el("dl", told), id="glossary")
