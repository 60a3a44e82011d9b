"""A chart as plain data for files and pages: its questions, its steps with every way on, its outcomes.

JSON values only, in the chart's own order, with both names (for machines) and words (for people).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from refcli.core import chart as c
from refcli.core.expr import Expr
from refcli.core.fact import Fact, Kind
from refcli.core.parts import Part, exprs_of
from refcli.core.runner import kind_of
from refcli.core.tally import plain_label
from refcli.render.words import (
    expr_words,
    fact_of,
    first_up,
    name_words,
    number,
    pattern_words,
    range_words,
    signed,
    text_words,
)

Data = dict[str, Any]
_OPS = {c.Op.ADD: "", c.Op.MULTIPLY: "× ", c.Op.DIVIDE: "÷ "}


def outline(chart: c.Chart) -> Data:
    """The chart as data.

    Returns:
        `id`, `title`, `page`, `summary`, `book`, `facts`, `steps`, `outcomes`, `examples` (their names) and `runs`
        (the charts it calls). A step has its `number` from 1, `id`, `kind`, `says` (lines in words) and `edges`, each
        with `on`, `words` and `to`, and `band` where numbers are meant. Keys that say nothing are left out.
    """
    book = chart.book
    numbers = {name: at for at, name in enumerate(chart.nodes, 1)}
    shared = [fact for name, fact in book.facts.items() if name in _asked(chart) and name not in chart.facts]
    return _filled(
        id=chart.id,
        title=chart.title,
        page=chart.page,
        summary=chart.summary,
        book={"id": book.id, "title": book.title, "source": book.source},
        facts=[fact_data(fact) for fact in (*chart.facts.values(), *shared)],
        steps=[_step(chart, node, numbers) for node in chart.nodes.values()],
        outcomes=[_outcome(node) for node in chart.outcomes.values()],
        examples=[example.name for example in chart.examples],
        runs=list(dict.fromkeys(node.chart_id for node in chart.nodes.values() if isinstance(node, c.RunNode))),
    )


def _asked(chart: c.Chart) -> set[str]:
    """The facts that a walk may ask for by themselves: what only records of a list answer is told with the list."""
    names = {name for name in chart.reads if chart.fact(name) is not None}
    nodes: list[Part] = [*chart.nodes.values(), *chart.outcomes.values()]
    if any(isinstance(node, c.RunNode) and not isinstance(node, c.EachNode) for node in nodes):
        return names
    own = {name for node in nodes for expr in exprs_of(node) for name in expr.reads}
    lists = [fact for name in names if (fact := chart.fact(name)) is not None and fact.fields]
    return names - ({part.name for fact in lists for part in fact.fields} - own)


def _filled(**parts: Any) -> Data:
    """A mapping without the keys that say nothing."""
    return {key: value for key, value in parts.items() if value not in ("", None, [], {}) and value is not False}


def fact_data(fact: Fact) -> Data:
    """A fact as data: `name`, `ask`, `kind`, its legal answers, and who answers it."""
    return _filled(
        name=fact.name,
        ask=fact.ask,
        kind=fact.kind.value,
        answers=answers(fact),
        choices={choice.key: choice.label for choice in fact.choices},
        low=fact.low,
        high=fact.high,
        noun=fact.noun,
        fields=[fact_data(part) for part in fact.fields],
        size=fact.many if fact.size != Fact.size else "",
        must=[{"be": expr_words(must.be), "says": must.says} for must in fact.must],
        default=_default(fact),
        who=fact.who,
        decides=fact.decides,
        house_rule=fact.house_rule,
        shared=fact.shared,
        help=fact.help,
        note=fact.note,
    )


def answers(fact: Fact) -> str:
    """The legal answers in words."""
    match fact.kind:
        case Kind.YES_NO:
            return "yes or no"
        case Kind.NUMBER:
            return range_words(fact.low, fact.high)
        case Kind.CHOICE:
            return ", ".join(choice.key for choice in fact.choices)
        case Kind.LIST:
            size = f", {fact.many} of them" if fact.size != Fact.size else ""
            return f"a list, one line for each {fact.noun or 'one'}{size}"
        case Kind.TEXT:
            return "any text"


def _default(fact: Fact) -> str:
    default = fact.default
    if default is None:
        return ""
    if default.is_constant:
        return pattern_words(default.tree[1], fact) if not isinstance(default.tree[1], int) else _value(default)
    return expr_words(default)


def _value(expr: Expr) -> str:
    value = expr.tree[1]
    return ("yes" if value else "no") if isinstance(value, bool) else number(value)


def _step(chart: c.Chart, node: c.Node, numbers: Mapping[str, int]) -> Data:
    says = list(_says(node))
    return _filled(
        number=numbers[node.id],
        id=node.id,
        kind=kind_of(node),
        title=text_words(node.label) or _title(node, says),
        says=says,
        run=node.chart_id if isinstance(node, c.RunNode) else "",
        modifiers=[_modifier(modifier) for modifier in node.modifiers] if isinstance(node, c.TallyNode) else [],
        table=_table(chart, node, numbers) if isinstance(node, c.TableNode) else {},
        edges=[_edge(chart, node, case, numbers) for case in node.go.cases],
        note=node.note,
        page=node.page,
    )


def _title(node: c.Node, says: list[str]) -> str:
    """A title for a node without a label: what it does, taken off what it says."""
    if isinstance(node, c.TallyNode):
        return f"Add up the {name_words(node.id)}"
    if isinstance(node, c.SetNode | c.TableNode) and len(says) > 1:
        return first_up(name_words(node.id))
    words = says.pop(0) if says else name_words(node.id)
    return first_up(words) + ("?" if isinstance(node, c.DecideNode) and not words.endswith("?") else "")


def _edge(chart: c.Chart, node: c.Node, case: c.Case, numbers: Mapping[str, int]) -> Data:
    found = edge(chart, case.target, numbers, case.key, _on(node, case))
    if isinstance(case.pattern, c.Band):
        found["band"] = [case.pattern.low, case.pattern.high]
    return found


def edge(chart: c.Chart, target: str, numbers: Mapping[str, int], key: str, words: str = "") -> Data:
    """One way on: `on` what, in which `words`, `to` which node or outcome, and that in words as `goes`."""
    end = chart.outcomes.get(target)
    goes = end.title if end is not None else f"step {numbers.get(target, '?')}"
    return _filled(on=key, words=words or name_words(key), to=target, goes=goes)


def _on(node: c.Node, case: c.Case) -> str:
    if case.key == "next":
        return ""
    return pattern_words(case.pattern, fact_of(node.test) if isinstance(node, c.DecideNode) else None)


def _says(node: c.Node) -> Iterator[str]:
    """What a node does, in words."""
    match node:
        case c.DoNode():
            yield text_words(node.text)
        case c.DecideNode():
            yield expr_words(node.test)
        case c.SetNode():
            for name, expr in node.values:
                yield f"{name_words(name)}: {expr_words(expr)}"
        case c.TallyNode():
            yield from _says_tally(node)
        case c.RollNode():
            yield from _says_roll(node)
        case c.DrawNode():
            yield f"Draw a card: {node.deck.title}"
        case c.TableNode():
            by = expr_words(node.row) + (f" and {expr_words(node.column)}" if node.column is not None else "")
            yield f"Look up {by}" + (f" to find {name_words(node.name)}" if node.name else "")
        case c.RunNode():
            yield from _says_run(node)


def _says_tally(node: c.TallyNode) -> Iterator[str]:
    if node.start is not None:
        yield f"Start with {expr_words(node.start)}"
    if node.cap is not None:
        low, high = node.cap.low, node.cap.high
        least = f"at least {number(low)}" if low is not None else ""
        most = f"at most {number(high)}" if high is not None else ""
        yield f"The total is {' and '.join(filter(None, (least, most)))}"


def _says_roll(node: c.RollNode) -> Iterator[str]:
    if node.pool is None:
        yield f"Roll {node.dice}" + (f" for {name_words(node.name)}" if node.name else "")
        return
    yield f"Roll {expr_words(node.pool)} dice ({node.dice})"
    for name, test in node.counts:
        yield f"{name_words(name)}: count those with {expr_words(test)}"


def _says_run(node: c.RunNode) -> Iterator[str]:
    if isinstance(node, c.EachNode):
        only = f" where {expr_words(node.when)}" if node.when is not None else ""
        yield f"For each of {name_words(node.records)}{only}, play {node.chart_id}"
        if node.until is not None:
            yield f"Stop when {expr_words(node.until)}"
    else:
        yield f"Play {node.chart_id}"
    for name, expr in node.given.items():
        yield f"with {name_words(name)}: {expr_words(expr)}"


def _modifier(modifier: c.Modifier) -> Data:
    """A line of a tally; `amounts` in words, by the key looked up where there is one."""
    fact = fact_of(modifier.by)
    label = text_words(modifier.label)
    if modifier.by is None:
        label = label or plain_label(modifier, None)
        amounts = {"": amount(modifier.op, modifier.amounts[0][1])}
    else:
        label = label or (fact.ask if fact is not None else expr_words(modifier.by))
        amounts = {pattern_words(pattern, fact): amount(modifier.op, expr) for pattern, expr in modifier.amounts}
    return _filled(
        label=label,
        when=expr_words(modifier.when) if modifier.when is not None else "",
        amounts=amounts,
        note=modifier.note,
    )


def amount(op: c.Op, expr: Expr) -> str:
    """What a modifier does: `+2`, `− front armour`, `× 2`."""
    if op is not c.Op.ADD:
        return _OPS[op] + expr_words(expr)
    if expr.is_constant:
        return signed(int(expr.tree[1]))
    words = expr_words(expr)
    return f"− {words[1:]}" if words.startswith("−") else f"+ {words}"


def _table(chart: c.Chart, node: c.TableNode, numbers: Mapping[str, int]) -> Data:
    """A table: column heads, each row's cells in words, and the `ways` on that cells name, by target."""

    def cell(value: str | int) -> str:
        return number(value) if isinstance(value, int) else str(edge(chart, value, numbers, value)["goes"])

    by = fact_of(node.row)
    words = [value for row in node.rows for value in row.cells if isinstance(value, str)]
    return _filled(
        row=expr_words(node.row),
        column=expr_words(node.column) if node.column is not None else "",
        columns=[pattern_words(pattern, fact_of(node.column)) for pattern, _ in node.columns],
        rows=[{"on": pattern_words(row.pattern, by), "cells": list(map(cell, row.cells))} for row in node.rows],
        ways={value: cell(value) for value in words},
    )


def _follows(when: Expr | None, chart: str) -> Data:
    return {"chart": chart} if when is None else {"chart": chart, "when": expr_words(when)}


def _outcome(node: c.OutcomeNode) -> Data:
    return _filled(
        id=node.id,
        title=node.title,
        tone=node.tone.value,
        says=text_words(node.says),
        effects=[
            _filled(when=expr_words(when) if when is not None else "", do=text_words(text))
            for when, text in node.effects
        ],
        gives={name: expr_words(expr) for name, expr in node.gives.items()},
        changes={name: expr_words(expr) for name, expr in node.changes.items()},
        then=[_follows(when, chart) for when, chart in node.then],
        note=node.note,
        page=node.page,
    )
