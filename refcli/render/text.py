"""A finished walk as text for people: the ruling first, then how it came about, then what it rests on.

Plain lines in every terminal, pipe and screen reader; nothing here prints.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from refcli.core import chart as c
from refcli.core.expr import Expr
from refcli.core.fact import Fact
from refcli.core.need import Outcome
from refcli.core.records import shown_name
from refcli.core.trail import Line, Step, Used
from refcli.core.values import Frozen
from refcli.core.walk import Walk
from refcli.render.decks import spread
from refcli.render.words import clean, expr_words, first_up, heading, name_words, number, signed, value_words, wrap

TIMES = {"multiply": "×", "divide": "÷"}


def ruling_text(walk: Walk, trail: bool = False, width: int = 80) -> str:
    """The ruling of a finished walk.

    Args:
        walk: a walk that has come to its outcome.
        trail: tell every step; else only what was added up, and how each man or vehicle of a list fared.
        width: columns that a line may take.

    Returns:
        Lines without a newline at the end. Signs such as − and → are used freely; see `words.showable`.
    """
    outcome = walk.need
    if not isinstance(outcome, Outcome):
        raise TypeError("the walk has not ended")
    steps = walk.trail.steps
    story = Story(walk.position.frames[0].chart, width)
    lines = [heading(outcome.title), *wrap(outcome.says, width)]
    for subject, task in _tasks(steps):
        lines += wrap(f"{subject}: {task}" if subject else task, width, "[ ] ")
    if outcome.then:
        lines += wrap(f"Next: {outcome.then}", width)
    why = list(story.whole(fold(steps)) if trail else story.short(fold(steps)))
    if why:
        lines += ["", "Why", *why]
    if trail:
        lines += story.handed_on(outcome)
    lines += _foundations(story, steps, trail)
    return "\n".join(lines)


def _tasks(steps: Iterable[Step]) -> Iterator[tuple[str, str]]:
    """What is to be done at the table, in order, each with the man or vehicle it concerns."""
    subjects: dict[int, str] = {}
    for step in steps:
        subjects = {depth: subject for depth, subject in subjects.items() if depth < step.depth}
        if step.kind == "record":
            subjects[step.depth] = shown_name(step.label)
        who = first_up(", ".join(filter(None, subjects.values())))
        if step.kind == "do":
            yield who, str(step.value)
        yield from ((who, effect) for effect in step.effects)


@dataclass(slots=True)
class Run:
    """One run of a chart: its steps, the runs it made itself in their place, and its outcome.

    `subject` is the record it was run for.
    """

    depth: int
    chart: str = ""
    subject: str = ""
    items: "list[Step | Run]" = field(default_factory=list)
    end: Step | None = None


def fold(steps: Iterable[Step]) -> Run:
    """The steps of a trail as runs within runs."""
    root = Run(0)
    open_runs = [root]
    subject = ""
    for step in steps:
        while len(open_runs) - 1 < step.depth:
            inner = Run(len(open_runs), subject=subject)
            subject = ""
            open_runs[-1].items.append(inner)
            open_runs.append(inner)
        run = open_runs[-1]
        run.chart = step.chart
        if step.kind == "outcome" and step.depth:
            run.end = step
            open_runs.pop()
        elif step.kind == "record":
            subject = step.label
        else:
            run.items.append(step)
    return root


class Story:
    """Tells a walk of `chart`; it knows every chart that can be run."""

    def __init__(self, chart: c.Chart, width: int) -> None:
        self.charts = dict(_within(chart))
        self.width = width

    def line(self, text: str, depth: int) -> list[str]:
        """A line, indented by the depth of its run."""
        indent = "  " * (depth + 1)
        return wrap(text, self.width, indent, indent + "  ")

    def short(self, run: Run) -> Iterator[str]:
        """What was added up, and one line for every record and chart that was run."""
        for item in run.items:
            if isinstance(item, Step):
                if item.kind == "tally":
                    yield from self.line(self.tally(item), run.depth)
                continue
            yield from self.line(self.header(item), run.depth)
            if not item.subject:
                yield from self.short(item)

    def whole(self, run: Run) -> Iterator[str]:
        """Every step."""
        for item in run.items:
            if isinstance(item, Run):
                yield from self.line(self.header(item, whole=True), run.depth)
                yield from self.whole(item)
                continue
            yield from self.line(self.told(item), run.depth)
            if item.used:
                yield from self.line(f"({self.used(item)})", run.depth + 1)

    def header(self, run: Run, *, whole: bool = False) -> str:
        """Whom or which chart a run was about, and how it ended."""
        chart = self.charts.get(run.chart)
        what = first_up(shown_name(run.subject)) or (chart.title if chart else run.chart)
        brief = self.brief(run) if run.subject and not whole else ""
        what = f"{what}: {brief}" if brief else what
        return f"{what} → {run.end.label}" if run.end else what

    def brief(self, run: Run) -> str:
        """What decided about a record, as short as can be: the cards and rolls, and what was added up first."""
        parts: list[str] = []
        total = ""
        for step in run.items:
            if not isinstance(step, Step):
                continue
            if step.kind in ("draw", "given") and isinstance(node := self.node(step), c.DrawNode):
                parts.append(self.card(node, step.value).split(", ")[0])
            elif step.kind == "roll":
                parts.append(self.told(step).rpartition(": ")[2])
            elif step.kind == "tally" and not total:
                total = value_words(step.value)
        return " · ".join(filter(None, (*parts, total)))

    def told(self, step: Step) -> str:
        """One step."""
        node = self.node(step)
        match step.kind:
            case "do":
                return f"Do: {step.value}"
            case "tally":
                return self.tally(step)
            case "decide" if isinstance(node, c.DecideNode):
                return _asked(step.label or expr_words(node.test), value_words(step.value, expr=node.test))
            case "roll":
                thrown = value_words(step.value) if step.value != () else "no dice"
                return f"{step.label or f'Roll {self.dice(step)}'}: {thrown}"
            case "draw" | "given" if isinstance(node, c.DrawNode):
                card = self.card(node, step.value)
                return _asked(step.label or f"Draw {name_words(node.name)}", card) if card else step.label or "Draw"
            case "set" if isinstance(step.value, Frozen):
                made = " · ".join(_made(node, name, value) for name, value in step.value.items())
                return f"{step.label}: {made}" if step.label else made
            case "table" if isinstance(node, c.TableNode):
                found = self.target(step) if step.value is None else value_words(step.value)
                return _asked(step.label or expr_words(node.row), found)
            case "each" if isinstance(node, c.EachNode):
                return f"{step.label or f'Each of {name_words(node.records)} in turn'}: {step.value}"
            case "outcome":
                return f"→ {step.label}"
        return _asked(step.label or name_words(step.name or step.node), value_words(step.value))

    def tally(self, step: Step) -> str:
        """What was added up, as one line: `die 4 · Troops or tracked +2 · bogged −1 → 5`."""
        node = self.node(step)
        parts = [f"{line.label} {_amount(line)}" for line in step.lines if line.op != "start"]
        if isinstance(node, c.TallyNode) and node.start is not None and step.lines:
            name = "" if node.start.is_constant else f"{expr_words(node.start)} "
            parts.insert(0, f"{name}{number(step.lines[0].amount)}")
        total = value_words(step.value)
        cap = _cap(node, step)
        told = " · ".join(filter(None, parts)) or "nothing to add"
        return f"{step.label + ': ' if step.label else ''}{told} → {cap}{total}"

    def card(self, node: c.DrawNode, card: Any) -> str:
        """A card as it was when it was drawn."""
        if not isinstance(card, Frozen):
            return ""
        parts = []
        for name, value in card.items():
            told = value_words(value, node.deck.fields.get(name))
            parts.append(told if isinstance(value, str) else f"{name_words(name)} {told}")
        return ", ".join(parts)

    def deck(self, step: Step) -> str:
        """The deck that a card was drawn from, with its placeholder."""
        node = self.node(step)
        return f"{node.deck.title} ({spread(node.deck)})" if isinstance(node, c.DrawNode) else step.deck

    def dice(self, step: Step) -> str:
        """The dice of a roll."""
        node = self.node(step)
        return str(node.dice) if isinstance(node, c.RollNode) else name_words(step.name)

    def used(self, step: Step) -> str:
        """The facts that a step was the first to read; those answered by default apart."""
        known: dict[bool, dict[str, None]] = {False: {}, True: {}}
        for used in step.used:
            known[used.source == "default"][self.fact(step.chart, used)] = None
        parts = (" · ".join(known[False]), f"by default {' · '.join(known[True])}" if known[True] else "")
        return "; ".join(filter(None, parts))

    def fact(self, chart_id: str, used: Used) -> str:
        """A fact with its answer."""
        return f"{name_words(used.name)} {value_words(used.value, find_fact(self.charts.get(chart_id), used.name))}"

    def is_taken(self, chart_id: str, used: Used) -> bool:
        """Whether a default was taken where somebody could have been asked."""
        fact = find_fact(self.charts.get(chart_id), used.name)
        return used.source == "default" and (fact is None or fact.asked)

    def target(self, step: Step) -> str:
        """Where a step led, in words."""
        chart = self.charts.get(step.chart)
        end = chart.outcomes.get(step.to) if chart else None
        return end.title if end else name_words(step.to)

    def node(self, step: Step) -> c.Node | None:
        """The node of a step."""
        chart = self.charts.get(step.chart)
        return chart.nodes.get(step.node) if chart else None

    def handed_on(self, outcome: Outcome) -> list[str]:
        """What the outcome gives and changes."""
        lines = []
        for word, values in (("Gives", outcome.gives), ("From now on", outcome.changes)):
            chart = self.charts.get(outcome.chart)
            told = [f"{name_words(name)} {value_words(v, find_fact(chart, name))}" for name, v in values.items()]
            if told:
                lines += wrap(f"{word}: {' · '.join(told)}", self.width, "", "  ")
        return ["", *lines] if lines else []


def _within(chart: c.Chart) -> Iterator[tuple[str, c.Chart]]:
    yield chart.id, chart
    for inner in chart.charts.values():
        yield from _within(inner)


def find_fact(chart: c.Chart | None, name: str) -> Fact | None:
    """The fact of that name in sight of a chart: its own, its book's, a record's or a card's."""
    if chart is None:
        return None
    found = chart.fact(name)
    if found is not None:
        return found
    facts = [*chart.facts.values(), *chart.book.facts.values()]
    fields = [part for fact in facts for part in fact.fields]
    fields += [part for deck in chart.book.decks.values() for part in deck.fields.values()]
    return next((part for part in fields if part.name == name), None)


def _cap(node: c.Node | None, step: Step) -> str:
    """Tells that a total was held within its cap: `at most 10: `."""
    cap = node.cap if isinstance(node, c.TallyNode) else None
    if cap is None or any(line.op in TIMES for line in step.lines):
        return ""
    total = sum(line.amount for line in step.lines)
    if total == step.value:
        return ""
    return f"{number(total)}, {'at most' if total > step.value else 'at least'} "


def _amount(line: Line) -> str:
    return f"{TIMES[line.op]} {number(line.amount)}" if line.op in TIMES else signed(line.amount)


def _asked(question: str, answer: str) -> str:
    """A question and its answer on one line."""
    return f"{question} {answer}" if question.endswith("?") else f"{question}: {answer}"


def _made(node: c.Node | None, name: str, value: Any) -> str:
    expr: Expr | None = dict(node.values).get(name) if isinstance(node, c.SetNode) else None
    return f"{name_words(name)} {value_words(value, expr=expr)}"


def _foundations(story: Story, steps: Sequence[Step], trail: bool) -> list[str]:
    """Cards that were none of the real deck, the defaults taken, the readings met, and the sources."""
    width, lines = story.width, []
    if titles := dict.fromkeys(story.deck(step) for step in steps if step.placeholder):
        told = f"Cards were drawn from a placeholder, not the real deck: {' · '.join(titles)}"
        lines += wrap(told, width, "", "  ")
    met = ((step.chart, used) for step in steps for used in step.used)
    defaults = dict.fromkeys(story.fact(chart_id, used) for chart_id, used in met if story.is_taken(chart_id, used))
    if defaults:
        lines += wrap(f"Default{'s' if len(defaults) > 1 else ''} used: {' · '.join(defaults)}", width, "", "  ")
    notes = dict.fromkeys(note for step in steps for note in step.notes if trail or not note.startswith("Likely"))
    if notes:
        lines.append("Readings:")
        for note in notes:
            lines += wrap(note, width, "  - ")
    for source, pages in sources(story.charts, steps).items():
        lines += wrap(f"Source: {', '.join(filter(None, (source, page_words(pages))))}", width, "", "  ")
    return ["", *lines] if lines else []


def sources(charts: Mapping[str, c.Chart], steps: Iterable[Step]) -> dict[str, list[str]]:
    """The sources a walk rests on, each with its pages, in the order met."""
    found: dict[str, list[str]] = {}
    for step in steps:
        chart = charts.get(step.chart)
        if chart is not None:
            pages = found.setdefault(chart.book.source or chart.book.title, [])
            pages += [page for page in (chart.page, step.page) if page and page not in pages]
    return found


def page_words(pages: Sequence[str]) -> str:
    """Pages as they are cited: `page 3`, `pages 3, 6`, or the headings they stand under."""
    numbers = [page for page in pages if page[:1].isdigit()]
    others = [clean(page) for page in pages if page not in numbers]
    if numbers:
        many = len(numbers) > 1 or not numbers[0].isdigit()
        others.insert(0, f"page{'s' if many else ''} {', '.join(numbers)}")
    return "; ".join(others)
