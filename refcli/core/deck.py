"""Decks of cards: the fields a card has, and its make-up where that is known."""

from collections.abc import Mapping
from typing import Any

from refcli.core.fact import Fact
from refcli.core.place import Place
from refcli.core.struct import Struct


class Deck(Struct, eq=False, kw_only=True):
    """A kind of card: `fields` by name, in order; the first is what a bare word answers.

    `cards` are (how many, field values) where the make-up is known; without them cards are read off the table.
    A numbered field's values are a mapping from column to value. `counted` is the player's own file that the
    `cards` were read from.
    `placeholder` is a spread to draw from all the same where the make-up is unknown, None without one: for a field
    its answers with their weights. A field that it leaves out has every legal answer as often as any other.
    """

    name: str
    title: str
    place: Place
    fields: Mapping[str, Fact]
    cards: tuple[tuple[int, Mapping[str, Any]], ...] = ()
    note: str = ""
    book: str = ""
    counted: str = ""
    placeholder: Mapping[str, Mapping[Any, int]] | None = None

    @property
    def id(self) -> str:
        """The deck's full name, such as `book/deck`."""
        return f"{self.book}/{self.name}"

    @property
    def size(self) -> int:
        """How many cards it has, where its make-up is known."""
        return sum(count for count, _ in self.cards)

    @property
    def can_be_drawn(self) -> bool:
        """Whether chance can draw a card of it: from its make-up, or from its placeholder."""
        return bool(self.cards) or self.placeholder is not None

    @property
    def uses_placeholder(self) -> bool:
        """Whether chance can draw from nothing but a placeholder."""
        return not self.cards and self.placeholder is not None

    @property
    def first(self) -> Fact:
        """The field a bare word answers."""
        return next(iter(self.fields.values()))
