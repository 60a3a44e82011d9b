"""The one loop that drives a walk: it asks suppliers for replies, takes them, goes back, and stops without loss.

Rule 1: nothing else in the drivers advances a walk. Rule 2: the loop knows no terminal, file or chance.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

from refcli.core.errors import RefcliError
from refcli.core.need import Need, Outcome, Reply
from refcli.core.struct import Struct
from refcli.core.walk import Walk, advance, pending
from refcli.drivers.record import Entry, answers_of
from refcli.drivers.words import describe, unanswered


class Supplied(Struct):
    """A reply and where it came from: 'given', 'default', 'asked', 'rolled' or 'drawn'.

    A reply to an Ask may answer some of its questions only. Going back returns to the last 'asked' one.
    """

    reply: Reply
    source: str


class Supplier(Protocol):
    """Somebody who may have a reply."""

    def supply(self, walk: Walk, need: Need) -> Supplied | None:
        """A reply to the need the walk stands at; None where this supplier has none.

        Raises:
            Back: the player wants his previous question again.
            Quit: the player ends the walk here; so do EOFError and KeyboardInterrupt.
            ReplyError: what it has does not fit.
        """


@runtime_checkable
class Rewinds(Protocol):
    """A supplier that uses things up (a list of rolls, a generator) and can take that back."""

    def mark(self) -> Any:
        """How much is used by now."""

    def rewind(self, mark: Any) -> None:
        """Be as at that mark again."""


class Back(Exception):
    """The player wants the previous question that he answered."""


class Quit(Exception):
    """The player ends the walk here and keeps what he has entered."""


class Stopped(RefcliError):
    """A walk stopped before its outcome.

    `answers` is a case (`given`, `rolls`, `draws`, `placeholders`) that brings a new walk to the same point,
    `interrupted` tells whether it was Ctrl-C, `fault` the error that ended it, if one did.
    """

    def __init__(
        self, walk: Walk, answers: dict[str, Any], *, interrupted: bool = False, fault: RefcliError | None = None
    ) -> None:
        self.walk = walk
        self.answers = answers
        self.interrupted = interrupted
        self.fault = fault
        self.exit_code = 130 if interrupted else 1
        where = f"stopped at {describe(pending(walk))}"
        super().__init__(f"{fault}\n{where}" if fault else where)


class _Point(Struct):
    """Where going back leads: the walk before a player's reply, and all that must be undone with it."""

    walk: Walk
    entries: int
    marks: list[Any]


def drive(walk: Walk, suppliers: Sequence[Supplier], *, note: Callable[[str], None] | None = None) -> Walk:
    """Run a walk to its outcome.

    Args:
        walk: where to start from.
        suppliers: asked in this order at every need; the first reply counts.
        note: tells the player something that is no question.

    Returns:
        The walk at its outcome.

    Raises:
        UnansweredError: no supplier has a reply; names what would answer it.
        Stopped: the player quit, his input ended or was interrupted, or an error ended a walk he had a part in.
        ReplyError: a reply does not fit.
        WalkError: the walk cannot go on.
    """
    entries: list[Entry] = []
    past: list[_Point] = []
    try:
        while not isinstance(need := pending(walk), Outcome):
            try:
                supplied = _ask(walk, need, suppliers)
            except Back:
                if past:
                    walk = _return(past.pop(), entries, suppliers)
                elif note is not None:
                    note("This is the first question.")
                continue
            later = advance(walk, supplied.reply, supplied.source)
            if supplied.source == "asked":
                marks = [s.mark() if isinstance(s, Rewinds) else None for s in suppliers]
                past.append(_Point(walk, len(entries), marks))
            entries.append(Entry(need, supplied.reply))
            walk = later
    except (Quit, EOFError):
        raise Stopped(walk, answers_of(walk, entries)) from None
    except KeyboardInterrupt:
        raise Stopped(walk, answers_of(walk, entries), interrupted=True) from None
    except RefcliError as fault:
        if not past:
            raise
        # a player has answered by now: what he entered goes along with the error
        raise Stopped(walk, answers_of(walk, entries), fault=fault) from fault
    return walk


def _ask(walk: Walk, need: Need, suppliers: Sequence[Supplier]) -> Supplied:
    for supplier in suppliers:
        supplied = supplier.supply(walk, need)
        if supplied is not None:
            return supplied
    raise unanswered(need, walk)


def _return(point: _Point, entries: list[Entry], suppliers: Sequence[Supplier]) -> Walk:
    del entries[point.entries :]
    for supplier, mark in zip(suppliers, point.marks, strict=True):
        if isinstance(supplier, Rewinds):
            supplier.rewind(mark)
    return point.walk
