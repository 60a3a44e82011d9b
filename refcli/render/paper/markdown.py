"""Charts as GitHub-flavoured Markdown: to read beside the code, and to compare from one version to the next.

Everything that a chart says goes through `esc`, so that it stays text: no markup, no HTML, no new cell of a table.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from refcli.render.edition import Edition, Page
from refcli.render.graph import Graph
from refcli.render.paper.printed import Pieces, printed

Data = dict[str, Any]
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;", "$": "&#36;", "`": "&#96;", "@": "&#64;<!-- -->"}
_SIGN = re.compile(r"[\\*_\[\]~&<>|$`@]|(?<=\w):(?=//)|(?<=www)\.|#(?=#*$)", re.IGNORECASE)
_START = re.compile(r"^(?:\+(?=\s|$)|#(?=[#\s]|$)|[-=:](?=[-=:\s]|$)|(\d+)(?=[.)](?:\s|$)))")


def markdown(edition: Edition, *, paper: str = "a4") -> str:
    """An edition as one Markdown text; `paper` makes no difference to it."""
    told = printed(edition)
    lines = list(_book_head(told, edition)) if told["whole"] else []
    depth = 2 if told["whole"] else 1
    for chart, page in zip(told["charts"], edition.pages, strict=True):
        lines += _chart(chart, page, told, depth)
    for title, key in (("Decks", "decks"), ("Glossary", "glossary")):
        if told[key]:
            lines += [f"{'#' * 2} {title}", "", *(f"- **{esc(word)}**: {esc(says)}" for word, says in told[key]), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def esc(text: str) -> str:
    """Text of a chart as Markdown that says just that, wherever it stands: in a line, a cell, a link or a heading."""

    def safe(found: re.Match[str]) -> str:
        sign = found[0]
        return _ENTITIES.get(sign) or f"\\{sign}"

    text = " ".join(text.split())
    start = _START.match(text)
    if start is None:
        return _SIGN.sub(safe, text)
    if start[1] is not None:
        return f"{start[1]}\\{_SIGN.sub(safe, text[start.end() :])}"
    return f"\\{start[0]}{_SIGN.sub(safe, text[1:])}"


def _anchor(name: str) -> str:
    return f'<a id="{name}"></a>'


def _link(text: str, anchor: str) -> str:
    return f"[{esc(text)}](#{anchor})" if anchor else esc(text)


def _pieces(pieces: Pieces) -> str:
    """Pieces of a text; a space at the edge of one stays."""
    told = []
    for text, anchor in pieces:
        left, right = (" " if text[:1] == " " else ""), (" " if text[-1:] == " " else "")
        told.append(f"{left}{_link(text, anchor)}{right}")
    return "".join(told)


def _mark(part: Data, chart: Data) -> str:
    """The mark of a footnote, with a space before it."""
    if not part["mark"]:
        return ""
    (name,) = [name for number, _, name in chart["notes"] if number == part["mark"]]
    return f" [\\[{part['mark']}\\]](#{name})"


def _drawing(graph: Graph) -> list[str]:
    """The graph as a block that GitHub draws; its fence is longer than any run of backticks inside."""
    from refcli.render.draw.mermaid import mermaid_of

    text = mermaid_of(graph).rstrip("\n")
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}mermaid", *text.split("\n"), fence, ""]


def _book_head(told: Data, edition: Edition) -> Iterator[str]:
    yield f"# {esc(told['title'])}"
    yield ""
    if told["source"]:
        yield f"Source: {esc(told['source'])}"
        yield ""
    yield "## Contents"
    yield ""
    for title, listed in (("", True), ("Charts that serve the others:", False)):
        charts = [chart for chart in told["charts"] if chart["listed"] is listed]
        if charts and title:
            yield title
            yield ""
        for chart in charts:
            page = f" ({esc(chart['beside'])})" if chart["beside"] else ""
            summary = f": {esc(chart['summary'])}" if chart["summary"] else ""
            yield f"- {_link(chart['title'], chart['anchor'])}{page}{summary}"
        if charts:
            yield ""
    if edition.map is not None:
        yield "## Map"
        yield ""
        yield from _drawing(edition.map)


def _chart(chart: Data, page: Page, told: Data, depth: int) -> Iterator[str]:
    top, below = "#" * depth, "#" * (depth + 1)
    yield f"{top} {_anchor(chart['anchor'])}{esc(chart['title'])}"
    yield ""
    yield " · ".join(filter(None, (esc(chart["book"]), esc(chart["page"]), esc(chart["id"]))))
    yield ""
    if told["source"] and not told["whole"]:
        yield f"Source: {esc(told['source'])}"
        yield ""
    if chart["summary"]:
        yield esc(chart["summary"])
        yield ""
    yield from _drawing(page.graph)
    for group in chart["questions"]:
        yield f"{below} {group['title']}"
        yield ""
        yield from _table(["Question", "Answers", "Name"], [_question(fact, chart) for fact in group["facts"]])
    yield f"{below} Steps"
    yield ""
    for step in chart["steps"]:
        yield from _step(step, chart)
    yield f"{below} Outcomes"
    yield ""
    for end in chart["outcomes"]:
        yield from _outcome(end, chart)
    if chart["notes"]:
        yield f"{below} Notes"
        yield ""
        for number, note, name in chart["notes"]:
            yield f"- {_anchor(name)}\\[{number}\\] {esc(note)}"
        yield ""


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A table of cells that are Markdown already."""
    yield f"| {' | '.join(heads)} |"
    yield f"|{' --- |' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""


def _question(fact: Data, chart: Data) -> list[str]:
    told = [f"{'↳ ' * fact['level']}{esc(fact['ask'])}{_mark(fact, chart)}", *map(esc, fact["help"])]
    answers = [" · ".join(map(esc, fact["answers"]))]
    if fact["aside"]:
        answers.append(f"*{esc(fact['aside'])}*")
    return ["<br>".join(told), "<br>".join(answers), esc(fact["name"])]


def _step(step: Data, chart: Data) -> Iterator[str]:
    """A step as an item of a numbered list; what belongs to it is indented below it."""
    page = f" ({esc(step['page'])})" if step["page"] else ""
    yield f"{step['number']}. {_anchor(step['anchor'])}**{_pieces(step['title'])}**{page}{_mark(step, chart)}"
    inner = list(_inside(step, chart))
    while inner and not inner[-1]:
        inner.pop()
    indent = " " * (len(str(step["number"])) + 2)
    yield from (f"{indent}{line}" if line else "" for line in (["", *inner] if inner else []))
    yield ""


def _inside(step: Data, chart: Data) -> Iterator[str]:
    for line in step["says"]:
        yield _pieces(line)
        yield ""
    if step["modifiers"]:
        rows = (row for modifier in step["modifiers"] for row in _modifier(modifier, chart))
        heads = ["Modifier", "Amount", "If"] if any(m["when"] for m in step["modifiers"]) else ["Modifier", "Amount"]
        yield from _table(heads, (row[: len(heads)] for row in rows))
    if step["table"]:
        yield from _lookup(step["table"])
    for words, goes, name in step["ways"]:
        yield f"- {esc(words)} → {_link(goes, name)}" if words else f"→ {_link(goes, name)}"
    yield ""


def _modifier(modifier: Data, chart: Data) -> Iterator[list[str]]:
    """The rows of a modifier: one, or one for each key that is looked up."""
    label = f"{esc(modifier['label'])}{_mark(modifier, chart)}"
    amounts = modifier["amounts"]
    if len(amounts) == 1 and not amounts[0][0]:
        yield [label, esc(amounts[0][1]), esc(modifier["when"])]
        return
    told = [f"{esc(key)} {esc(amount)}".strip() for key, amount in amounts]
    yield [label, "<br>".join(told), esc(modifier["when"])]


def _lookup(table: Data) -> Iterator[str]:
    """A look-up in the shape that players know; a lone cell is repeated, as Markdown knows no wide cells."""
    wide = max(1, len(table["columns"]))
    corner = esc(table["row"]) + (f" \\\\ {esc(table['column'])}" if table["column"] else "")
    rows = []
    for row in table["rows"]:
        cells = row["cells"] if len(row["cells"]) > 1 else row["cells"] * wide
        rows.append([esc(row["on"]), *(_link(text, name) for text, name in cells)])
    yield from _table([corner, *(map(esc, table["columns"]) if table["columns"] else ["Result"])], rows)


def _outcome(end: Data, chart: Data) -> Iterator[str]:
    aside = ", ".join(filter(None, (end["tone"], esc(end["page"]))))
    told = f" ({aside})" if aside else ""
    yield f"**{_anchor(end['anchor'])}{esc(end['title'])}**{told}{_mark(end, chart)}"
    yield ""
    if end["says"]:
        yield esc(end["says"])
        yield ""
    for when, do in end["effects"]:
        yield f"- [ ] {esc(when)} {esc(do)}" if when else f"- [ ] {esc(do)}"
    if end["effects"]:
        yield ""
    for word, values in end["values"]:
        yield f"{word} {esc(values)}"
        yield ""
    for pieces in end["then"]:
        yield f"Next: {_pieces(pieces)}"
        yield ""
