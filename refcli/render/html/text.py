"""The words of one chart in HTML: where its jumps lead, its footnotes' marks, and its abbreviations explained."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from refcli.render.cites import page_beside
from refcli.render.footnotes import footnotes
from refcli.render.html.build import Child, Markup, el, join

Data = dict[str, Any]


class Anchors:
    """The place of each chart in the file, by id: `up-front/ordnance` stands at `ordnance`."""

    RESERVED = frozenset({"top", "charts", "contents", "map", "shared", "shared-title", "decks", "glossary"})

    def __init__(self, charts: Iterable[str]) -> None:
        self.places: dict[str, str] = {}
        taken = set(self.RESERVED)
        for name in charts:
            stem = re.sub("[^A-Za-z0-9]+", "-", name.partition("/")[2] or name).strip("-") or "chart"
            place, again = stem, 1
            while place in taken:
                again += 1
                place = f"{stem}-{again}"
            taken.add(place)
            self.places[name] = place

    def number(self, chart: str) -> int:
        """The number of a chart in its book, from 1; 0 where it stands alone or is not here."""
        return list(self.places).index(chart) + 1 if chart in self.places and len(self.places) > 1 else 0

    def links(self) -> dict[str, str]:
        """A link to each chart."""
        return {name: f"#{place}" for name, place in self.places.items()}


class Terms:
    """Explains an abbreviation where it stands for the first time; `met` are those that did."""

    def __init__(self, glossary: Mapping[str, str]) -> None:
        self.glossary = {term: meaning for term, meaning in glossary.items() if term}
        terms = "|".join(re.escape(term) for term in sorted(self.glossary, key=len, reverse=True))
        self._sought = re.compile(rf"(?<!\w)({terms})(?:s|es)?(?!\w)") if terms else None
        self.met: set[str] = set()

    def text(self, text: str) -> Child:
        """The text with what is explained in it for the first time marked."""
        if self._sought is None:
            return text
        parts: list[Child] = []
        at = 0
        for found in self._sought.finditer(text):
            term = found[1]
            if term not in self.met:
                self.met.add(term)
                parts += [text[at : found.start()], el("abbr", found[0], title=self.glossary[term])]
                at = found.end()
        return [*parts, text[at:]]


class Words:
    """What every part of a chart's section needs to write its texts.

    Attributes:
        place: the chart's own anchor.
        notes: its footnotes with their numbers.
    """

    def __init__(self, data: Data, anchors: Anchors, titles: Mapping[str, tuple[str, str]], terms: Terms) -> None:
        self.place = anchors.places[data["id"]]
        self.notes = footnotes(data)
        self._anchors = anchors
        self._titles = titles
        self._numbers = {step["id"]: step["number"] for step in data["steps"]}
        self._terms = terms

    def text(self, text: str) -> Child:
        """A text of the chart, abbreviations explained."""
        return self._terms.text(text)

    def mark(self, part: Data) -> Child:
        """The mark of a part's footnote, if it has one."""
        number = self.notes.get(part.get("note", ""))
        if number is None:
            return None
        return el("sup", el("a", f"[{number}]", href=f"#{self.note(number)}", aria_label=f"note {number}"))

    def note(self, number: int) -> str:
        """The anchor of a footnote."""
        return f"{self.place}.note-{number}"

    def step(self, number: int) -> str:
        """The anchor of a step."""
        return f"{self.place}.{number}"

    def end(self, name: str) -> str:
        """The anchor of an outcome."""
        return f"{self.place}.{name}"

    def way(self, target: str, words: str) -> Markup:
        """A link to a step or an outcome."""
        number = self._numbers.get(target)
        return el("a", words, href=f"#{self.end(target) if number is None else self.step(number)}")

    def jump(self, chart: str) -> Child:
        """A chart by its title and page; a link where it is in this file."""
        title, page = self._titles.get(chart, ("", ""))
        place = self._anchors.places.get(chart)
        cite = page_beside(title, page)
        number = self._anchors.number(chart)
        found = el("span", f", chart {number}", class_="paper") if number else None
        link = el("a", title or chart, href=f"#{place}", class_="jump") if place is not None else title or chart
        return [link, found, f" ({cite})" if cite else ""]

    def jumping(self, text: str, chart: str) -> Child:
        """A text of the chart in which another is named by its id: its title stands there instead."""
        before, named, after = text.partition(chart) if chart else (text, "", "")
        return [self.text(before), self.jump(chart), self.text(after)] if named else self.text(text)


def sentence(parts: Sequence[Child], sign: str = " · ") -> Markup:
    """Parts that say something, one after another with a sign between them."""
    told = [made for part in parts if (made := join(part))]
    return join([[sign if at else "", part] for at, part in enumerate(told)])
