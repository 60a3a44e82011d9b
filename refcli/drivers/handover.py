"""What one walk hands to the walk that follows it: the shared facts as they stand now, and its gives."""

from collections.abc import Iterable
from typing import Any

from refcli.core.chart import Chart
from refcli.core.errors import ReplyError
from refcli.core.need import Ask, Outcome, accept, read_answer
from refcli.core.ruling import plain, records
from refcli.core.walk import Walk
from refcli.drivers.history import Done
from refcli.drivers.names import fact_names


def handed_over(walk: Walk, done: Iterable[Done], follows: Chart) -> dict[str, Any]:
    """The answers of a finished walk that the next chart may ask for, by name.

    Args:
        walk: the finished walk.
        done: all that was replied on it.
        follows: the chart that comes next.

    Returns:
        JSON values. What was asked of this chart alone is not handed over.
    """
    outcome = walk.need
    if not isinstance(outcome, Outcome):
        raise TypeError("the walk has not ended")
    found = dict(_shared(done))
    book = walk.position.frames[0].chart.book
    found |= {name: value for name, value in records(walk).items() if name in book.facts}
    # the outcome's word is the last, and goes to the next chart's own facts too
    said = {**outcome.gives, **outcome.changes}
    legal = fact_names(follows)
    kept: dict[str, Any] = {}
    for name, value in (found | said).items():
        is_own = name in follows.facts
        fact = follows.fact(name)
        if fact is None or name not in legal or (is_own and name not in said):
            continue
        try:
            read_answer(fact, plain(value))
        except ReplyError:
            continue
        kept[f"{follows.id}.{name}" if is_own else name] = plain(value)
    return kept


def _shared(done: Iterable[Done]) -> Iterable[tuple[str, Any]]:
    """The shared facts that were answered for the whole walk."""
    for one in done:
        if not isinstance(one.need, Ask):
            continue
        try:
            answers = accept(one.need, one.reply)
        except ReplyError:  # it was taken once, so this cannot be
            continue
        for key, value in answers.items():
            question = one.need.question(key)
            if question is not None and question.slot.depth < 0 and question.slot.record is None:
                yield question.slot.name, value
