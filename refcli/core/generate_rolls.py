"""Python source for the fast path: dice and cards."""

from typing import TYPE_CHECKING

from refcli.core import chart as c
from refcli.core.generate_ends import ROW
from refcli.core.generate_facts import Inner
from refcli.core.layout import Call, GiveUpError, Key
from refcli.core.step import fields_ahead

if TYPE_CHECKING:
    from refcli.core.generate import Writer


def write_roll(writer: "Writer", key: Key, node: c.RollNode, indent: int) -> None:
    """A throw: the case's, or by chance; one that the caller hands over is no throw."""
    call = writer.call
    name = node.name or node.id
    if node.pool is not None:
        return _write_pool(writer, key, node, indent)
    var = writer.made(call, name)
    kind = ""
    if node.name is not None and node.name in call.given:
        _write_handed(writer, call, node.name, indent)
        kind = "k"
        writer.put(indent, "else:")
        with writer.maybe():
            _write_throw(writer, call, node, indent + 1)
            writer.put(indent + 1, "k = 'roll'")
        writer.put(indent, f"t = {var}")
    else:
        _write_throw(writer, call, node, indent)
    writer.close(indent, node)
    return writer.branch(key, indent, value="t", kind=kind)


def _write_handed(writer: "Writer", call: Call, name: str, indent: int) -> None:
    """Take what the caller hands over, the first time it is needed."""
    var = writer.made(call, name)
    writer.empty.setdefault(call.index, set()).add(var)
    writer.put(indent, f"if {var} is OPEN:")
    with writer.maybe():
        writer.put(indent + 1, f"{var} = {writer.handed(call, name)}; k = 'given'")


def _write_throw(writer: "Writer", call: Call, node: c.RollNode, indent: int) -> None:
    name = node.name or node.id
    names, dice = writer.constant(rolls_as(call, name)), writer.constant(node.dice)
    many = len(writer.layout.calls) > 1
    if many:
        writer.dotted.update(rolls_as(call, name)[:-1])
    found = f"OPEN if dots else r.get({name!r}, OPEN)" if many else f"r.get({name!r}, OPEN)"
    writer.put(indent, f"t = {found}")
    row = "x" if many else f"(x := x or {ROW})"
    wanted = names if many else repr((name,))
    writer.put(
        indent, f"if t.__class__ is not int: t = FACES[t] if t.__class__ is str else {row}.roll({wanted}, {dice})"
    )
    writer.put(indent, f"if not {node.dice.low} <= t <= {node.dice.high}: raise GiveUp")
    writer.put(indent, f"{writer.made(call, name)} = t")
    if not writer.rules:
        return
    keep = f"rolled[{name!r}] = t" if writer.throws_once else f"rolled.setdefault({name!r}, []).append(t)"
    writer.put(indent, keep)


def rolls_as(call: Call, name: str) -> tuple[str, ...]:
    """The names by which a case may give a roll, the most exact first."""
    chart = call.chart.id
    return tuple(dict.fromkeys((f"{chart}.{name}", f"{chart.rpartition('/')[2]}.{name}", name)))


def _write_pool(writer: "Writer", key: Key, node: c.RollNode, indent: int) -> None:
    """So many dice, and how many of them pass each test; what the tests read is asked before the throw."""
    call = writer.call
    if node.pool is None:
        raise GiveUpError
    writer.put(indent, f"p = {writer.code(node.pool)}")
    writer.put(indent, f"die = {node.dice.low}")
    with writer.before(Inner(names={"die": "die"})):
        writer.touch(indent, *(test for _, test in node.counts))
        before = writer.told
        tests = [(name, writer.code(test)) for name, test in node.counts]
    if writer.told != before:
        raise GiveUpError
    names = writer.constant(rolls_as(call, node.name or node.id))
    writer.put(indent, f"t = x.pool({names}, {writer.constant(node.dice)}, p) if p > 0 else []")
    for name, test in tests:
        writer.put(indent, f"{writer.made(call, name)} = sum([1 for die in t if {test}])")
    if writer.rules:
        writer.put(indent, f"rolled.setdefault({node.id!r}, []).extend(t)")
    writer.close(indent, node)
    writer.put(indent, f"y = {writer.made(call, tests[0][0]) if tests else None}")
    writer.branch(key, indent, "y", value="list(t)")


def write_draw(writer: "Writer", key: Key, node: c.DrawNode, indent: int) -> None:
    """A card of the case, or the one that the caller hands over."""
    call = writer.call
    var = writer.made(call, node.name)
    draw = f"{var} = x.card({writer.constant(node.deck)})"
    kind = ""
    if node.name in call.given:
        _write_handed(writer, call, node.name, indent)
        kind = "k"
        writer.put(indent, f"else: {draw}; k = 'draw'")
    else:
        writer.put(indent, draw)
    writer.forget(indent, node.name)
    writer.close(indent, node)
    value = f"plain({var})"
    if kind and writer.trail:
        fields = fields_ahead(call.chart, node)
        writer.put(indent, f"if k == 'given': t = {{f: {var}[f] for f in {var} if f in {writer.constant(fields)}}}")
        writer.put(indent, f"else: t = {var}")
        value = "plain(t)"
    writer.branch(key, indent, "None", value=value, kind=kind)
