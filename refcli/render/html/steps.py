"""The steps of a chart in HTML: numbered, with modifiers and look-ups as tables, and a link for every way on."""

from typing import Any

from refcli.render.html.build import Child, Markup, el
from refcli.render.html.text import Words
from refcli.render.text import page_words

Data = dict[str, Any]


def steps(data: Data, words: Words, heading: str) -> Markup:
    """All steps under a heading."""
    told = [_step(step, words, data.get("page", "")) for step in data["steps"]]
    return el("section", el(heading, "Steps"), el("ol", told, class_="steps"), class_="walk")


def _step(step: Data, words: Words, page: str) -> Markup:
    run = step.get("run", "")
    own = step.get("page", "")
    cite = el("span", f" ({page_words([own])})", class_="told") if own and own != page else None
    says = [text for text in step.get("says", []) if text.casefold() != step["title"].rstrip("?").casefold()]
    body = [el("p", words.jumping(text, run), class_="says") for text in says]
    number = el("span", str(step["number"]), class_="step-number")
    title = el("p", number, " ", el("b", words.jumping(step["title"], run)), cite, words.mark(step))
    tables = [_modifiers(step, words), _table(step, words)]
    wide = " wide" if step.get("table", {}).get("columns") or len(step.get("modifiers", ())) > 5 else ""
    place = words.step(step["number"])
    return el("li", title, body, tables, _ways(step, words), id=place, class_=step["kind"] + wide)


def _ways(step: Data, words: Words) -> Child:
    """The ways on; going straight to the next step needs no word."""
    edges = step.get("edges", [])
    if len(edges) == 1 and edges[0].get("on", "next") == "next":
        only = edges[0]
        if only["goes"] == f"step {step['number'] + 1}":
            return None
        return el("p", "→ ", words.way(only["to"], only["goes"]), class_="ways")
    told = [
        el("li", el("span", way["words"], class_="on"), " → ", words.way(way["to"], way["goes"])) for way in edges
    ]
    many = " many" if len(told) > 5 else ""
    return el("ul", told, class_=f"ways{many}") if told else None


def _modifiers(step: Data, words: Words) -> Child:
    """What is added, as a table: what for, in which case, how much."""
    modifiers = step.get("modifiers", [])
    if not modifiers:
        return None
    head = el("tr", [el("th", name, scope="col") for name in ("Modifier", "Case", "Counts")])
    return _scrolled(
        el(
            "table",
            el("caption", f"Modifiers of step {step['number']}"),
            el("thead", head),
            [el("tbody", _modifier(modifier, words)) for modifier in modifiers],
            class_="modifiers",
        )
    )


def _modifier(modifier: Data, words: Words) -> list[Markup]:
    label, when = modifier["label"], modifier.get("when", "")
    if when.lower() == label.lower():
        when = ""
    amounts = list(modifier["amounts"].items())
    lone = len(amounts) == 1 and not amounts[0][0]
    aside = el("span", f" if {when}", class_="told") if when and not lone else None
    rows = []
    for at, (key, amount) in enumerate(amounts):
        span = len(amounts) if len(amounts) > 1 else None
        scope = "rowgroup" if span else "row"
        named = el("th", words.text(label), words.mark(modifier), aside, scope=scope, rowspan=span)
        case = (f"if {when}" if when else "") if lone else key
        rows.append(
            el(
                "tr",
                named if at == 0 else None,
                el("td", case),
                el("td", amount, class_="amount" if len(amount) < 20 else None),
            )
        )
    return rows


def _table(step: Data, words: Words) -> Child:
    """A look-up, in rows and columns as in print; a cell that leads on is a link."""
    table = step.get("table", {})
    if not table:
        return None
    named: dict[str, list[str]] = {}
    for target, goes in table.get("ways", {}).items():
        named.setdefault(goes, []).append(target)
    columns = table.get("columns", [])

    def cell(text: str, span: int | None = None) -> Markup:
        targets = named.get(text, ())
        inner = words.way(targets[0], text) if len(targets) == 1 else text
        return el("td", inner, colspan=span if span and span > 1 else None)

    rows = []
    for row in table["rows"]:
        lone = len(row["cells"]) == 1
        cells = [cell(text, len(columns) if lone else None) for text in row["cells"]]
        rows.append(el("tr", el("th", row["on"], scope="row"), cells))
    return _scrolled(
        el(
            "table",
            el("caption", f"Table of step {step['number']}"),
            el("thead", _heads(table, columns)),
            el("tbody", rows),
            class_="look-up",
        )
    )


def _heads(table: Data, columns: list[str]) -> list[Markup]:
    """The heads of a look-up: what gives the row, and what gives the column above the columns."""
    if not columns:
        return [el("tr", el("th", table["row"], scope="col"), el("th", "result", scope="col"))]
    above = el("th", table["column"], scope="colgroup", colspan=len(columns))
    return [
        el("tr", el("th", table["row"], scope="col", rowspan=2), above),
        el("tr", [el("th", name, scope="col") for name in columns]),
    ]


def _scrolled(table: Markup) -> Markup:
    """A table that scrolls by itself where it is wider than the screen."""
    return el("div", table, class_="scroll")
