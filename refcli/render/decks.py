"""Decks in words: what is known of their make-up, and what their placeholder is."""

from typing import Any

from refcli.core.deck import Deck
from refcli.render.outline import Data
from refcli.render.words import name_words, value_words


def make_up(deck: Deck) -> str:
    """What is known of a deck's make-up, in words."""
    if deck.cards:
        by = f", counted in {deck.counted}" if deck.counted else ""
        return f"{deck.size} cards{by}"
    if deck.placeholder is None:
        return "make-up unknown: cards are read off the table"
    told = f"drawn from a placeholder, not the real deck ({spread(deck)})"
    return f"make-up unknown: cards are read off the table, or {told}"


def spread(deck: Deck) -> str:
    """The placeholder of a deck in words."""
    told = ["all answers alike"]
    for name, weights in (deck.placeholder or {}).items():
        parts = [value_words(answer, deck.fields[name]) for answer in weights]
        if len(parts) > 1:
            parts = [f"{part} {weight}" for part, weight in zip(parts, weights.values(), strict=True)]
        told.append(f"{name_words(name)} {'always ' if len(parts) == 1 else ''}{' : '.join(parts)}")
    return ", ".join(told)


def deck_data(deck: Deck) -> Data:
    """A deck as JSON values: its title, its `composition`, how many cards where that is known, and its note."""
    found: dict[str, Any] = {"title": deck.title, "composition": "known" if deck.cards else "unknown"}
    if deck.cards:
        found["cards"] = deck.size
    if deck.placeholder is not None:
        found["placeholder"] = spread(deck)
    return found | ({"note": deck.note} if deck.note else {})
