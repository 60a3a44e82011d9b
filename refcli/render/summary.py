"""A chart or a book on one screen: what is asked, the steps in order, how it can end. Plain lines only."""

import textwrap
from collections.abc import Mapping, Sequence
from itertools import zip_longest

from refcli.core.chart import Book, Chart
from refcli.render.cites import page_beside
from refcli.render.decks import make_up
from refcli.render.footnotes import footnotes
from refcli.render.outline import Data, outline
from refcli.render.text import page_words
from refcli.render.words import clean, columns, heading, name_words, wrap

TONES = {"good": "good", "bad": "bad", "mixed": "mixed", "plain": ""}


class _Notes:
    """The marks of footnotes."""

    def __init__(self, data: Data) -> None:
        self.numbers = footnotes(data)

    def mark(self, part: Data) -> str:
        """The mark of a part's note, with a space before it; nothing where it has none."""
        note = part.get("note", "")
        return f" [{self.numbers[note]}]" if note else ""


Titles = Mapping[str, tuple[str, str]]


def summary_text(chart: Chart, width: int = 80, titles: Titles | None = None) -> str:
    """A chart to read: what it is, what it asks, its steps, its outcomes, and the notes on its readings.

    Args:
        chart: the chart.
        width: columns that a line may take.
        titles: title and page of every chart that can be jumped to, by id.

    Returns:
        Lines without a newline at the end.
    """
    data = outline(chart)
    jumps = {name: _jump(name, *told) for name, told in (titles or {}).items()}
    notes = _Notes(data)
    lines = head_lines(data, width)
    lines += _facts(data.get("facts", []), notes, width)
    lines += ["", heading("Steps")]
    for step in data["steps"]:
        lines += _step(step, notes, jumps, width)
    lines += ["", heading("Outcomes")]
    for end in data["outcomes"]:
        lines += _outcome(end, notes, jumps, width)
    lines += note_lines(notes.numbers, width)
    return "\n".join(lines)


def head_lines(data: Data, width: int, *, summary: bool = True) -> list[str]:
    """What a chart is called, where it comes from, and what it is for."""
    book = data["book"]
    page = page_words([data["page"]]) if data.get("page") else ""
    lines = wrap(heading(data["title"]), width)
    lines += wrap(" · ".join(filter(None, (book["title"], page, data["id"]))), width)
    if book.get("source"):
        lines += wrap(f"Source: {book['source']}", width)
    told = wrap(data.get("summary", ""), width) if summary else []
    return [*lines, "", *told] if told else lines


def note_lines(numbers: Mapping[str, int], width: int) -> list[str]:
    """Footnotes by their numbers, below a heading; nothing where there are none."""
    if not numbers:
        return []
    lines = ["", heading("Notes")]
    wide = len(f"[{max(numbers.values())}] ")
    for note, number in numbers.items():
        lines += wrap(note, width, f"  {f'[{number}] ':<{wide}}")
    return lines


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


def _jump(name: str, title: str, page: str) -> str:
    """A chart to go to: its title, its page, and what it is called by."""
    return f"{title} ({', '.join(filter(None, (page_beside(title, page), name)))})"


def _step(step: Data, notes: _Notes, jumps: Mapping[str, str], width: int) -> list[str]:
    number = f"{step['number']:>3}  "
    inner = " " * len(number)
    page = f" ({page_words([step['page']])})" if step.get("page") else ""
    run = step.get("run", "")
    title, *says = [
        text.replace(run, jumps.get(run, run)) if run else text for text in (step["title"], *step.get("says", ()))
    ]
    lines = wrap(f"{title}{page}{notes.mark(step)}", width, number)
    for text in says:
        lines += wrap(text, width, inner, inner + "  ")
    lines += _modifiers(step.get("modifiers", []), notes, width, inner)
    lines += _table(step.get("table", {}), width, inner)
    return lines + _edges(step, width, inner)


def _modifiers(modifiers: Sequence[Data], notes: _Notes, width: int, indent: str) -> list[str]:
    """The modifiers of a sum as a table: what counts, and beside it how much."""
    rows: list[tuple[str, str]] = []
    for modifier in modifiers:
        label, when = modifier["label"], modifier.get("when", "")
        if when and when.lower() != label.lower():
            label += f" (if {when})"
        label += notes.mark(modifier)
        amounts: Mapping[str, str] = modifier["amounts"]
        if list(amounts) == [""]:
            rows.append((label, amounts[""]))
        else:
            rows += [(label, ""), *((f"  {key}", amount) for key, amount in amounts.items())]
    right = min(max((len(amount) for _, amount in rows), default=0), width // 4)
    left = min(max((len(label) for label, _ in rows), default=0), width - len(indent) - right - 2)
    lines: list[str] = []
    for label, amount in rows:
        beside = len(label) - len(label.lstrip())
        *above, last = wrap(label.strip(), left if amount else width - len(indent), " " * beside, " " * beside + "  ")
        first, *below = wrap(amount, right) or [""]
        lines += [*above, f"{last:{left}}  {first}".rstrip(), *(" " * (left + 2) + more for more in below)]
    return [indent + line for line in lines]


def _table(table: Data, width: int, indent: str) -> list[str]:
    """A table, set out in columns where these fit, else a line for each row."""
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
    wide = _widths(grid, width - len(indent) - 2 * len(heads))
    if wide:
        return [indent + line for row in grid for line in _row(row, wide)]
    told = []
    for name, *cells in grid[1:]:
        told.append((name, " · ".join(f"{head}: {cell}" for head, cell in zip(heads, cells, strict=True))))
    return columns(told, width, indent)


def _widths(grid: Sequence[Sequence[str]], room: int) -> list[int]:
    """The widths of a table's columns, the widest made narrower until all fit; nothing where words would be cut."""
    wide = [max(map(len, column)) for column in zip(*grid, strict=True)]
    least = [max(len(word) for cell in column for word in (*cell.split(), "")) for column in zip(*grid, strict=True)]
    while sum(wide) > room:
        spare = [width if width > low else 0 for width, low in zip(wide, least, strict=True)]
        if not any(spare):
            return []
        wide[spare.index(max(spare))] -= 1
    return wide


def _row(row: Sequence[str], wide: Sequence[int]) -> list[str]:
    """A row of a table in lines."""
    cells = [textwrap.wrap(cell, max(space, 1)) for cell, space in zip(row, wide, strict=True)]
    lines = zip_longest(*cells, fillvalue="")
    return ["  ".join(f"{cell:{space}}" for cell, space in zip(line, wide, strict=True)).rstrip() for line in lines]


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


def _outcome(end: Data, notes: _Notes, jumps: Mapping[str, str], width: int) -> list[str]:
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
        lines += wrap(f"Next: {jumps.get(follows['chart'], follows['chart'])}{when}", width, "     ", "       ")
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
            cite = page_beside(title, page)
            lines += wrap(f"{title} ({cite})" if cite else title, width, "  ", "    ")
            lines += wrap(name, width, "    ")
            lines += wrap(summary, width, "    ")
    if book.decks:
        lines += ["", heading("Decks")]
        told = [(deck.title, ". ".join(filter(None, (make_up(deck), deck.note)))) for deck in book.decks.values()]
        lines += columns(told, width)
    if book.glossary:
        lines += ["", heading("Glossary"), *columns(list(book.glossary.items()), width)]
    return "\n".join(lines)
