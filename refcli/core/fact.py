"""A fact: something about the situation that a player knows, and its kinds of answer."""

from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING

from refcli.core.place import Place
from refcli.core.struct import Struct
from refcli.core.values import EMPTY

if TYPE_CHECKING:
    from refcli.core.expr import Expr


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


class Fact(Struct, eq=False, kw_only=True):
    """A question with its legal answers.

    `low` and `high` bound a number, both inclusive, None where open. `columns` makes a card's field numbered, one
    value per column, both ends inclusive.
    With `asked` false nobody is asked: its default holds until an outcome changes it, or a case or roster gives it.
    A list has `fields` (its record's facts, in order) and a `noun` for one record.
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
    columns: tuple[int, int] | None = None

    def choice(self, key: str) -> Choice | None:
        """The choice of that key."""
        return next((c for c in self.choices if c.key == key), None)

    @property
    def range(self) -> str:
        """The legal numbers as text, such as `-3..3` or `0..`."""
        return f"{'' if self.low is None else self.low}..{'' if self.high is None else self.high}"
