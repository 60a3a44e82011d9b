"""A chart as one section of a page: its flow chart, questions, steps, outcomes and footnotes."""

from collections.abc import Mapping
from typing import Any

from refcli.render.draw.palette import SIGNS
from refcli.render.edition import Page
from refcli.render.graph import Graph
from refcli.render.html.build import Child, Markup, el
from refcli.render.html.facts import questions
from refcli.render.html.steps import steps
from refcli.render.html.text import Words, sentence
from refcli.render.text import page_words
from refcli.render.words import name_words

Data = dict[str, Any]


def chart_section(
    page: Page, words: Words, links: Mapping[str, str], *, shared: Mapping[str, Data] | None = None, number: int = 0
) -> Markup:
    """A chart.

    Args:
        page: the chart.
        words: its words.
        links: where each chart stands in the file, by id.
        shared: the questions that stand behind all charts, by name.
        number: of the chart in its book; 0 where it stands alone, under the title of the whole page.
    """
    data = page.data
    heading = "h3" if number else "h2"
    named = f"{words.place}-title"
    title = [el("span", f"{number} ", class_="number"), data["title"]]
    return el(
        "section",
        el("h2", title, id=named) if number else None,
        el("p", cite(data), class_="told") if number else None,
        el("p", words.text(data["summary"]), class_="summary") if data.get("summary") else None,
        picture(page.graph, links, f"Flow chart of {data['title']}. The same steps follow as text."),
        el(
            "div",
            questions(data, words, heading, shared or {}),
            steps(data, words, heading),
            _outcomes(data, words, heading),
            _notes(words, heading),
            el("p", el("a", "Contents", href="#contents"), class_="back") if number else None,
            class_="text",
        ),
        id=words.place,
        class_="chart",
        aria_labelledby=named if number else "top",
    )


def cite(data: Data) -> Markup:
    """Where a chart comes from: the source with its page, and the chart's id."""
    page = page_words([data["page"]]) if data.get("page") else ""
    source = data["book"].get("source") or data["book"]["title"]
    return sentence([f"Source: {', '.join(filter(None, (source, page)))}", el("code", data["id"])])


def picture(graph: Graph, links: Mapping[str, str], told: str) -> Markup:
    """A drawing with its jumps as links."""
    from refcli.render.draw.picture import svg

    drawn = Markup(svg(graph, links=links, inline=True))
    return el(
        "figure", el("div", drawn, class_="scroll", tabindex=0, role="group", aria_label=told), class_="drawing"
    )


def _outcomes(data: Data, words: Words, heading: str) -> Markup:
    told = [_outcome(end, words, data.get("page", "")) for end in data["outcomes"]]
    return el("section", el(heading, "Outcomes"), el("ul", told, class_="ends"), class_="endings")


def _outcome(end: Data, words: Words, page: str) -> Markup:
    own = end.get("page", "")
    tone = "" if end["tone"] == "plain" else f"{SIGNS[end['tone']]}{end['tone']}"
    aside = sentence([tone, page_words([own]) if own and own != page else ""])
    return el(
        "li",
        el("p", el("b", words.text(end["title"])), " ", el("span", aside, class_="tone"), words.mark(end)),
        el("p", words.text(end["says"])) if end.get("says") else None,
        _effects(end, words),
        [_values(end, *pair) for pair in (("Gives", "gives"), ("From now on", "changes"))],
        [_follows(follows, words) for follows in end.get("then", ())],
        id=words.end(end["id"]),
        class_=end["tone"],
    )


def _effects(end: Data, words: Words) -> Child:
    """What is to be done to the pieces, to be ticked off."""
    effects = end.get("effects", [])
    if not effects:
        return None
    told = []
    for effect in effects:
        condition = f"If {effect['when']}: " if effect.get("when") else None
        box = el("input", type="checkbox", autocomplete="off")
        told.append(el("li", el("label", box, " ", el("span", condition, words.text(effect["do"])))))
    return el("ul", told, class_="effects")


def _values(end: Data, title: str, key: str) -> Child:
    told = [name_words(name) if name_words(name) == value else f"{name_words(name)}: {value}"
            for name, value in end.get(key, {}).items()]  # fmt: skip
    return el("p", f"{title} {' · '.join(told)}", class_="told") if told else None


def _follows(follows: Data, words: Words) -> Markup:
    when = f" if {follows['when']}" if "when" in follows else ""
    return el("p", "Next: ", words.jump(follows["chart"]), when)


def _notes(words: Words, heading: str) -> Child:
    if not words.notes:
        return None
    told = [
        el("li", el("span", f"[{number}] ", class_="note-number"), words.text(note), id=words.note(number))
        for note, number in words.notes.items()
    ]
    return el("section", el(heading, "Notes"), el("ol", told), class_="notes")
