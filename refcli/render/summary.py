"""A chart or a book on one screen: what is asked, the steps in order, how it can end. Plain lines only."""

from collections.abc import Mapping, Sequence

from refcli.core.chart import Book, Chart
from refcli.render.decks import make_up
from refcli.render.outline import Data, outline
from refcli.render.text import page_words
from refcli.render.words import clean, columns, first_up, heading, name_words, wrap

TONES = {"good": "good", "bad": "bad", "mixed": "mixed", "plain": ""}


class _Notes:
    """Footnotes: each text gets its number where it is first met."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def mark(self, part: Data) -> str:
        """The mark of a part's note, with a space before it; nothing where it has none."""
        note = part.get("note", "")
        return f" [{self.numbers.setdefault(note, len(self.numbers) + 1)}]" if note else ""

    def lines(self, width: int) -> list[str]:
        """All footnotes, in order."""
        if not self.numbers:
            return []
        wide = len(f"[{len(self.numbers)}] ")
        found = ["", heading("Notes")]
        for note, number in self.numbers.items():
            found += wrap(note, width, f"  {f'[{number}] ':<{wide}}")
        return found


def summary_text(chart: Chart, width: int = 80) -> str:
    """A chart to read: what it is, what it asks, its steps, its outcomes, and the notes on its readings.

    Args:
        chart: the chart.
        width: columns that a line may take.

    Returns:
        Lines without a newline at the end.
    """
    data, notes = outline(chart), _Notes()
    lines = _head(data, width)
    lines += _facts(data.get("facts", []), notes, width)
    lines += ["", heading("Steps")]
    for step in data["steps"]:
        lines += _step(step, notes, width)
    lines += ["", heading("Outcomes")]
    for end in data["outcomes"]:
        lines += _outcome(end, notes, width)
    lines += notes.lines(width)
    return "\n".join(lines)


def _head(data: Data, width: int) -> list[str]:
    book = data["book"]
    page = page_words([data["page"]]) if data.get("page") else ""
    lines = wrap(heading(data["title"]), width)
    lines += wrap(" · ".join(filter(None, (book["title"], page, data["id"]))), width)
    if book.get("source"):
        lines += wrap(f"Source: {book['source']}", width)
    return [*lines, *([""] if data.get("summary") else []), *wrap(data.get("summary", ""), width)]


def _facts(facts: Sequence[Data], notes: _Notes, width: int) -> list[str]:
    """What may be asked; house rules apart."""
    lines: list[str] = []
    for title, wanted in (("Questions", False), ("House rules", True)):
        chosen = [fact for fact in facts if fact.get("house_rule", False) is wanted]
        if chosen:
            lines += ["", heading(title)]
        for fact in chosen:
            lines += _fact(fact, notes, width, "  ")
    return lines


def _fact(fact: Data, notes: _Notes, width: int, indent: str) -> list[str]:
    lines = wrap(f"{fact.get('ask', '')}{notes.mark(fact)}", width, indent, indent + "  ")
    inner = indent + "    "
    told = [fact["name"], *([] if "choices" in fact else [fact["answers"]])]
    if "default" in fact:
        told.append(f"default {fact['default']}")
    if "who" in fact:
        told.append(f"ask {fact['who']}")
    if "decides" in fact:
        told.append("free choice")
    lines += wrap(" · ".join(told), width, inner)
    lines += columns(list(fact.get("choices", {}).items()), width, inner)
    lines += wrap(fact.get("help", ""), width, inner)
    for must in fact.get("must", []):
        lines += wrap(f"Always {must['be']}: {must['says']}", width, inner)
    for part in fact.get("fields", []):
        lines += _fact(part, notes, width, inner)
    return lines


def _step(step: Data, notes: _Notes, width: int) -> list[str]:
    number = f"{step['number']:>3}  "
    inner = " " * len(number)
    says = list(step.get("says", []))
    label = step.get("label") or _title(step, says)
    page = f" ({page_words([step['page']])})" if step.get("page") else ""
    lines = wrap(f"{label}{page}{notes.mark(step)}", width, number)
    for text in says:
        lines += wrap(text, width, inner, inner + "  ")
    for modifier in step.get("modifiers", []):
        lines += _modifier(modifier, notes, width, inner)
    lines += _table(step.get("table", {}), width, inner)
    return lines + _edges(step, width, inner)


def _title(step: Data, says: list[str]) -> str:
    """A title for a step without a label: what it does, taken off the lines to come."""
    if step["kind"] == "tally":
        return f"Add up the {name_words(step['id'])}"
    if step["kind"] in ("set", "table") and len(says) > 1:
        return name_words(step["id"]).capitalize()
    words = says.pop(0) if says else name_words(step["id"])
    return first_up(words) + ("?" if step["kind"] == "decide" and not words.endswith("?") else "")


def _modifier(modifier: Data, notes: _Notes, width: int, indent: str) -> list[str]:
    amounts: Mapping[str, str] = modifier["amounts"]
    told = " · ".join(f"{key} {amount}" if key else amount for key, amount in amounts.items())
    when = modifier.get("when", "")
    same = when.lower() == modifier["label"].lower()
    condition = f" (if {when})" if when and not same else ""
    label = modifier["label"]
    text = f"{label}{'' if label.endswith('?') else ':'} {told}{condition}{notes.mark(modifier)}"
    return wrap(text, width, f"{indent}· ", indent + "    ")


def _table(table: Data, width: int, indent: str) -> list[str]:
    """A table, set out in columns where it fits, else a line for each row."""
    if not table:
        return []
    heads, rows = table.get("columns", []), table["rows"]
    if not heads:
        return columns([(row["on"], row["cells"][0]) for row in rows], width, indent)
    grid = [["", *heads]]
    for row in rows:
        # a lone cell fills its row
        cells = row["cells"] if len(row["cells"]) > 1 else row["cells"] * len(heads)
        grid.append([clean(cell) for cell in (row["on"], *cells)])
    wide = [max(len(row[at]) for row in grid) for at in range(len(heads) + 1)]
    if len(indent) + sum(wide) + 2 * len(heads) <= width:
        lines = [indent + "  ".join(f"{cell:{space}}" for cell, space in zip(row, wide, strict=True)) for row in grid]
        return [line.rstrip() for line in lines]
    told = []
    for name, *cells in grid[1:]:
        told.append((name, " · ".join(f"{head}: {cell}" for head, cell in zip(heads, cells, strict=True))))
    return columns(told, width, indent)


def _edges(step: Data, width: int, indent: str) -> list[str]:
    """The ways on; going straight to the next step needs no word."""
    edges = step.get("edges", [])
    if len(edges) == 1 and edges[0].get("on", "next") == "next":
        only = edges[0]["goes"]
        return [] if only == f"step {step['number'] + 1}" else wrap(f"→ {only}", width, indent)
    lines: list[str] = []
    for way in edges:
        lines += wrap(f"{way['words']} → {way['goes']}", width, indent, indent + "    ")
    return lines


def _outcome(end: Data, notes: _Notes, width: int) -> list[str]:
    aside = ", ".join(filter(None, (TONES[end["tone"]], page_words([end["page"]]) if end.get("page") else "")))
    title = f"{end['title']}{f' ({aside})' if aside else ''}{notes.mark(end)}"
    lines = wrap(title, width, "  ")
    lines += wrap(end.get("says", ""), width, "     ")
    for effect in end.get("effects", []):
        condition = f"If {effect['when']}: " if effect.get("when") else ""
        lines += wrap(f"{condition}{effect['do']}", width, "     [ ] ")
    for word, key in (("Gives", "gives"), ("From now on", "changes")):
        told = " · ".join(_value(name_words(name), value) for name, value in end.get(key, {}).items())
        if told:
            lines += wrap(f"{word} {told}", width, "     ", "       ")
    for follows in end.get("then", ()):
        when = f" (if {follows['when']})" if "when" in follows else ""
        lines += wrap(f"Next: {follows['chart']}{when}", width, "     ")
    return lines


def _value(name: str, value: str) -> str:
    """A value that is given; one that keeps its name needs no more words."""
    return name if name == value else f"{name}: {value}"


def book_text(book: Book, charts: Sequence[tuple[str, str, str, str, bool]], width: int = 80) -> str:
    """A book to read: its charts with their summaries, its decks and its glossary.

    Args:
        book: the book.
        charts: id, title, page, summary of each chart, and whether it is listed.
        width: columns that a line may take.
    """
    lines = [*wrap(heading(book.title), width), *wrap(f"Source: {book.source}" if book.source else "", width)]
    for word, wanted in (("Charts", True), ("Charts that serve the others", False)):
        chosen = [entry for entry in charts if entry[4] is wanted]
        if chosen:
            lines += ["", heading(word)]
        for name, title, page, summary, _ in chosen:
            cite = f" ({page_words([page])})" if page else ""
            lines += wrap(f"{title}{cite}", width, "  ", "    ")
            lines += wrap(name, width, "    ")
            lines += wrap(summary, width, "    ")
    if book.decks:
        lines += ["", heading("Decks")]
        told = [(deck.title, ". ".join(filter(None, (make_up(deck), deck.note)))) for deck in book.decks.values()]
        lines += columns(told, width)
    if book.glossary:
        lines += ["", heading("Glossary"), *columns(list(book.glossary.items()), width)]
    return "\n".join(lines)
