"""What an expression can be: the types of the chart language, with the range of every number."""

from collections.abc import Iterable, Mapping
from itertools import product

from refcli.core.deck import Deck
from refcli.core.fact import Fact, Kind
from refcli.core.struct import Struct


class YesNo(Struct):
    """Yes or no."""

    def __str__(self) -> str:
        return "a yes/no value"


class Number(Struct):
    """An integer in `low..high`, both inclusive; None is open."""

    low: int | None = None
    high: int | None = None

    def __str__(self) -> str:
        return "a number"


class Word(Struct):
    """One of the choice `keys`; `fact` names its labels and data where all keys come from one fact."""

    keys: frozenset[str]
    fact: Fact | None = None

    def __str__(self) -> str:
        return f"a choice of {self.fact.name}" if self.fact else "a word"


class Words(Struct):
    """Free text: only for show."""

    def __str__(self) -> str:
        return "a text"


class Records(Struct):
    """A list of records of the fact `fact`."""

    fact: Fact

    def __str__(self) -> str:
        return "a list"


class Card(Struct):
    """A card of `deck`."""

    deck: Deck

    def __str__(self) -> str:
        return "a card"


class Result(Struct, eq=False):
    """What a chart gave: `fields` have the types of `outcome` and of all it surely gives. `many`: of an each."""

    chart: str
    fields: Mapping[str, "Type"]
    many: bool = False

    def __str__(self) -> str:
        return "the results of an each" if self.many else "a chart's result"


class Anything(Struct):
    """Not known yet (a name made in a loop); goes with every type."""

    def __str__(self) -> str:
        return "any value"


Type = YesNo | Number | Word | Words | Records | Card | Result | Anything
YES_NO, NUMBER, TEXT, ANYTHING = YesNo(), Number(), Words(), Anything()


def type_of_fact(fact: Fact) -> Type:
    """The type of a fact's answers."""
    match fact.kind:
        case Kind.YES_NO:
            return YES_NO
        case Kind.NUMBER:
            return Number(fact.low, fact.high)
        case Kind.CHOICE:
            return Word(frozenset(c.key for c in fact.choices), fact)
        case Kind.LIST:
            return Records(fact)
        case Kind.TEXT:
            return TEXT


def join(types: Iterable[Type]) -> Type | None:
    """The narrowest type that holds all; None where there is none."""
    found: Type = ANYTHING
    for kind in types:
        if isinstance(kind, Anything) or kind == found:
            continue
        if isinstance(found, Anything):
            found = kind
        elif isinstance(found, Number) and isinstance(kind, Number):
            found = Number(_least(found.low, kind.low), _most(found.high, kind.high))
        elif isinstance(found, Word) and isinstance(kind, Word):
            keys = found.keys | kind.keys
            owner = next((w.fact for w in (found, kind) if w.fact and keys == {c.key for c in w.fact.choices}), None)
            found = Word(keys, owner)
        else:
            return None
    return found


def _least(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else min(a, b)


def _most(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else max(a, b)


def add(a: Number, b: Number, sign: int = 1) -> Number:
    """The range of a + b, or of a - b with sign -1."""
    if sign < 0:
        b = negate(b)
    low = None if a.low is None or b.low is None else a.low + b.low
    high = None if a.high is None or b.high is None else a.high + b.high
    return Number(low, high)


def negate(a: Number) -> Number:
    """The range of -a."""
    return Number(None if a.high is None else -a.high, None if a.low is None else -a.low)


def multiply(a: Number, b: Number) -> Number:
    """The range of a * b; open unless both are bounded."""
    ends = (a.low, a.high, b.low, b.high)
    if None in ends:
        return NUMBER
    corners = [x * y for x, y in product(ends[:2], ends[2:]) if x is not None and y is not None]
    return Number(min(corners), max(corners))


def divide(a: Number, by: int) -> Number:
    """The range of a // by for a divisor above zero."""
    return Number(None if a.low is None else a.low // by, None if a.high is None else a.high // by)


def least(parts: Iterable[Number]) -> Number:
    """The range of min(...)."""
    parts = list(parts)
    lows, highs = [p.low for p in parts], [p.high for p in parts if p.high is not None]
    low = None if None in lows else min(v for v in lows if v is not None)
    return Number(low, min(highs) if highs else None)


def most(parts: Iterable[Number]) -> Number:
    """The range of max(...)."""
    return negate(least(negate(p) for p in parts))
