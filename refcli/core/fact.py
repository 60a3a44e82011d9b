"""A fact: something about the situation that a player knows, and its kinds of answer."""

from collections.abc import Mapping
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from refcli.core.place import Place
from refcli.core.struct import Struct, replace
from refcli.core.values import EMPTY

if TYPE_CHECKING:
    from refcli.core.expr import Expr

MAX_RECORDS = 100
"""The most records a list may have, and the most dice a pool."""


class Kind(Enum):
    """How a fact is answered."""

    YES_NO = "yes/no"
    NUMBER = "number"
    CHOICE = "choice"
    LIST = "list"
    TEXT = "text"


class Choice(Struct):
    """One legal answer: `data` are the numbers, yes/no values and words read as `fact.field`."""

    key: str
    label: str
    data: Mapping[str, "int | bool | str"] = EMPTY


class Must(Struct, eq=False):
    """What must hold of every record of a list, once all fields that `be` reads are known; else `says` is said."""

    be: "Expr"
    says: str


class Fact(Struct, eq=False, kw_only=True):
    """A question with its legal answers.

    `low` and `high` bound a number, both inclusive, None where open. `columns` makes a card's field numbered, one
    value per column, both ends inclusive; with `by_column` the number in a column is at most the column's own, and
    `high` is the last column. `column` is the one that the field is looked at in, see `at`.
    With `asked` false nobody is asked: its default holds until an outcome changes it, or a case or roster gives it.
    A list has `fields` (its record's facts, in order) and a `noun` for one record; `size` is how many records it may
    have, both ends inclusive, and `must` are the rules that each of them keeps.
    """

    name: str
    kind: Kind
    ask: str
    place: Place
    help: str = ""
    note: str = ""
    who: str = ""
    decides: bool = False
    house_rule: bool = False
    asked: bool = True
    shared: bool = False
    default: "Expr | None" = None
    low: int | None = None
    high: int | None = None
    choices: tuple[Choice, ...] = ()
    noun: str = ""
    fields: tuple["Fact", ...] = ()
    size: tuple[int, int] = (0, MAX_RECORDS)
    must: tuple[Must, ...] = ()
    columns: tuple[int, int] | None = None
    by_column: bool = False
    column: int | None = None

    def choice(self, key: str) -> Choice | None:
        """The choice of that key."""
        return next((c for c in self.choices if c.key == key), None)

    def at(self, column: int | None) -> "Fact":
        """A numbered field as it is answered in one of its columns; any other fact as it is."""
        if column is None or self.columns is None:
            return self
        if column not in self._cells:
            high = column if self.by_column else self.high
            self._cells[column] = replace(self, column=column, columns=None, high=high)
        return self._cells[column]

    @cached_property
    def _cells(self) -> "dict[int, Fact]":
        """The field in the columns looked at so far: always the same facts, so that equal walks stay equal."""
        return {}

    @property
    def many(self) -> str:
        """How many records a list may have, in words such as `1 to 10`."""
        least, most = self.size
        return str(least) if least == most else f"{least} to {most}"

    @property
    def range(self) -> str:
        """The legal numbers as text, such as `-3..3` or `0..`."""
        return f"{'' if self.low is None else self.low}..{'' if self.high is None else self.high}"
