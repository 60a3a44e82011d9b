"""What has been answered on a walk, as a case that answers it again."""

from collections.abc import Iterable
from typing import Any

from refcli.core.deck import Deck
from refcli.core.errors import ReplyError
from refcli.core.fact import Fact, Kind
from refcli.core.need import Ask, Draw, Need, Question, Reply, Roll, Slot, accept
from refcli.core.ruling import placeholders, plain
from refcli.core.struct import Struct
from refcli.core.values import Frozen
from refcli.core.walk import Walk
from refcli.drivers.names import dotted, shared_names


class Entry(Struct):
    """A need and the reply that was taken."""

    need: Need
    reply: Reply


def answers_of(walk: Walk, entries: Iterable[Entry]) -> dict[str, Any]:
    """The case that brings a new walk as far: `given`, `rolls`, `draws` and `placeholders`, what is empty left out.

    A fact that may be asked again is given as a list, so that only the times answered so far are answered. Fields
    of a record stand in its list, fields of a card in its draw.
    """
    made = _Answers(shared_names(walk.position.frames[0].chart))
    for entry in entries:
        made.take(entry)
    found = {"given": made.given, "rolls": made.rolls, "draws": made.draws}
    found["placeholders"] = placeholders(walk.trail)
    return {key: value for key, value in found.items() if value}


class _Answers:
    """A case being written."""

    def __init__(self, shared: set[str]) -> None:
        self.shared = shared
        self.given: dict[str, Any] = {}
        self.rolls: dict[str, Any] = {}
        self.draws: list[dict[str, Any]] = []
        self.lists: dict[tuple[int, str], list[dict[str, Any]]] = {}
        self.drawn: list[Draw] = []

    def take(self, entry: Entry) -> None:
        """Write down one reply."""
        need = entry.need
        try:
            value = accept(need, entry.reply)
        except ReplyError:  # it was taken once, so this cannot be; and losing all the rest would be worse
            return
        match need:
            case Ask():
                for key, answer in value.items():
                    question = need.question(key)
                    if question is not None:
                        self.answer(question, answer)
            case Roll():
                faces = list(value) if isinstance(value, tuple) else [value]
                name = dotted(need.chart, need.name)[-2] if need.name in self.shared else need.name
                self.rolls.setdefault(name, []).extend(faces)
            case Draw():
                self.draws.append(_card(value))
                self.drawn.append(need)

    def answer(self, question: Question, value: Any) -> None:
        """Write down one answer where it belongs."""
        slot = question.slot
        records = self.lists.get((slot.depth, slot.name))
        if slot.record is not None and records is not None:
            records[slot.record][slot.field] = plain(value)
            return
        if slot.record is None and slot.field and (card := self.card(question)) is not None:
            if slot.column is None:
                card[slot.field] = plain(value)
            else:
                card.setdefault(slot.field, {})[str(slot.column)] = plain(value)
            return
        self.fact(question, slot, plain(value))

    def fact(self, question: Question, slot: Slot, value: Any) -> None:
        """Write down an answer under the fact's own name."""
        name = question.names[-1]
        if name in self.shared:
            name = question.names[max(0, len(question.names) - 2)]
        if question.fact.kind is Kind.LIST:
            self.lists[(slot.depth, slot.name)] = value
        once = slot.depth <= 0 and slot.record is None and not slot.field
        if once and name == question.names[-1]:
            self.given[name] = value
        else:
            self.given.setdefault(name, []).append(value)

    def card(self, question: Question) -> dict[str, Any] | None:
        """The last card drawn under that name, else of a deck with that field."""
        fact, name = question.fact, question.slot.name
        fits = [i for i, draw in enumerate(self.drawn) if _has(draw.deck, fact)]
        named = [i for i in fits if self.drawn[i].name == name]
        index = next(iter(reversed(named or fits)), None)
        return None if index is None else self.draws[index]


def _has(deck: Deck, fact: Fact) -> bool:
    """Whether a fact is a field of this deck, looked at in whatever column."""
    field = deck.fields.get(fact.name)
    return field is not None and field.at(fact.column) is fact


def _card(value: Frozen) -> dict[str, Any]:
    card: dict[str, Any] = plain(value)
    return card
