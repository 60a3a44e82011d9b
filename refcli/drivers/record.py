"""What has been answered on a walk, as a case that answers it again."""

from collections.abc import Iterable, Sequence
from typing import Any

from refcli.core.errors import ReplyError
from refcli.core.fact import Kind
from refcli.core.need import Ask, Draw, Need, Question, Reply, Roll, Slot, accept
from refcli.core.ruling import placeholders, plain
from refcli.core.struct import Struct
from refcli.core.trail import Step
from refcli.core.values import Frozen
from refcli.core.walk import Walk
from refcli.drivers.names import dotted, shared_names


class Entry(Struct):
    """A need and the reply that was taken, when the trail had so many steps."""

    need: Need
    reply: Reply
    steps: int = 0


def answers_of(walk: Walk, entries: Iterable[Entry]) -> dict[str, Any]:
    """The case that brings a new walk as far: `given`, `rolls`, `draws` and `placeholders`, what is empty left out.

    A fact that may be asked again is given as a list, so that only the times answered so far are answered. Fields
    of a record stand in its list, fields of a card in its draw.
    """
    made = _Answers(shared_names(walk.position.frames[0].chart), walk.trail.steps)
    for entry in entries:
        made.take(entry)
    found = {"given": made.given, "rolls": made.rolls, "draws": made.draws}
    found["placeholders"] = placeholders(walk.trail)
    return {key: value for key, value in found.items() if value}


class _Answers:
    """A case being written."""

    def __init__(self, shared: set[str], steps: Sequence[Step]) -> None:
        self.shared = shared
        self.steps = steps
        self.given: dict[str, Any] = {}
        self.rolls: dict[str, Any] = {}
        self.draws: list[dict[str, Any]] = []
        self.lists: dict[tuple[int, str], list[dict[str, Any]]] = {}
        self.passed = self.drawn = 0
        self.held: dict[tuple[int, str], int] = {}

    def take(self, entry: Entry) -> None:
        """Write down one reply."""
        need = entry.need
        self.follow(entry.steps)
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

    def follow(self, steps: int) -> None:
        """Follow the trail so far: which draw the card of each name is by then, handed over or not."""
        for step in self.steps[self.passed : steps]:
            if step.kind == "draw":
                self.held[step.depth, step.name] = self.drawn
                self.drawn += 1
            elif step.kind == "given" and (step.depth - 1, step.origin) in self.held:
                self.held[step.depth, step.name] = self.held[step.depth - 1, step.origin]
        self.passed = max(self.passed, steps)

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
        """The card of that name, as it was drawn."""
        index = self.held.get((question.slot.depth, question.slot.name))
        return self.draws[index] if index is not None and index < len(self.draws) else None


def _card(value: Frozen) -> dict[str, Any]:
    card: dict[str, Any] = plain(value)
    return card
