"""What a node or outcome is made of: its expressions, what it reads and makes, and where it leads."""

from collections.abc import Iterator

from refcli.core import chart as c
from refcli.core.expr import Expr, Text
from refcli.core.place import Place

Part = c.Node | c.OutcomeNode


def exprs_of(part: Part) -> Iterator[Expr]:
    """Every expression of a node or outcome, those in its texts included."""
    for text in _texts(part):
        if text is not None:
            yield from text.exprs
    match part:
        case c.DecideNode():
            yield part.test
        case c.SetNode():
            yield from (expr for _, expr in part.values)
        case c.TallyNode():
            if part.start is not None:
                yield part.start
            for modifier in part.modifiers:
                yield from filter(None, (modifier.when, modifier.by))
                yield from (amount for _, amount in modifier.amounts)
        case c.RollNode():
            if part.pool is not None:
                yield part.pool
            yield from (test for _, test in part.counts)
        case c.TableNode():
            yield part.row
            if part.column is not None:
                yield part.column
        case c.RunNode():
            yield from part.given.values()
            if isinstance(part, c.EachNode):
                yield from filter(None, (part.when, part.until))
        case c.OutcomeNode():
            yield from filter(None, (when for when, _ in part.effects))
            yield from part.gives.values()
            yield from part.changes.values()
            yield from filter(None, (when for when, _ in part.then))


def _texts(part: Part) -> Iterator[Text | None]:
    match part:
        case c.DoNode():
            yield part.text
        case c.TallyNode():
            yield from (modifier.label for modifier in part.modifiers)
        case c.OutcomeNode():
            yield part.says
            yield from (text for _, text in part.effects)
            return
    yield part.label


def reads_of(part: Part) -> frozenset[str]:
    """What a node or outcome can read: facts, made names, record fields, and `name.part` of cards and results."""
    names = {name for expr in exprs_of(part) for name in names_of(expr)}
    if isinstance(part, c.EachNode):
        names.add(part.records)
    return frozenset(names)


def names_of(expr: Expr) -> frozenset[str]:
    """The names an expression reads, `name.part` of cards and results among them."""
    return expr.reads | expr.inner | {f"{name}.{part}" for name, part in expr.fields}


def makes_of(part: Part) -> frozenset[str]:
    """The names a node makes."""
    match part:
        case c.SetNode():
            return frozenset(name for name, _ in part.values)
        case c.TallyNode() | c.DrawNode():
            return frozenset({part.name})
        case c.RollNode():
            return frozenset(({part.name} if part.name else set()) | {name for name, _ in part.counts})
        case c.TableNode() | c.RunNode():
            return frozenset({part.name} if part.name else ())
    return frozenset()


def targets_of(node: c.Node) -> Iterator[tuple[str, Place]]:
    """Where a node can lead, each with the place of its edge."""
    for case in node.go.cases:
        yield case.target, case.place
    if isinstance(node, c.TableNode):
        for row in node.rows:
            yield from ((cell, row.place) for cell in row.cells if isinstance(cell, str))
