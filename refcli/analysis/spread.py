"""What the dice and cards of a loop make sure, whatever the facts are.

A value is `R + f`: the numbers in `low..high` that chance can bring, each of them possible every time, and a fixed
part that the facts settle, somewhere in `fixed`. A counter grows or shrinks with every round instead. Where an
expression cannot be seen so, nothing is sure.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

from refcli.analysis.boxes import Axis, Span, joined
from refcli.analysis.paths import find_case
from refcli.analysis.ranges import Types, as_number, possible
from refcli.core import types as t
from refcli.core.chart import DecideNode, DrawNode, Modifier, Node, Op, RollNode, SetNode, TallyNode
from refcli.core.compile import Tree
from refcli.core.parts import exprs_of
from refcli.core.struct import replace
from refcli.load.ranges import tally_range

NONE: frozenset[Any] = frozenset()
EVERY: Span = (-inf, inf)
MAX_FACES = 1000
"""Numbers on cards with more faces than this are not looked at."""
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
    """A number of which chance brings every one in `low..high`, plus a fixed number in `fixed`.

    `grows` is 1 for what every round makes larger, -1 for what it makes smaller, and then the rest does not matter.
    """

    low: int
    high: int
    fixed: t.Number
    grows: int = 0

    def plus(self, other: "Spread") -> "Spread | None":
        """The sum of two that chance brings apart from each other; None where they grow against each other."""
        if self.grows * other.grows < 0:
            return None
        fixed = t.add(self.fixed, other.fixed)
        return Spread(self.low + other.low, self.high + other.high, fixed, self.grows or other.grows)

    def negated(self) -> "Spread":
        """The same with its sign turned."""
        return Spread(-self.high, -self.low, t.negate(self.fixed), -self.grows)

    def may_stay(self, low: float, high: float) -> bool:
        """Whether, for some fixed part, chance can for ever bring nothing outside `low..high`."""
        if self.grows:
            return (high if self.grows > 0 else -low) == inf
        least, most = low - self.low, high - self.high
        at_least = least if self.fixed.low is None else max(least, self.fixed.low)
        at_most = most if self.fixed.high is None else min(most, self.fixed.high)
        return at_least <= at_most


def settled(numbers: t.Number) -> Spread:
    """What the facts alone settle."""
    return Spread(0, 0, numbers)


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
        if node is None or name in self._open:
            return frozenset({name})
        self._open.add(name)
        own = NONE if isinstance(node, SetNode | TallyNode) else frozenset({name})
        found = own.union(*(self.roots(expr.tree) for expr in exprs_of(node)))
        self._open.remove(name)
        return found

    def spread(self, tree: Tree) -> Spread | None:
        """A number as chance brings it; None where it cannot be seen as a sum."""
        if not self.roots(tree):
            return settled(as_number(possible(tree, self.types)))
        match tree:
            case ("name", name):
                return self.made_by(self.makers.get(name), name) or self._unseen(tree)
            case ("neg", part):
                found = self.spread(part)
                return None if found is None else found.negated()
            case ("+" | "-" as sign, a, b) if not self.roots(a) & self.roots(b):
                left, right = self.spread(a), self.spread(b)
                if left is None or right is None:
                    return None
                return left.plus(right if sign == "+" else right.negated())
            case ("field" | "data", *_) if numbers := self._on_card(tree):
                low, high = min(numbers), max(numbers)
                return Spread(low, high, t.Number(0, 0)) if len(numbers) == high - low + 1 else None
        return None

    def _unseen(self, tree: Tree) -> Spread | None:
        """A number that the loop makes in a way not seen through: any of its kind, whatever chance brings besides."""
        numbers = possible(tree, self.types)
        seen = isinstance(numbers, t.Number) and self.roots(tree) <= self.makers.keys()
        return settled(as_number(numbers)) if seen else None

    def _on_card(self, tree: Tree) -> frozenset[Any] | None:
        """All that a field of a card may show, or the data of its choice; None where that is not known."""
        match tree:
            case ("data", part, table):
                keys = self._on_card(part)
                return None if keys is None else frozenset(table[key] for key in keys)
            case ("field", name, field, None) if isinstance(node := self.makers.get(name), DrawNode):
                if node.deck.cards:
                    shown = frozenset(card.get(field) for _, card in node.deck.cards)
                    return None if None in shown else shown
        node = self.makers.get(tree[1]) if tree[0] == "field" else None
        found = possible(tree, self.types) if isinstance(node, DrawNode) and not node.deck.cards else None
        if isinstance(found, t.Number) and found.low is not None and found.high is not None:
            high = self._least_end(node, tree, found.high)
            return frozenset(range(found.low, high + 1)) if high - found.low < MAX_FACES else None
        return found if isinstance(found, frozenset) else None

    def _least_end(self, node: Node | None, tree: Tree, high: int) -> int:
        """The highest number that a field can show in every column that it may be looked at in; `high` at most."""
        field = node.deck.fields[tree[2]] if isinstance(node, DrawNode) else None
        if field is None or field.columns is None or not field.by_column:
            return high
        low = as_number(possible(tree[3], self.types)).low
        return field.columns[0] if low is None else min(max(low, field.columns[0]), field.columns[1])

    def made_by(self, node: Node | None, name: str) -> Spread | None:
        """A name as the node makes it."""
        if name in self._open:
            return None
        self._open.add(name)
        try:
            match node:
                case RollNode(pool=None, dice=dice):
                    return Spread(dice.low, dice.high, t.Number(0, 0))
                case SetNode(values=values):
                    return self._counted(dict(values)[name].tree, name) or self.spread(dict(values)[name].tree)
                case TallyNode():
                    return self.tally(node)
            return None
        finally:
            self._open.remove(name)

    def _counted(self, tree: Tree, name: str) -> Spread | None:
        """A name that is made from itself and something that never is 0: a counter."""
        match tree:
            case ("+" | "-" as sign, ("name", first), by) if first == name:
                return _counter(as_number(possible(by, self.types)), 1 if sign == "+" else -1)
            case ("+", by, ("name", last)) if last == name:
                return _counter(as_number(possible(by, self.types)), 1)
        return None

    def tally(self, node: TallyNode) -> Spread | None:
        """A total: chance must be added plainly, and each roll or card only once."""
        if node.cap is not None or any(modifier.op is not Op.ADD for modifier in node.modifiers):
            return None
        if node.start is not None and node.start.tree == ("name", node.name):
            return _counter(tally_range(replace(node, start=None)), 1)
        fresh = [modifier for modifier in node.modifiers if self.roots(_trees(modifier))]
        if any(modifier.when is not None or modifier.by is not None for modifier in fresh):
            return None
        rest = tuple(modifier for modifier in node.modifiers if modifier not in fresh)
        total: Spread | None = settled(tally_range(replace(node, start=None, modifiers=rest)))
        seen: frozenset[str] = frozenset()
        starts = [node.start.tree] if node.start is not None else []
        for tree in [*starts, *(modifier.amounts[0][1].tree for modifier in fresh)]:
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
        return self._on_card(tree) or NONE

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
        if isinstance(possible(a, self.types), frozenset):
            shown = self._on_card(a) or NONE
            return frozenset((word == b[1]) is (sign == "==") for word in shown) if b[0] == "const" else NONE
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
            taken = {find_case(node, word) for word in self._on_card(test.tree) or NONE}
            return taken <= {node.go.cases[number] for number in stay}
        spread = self.spread(test.tree) if test is not None else self._own(node)
        if spread is None:
            return True
        spans = Axis(EVERY).spans(patterns)
        kept = joined((span,) for number in stay for span in spans[number])
        return any(spread.may_stay(*span) for (span,) in kept)

    def _own(self, node: Node) -> Spread | None:
        """The value of a node that chooses by what it makes."""
        return self.tally(node) if isinstance(node, TallyNode) else self.made_by(node, "")


def _counter(by: t.Number, sign: int) -> Spread | None:
    """What is changed by so much in every round; None where it may stand still or turn."""
    if by.low is not None and by.low > 0:
        return Spread(0, 0, t.NUMBER, sign)
    return Spread(0, 0, t.NUMBER, -sign) if by.high is not None and by.high < 0 else None


def _trees(modifier: Modifier) -> tuple[Tree, ...]:
    exprs = [modifier.when, modifier.by, *(amount for _, amount in modifier.amounts)]
    return tuple(expr.tree for expr in exprs if expr is not None)
