"""Python source for the fast path: how answers are read from a case, and what the first reading of a fact tells.

The first reading takes the default, tells the note and marks the answer as used; a later one is a plain variable.
Which reading is the first is mostly known when the code is written: `State` keeps what every way to a place has read.
What stands behind `and`, `or` and `if` may not have been read, and asks again, within the expression.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from refcli.core.compile import Source, Tree
from refcli.core.expr import MAX_NUMBER, Expr
from refcli.core.fact import Fact, Kind
from refcli.core.layout import At, Call, GiveUpError, Key, Layout

MARK = "\x02{}\x03"
MARKED = re.compile("\x02(.*?)\x03")
"""Where an answer would be marked as used; written out at the end, for the names that need it."""
TAKE = "\x06{}\x07"
TAKEN = re.compile("\x06(.*?)\x07")
"""Where a default is taken; how that is kept is known when all is written. It is false, too."""
MAX_TABLE = 400
"""How many numbers a fact may allow for them to be looked up as text."""


class State:
    """What has been read where the code stands.

    `loaded` are the facts whose answer has been read from the case on every way here, `known` those that have been
    asked for; `asked` are the names of their answers. `met` are the facts that were asked for on some way, `may` the
    names of their answers.
    """

    __slots__ = ("asked", "known", "loaded", "may", "met")

    def __init__(self) -> None:
        self.known: set[Key] = set()
        self.asked: set[str] = set()
        self.loaded: set[Key] = set()
        self.may: set[str] = set()
        self.met: set[Key] = set()

    def copy(self) -> "State":
        """One to go on with on another way."""
        found = State()
        for part in self.__slots__:
            setattr(found, part, set(getattr(self, part)))
        return found

    def begin(self, call: int) -> None:
        """A call is entered: its facts are yet to be asked."""
        for part in ("known", "loaded", "met"):
            setattr(self, part, {key for key in getattr(self, part) if key[0] != call})

    def meet(self, other: "State") -> None:
        """Another way leads here too."""
        self.known &= other.known
        self.asked &= other.asked
        self.loaded &= other.loaded
        self.may |= other.may
        self.met |= other.met


class Inner:
    """Names that come first: those of a record, with its list, or others by their source.

    An empty source is that of a name which only some results have: what it means is the walk's to know.
    """

    __slots__ = ("list", "names", "var")

    def __init__(self, var: str = "", of: At | None = None, names: Mapping[str, str] | None = None) -> None:
        self.var = var
        self.list = of
        self.names = names or {}

    def field(self, name: str) -> Fact | None:
        """The record's fact of that name."""
        return next((f for f in self.list.fact.fields if f.name == name), None) if self.list is not None else None


class Asker(Source):
    """Writes lines, and the readings of facts in them.

    `call` is the run whose names are in sight, `here` the one whose node is at work. With `silent` a reading only
    asks, as that of a default does; with `trusted` a choice is looked up in a table at once. `inline` counts how deep
    the code stands in parts of an expression that may not be worked out, and `told` the readings so far that do more
    than read. `asks_twice` tells whether a default may be taken more than once, `asks_silently` whether something is
    asked for that nobody reads. `crowd` is what the defaults read in a tally that has several such facts,
    `shared` are names of facts that are told before a walk, and of others that are asked.
    """

    def __init__(self, layout: Layout, mode: str, *, house_rules: bool) -> None:
        super().__init__()
        self.layout = layout
        self.rules = mode != "decide"
        self.trail = mode == "trail"
        self.house_rules = house_rules
        self.call = self.here = layout.top
        self.inner: tuple[Inner, ...] = ()
        self.silent = self.trusted = False
        self.inline = self.told = self.notes = 0
        self.state = State()
        self.slots: dict[Key, At] = {}
        self.every: set[str] = set()
        self.needs_row = len(layout.calls) > 1
        self.lists = self.asks_silently = self.asks_twice = False
        self.crowd: frozenset[Key] = frozenset()
        self.shared: set[str] = set()
        self.lines: list[tuple[int, str | int]] = []
        self._before: list[str] = []
        self._in_line = False

    # -- where the code stands ------------------------------------------------------------------------------------
    def put(self, indent: int, line: str) -> None:
        """Add a line; what it reads for the first time is read before it."""
        self.flush(indent)
        self.lines.append((indent, line))

    def flush(self, indent: int) -> None:
        """Add the lines that read what the line at work reads for the first time."""
        self.lines += [(indent, line) for line in self._before]
        self._before = []
        self._in_line = False

    @contextmanager
    def maybe(self) -> Iterator[None]:
        """What is read from here on may not be read."""
        before = self.state.copy()
        yield
        before.may, before.met = self.state.may, self.state.met
        self.state = before

    @contextmanager
    def part_of_line(self) -> Iterator[None]:
        """The same within an expression."""
        before = self.state.copy()
        self.inline += 1
        yield
        self.inline -= 1
        before.may, before.met, before.loaded = self.state.may, self.state.met, self.state.loaded
        self.state = before

    @contextmanager
    def inside(self, call: Call, inner: tuple[Inner, ...] = (), *, silent: bool = False) -> Iterator[None]:
        """Read as that call does."""
        before = self.call, self.inner, self.silent, self.trusted
        self.call, self.inner, self.silent, self.trusted = call, inner, silent or self.silent, False
        yield
        self.call, self.inner, self.silent, self.trusted = before

    def code(self, expr: Expr) -> str:
        """Source of an expression."""
        return self.of(expr.tree)

    def looked_up(self, tree: Tree, table: Mapping[str, Any]) -> str:
        """Source that looks a choice up in a table of all that it can be."""
        self.trusted = tree[0] == "name"
        found = f"{self.constant(table)}[{self.of(tree)}]"
        self.trusted = False
        return found

    def data(self, part: Tree, table: Mapping[str, Any]) -> str:
        """What a choice carries."""
        return self.looked_up(part, table)

    # -- facts ----------------------------------------------------------------------------------------------------
    def slot(self, at: At) -> str:
        """Source of a fact of a call or of the walk."""
        if at.key in self.state.known:
            return at.var
        self.told += 1
        if at.fact.kind is Kind.LIST:
            return self._list(at)
        self.asks_twice = self.asks_twice or (at.key not in self.state.loaded and at.key[1] in self.state.may)
        if not (self.is_kept(at) or self.inline or self.silent or self._in_line):
            return self._first(at)
        self.need(at)
        self._in_line = self._in_line or not self.silent
        return self._inline(at, late=self.is_late(at))

    def is_kept(self, at: At) -> bool:
        """Whether the answer to a fact is read when its call begins."""
        computed = at.fact.default is not None and not at.fact.default.is_constant
        return computed or at.key in self.layout.changed

    def need(self, at: At) -> None:
        """See that an answer has been read, and is legal."""
        if self.is_kept(at):
            self.slots.setdefault(at.key, at)
        elif at.key not in self.state.loaded:
            self._before += self.load(at, at.var)
            self.state.loaded.add(at.key)

    def _first(self, at: At) -> str:
        """The first reading of a fact that is read for sure: lines of its own, before the line at work."""
        var, default = at.var, at.fact.default
        taken = f"; {TAKE.format(at.key[1])}" if self.rules else ""
        lacking = "raise GiveUp" if default is None else f"{var} = {self.default(at.fact, self.call)}{taken}"
        before = self._before
        if at.key in self.state.loaded:
            before.append(f"if {var} is OPEN: {lacking}")
        else:
            before += self.load(at, var, lacking, trusted=self.trusted)
        if told := self.tell(at.key, at.fact.note):
            before.append(told.removesuffix(" or "))
        if self.rules and self.asks(at):
            before.append(f"{MARK.format(at.key[1])}None")
        self.ask_for(at, late=False)
        self.state.loaded.add(at.key)
        return var

    def _inline(self, at: At, *, late: bool) -> str:
        """A reading that may be the first, or none at all, or whose turn is only now."""
        var = at.var
        mark = MARK.format(at.key[1]) if self.rules and self.asks(at) else ""
        behind = self.behind(at) if late else ""
        lacking = first = self.lacking(at)
        told = self.tell(at.key, at.fact.note)
        if late:
            first = f"({mark}({var}W if {var}W is not OPEN{behind} else {lacking}))"
            mark = ""
        self.ask_for(at, late=late)
        if self.silent or lacking == "stop()" == first:
            return f"({mark}{told}({var} if {var} is not OPEN else {first}))"
        return f"({mark}{told}({var} if {var} is not OPEN else ({var} := {first})))"

    def ask_for(self, at: At, *, late: bool) -> None:
        """A fact has been asked for."""
        name = at.key[1]
        if self.rules and self.asks(at):
            self.every.add(name)
            self.state.may.add(name)
            self.asks_silently = self.asks_silently or self.silent
            if not late and not self.silent:
                self.state.asked.add(name)
        self.state.met.add(at.key)
        if not self.silent:
            self.state.known.add(at.key)

    def _list(self, at: At) -> str:
        """A list at its first reading: its records go into the ruling."""
        if at.fact.default is not None or self.silent or self.is_late(at) or not self.asks(at):
            raise GiveUpError
        self.slots.setdefault(at.key, at)
        self.needs_row = self.lists = self._in_line = True
        self.ask_for(at, late=False)
        mark = MARK.format(at.key[1]) if self.rules else ""
        return f"({mark}{self.tell(at.key, at.fact.note)}x.listed({at.key!r}, {at.var}))"

    def is_told(self, at: At) -> bool:
        """Whether a case's answer is given before the walk starts, and not when it is asked."""
        index, name = at.key
        if index > 0 or (index < 0 and name in self.layout.top.chart.facts):
            return False
        return at.fact.house_rule or (at.fact.default is not None and not at.fact.default.is_constant)

    @cached_property
    def told_before(self) -> dict[str, Fact]:
        """The facts whose answers a walk is told before it starts: they must be legal whoever reads them.

        Such an answer counts as used when anything of its name is read.
        """
        chart = self.layout.top.chart
        told = [At((-1, name), fact) for name, fact in chart.book.facts.items() if name not in chart.facts]
        told += [At((0, name), fact) for name, fact in chart.facts.items()]
        return {at.key[1]: at.fact for at in told if self.is_told(at)}

    @cached_property
    def told_source(self) -> str:
        """The same as source."""
        return self.constant(self.told_before)

    def asks(self, at: At) -> bool:
        """Whether reading a fact uses the answer in the case."""
        if self.is_told(at):
            return not self.silent
        if not self.silent and at.key[1] in self.told_before:
            self.shared.add(at.key[1])
            return True
        return self.house_rules or not at.fact.house_rule

    def is_late(self, at: At) -> bool:
        """Whether the answer is to be kept apart until it is asked for."""
        return not self.is_told(at) and (self.house_rules or not at.fact.house_rule) and self.is_kept(at)

    def behind(self, at: At) -> str:
        """Source of what is asked for before a fact whose default is worked out, though its answer is at hand."""
        raise NotImplementedError

    def owner(self, at: At) -> Call:
        """The call whose names a fact's default reads."""
        return self.layout.calls[at.key[0]] if at.key[0] >= 0 else self.here

    def lacking(self, at: At) -> str:
        """What a fact is where the case does not answer it."""
        if at.fact.default is None:
            return "stop()"
        with self.part_of_line():
            value = self.default(at.fact, self.owner(at))
        return value if self.silent or not self.rules else f"({TAKE.format(at.key[1])} or {value})"

    def default(self, fact: Fact, owner: Call, inner: tuple[Inner, ...] = ()) -> str:
        """A fact's default, within its bounds."""
        if fact.default is None:
            raise GiveUpError
        if fact.default.is_constant:
            return self.constant(fact.default(None))
        with self.inside(owner, inner, silent=True):
            value = self.code(fact.default)
        if fact.kind is not Kind.NUMBER:
            return value
        low = -MAX_NUMBER if fact.low is None else fact.low
        high = MAX_NUMBER if fact.high is None else fact.high
        return f"max({low}, min({value}, {high}))"

    def tell(self, key: Key, note: str) -> str:
        """Source that tells a note, and is false."""
        if self.silent or not self.tells(note):
            return ""
        self.notes += 1
        if self.trail:
            return f"see(seen{max(0, key[0])}, {key!r}, {note!r}, fresh) or "
        return f"told.setdefault({note!r}) or "

    def tells(self, note: str) -> bool:
        """Whether a note is told: all of them in a trail, those that are readings in a ruling."""
        return self.rules and bool(note) and (self.trail or not note.startswith("Likely"))

    # -- answers --------------------------------------------------------------------------------------------------
    def answer(self, at: At) -> list[str]:
        """The lines that read an answer at the beginning of a call."""
        if not self.is_late(at):
            return self.load(at, at.var)
        return [f"{at.var} = OPEN", *self.load(at, f"{at.var}W")]

    def load(self, at: At, var: str, lacking: str = "", *, trusted: bool = False) -> list[str]:
        """The lines that read an answer and see that it is legal.

        Args:
            at: the fact.
            var: the variable it is read into.
            lacking: what is done where it is not answered; then OPEN, where this is empty.
            trusted: an illegal choice is found by what is done with it.
        """
        name, fact = at.key[1], at.fact
        if not (self.house_rules or self.is_told(at) or not fact.house_rule):
            return [f"{var} = OPEN", *([lacking] if lacking else [])]
        test, usual = ("", "") if trusted and fact.kind is Kind.CHOICE else self._legal(at, var)
        if lacking == "raise GiveUp":  # so does a KeyError
            return [f"{var} = g[{name!r}]", *([f"if {test}: {var} = {usual}"] if test else [])]
        lines = [f"{var} = g.get({name!r}, OPEN)"]
        if lacking:
            lines.append(f"if {var} is OPEN: {lacking}")
        if test:
            lines.append(f"{'elif' if lacking else f'if {var} is not OPEN and'} {test}: {var} = {usual}")
        return lines

    def _legal(self, at: At, var: str) -> tuple[str, str]:
        """Source of what is wrong with an answer that is written in no usual way, and of reading it then."""
        fact = at.fact
        read = f"read({self.constant(fact)}, {var})"
        match fact.kind:
            case Kind.YES_NO:
                words = f"True if {var} == 'yes' else False if {var} == 'no' else {read}"
                return f"{var} is not True and {var} is not False", words
            case Kind.NUMBER:
                low = -MAX_NUMBER + 1 if fact.low is None else fact.low
                high = MAX_NUMBER - 1 if fact.high is None else fact.high
                if high - low < MAX_TABLE:
                    table = self.constant({str(number): number for number in range(low, high + 1)})
                    read = f"{table}[{var}] if {var}.__class__ is str and {var} in {table} else {read}"
                return f"({var}.__class__ is not int or not {low} <= {var} <= {high})", read
            case Kind.CHOICE:
                return f"{var} not in {self.constant(frozenset(choice.key for choice in fact.choices))}", read
            case Kind.TEXT:
                return "True", read
            case Kind.LIST:
                return "True", f"records({self.constant(fact)}, {var})"
