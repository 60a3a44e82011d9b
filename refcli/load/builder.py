"""From the marked tree of a chart to `Chart`, in two passes: `declare` what is there, then `finish` what it means.

Between the two the charts that it runs are finished, so that their results have types.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from refcli.core import types as t
from refcli.core.chart import Chart, DrawNode, EachNode, Example, OutcomeNode, RollNode, RunNode
from refcli.core.parts import Part, exprs_of
from refcli.core.place import Place
from refcli.core.problem import Code, Problem, Severity
from refcli.core.struct import Struct
from refcli.load import flow
from refcli.load.books import MadeBook
from refcli.load.defaults import check_defaults, closed, reads_of_defaults
from refcli.load.edges import Declared
from refcli.load.facts import Facts, words
from refcli.load.formulas import Formulas
from refcli.load.inference import Called
from refcli.load.language import FILES
from refcli.load.musts import check_musts, reads_of_musts
from refcli.load.nodes import NodeMaker
from refcli.load.outcomes import make_examples, make_outcomes, offers
from refcli.load.report import Report
from refcli.load.resolve import Resolver
from refcli.load.sights import ChartSight, FactSight
from refcli.load.tree import Entries, Items, Scalar, Tree


class Draft(Struct, eq=False):
    """A chart whose parts are declared, and not yet looked at closely."""

    id: str
    tree: Entries
    report: Report
    raw: dict[str, Any]
    made_book: MadeBook
    formulas: Formulas
    facts: Facts
    declared: Declared
    outcomes: Mapping[str, OutcomeNode]
    examples: tuple[Example, ...]

    @property
    def runs(self) -> list[tuple[Scalar, str]]:
        """The charts that it runs, by full id, each where it is written."""
        return self.declared.runs

    @property
    def offers(self) -> list[tuple[Scalar, str]]:
        """The charts that its outcomes offer next."""
        found: list[tuple[Scalar, str]] = []
        for name, written in self.raw.get("outcomes", ()):
            if written is not None:
                full = (chart for _, chart in self.outcomes[name.text].then)
                found += zip((at for _, at in offers(written)), full, strict=True)
        return found


class Built(Struct, eq=False):
    """A chart that has been worked through: whole, or None with the reasons among its `problems`."""

    chart: Chart | None
    called: Called | None
    problems: tuple[Problem, ...]


def declare(chart_id: str, tree: Entries, report: Report, made_book: MadeBook) -> Draft:
    """First pass: every part of the file by itself."""
    raw: dict[str, Any] = FILES["chart"].read(tree, None, report)
    book = made_book.book
    formulas = Formulas(report)
    facts = Facts(raw.get("facts", ()), book.facts, formulas)
    maker = NodeMaker(book.id, book.decks, made_book.broken_decks, formulas)
    declared = maker.make_all(raw.get("nodes", []))
    outcomes = make_outcomes(raw, book.id, formulas)
    draft = Draft(chart_id, tree, report, raw, made_book, formulas, facts, declared, outcomes, make_examples(raw))
    _check_names(draft)
    return draft


def _check_names(draft: Draft) -> None:
    """One name for one thing."""
    report, declared, book = draft.report, draft.declared, draft.made_book.book
    report.check_slots({*draft.facts.made, *book.facts, *declared.makers})
    for name, _ in draft.raw.get("outcomes", ()):
        if name.text in declared.names:
            line = declared.names[name.text].place.line
            what = f"'{name.text}' is both an outcome and a node (line {line})"
            report.add(Code.NAME_CLASH, name, what, mend="rename one")
            declared.whole = False
    for word, makers in list(declared.makers.items()):
        fact = draft.facts.made.get(word) or book.facts.get(word)
        if fact is not None:
            where = f"line {fact.place.line}" if fact.place.file == draft.tree.source.file else "of the book"
            what = f"'{word}' is made here, but it is a fact already ({where})"
            report.add(Code.NAME_CLASH, makers[0][1], what, mend="give it another name")
            del declared.makers[word]
            declared.whole = False
    pool = next((node for node in declared.nodes.values() if isinstance(node, RollNode) and node.pool), None)
    if pool is not None and "die" in declared.makers:
        what = "'die' cannot be a name in a chart with a pool: there it means one die"
        report.add(Code.BAD_NAME, declared.makers["die"][0][1], what)
    elif pool is not None and ("die" in draft.facts.made or "die" in book.facts):
        what = "'die' means one die in a pool, but there is a fact of that name"
        report.add(Code.BAD_NAME, declared.names[pool.id], what, mend="rename the fact")


def finish(draft: Draft, built: Mapping[str, Built | None]) -> Built:
    """Second pass: what all names, edges and expressions mean. `built` holds the charts that it runs."""
    book, facts, report = draft.made_book.book, draft.facts, draft.report
    broken = facts.broken | (draft.made_book.broken_facts - facts.made.keys())
    broken |= _lost_words(draft) - {*facts.made, *book.facts}
    called = {full: one.called if (one := built.get(full)) is not None else None for _, full in draft.runs}
    check_defaults(facts, FactSight(facts.made, book.facts, broken))
    check_musts(facts)
    sight = ChartSight(facts.made, book.facts, broken, lambda: _more_words(draft, called))
    known = {**book.facts, **facts.made}
    if draft.declared.names:
        Resolver(draft.raw, draft.declared, draft.outcomes, known, sight, draft.formulas, called).run()
    _check_examples(draft)
    fields = _result_fields(draft)
    nodes, outcomes = draft.declared.nodes, draft.outcomes
    rolling = frozenset(full for full, one in called.items() if one is not None and one.rolls)
    if draft.declared.whole and nodes and outcomes:
        for problem in flow.check_graph(nodes, next(iter(nodes)), outcomes, rolling):
            report.put(problem)
    problems = tuple(sorted(report.problems, key=lambda p: (p.place.line, p.place.column)))
    if any(problem.severity is Severity.ERROR for problem in problems):
        return Built(None, None, problems)
    me = _called(draft, called, fields, sight)
    charts = {full: one.chart for full, one in built.items() if one is not None and one.chart is not None}
    if any(full not in charts for _, full in draft.runs):
        return Built(None, me, problems)
    return Built(_chart(draft, charts, called, me, sight), me, problems)


def _lost_words(draft: Draft) -> set[str]:
    """What nodes that could not be read may have called something: their words raise no complaint elsewhere."""
    lost = [name for name, node in draft.raw.get("nodes", ()) if node is None]
    nodes = draft.tree.pairs["nodes"][1] if lost else None
    if not isinstance(nodes, Entries):
        return set()
    return {word for name in lost for word in (name.text, *_words_in(nodes.pairs[name.text][1]))}


def _words_in(tree: Tree) -> Iterator[str]:
    """All keys and single values of a part of a file."""
    if isinstance(tree, Scalar):
        yield tree.text
    elif isinstance(tree, Items):
        yield from (word for part in tree.parts for word in _words_in(part))
    elif isinstance(tree, Entries):
        yield from tree.pairs
        yield from (word for _, part in tree.pairs.values() for word in _words_in(part))


def _more_words(draft: Draft, called: Mapping[str, Called | None]) -> list[str]:
    """Outcomes of the charts that are run, choices on cards."""
    found = [word for one in called.values() if one is not None for word in one.outcomes]
    for deck in draft.made_book.book.decks.values():
        found += [choice.key for fact in deck.fields.values() for choice in fact.choices]
    return found


def _check_examples(draft: Draft) -> None:
    """Examples end in an outcome of the chart."""
    targets: dict[str, Place] = {name.text: name.place for name, _ in draft.raw.get("outcomes", ())}
    for part in draft.raw.get("examples", ()):
        outcome = part.get("outcome")
        if outcome is not None and outcome.text not in targets and targets:
            what = f"there is no outcome '{outcome.text}'"
            draft.report.unknown(Code.UNKNOWN_TARGET, outcome, outcome.text, what, targets)


def _result_fields(draft: Draft) -> dict[str, t.Type]:
    """The types of what every outcome gives."""
    fields: dict[str, t.Type] = {"outcome": t.Word(frozenset(draft.outcomes))}
    parts = [{**outcome.gives, **outcome.changes} for outcome in draft.outcomes.values()]
    for name in parts[0] if parts else ():
        if all(name in part for part in parts):
            kind = t.join(part[name].type for part in parts)
            if kind is None:
                expr = next(p[name] for p in parts if t.join((p[name].type, parts[0][name].type)) is None)
                what = f"'{name}' is {expr.type} here and {parts[0][name].type} in another outcome"
                draft.report.put(Problem(Code.TYPE, expr.place, what, width=len(expr.text)))
            fields[name] = kind or t.ANYTHING
    return fields


def _called(
    draft: Draft, called: Mapping[str, Called | None], fields: Mapping[str, t.Type], sight: ChartSight
) -> Called:
    """What the chart is to those that run it."""
    declared, own, book = draft.declared, draft.facts.made, draft.made_book.book
    reads: set[str] = set()
    inner: set[str] = set()
    shared: dict[str, t.Type] = {}
    parts: list[Part] = [*declared.nodes.values(), *draft.outcomes.values()]
    for part in parts:
        for expr in exprs_of(part):
            reads |= expr.reads
            inner |= expr.inner
        if isinstance(part, EachNode):
            reads.add(part.records)
        one = called.get(part.chart_id) if isinstance(part, RunNode) else None
        if one is not None and isinstance(part, RunNode):
            reads |= one.reads - part.given.keys()
            inner |= one.inner
            shared |= {name: kind for name, kind in one.shared.items() if name not in part.given}
    every = closed(frozenset(reads), reads_of_defaults({**book.facts, **own}))
    outside = every - own.keys() - declared.makers.keys()
    for name in outside:
        if name in book.facts:
            shared[name] = sight.type_of(name) or t.ANYTHING
    shared = {name: kind for name, kind in shared.items() if name not in own}
    takes = dict(shared)
    for node in declared.nodes.values():
        if isinstance(node, RollNode | DrawNode) and node.name:
            takes[node.name] = sight.made.get(node.name, t.ANYTHING)
    takes |= {name: t.type_of_fact(fact) for name, fact in own.items()}
    title = words(draft.raw.get("title")) or draft.id
    rolling = frozenset(full for full, one in called.items() if one is not None and one.rolls)
    rolls = flow.always_rolls(declared.nodes, next(iter(declared.nodes), ""), rolling)
    cards: dict[str, set[str]] = {}

    def needed(node: RunNode) -> frozenset[str]:
        one = called[node.chart_id]
        return one.needs(node) if one is not None else frozenset()

    for part in parts:
        for word in flow.uses_of(part, needed):
            name, _, field = word.partition(".")
            if field and isinstance(takes.get(name), t.Card):
                cards.setdefault(name, set()).add(field)
    return Called(
        title, tuple(draft.outcomes), fields, shared, takes, outside, frozenset(inner), rolls,
        {name: frozenset(fields) for name, fields in cards.items()},
    )  # fmt: skip


def _chart(
    draft: Draft, charts: Mapping[str, Chart], called: Mapping[str, Called | None], me: Called, sight: ChartSight
) -> Chart:
    """The chart itself."""
    raw, declared, book = draft.raw, draft.declared, draft.made_book.book

    def reads(node: RunNode) -> frozenset[str]:
        one = called[node.chart_id]
        return frozenset() if one is None else one.needs(node)

    facts = {**book.facts, **draft.facts.made}
    defaults, musts = reads_of_defaults(facts), reads_of_musts(facts)
    live = flow.live(declared.nodes, draft.outcomes, reads)
    return Chart(
        id=draft.id,
        title=words(raw.get("title")),
        page=words(raw.get("page")),
        summary=words(raw.get("summary")),
        place=draft.tree.place,
        book=book,
        facts=draft.facts.made,
        nodes=declared.nodes,
        start=next(iter(declared.nodes)),
        outcomes=draft.outcomes,
        examples=draft.examples,
        charts={full: charts[full] for _, full in draft.runs},
        live={name: closed(closed(names, defaults), musts) for name, names in live.items()},
        reads=frozenset(me.shared),
        made=dict(sight.made),
        text=draft.tree.source.text,
    )
