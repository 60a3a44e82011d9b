"""Rules that every record of a list keeps: each must read the record's fields, and nothing else."""

from collections.abc import Mapping

from refcli.core import types as t
from refcli.core.fact import Fact
from refcli.core.problem import Code, Problem
from refcli.load.facts import Facts
from refcli.load.sights import FactSight


def check_musts(facts: Facts) -> None:
    """Check the rules written in one file; what they see are the fields of their list."""
    for expr, fact in facts.musts:
        sight = FactSight({field.name: field for field in fact.fields}, {})
        facts.formulas.check(expr, sight, t.YES_NO)
        if expr.tree and not expr.reads:
            what = f"a rule of '{fact.name}' has to read a field of it"
            facts.report.put(Problem(Code.EXPRESSION, expr.place, what, width=len(expr.text)))


def reads_of_musts(facts: Mapping[str, Fact]) -> dict[str, frozenset[str]]:
    """For each field that a rule reads, what the rules read with it.

    Whoever may yet ask for one of them has to remember the others.
    """
    found: dict[str, frozenset[str]] = {}
    for fact in facts.values():
        for must in fact.must:
            for name in must.be.reads:
                found[name] = found.get(name, frozenset()) | must.be.reads
    return found
