"""The questions of a chart in HTML, each with its legal answers; house rules apart, and what the book's charts share.

A question that charts of a book share stands once, with all its answers, behind the charts; each chart links to it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from refcli.render.edition import Edition
from refcli.render.html.build import Child, Markup, el
from refcli.render.html.text import Terms, Words, sentence
from refcli.render.words import name_words

Data = dict[str, Any]


def shared_facts(edition: Edition) -> dict[str, Data]:
    """The questions that charts of a book share, by name, in the book's order."""
    used: set[str] = set()
    for page in edition.pages:
        for fact in page.data.get("facts", ()):
            if fact.get("shared"):
                used |= {fact["name"], *(part["name"] for part in fact.get("fields", ()))}
    return {fact["name"]: fact for fact in edition.book.get("facts", ()) if fact["name"] in used}


def shared_place(name: str) -> str:
    """The anchor of a question that charts share."""
    return f"shared.{name}"


def shared_section(facts: Mapping[str, Data], terms: Terms) -> Child:
    """The questions that charts share, with their answers and notes."""
    if not facts:
        return None
    told = []
    for name, fact in facts.items():
        note = el("p", terms.text(fact["note"]), class_="help") if "note" in fact else None
        parts: Child = None
        if "fields" in fact:
            asked = _links(fact["fields"], facts, None)
            parts = [el("p", f"For each {fact.get('noun', 'one')}:", class_="help"), asked]
        told.append(el("li", _asked(fact, terms, None), _answers(fact, terms), note, parts, id=shared_place(name)))
    title = el("h2", "Shared questions", id="shared-title")
    return el("section", title, el("ul", told, class_="facts"), id="shared", class_="questions")


def questions(data: Data, words: Words, heading: str, shared: Mapping[str, Data]) -> list[Child]:
    """The questions and the house rules of a chart, each under a heading."""
    facts = data.get("facts", [])
    asked = [fact for fact in facts if not fact.get("house_rule")]
    house = [fact for fact in facts if fact.get("house_rule")]
    return [*_part("Questions", asked, words, heading, shared), *_part("House rules", house, words, heading, shared)]


def _part(title: str, facts: Sequence[Data], words: Words, heading: str, shared: Mapping[str, Data]) -> list[Child]:
    if not facts:
        return []
    told = [fact for fact in facts if not _is_shared(fact, shared)]
    others = [fact for fact in facts if _is_shared(fact, shared)]
    lead = el("p", "Shared with other charts:", class_="help") if others else None
    links = _links(others, shared, words) if others else None
    return [
        el("section", el(heading, title), _listed(told, words) if told else None, lead, links, class_="questions")
    ]


def _is_shared(fact: Data, shared: Mapping[str, Data]) -> bool:
    return bool(fact.get("shared")) and fact["name"] in shared


def _links(facts: Iterable[Data], shared: Mapping[str, Data], words: Words | None) -> Markup:
    """Questions by what they ask, each with a link to its answers and the marks of its notes."""
    told = []
    for fact in facts:
        ask = fact.get("ask", name_words(fact["name"]))
        link = el("a", ask, href=f"#{shared_place(fact['name'])}") if fact["name"] in shared else ask
        noted = {part["note"]: part for part in (fact, *fact.get("fields", ())) if "note" in part}
        told.append(el("li", link, [words.mark(part) for part in noted.values()] if words else None))
    return el("ul", told, class_="links")


def _listed(facts: Sequence[Data], words: Words) -> Markup:
    return el("ul", [el("li", _fact(fact, words)) for fact in facts], class_="facts")


def _fact(fact: Data, words: Words) -> list[Child]:
    """A question with its answers; of a list, what is asked for each."""
    fields = _listed(fact["fields"], words) if "fields" in fact else None
    return [_asked(fact, words, words.mark(fact)), _answers(fact, words), fields]


def _asked(fact: Data, words: Words | Terms, mark: Child) -> Markup:
    """What is asked, and in a word what may be answered."""
    told = [
        None if "choices" in fact else fact["answers"],
        ["default ", el("b", fact["default"])] if "default" in fact else None,
        f"ask {fact['who']}" if "who" in fact else None,
        "free choice" if "decides" in fact else None,
        el("code", fact["name"]),
    ]
    ask = el("b", words.text(fact.get("ask", name_words(fact["name"]))), class_="ask")
    return el("p", ask, mark, " ", el("span", sentence(told), class_="told"))


def _answers(fact: Data, words: Words | Terms) -> list[Child]:
    """Its choices, and what is said besides."""
    musts = fact.get("must", [])
    return [
        _choices(fact.get("choices", {})),
        el("p", words.text(fact["help"]), class_="help") if "help" in fact else None,
        [el("p", f"Always {must['be']}: ", words.text(must["says"]), class_="help") for must in musts],
    ]


def _choices(choices: Mapping[str, str]) -> Child:
    if not choices:
        return None
    told = []
    for key, label in choices.items():
        plain = name_words(key).casefold() == label.casefold()
        told.append(el("li", label, None if plain else [" ", el("code", key)]))
    return el("ul", told, class_="choices")
