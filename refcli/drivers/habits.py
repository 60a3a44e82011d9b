"""What need not be asked one by one: what is offered, taken all at once, or settled for all that follow."""

from typing import Any

from refcli.core.need import Ask, Question
from refcli.core.struct import Struct
from refcli.core.walk import Walk
from refcli.drivers.memory import Memory, Place, kind_of, place_of

SAME = ("=", "answers as for the one before, for all that follow too")
TAKE = (("d", "takes what is offered here, all at once"), ("D", "does so from now on"))


class Settled(Struct):
    """Answers by question key that need not be asked; `how` they came about, and the source of the reply."""

    answers: dict[str, Any]
    how: str
    source: str


class Habits:
    """What a player has settled, and what he is offered.

    `memory` are his earlier answers; `takes` tells that he takes whatever is offered, from now on.
    """

    def __init__(self) -> None:
        self.memory = Memory()
        self.takes = False
        self._same: dict[Place, Any] = {}
        self._before: dict[Place, Any] = {}

    def mark(self) -> Any:
        """What is settled by now."""
        return self.takes, dict(self._same), dict(self._before)

    def rewind(self, mark: Any) -> None:
        """Be as at that mark again."""
        self.takes, same, before = mark
        self._same, self._before = dict(same), dict(before)

    def offer(self, walk: Walk, question: Question) -> tuple[Any, str]:
        """The player's own earlier answer to a question and where it comes from; None without one."""
        return self.memory.offer(place_of(walk, question), question.fact) or (None, "")

    def usual(self, walk: Walk, need: Ask) -> dict[str, tuple[Any, str]]:
        """What is offered at the questions of a form, each with where it comes from (empty: the chart)."""
        found: dict[str, tuple[Any, str]] = {}
        for question in need.questions:
            value, origin = self.offer(walk, question)
            if value is not None or question.default is not None:
                found[question.key] = (question.default if value is None else value, origin)
        return found

    def words(self, walk: Walk, need: Ask) -> tuple[tuple[str, str], ...]:
        """The words that act at a form's questions, each with what it does."""
        again = any(kind_of(walk, q) in self._before for q in need.questions if _is_of_one(q))
        return (*((SAME,) if again else ()), *(TAKE if self.usual(walk, need) else ()))

    def obey(self, word: str, walk: Walk, need: Ask) -> Settled | None:
        """What a word makes of a form's questions; None where it makes nothing."""
        if word != "=":
            self.takes = self.takes or word == "D"
            return self.taken(walk, need)
        for question in need.questions:
            kind = kind_of(walk, question)
            if _is_of_one(question) and kind in self._before:
                self._same[kind] = self._before[kind]
        return self.same(walk, need)

    def same(self, walk: Walk, need: Ask) -> Settled | None:
        """The answers that are settled to be as for the one before."""
        kinds = {question.key: kind_of(walk, question) for question in need.questions if _is_of_one(question)}
        answers = {key: self._same[kind] for key, kind in kinds.items() if kind in self._same}
        return Settled(answers, "as before", "asked") if answers else None

    def taken(self, walk: Walk, need: Ask) -> Settled | None:
        """What is offered, taken."""
        usual = self.usual(walk, need)
        answers = {key: value for key, (value, _) in usual.items()}
        mine = any(origin for _, origin in usual.values())
        return Settled(answers, "taken", "asked" if mine else "default") if answers else None

    def drop(self, walk: Walk, need: Ask) -> None:
        """Settle nothing any more for the questions of a form: what was settled does not fit here."""
        for question in need.questions:
            self._same.pop(kind_of(walk, question), None)

    def learn(self, walk: Walk, need: Ask, reply: dict[str, Any]) -> None:
        """Remember what was answered, and that it need not be offered any more."""
        for key, value in reply.items():
            question = need.question(key)
            if question is not None:
                self.memory.spent(place_of(walk, question))
                if _is_of_one(question):
                    self._before[kind_of(walk, question)] = value


def _is_of_one(question: Question) -> bool:
    """Whether it is asked about one of several; a card is everybody's own."""
    return bool(question.subject) and (question.slot.record is not None or not question.slot.field)
