"""What has been replied on a walk so far: the way back, and what would have been.

Rule: only the loop adds to it. Everybody else reads, and whatever is tried out leaves it as it was.
"""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from refcli.core.need import Need, Outcome, Reply
from refcli.core.walk import Walk, advance, pending
from refcli.drivers.record import Entry


class Done(Entry, kw_only=True):
    """A reply that was taken: the walk before it, where it came from, and how much the suppliers had used by then.

    Going back stops at those that are `his`: what the player himself answered.
    """

    walk: Walk
    source: str
    his: bool
    marks: tuple[Any, ...]


@runtime_checkable
class Rewinds(Protocol):
    """A supplier that uses things up (a list of rolls, a generator) and can take that back."""

    def mark(self) -> Any:
        """How much is used by now."""

    def rewind(self, mark: Any) -> None:
        """Be as at that mark again."""


@runtime_checkable
class Watches(Protocol):
    """A supplier that looks at what has been replied, and keeps what is taken back."""

    def watch(self, history: "History") -> None:
        """The history of the walk that is about to go on; it is the loop's own, and grows."""

    def undone(self, cut: Sequence[Done]) -> None:
        """These replies have been taken back, the oldest first."""


class Supplies(Protocol):
    """What a trial needs of a supplier."""

    def supply(self, walk: Walk, need: Need) -> Any:
        """A reply with its source, or None."""


class History:
    """The replies of a walk, oldest first."""

    def __init__(self) -> None:
        self.done: list[Done] = []
        self.suppliers: tuple[Supplies, ...] = ()
        self._rewinding: tuple[Rewinds, ...] = ()

    def attend(self, suppliers: Sequence[Supplies]) -> None:
        """These supply the replies from now on; whoever watches is shown this history."""
        self.suppliers = tuple(suppliers)
        self._rewinding = tuple(supplier for supplier in suppliers if isinstance(supplier, Rewinds))
        for supplier in suppliers:
            if isinstance(supplier, Watches):
                supplier.watch(self)

    def marks(self) -> tuple[Any, ...]:
        """How much every supplier has used by now, of those that use things up."""
        return tuple([supplier.mark() for supplier in self._rewinding])

    def rewind(self, marks: Sequence[Any]) -> None:
        """Set every supplier back to its mark."""
        for supplier, mark in zip(self._rewinding, marks, strict=True):
            supplier.rewind(mark)

    def turns(self) -> list[int]:
        """Where the player himself replied: places in `done`, from 0."""
        return [place for place, done in enumerate(self.done) if done.his]

    def back(self, steps: int = 1) -> Walk | None:
        """Take back the player's last replies and all that came of them.

        Args:
            steps: how many of his own, 1 or more; too many are all of them.

        Returns:
            The walk as it stood before; None where he has not replied yet.
        """
        turns = self.turns()
        if not turns:
            return None
        place = turns[max(len(turns) - steps, 0)]
        cut = self.done[place:]
        del self.done[place:]
        self.rewind(cut[0].marks)
        for supplier in self.suppliers:
            if isinstance(supplier, Watches):
                supplier.undone(cut)
        return cut[0].walk

    def trial(self, place: int, reply: Reply, rest: Sequence[Supplies]) -> Walk:
        """The walk as it would stand had that reply been another. Nothing is changed.

        Args:
            place: the reply's place in `done`, from 0.
            reply: what it is replaced by.
            rest: suppliers of all that was answered since; what they have no reply to is not replied.

        Returns:
            A walk at its outcome, or at the first need that is not known.

        Raises:
            ReplyError: the reply does not fit.
            WalkError: the walk cannot go on.
        """
        now = self.marks()
        later = self.done[place + 1].marks if place + 1 < len(self.done) else now
        walk = advance(self.done[place].walk, reply, self.done[place].source)
        self.rewind(later)
        try:
            while not isinstance(need := pending(walk), Outcome):
                found = (supplier.supply(walk, need) for supplier in rest)
                supplied = next((one for one in found if one is not None), None)
                if supplied is None:
                    break
                walk = advance(walk, supplied.reply, supplied.source)
        finally:
            self.rewind(now)
        return walk
