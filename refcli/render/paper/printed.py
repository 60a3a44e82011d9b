"""A chart set out for paper: the texts of its outline arranged as both the booklet and Markdown print them.

JSON values only. A text that may hold jumps is a list of pieces `[text, anchor]`, the anchor empty where it is no
jump; other texts are plain strings, each on one line. `mark` is the number of a footnote, 0 for none.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

from refcli.render.cites import page_beside
from refcli.render.edition import Edition, Page
from refcli.render.footnotes import footnotes
from refcli.render.words import first_up, name_words

Data = dict[str, Any]
Pieces = list[list[str]]
TONES = {"good": "good", "bad": "bad", "mixed": "mixed", "plain": ""}


def printed(edition: Edition, *, own_pages: bool = False) -> Data:
    """The edition: `title`, `source`, `charts`, `shared` questions, `decks`, `glossary`, and if it is a `whole` book.

    A single chart keeps only those lines of the glossary that it makes use of.

    Args:
        edition: what is printed.
        own_pages: the print has pages of its own, so that those of the source are called so, and jumps do not name
            them.
    """
    book, whole = edition.book, edition.map is not None
    shared = _shared(edition) if whole else {}
    charts = [Setting(edition, page, shared, own_pages).chart() for page in edition.pages]
    glossary = {flat(word): flat(says) for word, says in book.get("glossary", {}).items()}
    if not whole:
        used = "\n".join(_texts(charts))
        glossary = {word: says for word, says in glossary.items() if re.search(rf"\b{re.escape(word)}\b", used)}
    decks = book.get("decks", {}).values() if whole else ()
    return {
        "id": edition.id,
        "title": flat(edition.title),
        "source": flat(book.get("source", "")),
        "book": flat(book["title"]),
        "whole": whole,
        "charts": charts,
        "shared": list(shared.values()),
        "decks": [[flat(deck["title"]), _sentences(deck["make_up"], deck.get("note", ""))] for deck in decks],
        "glossary": [list(line) for line in glossary.items()],
    }


def flat(text: str) -> str:
    """The text on one line, without code points that stand for nothing (half of a pair)."""
    return " ".join(text.encode("utf-8", "ignore").decode().split())


def anchor(chart: str, *parts: object) -> str:
    """The name of a place to jump to: a chart, a step by its number, an outcome by its id, a note."""
    return ".".join([chart.replace("/", "."), *map(str, parts)])


def _shared(edition: Edition) -> dict[str, Data]:
    """The questions that charts of the book share by name, each once, in the book's order; with their notes."""
    used = {
        part["name"]
        for page in edition.pages
        for fact in page.data.get("facts", ())
        for part in (fact, *fact.get("fields", ()))
        if part.get("shared")
    }
    facts = [fact for fact in edition.book.get("facts", ()) if fact["name"] in used]
    places = {fact["name"]: anchor(edition.id, "question", fact["name"]) for fact in facts}
    return {
        fact["name"]: question(fact)
        | {
            "anchor": places[fact["name"]],
            "note": flat(fact.get("note", "")),
            "each": [[asked(part), places.get(part["name"], ""), 0] for part in fact.get("fields", ())],
        }
        for fact in facts
    }


def asked(fact: Data) -> str:
    """What a question asks."""
    return flat(fact.get("ask", "") or first_up(name_words(fact["name"])))


def question(fact: Data) -> Data:
    """A question with its legal answers."""
    told = [
        f"default {fact['default']}" if "default" in fact else "",
        f"ask {fact['who']}" if "who" in fact else "",
        "free choice" if fact.get("decides") else "",
    ]
    musts = [f"Always {must['be']}: {must['says']}" for must in fact.get("must", ())]
    return {
        "ask": asked(fact),
        "name": name_words(fact["name"]),
        "answers": [flat(label) for label in fact.get("choices", {}).values()] or [flat(fact["answers"])],
        "aside": flat(" · ".join(filter(None, told))),
        "help": [flat(line) for line in (fact.get("help", ""), *musts) if line],
        "list": bool(fact.get("fields")),
    }


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)


def _sentences(*parts: str) -> str:
    """Texts as sentences behind each other."""
    told = [first_up(flat(part)) for part in parts if part]
    return " ".join(part if part[-1:] in ".!?" else f"{part}." for part in told)


class Setting:
    """Sets out one chart of an edition."""

    def __init__(self, edition: Edition, page: Page, shared: Container[str], own_pages: bool) -> None:
        self.edition = edition
        self.shared = shared
        self.own_pages = own_pages
        self.data = page.data
        self.listed = page.listed
        self.notes = footnotes(page.data)
        self.here = {page.data["id"] for page in edition.pages}
        self.id: str = page.data["id"]

    def chart(self) -> Data:
        """The whole chart."""
        data = self.data
        facts = data.get("facts", [])
        groups = [
            {"title": title, "facts": [line for fact in facts if _is_rule(fact) is rule for line in self.fact(fact)]}
            for title, rule in (("Questions", False), ("House rules", True))
        ]
        return {
            "id": self.id,
            "anchor": anchor(self.id),
            "title": flat(data["title"]),
            "listed": self.listed,
            "book": flat(data["book"]["title"]),
            "page": self.page(data),
            "beside": self.cite(data.get("page", ""), data["title"]),
            "summary": flat(data.get("summary", "")),
            "questions": [group for group in groups if group["facts"]],
            "steps": [self.step(step) for step in data["steps"]],
            "outcomes": [self.outcome(end) for end in data["outcomes"]],
            "notes": [[number, flat(note), anchor(self.id, "note", number)] for note, number in self.notes.items()],
        }

    def mark(self, part: Data) -> int:
        """The number of a part's footnote, or 0."""
        return self.notes.get(part.get("note", ""), 0)

    def page(self, part: Data) -> str:
        """The page of the source that a part cites, in words."""
        return self.cite(part.get("page", ""))

    def cite(self, page: str, title: str = "") -> str:
        """A page of the source in words, beside the title of its chart if that is given."""
        told = flat(page_beside(title, page))
        return f"source {told}" if self.own_pages and told.startswith("page") else told

    def jump(self, chart: str) -> Pieces:
        """The title of a chart, with its page of the source; a jump where it is printed here."""
        title, page = self.edition.titles.get(chart, (chart, ""))
        here = chart in self.here
        where = "" if here and self.own_pages else self.cite(page, title)
        aside = ", ".join(filter(None, (where, "" if here else chart)))
        pieces = [[flat(title), anchor(chart) if here else ""]]
        return [*pieces, [f" ({flat(aside)})", ""]] if aside else pieces

    def running(self, text: str, chart: str) -> Pieces:
        """What a step says, with a jump where it names the chart that it plays."""
        if not chart or not text.endswith(chart):
            return [[flat(text), ""]]
        head = text.removesuffix(chart)
        return [[f"{flat(head)} ", ""], *self.jump(chart)] if head.strip() else self.jump(chart)

    def fact(self, fact: Data, level: int = 0) -> Iterator[Data]:
        """A question and, below it, those about each record of a list.

        One that the book's charts share has the `anchor` of its place in the book, and all its `marks`. A list of
        which they share all questions about a record names them in `each`.
        """
        fields = fact.get("fields", ())
        marks = sorted({self.mark(part) for part in (fact, *fields)} - {0})
        yield question(fact) | {
            "level": level,
            "mark": self.mark(fact),
            "marks": marks if self.place(fact) else [],
            "anchor": self.place(fact) if level == 0 else "",
            "each": [[asked(part), self.place(part), self.mark(part)] for part in fields]
            if all(map(self.place, fields))
            else [],
        }
        for part in fields:
            yield from self.fact(part, level + 1)

    def place(self, fact: Data) -> str:
        """The anchor of a question among those that the book's charts share; empty where it is not one of them."""
        known = fact.get("shared", False) and fact["name"] in self.shared
        return anchor(self.edition.id, "question", fact["name"]) if known else ""

    def step(self, step: Data) -> Data:
        """A step with its ways on."""
        run = step.get("run", "")
        table = self.table(step)
        cells = {cell for row in table.get("rows", ()) for cell, _ in row["cells"]} if table else set()
        return {
            "number": step["number"],
            "anchor": anchor(self.id, step["number"]),
            "kind": step["kind"],
            "title": self.running(step["title"], run),
            "page": self.page(step),
            "mark": self.mark(step),
            "says": [self.running(line, run) for line in step.get("says", ())],
            "modifiers": [self.modifier(modifier) for modifier in step.get("modifiers", ())],
            "table": table,
            "ways": [way for way in self.ways(step) if way[1] not in cells],
        }

    def ways(self, step: Data) -> list[list[str]]:
        """The ways on as `[words, where, anchor]`; going straight to the next step needs none."""
        found = [
            ["" if edge.get("on") == "next" else flat(edge["words"]), flat(edge["goes"]), self.target(edge["to"])]
            for edge in step.get("edges", ())
        ]
        straight = ["", f"step {step['number'] + 1}", anchor(self.id, step["number"] + 1)]
        return [] if found == [straight] else found

    def target(self, to: str) -> str:
        """Where a way leads: the anchor of a step or an outcome."""
        for step in self.data["steps"]:
            if step["id"] == to:
                return anchor(self.id, step["number"])
        return anchor(self.id, to)

    def modifier(self, modifier: Data) -> Data:
        """A line of a sum; `amounts` by what is looked up."""
        label, when = flat(modifier["label"]), flat(modifier.get("when", ""))
        return {
            "label": label,
            "when": "" if when.lower() == label.lower() else when,
            "mark": self.mark(modifier),
            "amounts": [[flat(key), flat(amount)] for key, amount in modifier["amounts"].items()],
        }

    def table(self, step: Data) -> Data:
        """A look-up: `row` and `column` say by what; each cell has its anchor, and a lone one fills its row."""
        table: Data = step.get("table", {})
        if not table:
            return {}
        ways: Mapping[str, str] = {edge["goes"]: self.target(edge["to"]) for edge in step.get("edges", ())}
        return {
            "row": flat(table["row"]),
            "column": flat(table.get("column", "")),
            "columns": [flat(head) for head in table.get("columns", ())],
            "rows": [
                {"on": flat(row["on"]), "cells": [[flat(cell), ways.get(cell, "")] for cell in row["cells"]]}
                for row in table["rows"]
            ],
        }

    def outcome(self, end: Data) -> Data:
        """How the chart can end."""
        return {
            "anchor": anchor(self.id, end["id"]),
            "title": flat(end["title"]),
            "tone": TONES[end["tone"]],
            "page": self.page(end),
            "mark": self.mark(end),
            "says": flat(end.get("says", "")),
            "effects": [
                [f"If {flat(effect['when'])}:" if effect.get("when") else "", flat(effect["do"])]
                for effect in end.get("effects", ())
            ],
            "values": [
                [word, told]
                for word, key in (("Gives", "gives"), ("From now on", "changes"))
                if (told := " · ".join(_values(end.get(key, {}).items())))
            ],
            "then": [
                [*self.jump(follows["chart"]), *([[f" if {flat(follows['when'])}", ""]] if "when" in follows else [])]
                for follows in end.get("then", ())
            ],
        }


def _is_rule(fact: Data) -> bool:
    return bool(fact.get("house_rule", False))


def _values(items: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Values that are given; one that keeps its name needs no more words."""
    for name, value in items:
        words = name_words(name)
        yield flat(words if words == value else f"{words}: {value}")
