"""From the outcomes and examples of a file to core parts."""

from typing import Any

from refcli.core.chart import Example, OutcomeNode, Tone
from refcli.core.expr import Expr, Text
from refcli.core.place import Place
from refcli.core.problem import Code
from refcli.load.facts import words
from refcli.load.formulas import Formulas
from refcli.load.scalars import plain
from refcli.load.tree import Scalar

Raw = dict[str, Any]


def make_outcomes(raw: Raw, book_id: str, formulas: Formulas) -> dict[str, OutcomeNode]:
    """The outcomes of a chart; what stands beside them holds for each."""
    gives, changes = _values(raw, "gives", formulas), _values(raw, "changes", formulas)
    made = {}
    for name, written in raw.get("outcomes", ()):
        part = written or {"keys": {}, "bad": {"title"}}
        mine = {**gives, **_values(part, "gives", formulas)}
        changed = {**changes, **_values(part, "changes", formulas)}
        for word in mine.keys() & changed.keys():
            at = _names(raw, "gives") | _names(raw, "changes") | _names(part, "gives") | _names(part, "changes")
            formulas.report.add(Code.NAME_CLASH, at[word], f"outcome '{name.text}' both gives and changes '{word}'")
        made[name.text] = OutcomeNode(
            id=name.text,
            place=name.place,
            title=words(part.get("title")) or name.text,
            tone=Tone(part.get("tone", "plain")),
            says=formulas.text(part.get("says")) or Text("", name.place),
            effects=tuple(_effect(effect, formulas) for effect in part.get("effects", ()) if _is_whole(effect)),
            gives=mine,
            changes=changed,
            then=tuple(_follows(one, book_id, formulas) for one in offers(part)),
            note=words(part.get("note")),
            page=words(part.get("page")),
        )
    return made


def _names(raw: Raw, key: str) -> dict[str, Scalar]:
    """Where each name behind a key stands."""
    return {name.text: name for name, _ in raw.get(key, ())}


def _values(raw: Raw, key: str, formulas: Formulas) -> dict[str, Expr]:
    values = {}
    for name, written in raw.get(key, ()):
        if name.text == "outcome":
            what = "'outcome' cannot be a name here: it is where the chart ended"
            formulas.report.add(Code.BAD_NAME, name, what)
        elif written is not None:
            values[name.text] = formulas.expr(written)
    return values


def offers(part: Raw) -> list[tuple[Scalar | None, Scalar]]:
    """The charts that an outcome offers next, each with its condition as written."""
    then = part.get("then")
    if then is None:
        return []
    if isinstance(then, Scalar):
        return [(None, then)]
    return [(one.get("when"), one["chart"]) for one in then if one is not None and one.get("chart") is not None]


def _follows(offer: tuple[Scalar | None, Scalar], book_id: str, formulas: Formulas) -> tuple[Expr | None, str]:
    when, chart = offer
    full = chart.text if "/" in chart.text else f"{book_id}/{chart.text}"
    return (None if when is None else formulas.expr(when)), full


def _is_whole(effect: Scalar | Raw) -> bool:
    return isinstance(effect, Scalar) or ("when" in effect and "do" in effect)


def _effect(effect: Scalar | Raw, formulas: Formulas) -> tuple[Expr | None, Text]:
    when, text = (None, effect) if isinstance(effect, Scalar) else (formulas.expr(effect["when"]), effect["do"])
    return when, formulas.text(text) or Text("", text.place)


def make_examples(raw: Raw) -> tuple[Example, ...]:
    """The worked examples of a chart, with plain values."""
    made = []
    for number, part in enumerate(raw.get("examples", ()), 1):
        place: Place = part["at"].place
        made.append(
            Example(
                name=words(part.get("name")) or f"example {number}",
                place=place,
                given=_plain(part, "given"),
                rolls=_plain(part, "rolls"),
                draws=tuple(plain(card) for card in part.get("draws", ())),
                outcome=words(part.get("outcome")),
                gives=_plain(part, "gives"),
                says=words(part.get("says")),
            )
        )
    return tuple(made)


def _plain(part: Raw, key: str) -> dict[str, Any]:
    return {name.text: plain(value) for name, value in part.get(key, ()) if value is not None}
