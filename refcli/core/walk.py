"""The walk: `start` it, see what is `pending`, `advance` it with a reply.

Rule 1: only this file and `step.py` make a new Position. Rule 2: nothing here knows who replies.

A walk is a value. Advancing makes a new one and leaves the old one standing, so undo is the previous walk, and
the same replies always give the same walk. Between two needs the walk runs by itself: every node that can be
worked out from what is known is passed.
"""

from collections.abc import Mapping
from typing import Any

from refcli.core.chart import Chart
from refcli.core.errors import LimitError, ReplyError
from refcli.core.expr import MAX_NUMBER
from refcli.core.fact import Fact
from refcli.core.need import Ask, Need, Outcome, Question, Reply, Slot, accept, read_answer
from refcli.core.position import Frame, Position, noted, origin_of, put
from refcli.core.problem import did_you_mean
from refcli.core.scope import Missing, Record, Scope, UnknownError
from refcli.core.step import Machine
from refcli.core.struct import Struct, replace
from refcli.core.trail import Trail
from refcli.core.values import EMPTY, Frozen

MAX_STEPS = 10_000
"""The most steps one walk may take."""


class Walk(Struct):
    """A point of a walk: where it stands and how it came there.

    `position` alone decides the future. `trail` is for people. `need` follows from the position. `sources` tells
    how each known fact was answered, `seen` which facts the trail has told of already; `records` are the lists that
    were answered, with all that was answered about their records.
    """

    position: Position
    trail: Trail
    need: Need
    sources: Frozen = EMPTY
    seen: frozenset[Slot] = frozenset()
    records: Frozen = EMPTY

    _uncompared = frozenset({"sources", "seen", "records"})


def start(chart: Chart, given: Mapping[str, Any] | None = None, *, house_rules: bool = False) -> Walk:
    """A walk at the start of the chart, run on to its first need.

    Args:
        chart: the chart to walk.
        given: answers known beforehand, by the name of a fact of the chart or of its book.
        house_rules: ask the facts marked as house rules; else their defaults hold.

    Raises:
        ReplyError: an answer does not fit, or there is no such fact.
        WalkError: the walk cannot go on.
    """
    own: dict[str, Any] = {}
    shared: dict[str, Any] = {}
    for name, raw in (given or {}).items():
        fact = chart.fact(name)
        if fact is None:
            hint = did_you_mean(name, [*chart.facts, *sorted(chart.reads & chart.book.facts.keys())])
            raise ReplyError(f"{chart.title} has no fact '{name}'; {hint}".removesuffix("; "), None, name)
        (own if name in chart.facts else shared)[name] = read_answer(fact, raw, None, name)
    frame = Frame(chart, chart.start, Frozen(own))
    records = EMPTY
    for depth, answers in ((0, own), (-1, shared)):
        for name, value in answers.items():
            records = noted(records, Slot(depth, name), value)
    return _settle(Position((frame,), Frozen(shared), house_rules), Trail(), EMPTY, frozenset(), records)


def pending(walk: Walk) -> Need:
    """What the walk needs next: an Ask, a Roll, a Draw, or the Outcome it has come to."""
    return walk.need


def advance(walk: Walk, reply: Reply, source: str = "asked") -> Walk:
    """The walk with the reply taken, run on to its next need. The old walk stands.

    Args:
        walk: a walk that needs something.
        reply: for an Ask a mapping from question keys to answers (some or all of them), for a Roll its total or
            the faces of its pool, for a Draw a mapping from the card's fields to values.
        source: how the reply was come by, for the trail: 'asked', 'given', 'default', 'rolled', 'drawn', or
            'placeholder' for a card drawn from the placeholder of its deck.

    Raises:
        ReplyError: the reply does not fit; the walk is unharmed.
        WalkError: the walk cannot go on.
    """
    need = walk.need
    value = accept(need, reply)
    position, sources, records = walk.position, walk.sources, walk.records
    if isinstance(need, Ask):
        for key, answer in value.items():
            question = need.question(key)
            if question is not None:
                slot: Slot | None = question.slot
                while slot is not None:  # a field read off a card that was handed over is read off the caller's too
                    position = put(position, slot, answer)
                    sources = sources.put(slot, source)
                    slot = origin_of(position, slot)
                records = noted(records, question.slot, answer)
        return _settle(position, walk.trail, sources, walk.seen, records)
    machine = Machine(position, walk.trail, sources, walk.seen)
    machine.take(value, source)
    return _settle(*machine.state, records)


def _settle(position: Position, trail: Trail, sources: Frozen, seen: frozenset[Slot], records: Frozen) -> Walk:
    """Run on until something is needed."""
    while True:
        machine = Machine(position, trail, sources, seen)
        need: Need | None = None
        try:
            while (need := machine.step()) is None or machine.trail.length > MAX_STEPS:
                if machine.trail.length > MAX_STEPS:
                    raise LimitError("steps", MAX_STEPS, machine.where)
        except UnknownError as unknown:
            asked = _ask(machine, unknown.missing)
            if isinstance(asked, Ask):
                need = asked
            else:
                position, trail, sources, seen = machine.state
                position = put(position, asked[0], asked[1])
                sources = sources.put(asked[0], "default")
                records = noted(records, *asked)
                continue
        position, trail, sources, seen = machine.state
        if not isinstance(need, Outcome):
            position = position.trimmed()
        return Walk(position, trail, need, sources, seen, records)


def _ask(machine: Machine, missing: list[Missing]) -> Ask | tuple[Slot, Any]:
    """The form for missing facts; or, for a house rule that is not played, its slot and default."""
    wanted = list({item.slot: item for item in missing}.values())
    free = [item for item in wanted if not item.fact.decides]
    wanted = free or wanted[:1]
    questions: dict[Slot, Question] = {}
    for item in wanted:
        try:
            default = _default(machine, item)
        except UnknownError as unknown:
            before = [other for other in unknown.missing if other.slot not in {w.slot for w in wanted}]
            if before:
                asked = _ask(machine, before)
                if isinstance(asked, Ask):
                    behind = (_question(machine, one) for one in wanted)
                    asked = replace(asked, behind=(*asked.behind, *behind))
                return asked
            default = None
        if item.fact.house_rule and not machine.position.house_rules and default is not None:
            return item.slot, default
        questions[item.slot] = _question(machine, item, default)
    frame = machine.position.top
    return Ask(tuple(questions.values()), frame.chart.id, frame.node, frame.chart.title)


def _question(machine: Machine, item: Missing, default: Any = None) -> Question:
    """The question for a missing fact; about a record with what the rules of its list read of it."""
    slot = item.slot
    owner: Fact | None = None
    known = EMPTY
    if slot.record is not None:
        scope, place = machine.scope, Slot(slot.depth, slot.name)
        listed = scope.fact_of(place)
        reads = frozenset().union(*(must.be.reads for must in listed.must))
        if slot.field in reads:
            owner, known = listed, scope.stored(place)[slot.record].only(reads)
    return Question(question_key(item), item.fact, slot, item.chart, item.subject, default, owner, known)


def question_key(item: Missing) -> str:
    """How a question is called in replies: `fact`, `list[2].field`, `card.field` or `card.field(7)`."""
    slot = item.slot
    if slot.record is not None:
        return f"{slot.name}[{slot.record + 1}].{slot.field}"
    if slot.field:
        return f"{slot.name}.{slot.field}" + (f"({slot.column})" if slot.column is not None else "")
    return slot.name


def _default(machine: Machine, item: Missing) -> Any:
    fact: Fact = item.fact
    if fact.default is None:
        return None
    slot = item.slot
    inner = (Record(Slot(slot.depth, slot.name, slot.record)),) if slot.record is not None else ()
    depth = slot.depth if slot.depth >= 0 else len(machine.position.frames) - 1
    value = fact.default(Scope(machine.position, depth, {}, inner))
    if isinstance(value, int) and not isinstance(value, bool):
        low = -MAX_NUMBER if fact.low is None else fact.low
        value = max(low, min(value, MAX_NUMBER if fact.high is None else fact.high))
    return value
