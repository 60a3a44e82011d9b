"""The one loop that drives a walk: it asks suppliers for replies, takes them, goes back, and stops without loss.

Rule 1: nothing else but a trial of the history advances a walk. Rule 2: the loop knows no terminal, file or chance.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from refcli.core.errors import RefcliError
from refcli.core.need import Need, Outcome, Reply
from refcli.core.struct import Struct
from refcli.core.walk import Walk, advance, pending
from refcli.drivers.history import Done, History, Rewinds
from refcli.drivers.record import answers_of
from refcli.drivers.words import describe, unanswered


class Supplied(Struct):
    """A reply and where it came from: 'given', 'default', 'asked', 'rolled' or 'drawn'.

    A reply to an Ask may answer some of its questions only. Going back stops at a reply that is `his`, the player's
    own; left open, every 'asked' one is.
    """

    reply: Reply
    source: str
    his: bool | None = None


class Supplier(Protocol):
    """Somebody who may have a reply."""

    def supply(self, walk: Walk, need: Need) -> Supplied | None:
        """A reply to the need the walk stands at; None where this supplier has none.

        Raises:
            Back: the player wants his previous question again.
            Quit: the player ends the walk here; so do EOFError and KeyboardInterrupt.
            ReplyError: what it has does not fit.
        """


class Recorder(Protocol):
    """Somebody who writes down what happens on a walk."""

    def taken(self, need: Need, supplied: Supplied) -> None:
        """A reply was taken."""

    def back(self, kept: int) -> None:
        """The player went back: only so many of the replies, from the first on, still hold."""


class Back(Exception):
    """The player wants an earlier question: so many of his own replies are taken back; None: the prompt before."""

    def __init__(self, steps: int | None = None) -> None:
        self.steps = steps
        super().__init__()


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


def drive(
    walk: Walk,
    suppliers: Sequence[Supplier],
    *,
    note: Callable[[str], None] | None = None,
    recorder: Recorder | None = None,
    history: History | None = None,
) -> Walk:
    """Run a walk to its outcome.

    Args:
        walk: where to start from.
        suppliers: asked in this order at every need; the first reply counts.
        note: tells the player something that is no question.
        recorder: is told of every reply as soon as it is taken.
        history: what has been replied before on this walk; grows, and may be read and gone back in afterwards.

    Returns:
        The walk at its outcome.

    Raises:
        UnansweredError: no supplier has a reply; names what would answer it.
        Stopped: the player quit, his input ended or was interrupted, or an error ended a walk he had a part in.
        ReplyError: a reply does not fit.
        WalkError: the walk cannot go on.
    """
    history = History() if history is None else history
    history.attend(suppliers)
    try:
        while not isinstance(need := pending(walk), Outcome):
            marks = history.marks()
            try:
                supplied = _ask(walk, need, suppliers)
            except Back as back:
                earlier = history.back(back.steps or 1)
                if earlier is not None:
                    walk = earlier
                    if recorder is not None:
                        recorder.back(len(history.done))
                elif note is not None:
                    note("This is the first question.")
                continue
            later = advance(walk, supplied.reply, supplied.source)
            if recorder is not None:
                recorder.taken(need, supplied)
            his = supplied.source == "asked" if supplied.his is None else supplied.his
            done = Done(
                need, supplied.reply, len(walk.trail), walk=walk, source=supplied.source, his=his, marks=marks
            )
            history.done.append(done)
            walk = later
    except (Quit, EOFError):
        raise Stopped(walk, answers_of(walk, history.done)) from None
    except KeyboardInterrupt:
        raise Stopped(walk, answers_of(walk, history.done), interrupted=True) from None
    except RefcliError as fault:
        if not history.turns():
            raise
        # a player has answered by now: what he entered goes along with the error
        raise Stopped(walk, answers_of(walk, history.done), fault=fault) from fault
    return walk


def _ask(walk: Walk, need: Need, suppliers: Sequence[Supplier]) -> Supplied:
    for supplier in suppliers:
        supplied = supplier.supply(walk, need)
        if supplied is not None:
            return supplied
    raise unanswered(need, walk)


__all__ = ["Back", "Done", "History", "Quit", "Recorder", "Rewinds", "Stopped", "Supplied", "Supplier", "drive"]
