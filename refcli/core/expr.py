"""Expressions and texts of a chart: read once, typed against the facts and names in sight, compiled once."""

import re
from collections.abc import Callable
from typing import Any

from refcli.core import types as t
from refcli.core.compile import Tree, function
from refcli.core.parse import FUNCTIONS, MAX_NUMBER, Checker, Fault, Sight, fits, record_types
from refcli.core.place import Place


class Expr:
    """One expression of a chart. `check` must have passed before it is called.

    `reads` are the facts and made names it can read, `inner` the names of records or results (after `where`, and
    in an each), `fields` the parts of cards and results as (name, part), `*` for all.
    """

    __slots__ = ("_made", "fields", "inner", "place", "reads", "text", "tree", "type")

    def __init__(self, text: str, place: Place) -> None:
        self.text = text
        self.place = place
        self.tree: Tree = ()
        self.type: t.Type = t.ANYTHING
        self.reads: frozenset[str] = frozenset()
        self.inner: frozenset[str] = frozenset()
        self.fields: frozenset[tuple[str, str]] = frozenset()
        self._made: Callable[[Any], Any] | None = None

    def check(self, sight: Sight, expect: t.Type | None = None) -> None:
        """Read and type the text.

        Args:
            sight: the names in sight.
            expect: the type it must have; also tells what a bare word means.

        Raises:
            Fault: the first thing that is wrong.
        """
        checker = Checker(self.text, sight)
        self.tree, self.type = checker.read(expect)
        if isinstance(self.type, t.Card | t.Result):
            checker.fields.add((self.tree[1], "*"))
        self.reads, self.inner = frozenset(checker.reads), frozenset(checker.inner_reads)
        self.fields = frozenset(checker.fields)

    @property
    def is_constant(self) -> bool:
        """Whether it has the same value everywhere."""
        return bool(self.tree) and self.tree[0] == "const"

    def __call__(self, scope: Any) -> Any:
        """The value in a scope of the walk."""
        if self._made is None:
            self._made = function(self.tree)
        return self._made(scope)

    def __repr__(self) -> str:
        return f"Expr({self.text!r})"


def constant(value: "int | bool | str", place: Place) -> Expr:
    """An expression that is just this value."""
    made = Expr(str(value), place)
    made.tree = ("const", value)
    made.type = t.YES_NO if isinstance(value, bool) else t.Number(value, value) if isinstance(value, int) else t.TEXT
    return made


SLOT = re.compile(r"<([a-z_][a-z0-9_.]*)>")


class Text:
    """Words with `<name>` to be filled in; `parts` are plain strings and expressions in turn."""

    __slots__ = ("parts", "place", "source")

    def __init__(self, source: str, place: Place) -> None:
        self.source = source
        self.place = place
        pieces = SLOT.split(source)
        self.parts: tuple[str | Expr, ...] = tuple(
            Expr(piece, place) if number % 2 else piece for number, piece in enumerate(pieces)
        )

    @property
    def exprs(self) -> tuple[Expr, ...]:
        """The expressions to fill in."""
        return tuple(part for part in self.parts if isinstance(part, Expr))

    def fill(self, scope: Any) -> str:
        """The words with every value filled in: choices by their labels, yes and no as such."""
        return "".join(part if isinstance(part, str) else shown(part(scope), part.type) for part in self.parts)

    def __bool__(self) -> bool:
        return bool(self.source)

    def __repr__(self) -> str:
        return f"Text({self.source!r})"


def shown(value: Any, kind: t.Type) -> str:
    """A value as a player reads it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str) and isinstance(kind, t.Word) and kind.fact is not None:
        choice = kind.fact.choice(value)
        return choice.label if choice else value
    return str(value)


__all__ = ["FUNCTIONS", "MAX_NUMBER", "Expr", "Fault", "Sight", "Text", "constant", "fits", "record_types", "shown"]
