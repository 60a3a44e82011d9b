"""A ruling: the outcome of a walk with everything that led to it, as plain data for files and screens."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from refcli.core.fact import Fact
from refcli.core.need import YES, Outcome
from refcli.core.position import noted
from refcli.core.trail import Step
from refcli.core.values import EMPTY, Frozen
from refcli.core.walk import Walk


def ruling(walk: Walk, case: object = None, *, trail: bool = False) -> dict[str, Any]:
    """The ruling of a finished walk.

    Args:
        walk: a walk that has come to its outcome.
        case: the id of the case it rules on; left out when None.
        trail: add the audit trail.

    Returns:
        JSON values only: `chart`, `outcome`, `title`, `says`, `effects` (of every chart that was run, in order),
        `gives`, `changes`, `rolls` and `draws` as they can be fed back, `defaults` (facts whose default was taken),
        `placeholders` (decks of which cards were drawn from a placeholder, left out where there are none),
        `readings` (the notes met, but for those that begin with Likely), `then` where a chart follows, `records`
        where lists were answered (each list with its records as they are at the end, as far as they are known), and
        `trail` on request.
    """
    outcome = walk.need
    if not isinstance(outcome, Outcome):
        raise TypeError("the walk has not ended")
    steps = walk.trail.steps
    defaults = [used.name for step in steps for used in step.used if used.source == "default"]
    return ruling_of(outcome, steps, defaults, case, records=records(walk), trail=trail)


def ruling_of(
    outcome: Outcome,
    steps: Sequence[Step],
    defaults: Iterable[str],
    case: object = None,
    *,
    records: Mapping[str, Any] = EMPTY,
    trail: bool = False,
) -> dict[str, Any]:
    """The ruling of an outcome that these steps led to; see `ruling`."""
    found: dict[str, Any] = {} if case is None else {"id": case}
    found |= {"chart": outcome.chart, "outcome": outcome.id, "title": outcome.title, "says": outcome.says}
    found["effects"] = [effect for step in steps for effect in step.effects]
    found["gives"] = plain(outcome.gives)
    found["changes"] = plain(outcome.changes)
    found["rolls"] = rolls(steps)
    found["draws"] = draws(steps)
    found["defaults"] = list(dict.fromkeys(defaults))
    if stood_in := placeholders(steps):
        found["placeholders"] = stood_in
    notes = dict.fromkeys(note for step in steps for note in step.notes)
    found["readings"] = [note for note in notes if not note.startswith("Likely")]
    if outcome.then:
        found["then"] = outcome.then
    if records:
        found["records"] = plain(records)
    if trail:
        found["trail"] = [step_data(step) for step in steps]
    return found


def records(walk: Walk) -> dict[str, Any]:
    """The lists that a walk and its own chart were answered, by name, with what charts have changed in their records.

    Lists and fields stand in the order in which book and chart name them, whatever was asked first. Lists of the
    charts that it runs are left out. One of the chart's own is called `chart.name` where the book has one of that
    name too.
    """
    lists = walk.records
    for step in walk.trail.steps:
        for slot, value in step.changed:
            lists = noted(lists, slot, value)
    chart = walk.position.frames[0].chart
    found = _in_order({slot.name: value for slot, value in lists.items() if slot.depth < 0}, chart.book.facts)
    own = _in_order({slot.name: value for slot, value in lists.items() if slot.depth == 0}, chart.facts)
    plain_id = chart.id.partition("/")[2]
    return found | {f"{plain_id}.{name}" if name in found else name: value for name, value in own.items()}


def _in_order(lists: Mapping[str, Any], facts: Mapping[str, Fact]) -> dict[str, Any]:
    """Lists in the order of their facts, each record in that of its fields."""
    if not lists:
        return {}
    names = [name for name in facts if name in lists] + [name for name in lists if name not in facts]
    return {name: tuple(_sorted(facts.get(name), record) for record in lists[name]) for name in names}


def _sorted(fact: Fact | None, record: Frozen) -> Frozen:
    fields = fact.fields if fact is not None else ()
    return Frozen({**{one.name: record[one.name] for one in fields if one.name in record}, **record})


def rolls(steps: Iterable[Step]) -> dict[str, Any]:
    """What was rolled, by name: one throw as a number, several as a list in order."""
    thrown: dict[str, list[int]] = {}
    for step in steps:
        if step.kind == "roll":
            thrown.setdefault(step.name, []).extend(step.value if isinstance(step.value, tuple) else [step.value])
    return {name: faces[0] if len(faces) == 1 else faces for name, faces in thrown.items()}


def draws(steps: Iterable[Step]) -> list[dict[str, Any]]:
    """The cards drawn, in order, with the fields that were read off them later."""
    cards: list[dict[str, Any]] = []
    held: dict[tuple[int, str], dict[str, Any]] = {}
    for step in steps:
        if step.kind == "draw":
            cards.append(plain(step.value))
            held[step.depth, step.name] = cards[-1]
        elif step.kind == "given" and (step.depth - 1, step.origin) in held:
            held[step.depth, step.name] = held[step.depth - 1, step.origin]
        for used in step.used:
            card = held.get(used.card[:2]) if used.card else None
            if card is not None and used.card and used.card[2] is not None:
                card.setdefault(used.name, {})[str(used.card[2])] = used.value
            elif card is not None:
                card[used.name] = used.value
    return cards


def placeholders(steps: Iterable[Step]) -> list[str]:
    """The decks of which a card was drawn from a placeholder, not from the real deck; in the order met."""
    return list(dict.fromkeys(step.deck.rpartition("/")[2] for step in steps if step.placeholder))


def step_data(step: Step) -> dict[str, Any]:
    """A step as JSON values; what it has none of is left out."""
    found: dict[str, Any] = {"chart": step.chart, "node": step.node, "kind": step.kind}
    if step.depth:
        found["depth"] = step.depth
    if step.label:
        found["label"] = step.label
    if step.value is not None:
        found["value"] = plain(step.value)
    if step.lines and step.lines[0].op == "start":
        found["start"] = step.lines[0].amount
    modifiers = [{"label": line.label, line.op: line.amount} for line in step.lines if line.op != "start"]
    if modifiers:
        found["modifiers"] = modifiers
    if step.placeholder:
        found["placeholder"] = True
    if step.to:
        found["to"] = step.to
    if step.page:
        found["page"] = step.page
    if step.effects:
        found["effects"] = list(step.effects)
    if step.notes:
        found["notes"] = list(step.notes)
    return found


def means(written: Any, value: Any) -> bool:
    """Whether what an author wrote means a plain value: yes and no by their words, numbers also as text."""
    if isinstance(value, bool):
        return (YES.get(written.strip().lower()) if isinstance(written, str) else written) is value
    if isinstance(value, int):
        return not isinstance(written, bool) and str(written).strip().lstrip("+") == str(value)
    if isinstance(value, dict) and isinstance(written, Mapping):
        return written.keys() == value.keys() and all(means(written[key], value[key]) for key in value)
    if isinstance(value, list) and isinstance(written, list):
        return len(written) == len(value) and all(map(means, written, value))
    return bool(written == value)


def plain(value: Any) -> Any:
    """A value of the walk as JSON values."""
    if isinstance(value, Frozen | Mapping):
        return {key if isinstance(key, str) else str(key): plain(part) for key, part in value.items()}
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    return value
