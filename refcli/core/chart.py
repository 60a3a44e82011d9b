"""Books, charts and their parts: what an author wrote, resolved and compiled; look-ups only.

Law of this file: nothing here changes after loading, and nothing here knows a walk. What a walk produces
(questions, outcomes with their words filled in) lives in `need.py`.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Any

from refcli.core.deck import Deck
from refcli.core.dice import Dice
from refcli.core.expr import Expr, Text
from refcli.core.fact import Fact
from refcli.core.place import Place
from refcli.core.struct import Struct
from refcli.core.values import EMPTY


class Band(Struct):
    """The closed range `low..high`; either end may be open (None)."""

    low: int | None
    high: int | None

    def holds(self, value: int) -> bool:
        """Whether the value lies in the range."""
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    def __str__(self) -> str:
        if self.low is not None and self.low == self.high:
            return str(self.low)
        return f"{'' if self.low is None else self.low}..{'' if self.high is None else self.high}"


ELSE = "else"
Pattern = Band | str | bool
"""What a case matches: a band of numbers, a choice key, yes or no; the word `else` matches the rest."""


def matches(pattern: Pattern, value: Any) -> bool:
    """Whether a case's pattern holds a value."""
    if isinstance(pattern, Band):
        return pattern.holds(value)
    return pattern in (ELSE, value)


class Case(Struct):
    """One edge: `pattern` leads to the node or outcome `target`. `key` is the pattern as written."""

    pattern: Pattern
    target: str
    place: Place
    key: str


class Cases:
    """The edges of a decision, tried in order; `else` last."""

    __slots__ = ("bands", "cases", "rest", "table")

    def __init__(self, cases: tuple[Case, ...]) -> None:
        self.cases = cases
        self.table = {c.pattern: c.target for c in cases if not isinstance(c.pattern, Band) and c.pattern != ELSE}
        self.bands = tuple((c.pattern, c.target) for c in cases if isinstance(c.pattern, Band))
        self.rest = next((c.target for c in cases if c.pattern == ELSE), None)

    def find(self, value: Any) -> str | None:
        """Where the value leads; None where no case holds it."""
        if isinstance(value, int) and not isinstance(value, bool):
            for band, target in self.bands:
                if band.holds(value):
                    return target
            return self.rest
        return self.table.get(value, self.rest)


class Op(Enum):
    """What a modifier does to the running total."""

    ADD = "add"
    MULTIPLY = "multiply"
    DIVIDE = "divide"


class Modifier(Struct, eq=False):
    """One line of a tally: an amount (`amounts` has one entry with pattern None), or a look-up `by` an expression."""

    op: Op
    amounts: tuple[tuple[Pattern | None, Expr], ...]
    place: Place
    by: Expr | None = None
    when: Expr | None = None
    label: Text | None = None
    note: str = ""


class Node(Struct, eq=False, kw_only=True):
    """What every node has; `go` are its edges (one with key 'next' where there is only one way on)."""

    id: str
    place: Place
    label: Text | None = None
    note: str = ""
    page: str = ""
    go: Cases


class DoNode(Node, eq=False, kw_only=True):
    """An instruction to carry out at the table."""

    text: Text


class DecideNode(Node, eq=False, kw_only=True):
    """A diamond: the value of `test` picks the edge."""

    test: Expr


class SetNode(Node, eq=False, kw_only=True):
    """Makes values, top to bottom."""

    values: tuple[tuple[str, Expr], ...]


class TallyNode(Node, eq=False, kw_only=True):
    """A running total called `name`; rounded down once, then held in `cap`."""

    name: str
    start: Expr | None
    modifiers: tuple[Modifier, ...]
    cap: Band | None = None


class RollNode(Node, eq=False, kw_only=True):
    """A throw: `name` gets the total. A pool instead throws `pool` dice and counts those that pass each test."""

    dice: Dice
    name: str | None
    pool: Expr | None = None
    counts: tuple[tuple[str, Expr], ...] = ()


class DrawNode(Node, eq=False, kw_only=True):
    """A card of `deck`, called `name`."""

    deck: Deck
    name: str


class Row(Struct, eq=False, kw_only=True):
    """One row of a table; `cells` are targets (str) or numbers (int), one per column (or a single one)."""

    pattern: Pattern
    cells: tuple[str | int, ...]
    place: Place
    key: str


class TableNode(Node, eq=False, kw_only=True):
    """A look-up by `row` and perhaps `column`; a word leads there, a number is the value of `name`."""

    row: Expr
    column: Expr | None
    columns: tuple[tuple[Pattern, str], ...]
    rows: tuple[Row, ...]
    name: str | None


class RunNode(Node, eq=False, kw_only=True):
    """Calls a chart and comes back with its result as `name`. `chart_id` is full: book/chart."""

    chart_id: str
    given: Mapping[str, Expr]
    name: str | None


class EachNode(RunNode, eq=False, kw_only=True):
    """Runs a chart once per record of the list fact `records`."""

    records: str
    when: Expr | None
    until: Expr | None


class Tone(Enum):
    """How an outcome feels to the player who asked."""

    GOOD = "good"
    BAD = "bad"
    MIXED = "mixed"
    PLAIN = "plain"


class OutcomeNode(Struct, eq=False, kw_only=True):
    """An end of the chart. `gives` and `changes` already hold the chart's own beneath the outcome's.

    `then` are the charts that may follow, each with its condition; the first that holds is offered.
    """

    id: str
    place: Place
    title: str
    tone: Tone
    says: Text
    effects: tuple[tuple[Expr | None, Text], ...] = ()
    gives: Mapping[str, Expr] = EMPTY
    changes: Mapping[str, Expr] = EMPTY
    then: tuple[tuple[Expr | None, str], ...] = ()
    note: str = ""
    page: str = ""


class Example(Struct, eq=False, kw_only=True):
    """A worked case: raw answers in, the outcome (and perhaps given values, words) that must come out."""

    name: str
    place: Place
    given: Mapping[str, Any]
    rolls: Mapping[str, Any]
    draws: tuple[Any, ...]
    outcome: str
    gives: Mapping[str, Any] = EMPTY
    says: str = ""


class Book(Struct, eq=False, kw_only=True):
    """A folder of charts with what they share."""

    id: str
    title: str
    source: str
    place: Place
    glossary: Mapping[str, str] = EMPTY
    charts: tuple[str, ...] = ()
    decks: Mapping[str, Deck] = EMPTY
    facts: Mapping[str, Fact] = EMPTY


class Chart(Struct, eq=False, kw_only=True):
    """One decision graph, resolved.

    `charts` holds the charts it runs by full id; `live` tells for each node and outcome which names may still be
    read from there on (made names, facts, record fields); `fields` does the same for the fields of cards, as
    (name, field, column or None). `text` is the file's text.
    """

    id: str
    title: str
    page: str
    summary: str
    place: Place
    book: Book
    facts: Mapping[str, Fact]
    nodes: Mapping[str, Node]
    start: str
    outcomes: Mapping[str, OutcomeNode]
    examples: tuple[Example, ...]
    charts: Mapping[str, "Chart"]
    live: Mapping[str, frozenset[str]]
    reads: frozenset[str]
    made: Mapping[str, Any]
    text: str = ""

    @property
    def digest(self) -> str:
        """The SHA-256 of the file's text."""
        from hashlib import sha256  # slow to import, seldom wanted

        return sha256(self.text.encode()).hexdigest()

    def fact(self, name: str) -> Fact | None:
        """The chart's own fact of that name, else the book's."""
        return self.facts.get(name) or self.book.facts.get(name)
