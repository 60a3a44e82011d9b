"""How a chart is laid out as code: every chart that it runs is written out in its place, each node behind its makers.

Also who answers a fact, settled beforehand: in code that is written out, that is the same at every visit.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from refcli.core import chart as c
from refcli.core.fact import Fact
from refcli.core.parts import targets_of
from refcli.core.struct import Struct
from refcli.core.types import Word

MAX_CALLS = 15
"""How deep charts may run each other and be written out."""
MAX_NODES = 6000
"""How many nodes a chart may be, with all that it runs written out."""
NEXT = "+"
"""Behind the name of an each: the place where its next record is due."""


class GiveUpError(Exception):
    """The fast path met something it leaves to the walk."""


class _Open:
    """Stands for a fact without an answer: using it in any way gives up."""

    def _give_up(self, *_: object) -> Any:
        raise GiveUpError

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __hash__ = _give_up
    __str__ = __repr__ = __format__ = __int__ = __index__ = __iter__ = __len__ = _give_up
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __neg__ = __floordiv__ = __rfloordiv__ = _give_up


OPEN = _Open()

Key = tuple[int, str]
"""A node or outcome of a call, or a fact of it: the number of the call (-1: the whole walk) and the name."""


class Call:
    """A run of a chart, written out: `via` is the caller's node, `runs` are the calls of its own nodes."""

    __slots__ = ("chart", "depth", "index", "prefix", "runs", "up", "via")

    def __init__(self, index: int, chart: c.Chart, up: "Call | None", via: c.RunNode | None) -> None:
        self.index = index
        self.chart = chart
        self.up = up
        self.via = via
        self.depth: int = 0 if up is None else up.depth + 1
        self.prefix = f"C{index}_" if index else ""
        self.runs: dict[str, Call] = {}

    @property
    def given(self) -> Mapping[str, Any]:
        """The `with` of the caller's node."""
        return self.via.given if self.via is not None else {}

    @property
    def record(self) -> str:
        """The variable with the record that an each runs it for; empty without one."""
        return f"{self.prefix}record" if isinstance(self.via, c.EachNode) else ""


class At(Struct, eq=False):
    """A fact kept by a call, or by the walk."""

    key: Key
    fact: Fact

    @property
    def var(self) -> str:
        """The variable it is kept in."""
        index, name = self.key
        return f"S_{name}" if index < 0 else f"F{index}_{name}"


class Handed(Struct, eq=False):
    """A fact that the `with` of a call answers."""

    call: Call
    name: str


class Field(Struct, eq=False):
    """A fact that the record of a call has."""

    call: Call
    fact: Fact


class Layout:
    """A chart and all that it runs, laid out.

    `order` are the nodes so that every edge but those that close a loop leads forward, `place` where each stands in
    it, and `entries` how many edges lead there. `repeated` are the calls (-1: the walk) with a loop in it, `changed`
    the facts that an outcome on the way may change, `overruled` the names that a `with` hands on and one may change.
    """

    def __init__(self, chart: c.Chart) -> None:
        self.calls: list[Call] = []
        self.size = 0
        self.top = self.enter(chart, None, None)
        self.order = self._order()
        self.place = {key: index for index, key in enumerate(self.order)}
        self.entries = dict.fromkeys(self.order, 0)
        self.repeated: set[int] = set()
        for key in self.order:
            for target in self.targets(key):
                self.entries[target] += 1
                if self.place[target] <= self.place[key]:
                    self._repeat(self.calls[target[0]])
        self.loops = bool(self.repeated)
        self.changed: set[Key] = set()
        self.overruled: set[Key] = set()
        for call in self.calls[1:]:
            for outcome in call.chart.outcomes.values():
                for name in outcome.changes:
                    where = self.locate(call, name)
                    if isinstance(where, At):
                        self.changed.add(where.key)
                    elif isinstance(where, Handed):
                        self.overruled.add((where.call.index, where.name))

    def enter(self, chart: c.Chart, up: Call | None, via: c.RunNode | None) -> Call:
        """Lay out a call and all calls within it."""
        call = Call(len(self.calls), chart, up, via)
        self.calls.append(call)
        self.size += len(chart.nodes) + len(chart.outcomes)
        if call.depth > MAX_CALLS or self.size > MAX_NODES or chart.book is not self.calls[0].chart.book:
            raise GiveUpError
        for node in chart.nodes.values():
            if isinstance(node, c.RunNode):
                call.runs[node.id] = self.enter(chart.charts[node.chart_id], call, node)
        return call

    def targets(self, key: Key) -> Iterator[Key]:
        """Where a node or outcome leads."""
        index, name = key
        call = self.calls[index]
        node = call.chart.nodes.get(name.removesuffix(NEXT))
        if isinstance(node, c.EachNode):
            if not name.endswith(NEXT):
                yield (index, name + NEXT)
                return
            yield (index, node.go.cases[0].target)
        if isinstance(node, c.RunNode):
            run = call.runs[node.id]
            yield (run.index, run.chart.start)
        elif node is not None:
            cells = [cell for row in node.rows for cell in row.cells] if isinstance(node, c.TableNode) else []
            again = len(cells) > 1 and not all(isinstance(cell, int) for cell in cells)
            for _ in range(2 if again else 1):
                yield from ((index, target) for target, _ in targets_of(node))
        elif call.up is not None and call.via is not None:
            target = self.after(call.via, name)
            if target is not None:
                yield (call.up.index, target)

    def after(self, via: c.RunNode, outcome: str) -> str | None:
        """Where the caller goes on after that outcome; None where it has no case for it."""
        if isinstance(via, c.EachNode):
            return via.id + NEXT
        cases = via.go.cases
        return cases[0].target if len(cases) == 1 and cases[0].key == "next" else via.go.find(outcome)

    def _order(self) -> list[Key]:
        done: list[Key] = []
        first = (0, self.top.chart.start)
        seen = {first}
        stack = [(first, self.targets(first))]
        while stack:
            key, edges = stack[-1]
            target = next(edges, None)
            if target is None:
                stack.pop()
                done.append(key)
            elif target not in seen:
                seen.add(target)
                stack.append((target, self.targets(target)))
        return done[::-1]

    def _repeat(self, call: Call | None) -> None:
        """A loop leads back into a call: what it and its callers have asked for may have been asked for before."""
        self.repeated.add(-1)
        while call is not None:
            self.repeated.add(call.index)
            call = call.up

    # -- who answers a fact; as `Scope` has it, but for all walks at once ------------------------------------------
    def locate(self, call: Call, name: str) -> At | Handed | Field:
        """Who answers a fact that a chart reads: the nearest `with`, the innermost record, the run, or the walk."""
        if name in call.chart.facts:
            return Handed(call, name) if name in call.given else At((call.index, name), call.chart.facts[name])
        inner = False
        caller: Call | None = call
        while caller is not None:
            if name in caller.given:
                return Handed(caller, name)
            if caller.record and not inner:
                inner = True
                field = next((field for field in self.records(caller).fact.fields if field.name == name), None)
                if field is not None:
                    return Field(caller, field)
            caller = caller.up
        return At((-1, name), self.top.chart.book.facts[name])

    def records(self, call: Call) -> At:
        """The list whose records an each runs a call for."""
        if not isinstance(call.via, c.EachNode) or call.up is None:
            raise GiveUpError
        return self.list_of(call.up, call.via.records)

    def list_of(self, call: Call, name: str) -> At:
        """Where a list is kept, through every `with` that hands it on."""
        where = self.locate(call, name)
        while isinstance(where, Handed):
            tree = where.call.given[where.name].tree
            if where.call.up is None or tree[0] != "name":
                raise GiveUpError
            where = self.locate(where.call.up, tree[1])
        if isinstance(where, Field):
            raise GiveUpError
        return where


def condition(pattern: c.Pattern | None, value: str) -> str:
    """Source that tests a case's pattern."""
    if isinstance(pattern, bool):
        return value if pattern else f"not {value}"
    if pattern == c.ELSE:
        return "True"
    if not isinstance(pattern, c.Band):
        return f"{value} == {pattern!r}"
    if pattern.low is not None and pattern.low == pattern.high:
        return f"{value} == {pattern.low}"
    low = f"{pattern.low} <= " if pattern.low is not None else ""
    high = f" <= {pattern.high}" if pattern.high is not None else ""
    return f"{low}{value}{high}" if low or high else "True"


def word_keys(kind: object) -> frozenset[str] | None:
    """The choice keys that a value of this type can be; None where it is no choice."""
    return kind.keys if isinstance(kind, Word) else None
