"""Decks of cards: the fields a card has, and its make-up where that is known."""

from collections.abc import Mapping
from typing import Any

from refcli.core.fact import Fact
from refcli.core.place import Place
from refcli.core.struct import Struct


class Deck(Struct, eq=False, kw_only=True):
    """A kind of card: `fields` by name, in order; the first is what a bare word answers.

    `cards` are (how many, field values) where the make-up is known; without them cards are read off the table.
    A numbered field's values are a mapping from column to value.
    """

    name: str
    title: str
    place: Place
    fields: Mapping[str, Fact]
    cards: tuple[tuple[int, Mapping[str, Any]], ...] = ()
    note: str = ""

    @property
    def first(self) -> Fact:
        """The field a bare word answers."""
        return next(iter(self.fields.values()))
