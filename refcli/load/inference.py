"""What the nodes of a chart make: the type of every made name, worked out from its makers.

Names are taken in the order in which they need each other. Those that need each other in a ring (a loop through a
roll) start as ANYTHING and are joined until nothing changes; number ranges that keep growing are opened.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from refcli.core import chart as c
from refcli.core import types as t
from refcli.core.expr import Expr, Fault
from refcli.core.problem import Code
from refcli.core.struct import Struct
from refcli.core.values import EMPTY
from refcli.load.edges import Declared
from refcli.load.formulas import Formulas
from refcli.load.ranges import pool_range, roll_range, table_range, tally_range
from refcli.load.sights import ChartSight

MAX_ROUNDS = 20
_WORD = re.compile(r"[a-z][a-z0-9_]*")


class Called(Struct, eq=False):
    """What a chart is to the charts that run it.

    `fields` are the types of its result; `shared` those of the shared facts that it can read; `takes` those of all
    names that a `with` may hand it; `reads` are all names that it may read from outside, `inner` those it may read
    of records. `rolls` tells whether every way through it rolls or draws, `cards` which fields it reads of the cards
    it may be handed.
    """

    title: str
    outcomes: tuple[str, ...]
    fields: Mapping[str, t.Type]
    shared: Mapping[str, t.Type]
    takes: Mapping[str, t.Type]
    reads: frozenset[str]
    inner: frozenset[str]
    rolls: bool = False
    cards: Mapping[str, frozenset[str]] = EMPTY

    def needs(self, node: c.RunNode) -> frozenset[str]:
        """What a node that runs it must still know; of a card that it hands on, what the chart reads."""
        handed = {
            f"{expr.text.strip()}.{field}" for name, expr in node.given.items() for field in self.cards.get(name, ())
        }
        return (self.reads - node.given.keys()) | self.inner | handed


class Inference:
    """Types the made names of one chart into its sight; `done` are the expressions that need no further look."""

    def __init__(
        self, declared: Declared, sight: ChartSight, formulas: Formulas, called: Mapping[str, Called | None]
    ) -> None:
        self.declared = declared
        self.sight = sight
        self.formulas = formulas
        self.called = called
        self.done: set[Expr] = set()
        self._results: dict[tuple[str, bool], t.Type] = {}

    def run(self) -> None:
        """Type every made name."""
        makers = self.declared.makers
        needs = {name: self.needs(name) for name in makers}
        for group in in_order(needs):
            if len(group) == 1 and group[0] not in needs[group[0]]:
                self.sight.made[group[0]] = self.joined(group[0], loose=False)
            else:
                self.loop(group)

    def needs(self, name: str) -> list[str]:
        """The made names that its makers read."""
        makers = self.declared.makers
        texts = (expr.text for node in self.nodes(name) for expr in _exprs_for(node, name) if not expr.is_constant)
        return [
            word for word in dict.fromkeys(word for text in texts for word in _WORD.findall(text)) if word in makers
        ]

    def nodes(self, name: str) -> Iterator[c.Node]:
        """The nodes that make a name, as far as they are whole."""
        for node_id, _ in self.declared.makers[name]:
            if (node := self.declared.nodes.get(node_id)) is not None:
                yield node

    def loop(self, group: list[str]) -> None:
        """Names that need each other: joined round by round until they stand."""
        made = self.sight.made
        made.update(dict.fromkeys(group, t.ANYTHING))
        for turn in range(MAX_ROUNDS):
            changed = False
            for name in group:
                kind = t.join((made[name], self.joined(name, loose=True))) or t.ANYTHING
                before = made[name]
                if turn > 1 and isinstance(kind, t.Number) and isinstance(before, t.Number):
                    kind = _opened(before, kind)
                changed = changed or kind != before
                made[name] = kind
            if not changed:
                break
        else:
            made.update((name, t.NUMBER if isinstance(made[name], t.Number) else t.ANYTHING) for name in group)
        for name in group:
            self.joined(name, loose=True, tell=True)

    def joined(self, name: str, *, loose: bool, tell: bool = False) -> t.Type:
        """The type that holds what all makers of a name make."""
        found: t.Type = t.ANYTHING
        for node_id, at in self.declared.makers[name]:
            node = self.declared.nodes.get(node_id)
            kind = t.ANYTHING if node is None else self.made_by(node, name, loose)
            both = t.join((found, kind))
            if both is None:
                if tell or not loose:
                    what = f"'{name}' is {kind} here and {found} in another node"
                    self.formulas.report.add(Code.TYPE, at, what, mend="give it another name")
                return t.ANYTHING
            found = both
        return found

    def made_by(self, node: c.Node, name: str, loose: bool) -> t.Type:
        """The type of what one node makes under a name."""
        match node:
            case c.SetNode():
                return t.join(self.typed(expr, loose) for expr in _exprs_for(node, name)) or t.ANYTHING
            case c.TallyNode():
                for expr in _exprs_for(node, name):
                    self.typed(expr, loose, t.NUMBER)
                for modifier in node.modifiers:
                    if modifier.by is not None:
                        self.typed(modifier.by, loose)
                return tally_range(node)
            case c.RollNode():
                if node.pool is None:
                    return roll_range(node)
                self.typed(node.pool, loose, t.NUMBER)
                return pool_range(node)
            case c.DrawNode():
                return t.Card(node.deck)
            case c.TableNode():
                return table_range(node)
        called = self.called.get(node.chart_id) if isinstance(node, c.RunNode) else None
        return self.result(node, called) if isinstance(node, c.RunNode) and called is not None else t.ANYTHING

    def result(self, node: c.RunNode, called: Called) -> t.Type:
        """The type of a run's result; one and the same for all runs of a chart."""
        mark = node.chart_id, isinstance(node, c.EachNode)
        if mark not in self._results:
            self._results[mark] = t.Result(called.title, called.fields, mark[1])
        return self._results[mark]

    def typed(self, expr: Expr, loose: bool, expect: t.Type | None = None) -> t.Type:
        """The type of an expression; `loose` says nothing of what is wrong, as types may still change."""
        if expr in self.done:
            return expr.type
        if not loose:
            self.done.add(expr)
            return self.formulas.check(expr, self.sight, expect)
        if not expr.is_constant:
            try:
                expr.check(self.sight, expect)
            except Fault:
                expr.tree, expr.type = (), t.ANYTHING
        return expr.type


def _exprs_for(node: c.Node, name: str) -> Iterable[Expr]:
    """The expressions that decide the type of a made name."""
    match node:
        case c.SetNode():
            return [expr for word, expr in node.values if word == name]
        case c.TallyNode():
            amounts = [amount for modifier in node.modifiers for _, amount in modifier.amounts]
            return [node.start, *amounts] if node.start is not None else amounts
        case c.RollNode() if node.pool is not None:
            return [node.pool]
    return ()


def _opened(before: t.Number, now: t.Number) -> t.Number:
    """A range that grew, opened on the side where it did."""
    return t.Number(now.low if now.low == before.low else None, now.high if now.high == before.high else None)


def in_order(needs: Mapping[str, list[str]]) -> list[list[str]]:
    """Groups of names that need each other, each behind those that it needs (after Tarjan)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_names: list[str] = []
    is_open: set[str] = set()
    groups: list[list[str]] = []
    for root in needs:
        work = [(root, iter(needs[root]))] if root not in number else []
        while work:
            name, rest = work[-1]
            if name not in number:
                number[name] = lowest[name] = len(number)
                open_names.append(name)
                is_open.add(name)
            other = next(rest, None)
            if other is None:
                work.pop()
                if work:
                    lowest[work[-1][0]] = min(lowest[work[-1][0]], lowest[name])
                if lowest[name] == number[name]:
                    at = open_names.index(name)
                    groups.append(sorted(open_names[at:], key=number.__getitem__))
                    is_open.difference_update(open_names[at:])
                    del open_names[at:]
            elif other not in number:
                work.append((other, iter(needs[other])))
            elif other in is_open:
                lowest[name] = min(lowest[name], number[other])
    return groups
