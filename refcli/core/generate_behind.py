"""Python source for the fast path: what a walk asks for only to work a default out.

A walk asks for the first fact that the default reads and nobody has answered, together with the fact whose default it
is. Where a case answers that one too, the others are never asked for. A tally asks for all its facts in one form, so
that there the first default decides for all.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from refcli.core import chart as c
from refcli.core.compile import Tree
from refcli.core.expr import Expr
from refcli.core.fact import Kind
from refcli.core.generate_facts import MARK
from refcli.core.layout import At, Handed, Key

if TYPE_CHECKING:
    from refcli.core.generate_reads import Reader

UNSURE = " and stop()"
"""Only a walk knows what it asks for."""


def behind(reader: "Reader", at: At) -> str:
    """Source, behind the test that the case answers a fact, of what is asked for all the same."""
    if not _is_worked_out(at):
        return ""
    found = _open_facts(reader, at)
    if not found:
        return ""
    first = found[0]
    if first is None or len(reader.crowd) > 1:
        return UNSURE
    # one that may have been asked for before is asked for now or was then, which is the same if it is the only one
    alone = all(one is not None and one.key == first.key for one in found) and not _is_worked_out(first)
    if not alone and not _is_fresh(reader, first):
        return UNSURE
    with reader.part_of_line(), reader.inside(reader.owner(first), silent=True):
        more = behind(reader, first)
        mark = MARK.format(first.key[1]) if reader.rules and reader.asks(first) else ""
        reader.need(first)
        reader.ask_for(first, late=True)
    return more if more == UNSURE or not mark else f" and [{mark}0]{more}"


def crowd(reader: "Reader", node: c.TallyNode) -> frozenset[Key]:
    """What the defaults of a tally's facts read, where there is more than one such fact."""
    exprs = [node.start] if node.start is not None else []
    for modifier in node.modifiers:
        exprs += [one for one in (modifier.when, modifier.by) if one is not None]
        exprs += [expr for _, expr in modifier.amounts]
        exprs += modifier.label.exprs if modifier.label is not None else ()
    late = {at.key: at for at in _facts(reader, exprs) if _is_worked_out(at) and reader.is_late(at)}
    if len(late) < 2:
        return frozenset()
    unsure = (-1, "")  # no fact is called so
    return frozenset(
        one.key if one is not None else unsure for at in late.values() for one in _open_facts(reader, at)
    )


def _is_worked_out(at: At) -> bool:
    return at.fact.default is not None and not at.fact.default.is_constant


def _is_fresh(reader: "Reader", at: At) -> bool:
    """Whether a fact has surely not been asked for before."""
    return at.key not in reader.state.met and at.key[0] not in reader.layout.repeated


def _open_facts(reader: "Reader", at: At) -> list[At | None]:
    """The facts that a default reads and that may not be known yet, in order; None from where only a walk knows."""
    assert at.fact.default is not None
    with reader.inside(reader.owner(at), silent=True):
        return _open(reader, at.fact.default.tree)


def _open(reader: "Reader", tree: Tree) -> list[At | None]:
    match tree:
        case ("name", name):
            return _named(reader, name)
        case ("and" | "or", parts):
            return [*_open(reader, parts[0]), *_perhaps(reader, parts[1:])]
        case ("if", test, *ways):
            return [*_open(reader, test), *_perhaps(reader, ways)]
        case ("in", part, options):
            return [found for one in (part, *options) for found in _open(reader, one)]
        case ("call", _, parts):
            return [found for one in parts for found in _open(reader, one)]
        case ("field" | "count" | "total", *_):
            return [None]
        case ("part", *_):
            return []
    return [found for part in tree[1:] if isinstance(part, tuple) for found in _open(reader, part)]


def _perhaps(reader: "Reader", trees: Iterable[Tree]) -> list[At | None]:
    """Parts of which only some are read."""
    return [None] if any(_open(reader, tree) for tree in trees) else []


def _named(reader: "Reader", name: str) -> list[At | None]:
    for inner in reader.inner:
        if name in inner.names or (inner.list is not None and name == "place"):
            return []
        if inner.field(name) is not None:
            return [None]
    if name in reader.call.chart.made:
        return []
    where = reader.layout.locate(reader.call, name)
    if isinstance(where, Handed):
        return _handed(reader, where)
    if not isinstance(where, At):
        return [None]
    if where.key in reader.state.known:
        return []
    odd = where.fact.house_rule or where.fact.kind is Kind.LIST or where.key in reader.layout.changed
    return [None] if odd or reader.is_told(where) else [where]


def _handed(reader: "Reader", where: Handed) -> list[At | None]:
    call = where.call
    if call.up is None or (call.index, where.name) in reader.layout.overruled:
        return [None]
    with reader.inside(call.up, (reader.record_of(call),) if call.record else ()):
        return _open(reader, call.given[where.name].tree)


def _facts(reader: "Reader", exprs: Iterable[Expr]) -> Iterator[At]:
    """The facts that expressions read, through all that hands them on."""
    chart = reader.call.chart
    for name in dict.fromkeys(name for expr in exprs for name in expr.reads):
        if name in chart.made or (name not in chart.facts and name not in chart.book.facts):
            continue
        where = reader.layout.locate(reader.call, name)
        if isinstance(where, At):
            yield where
        elif isinstance(where, Handed) and where.call.up is not None:
            with reader.inside(where.call.up):
                found = list(_facts(reader, [where.call.given[where.name]]))
            yield from found
