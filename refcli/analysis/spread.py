"""What the dice and cards of a loop make sure, whatever the facts are.

A value is `R + f`: the numbers in `low..high` that chance can bring, each of them possible every time, and a fixed
part that the facts settle, somewhere in `fixed`. Where an expression cannot be seen so, nothing is sure.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

from refcli.analysis.boxes import Axis, Span, joined
from refcli.analysis.ranges import Types, as_number, possible
from refcli.core import types as t
from refcli.core.chart import DecideNode, DrawNode, Modifier, Node, Op, RollNode, SetNode, TallyNode
from refcli.core.compile import Tree
from refcli.core.parts import exprs_of
from refcli.core.struct import replace
from refcli.load.ranges import tally_range

NONE: frozenset[Any] = frozenset()
EVERY: Span = (-inf, inf)
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_SPANS: dict[str, list[Span]] = {
    "==": [(0, 0)],
    "!=": [(-inf, -1), (1, inf)],
    "<": [(-inf, -1)],
    "<=": [(-inf, 0)],
    ">": [(1, inf)],
    ">=": [(0, inf)],
}
"""Where a - b lies when a comparison holds."""


@dataclass(frozen=True, slots=True)
class Spread:
    """A number of which chance brings every one in `low..high`, plus a fixed number in `fixed`."""

    low: int
    high: int
    fixed: t.Number

    def plus(self, other: "Spread") -> "Spread":
        """The sum of two that chance brings apart from each other."""
        return Spread(self.low + other.low, self.high + other.high, t.add(self.fixed, other.fixed))

    def negated(self) -> "Spread":
        """The same with its sign turned."""
        return Spread(-self.high, -self.low, t.negate(self.fixed))

    def may_stay(self, low: float, high: float) -> bool:
        """Whether, for some fixed part, chance can bring nothing outside `low..high`."""
        least, most = low - self.low, high - self.high
        at_least = least if self.fixed.low is None else max(least, self.fixed.low)
        at_most = most if self.fixed.high is None else min(most, self.fixed.high)
        return at_least <= at_most


class Chances:
    """What is sure of the expressions of one loop.

    Args:
        types: the types of facts and made names.
        makers: the node of the loop that makes a name, where just one does and no round goes past it.
        made: all names that some node of the loop makes.
    """

    def __init__(self, types: Types, makers: Mapping[str, Node], made: frozenset[str]) -> None:
        self.types = types
        self.makers = makers
        self.made = made
        self._open: set[str] = set()

    def roots(self, tree: Any) -> frozenset[str]:
        """What of the loop a tree depends on: rolls, cards and all else that the loop makes, seen through sums."""
        if not isinstance(tree, tuple):
            return frozenset()
        if tree and tree[0] in ("name", "field", "part", "count", "total") and tree[1] in self.made:
            return self._origin(tree[1]).union(*map(self.roots, tree[2:]))
        return frozenset().union(*map(self.roots, tree))

    def _origin(self, name: str) -> frozenset[str]:
        node = self.makers.get(name)
        if not isinstance(node, SetNode | TallyNode) or name in self._open:
            return frozenset({name})
        self._open.add(name)
        found = frozenset().union(*(self.roots(expr.tree) for expr in exprs_of(node)))
        self._open.remove(name)
        return found

    def spread(self, tree: Tree) -> Spread | None:
        """A number as chance brings it; None where it cannot be seen as a sum."""
        if not self.roots(tree):
            return Spread(0, 0, as_number(possible(tree, self.types)))
        match tree:
            case ("name", name):
                return self.made_by(self.makers.get(name), name)
            case ("neg", part):
                return self._map(part, Spread.negated)
            case ("+" | "-" as sign, a, b) if not self.roots(a) & self.roots(b):
                left, right = self.spread(a), self.spread(b)
                if left is None or right is None:
                    return None
                return left.plus(right if sign == "+" else right.negated())
            case ("field", name, *_) | ("data", ("field", name, *_), _) if isinstance(
                self.makers.get(name), DrawNode
            ):
                return self._card(tree)
        return None

    def _map(self, tree: Tree, change: Callable[[Spread], Spread]) -> Spread | None:
        found = self.spread(tree)
        return None if found is None else change(found)

    def _is_card(self, name: str) -> bool:
        return isinstance(self.makers.get(name), DrawNode)

    def _card(self, tree: Tree) -> Spread | None:
        """A number on a card: any that the field may show."""
        found = as_number(possible(tree, self.types))
        if found.low is None or found.high is None:
            return None
        if tree[0] == "data" and len(set(tree[2].values())) <= found.high - found.low:
            return None
        return Spread(found.low, found.high, t.Number(0, 0))

    def made_by(self, node: Node | None, name: str) -> Spread | None:
        """A name as the node makes it."""
        match node:
            case RollNode(pool=None, dice=dice):
                return Spread(dice.low, dice.high, t.Number(0, 0))
            case SetNode(values=values):
                return self.spread(dict(values)[name].tree)
            case TallyNode():
                return self.tally(node)
        return None

    def tally(self, node: TallyNode) -> Spread | None:
        """A total: chance must be added plainly, and each roll or card only once."""
        plain = [m for m in node.modifiers if self.roots(_trees(m))]
        if node.cap is not None or any(m.op is not Op.ADD or m.when is not None or m.by is not None for m in plain):
            return None
        if any(m.op is not Op.ADD for m in node.modifiers):
            return None
        fixed = replace(node, start=None, modifiers=tuple(m for m in node.modifiers if m not in plain))
        total: Spread | None = Spread(0, 0, tally_range(fixed))
        seen: frozenset[str] = frozenset()
        for tree in ([node.start.tree] if node.start is not None else []) + [m.amounts[0][1].tree for m in plain]:
            part = self.spread(tree)
            if total is None or part is None or self.roots(tree) & seen:
                return None
            seen |= self.roots(tree)
            total = total.plus(part)
        return total

    def sure(self, tree: Tree) -> frozenset[Any]:
        """Which of yes and no can come up every time, whatever the facts are."""
        if not self.roots(tree):
            truths = possible(tree, self.types)
            return truths if isinstance(truths, frozenset) and len(truths) == 1 else NONE
        match tree:
            case ("not", part):
                return frozenset(not truth for truth in self.sure(part))
            case ("and" | "or" as word, parts):
                return self._logic(parts, decides=word == "or")
            case ("==" | "!=" | "<" | "<=" | ">" | ">=" as sign, a, b):
                return self._compare(sign, a, b)
            case ("field", name, *_) | ("data", ("field", name, *_), _) if isinstance(
                self.makers.get(name), DrawNode
            ):
                found = possible(tree, self.types)
                return found if isinstance(found, frozenset) else NONE
        return NONE

    def _logic(self, parts: tuple[Tree, ...], *, decides: bool) -> frozenset[Any]:
        sure = [self.sure(part) for part in parts]
        found = set()
        if any(decides in one for one in sure):
            found.add(decides)
        always = [one == {not decides} and not self.roots(part) for one, part in zip(sure, parts, strict=True)]
        open_parts = [one for one, settled in zip(sure, always, strict=True) if not settled]
        if len(open_parts) < 2 and all((not decides) in one for one in open_parts):
            found.add(not decides)
        return frozenset(found)

    def _compare(self, sign: str, a: Tree, b: Tree) -> frozenset[Any]:
        gap = self.spread(("-", a, b))
        if gap is None:
            return NONE
        always = {truth for truth, op in ((True, _OPPOSITE[sign]), (False, sign)) if not self._stays(gap, op)}
        return frozenset(always)

    def _stays(self, gap: Spread, sign: str) -> bool:
        """Whether, for some facts, a - b always compares so with 0."""
        return any(gap.may_stay(*span) for span in _SPANS[sign])

    def may_stay(self, node: Node, stay: set[int]) -> bool:
        """Whether, for some facts, a node takes none but the cases in `stay` (by number) for ever."""
        patterns = [case.pattern for case in node.go.cases]
        test = node.test if isinstance(node, DecideNode) else None
        if test is not None and isinstance(test.type, t.YesNo):
            leaving = frozenset(pattern for number, pattern in enumerate(patterns) if number not in stay)
            return not leaving & self.sure(test.tree)
        if test is not None and isinstance(test.type, t.Word):
            return not (test.tree[0] == "field" and self._is_card(test.tree[1]))
        spread = self.spread(test.tree) if test is not None else self._own(node)
        if spread is None:
            return True
        spans = Axis(EVERY).spans(patterns)
        kept = joined((span,) for number in stay for span in spans[number])
        return any(spread.may_stay(*span) for (span,) in kept)

    def _own(self, node: Node) -> Spread | None:
        """The value of a node that chooses by what it makes."""
        return self.tally(node) if isinstance(node, TallyNode) else self.made_by(node, "")


def _trees(modifier: Modifier) -> tuple[Tree, ...]:
    exprs = [modifier.when, modifier.by, *(amount for _, amount in modifier.amounts)]
    return tuple(expr.tree for expr in exprs if expr is not None)
