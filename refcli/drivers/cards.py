"""What is left of a deck in the course of a walk: cards are drawn without putting them back."""

from collections.abc import Mapping
from typing import Any

from refcli.core.deck import Deck
from refcli.core.walk import Walk


def left(deck: Deck, walk: Walk) -> list[int]:
    """How many of each kind of card are left of a known make-up, after all that the walk has drawn from the deck.

    All of them where none is left: the deck is shuffled anew. A card that a player or a case told of is taken out
    too: the kind it must be or, where several kinds show the same, the one of which most are left; a card that shows
    nothing is let be.
    """
    full = [count for count, _ in deck.cards]
    now = list(full)
    for step in walk.trail.steps:
        if step.kind != "draw" or step.deck != deck.id or not step.value:
            continue
        kind = _kind(deck, step.value, now)
        if kind is not None:
            now[kind] -= 1
            if not any(now):
                now = list(full)
    return now


def _kind(deck: Deck, card: Mapping[str, Any], now: list[int]) -> int | None:
    """The kind of a card, by its place in the deck; None where it is none that is left."""
    near = [place for place, (_, kind) in enumerate(deck.cards) if now[place] and _agree(kind, card)]
    exact = (place for place in near if deck.cards[place][1] == card)
    return next(exact, max(near, key=lambda place: now[place], default=None))


def _agree(one: Mapping[Any, Any], other: Mapping[Any, Any]) -> bool:
    """Whether two cards show the same wherever both show something."""
    for name in one.keys() & other.keys():
        mine, its = one[name], other[name]
        if not (_agree(mine, its) if isinstance(mine, Mapping) else mine == its):
            return False
    return True


def lacks(deck: Deck, field: str, column: int | None) -> bool:
    """Whether some card of a known make-up does not show a field, or not in that column."""
    for _, card in deck.cards:
        shown = card.get(field)
        if shown is None or (column is not None and column not in shown):
            return True
    return False
