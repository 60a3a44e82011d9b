"""Rosters: groups of records that a player has written down once, to answer lists with."""

from collections.abc import Mapping
from typing import Any

from refcli.core.fact import Fact
from refcli.core.struct import Struct
from refcli.core.values import EMPTY, Frozen


class Group(Struct, eq=False):
    """Some records under one name; `names` are what each record is called, empty for those without a name."""

    name: str
    records: tuple[Frozen, ...]
    names: tuple[str, ...]


class Roster(Struct, eq=False, kw_only=True):
    """The groups of one file; their records answer facts of the book, more perhaps than any one list reads.

    `scores` has for each side what it has scored, by the names under which rulings give it.
    """

    book: str
    groups: tuple[Group, ...]
    file: str
    title: str = ""
    scores: Mapping[str, Mapping[str, int]] = EMPTY

    @property
    def size(self) -> int:
        """How many records there are in all groups."""
        return sum(len(group.records) for group in self.groups)


def answers_some(fact: Fact, record: Frozen) -> bool:
    """Whether a record answers any field of a list."""
    return any(field.name in record for field in fact.fields)


def fits(fact: Fact, group: Group) -> bool:
    """Whether a group can answer a list as it stands: so many records, each with some field of the list."""
    return fact.size[0] <= len(group.records) <= fact.size[1] and all(
        answers_some(fact, record) for record in group.records
    )


def fields_for(fact: Fact, record: Frozen) -> dict[str, Any]:
    """What a record says of the fields of a list; whatever else it holds is left out."""
    return {field.name: record[field.name] for field in fact.fields if field.name in record}
