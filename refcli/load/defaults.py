"""Defaults of facts: each must fit its fact, and none may lead back to itself."""

from collections.abc import Mapping

from refcli.core import types as t
from refcli.core.chart import Band
from refcli.core.expr import Expr, Sight
from refcli.core.fact import Fact
from refcli.core.problem import Code, Problem
from refcli.load.facts import Facts
from refcli.load.formulas import Formulas


def check_defaults(facts: Facts, sight: Sight) -> None:
    """Check the defaults written in one file."""
    for expr, fact in facts.defaults:
        kind = t.type_of_fact(fact)
        facts.formulas.check(expr, sight, kind)
        check_bounds(expr, kind, fact.name, facts.formulas)
    _check_rings(facts)


def check_bounds(expr: Expr, kind: t.Type | None, name: str, formulas: Formulas) -> None:
    """A plain number must lie in the range of what it answers."""
    if isinstance(kind, t.Number) and expr.is_constant and isinstance(value := expr.tree[1], int):
        band = Band(kind.low, kind.high)
        if not band.holds(value):
            what = f"{value} is outside {band}, the range of '{name}'"
            formulas.report.put(Problem(Code.TYPE, expr.place, what, width=len(expr.text)))


def reads_of_defaults(facts: Mapping[str, Fact]) -> dict[str, frozenset[str]]:
    """For each fact with a default that reads other facts, which."""
    return {
        name: fact.default.reads | fact.default.inner
        for name, fact in facts.items()
        if fact.default is not None and (fact.default.reads or fact.default.inner)
    }


def closed(names: frozenset[str], reads: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The names, and all that their defaults may read."""
    if not reads:
        return names
    found, todo = set(names), [name for name in names if name in reads]
    while todo:
        fresh = reads[todo.pop()] - found
        found |= fresh
        todo += [name for name in fresh if name in reads]
    return names if len(found) == len(names) else frozenset(found)


def _check_rings(facts: Facts) -> None:
    """Defaults that lead back to themselves; one problem per ring."""
    defaults = {name: fact.default for name, fact in facts.made.items() if fact.default is not None}
    reads = reads_of_defaults(facts.made)
    told: set[str] = set()
    for name, expr in defaults.items():
        ring = _ring(name, reads)
        if ring and not told & set(ring):
            told |= set(ring)
            what = f"this default leads back to itself: {' -> '.join(ring)}"
            problem = Problem(Code.CIRCULAR, expr.place, what, mend="leave one of them out", width=len(expr.text))
            facts.report.put(problem)


def _ring(name: str, reads: Mapping[str, frozenset[str]]) -> list[str]:
    """The shortest way from a fact through defaults back to it; empty where there is none."""
    came: dict[str, str] = {}
    todo = [name]
    for here in todo:
        for other in sorted(reads.get(here, ())):
            if other == name:
                way = [name, here]
                while way[-1] != name:
                    way.append(came[way[-1]])
                return way[::-1]
            if other not in came:
                came[other] = here
                todo.append(other)
    return []
