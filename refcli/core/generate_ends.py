"""Python source for the fast path: where a walk ends, and its ruling."""

from typing import TYPE_CHECKING

from refcli.core import chart as c
from refcli.core.generate_facts import TAKE

if TYPE_CHECKING:
    from refcli.core.generate import Writer

ROW = "Row(g, r, d, c, taken, told, used, fresh)"
"""Source that makes a row's supplies."""


def effects_of(writer: "Writer", node: c.OutcomeNode, indent: int) -> bool:
    """Work the effects out, as the list `e`; whether there are any."""
    if not node.effects:
        return False
    first = [text for when, text in node.effects if when is None]
    if len(first) == len(node.effects):
        writer.put(indent, f"e = [{', '.join(map(writer.text, first))}]")
        return True
    writer.put(indent, "e = []")
    for when, text in node.effects:
        if when is None:
            writer.put(indent, f"e.append({writer.text(text)})")
            continue
        writer.put(indent, f"if {writer.code(when)}:")
        with writer.maybe():
            writer.put(indent + 1, f"e.append({writer.text(text)})")
    return True


def write_step(writer: "Writer", node: c.OutcomeNode, says: str, effects: str, indent: int) -> None:
    """The step of an outcome in the trail."""
    chart = writer.here.chart
    notes = f"({node.note!r},)" if node.note else "()"
    writer.put(
        indent,
        f"log(trail, {chart.id!r}, {node.id!r}, 'outcome', {writer.here.depth}, {node.title!r}, {says}, None, None,"
        f" '', {node.page or chart.page!r}, {effects}, {notes}, fresh)",
    )


def write_end(writer: "Writer", node: c.OutcomeNode, indent: int) -> None:
    """The outcome of the whole walk."""
    effects = effects_of(writer, node, indent)
    put = writer.put
    for var, values in (("v", node.gives), ("h", node.changes)):
        pairs = ", ".join(f"{name!r}: {writer.code(expr)}" for name, expr in values.items())
        put(indent, f"{var} = {{{pairs}}}")
    put(indent, f"says = {writer.text(node.says)}")
    follows = then_of(writer, node)
    if not writer.rules:
        put(indent, f"then = {follows}")
        return put(indent, f"return {node.id!r}, v")
    fixed = len(node.then) == 1 and node.then[0][0] is None
    if not fixed and node.then:
        put(indent, f"then = {follows}")
    if writer.trail:
        write_step(writer, node, "says", "e" if effects else "()", indent)
    else:
        writer.tell_now(indent, node.note)
    if writer.needs_row and effects:
        put(indent, "effects += e")
    put(indent, f"out = {{{_ruling(writer, node, effects=effects)}}}")
    if node.then:
        put(indent, f"out['then'] = {follows}" if fixed else "if then: out['then'] = then")
    if writer.lists:
        put(indent, f"if x.lists: out['records'] = x.records({writer.constant(writer.call.chart)})")
    if writer.trail:
        put(indent, "out['trail'] = trail")
    _left(writer, indent)
    return put(indent, "return out")


def then_of(writer: "Writer", node: c.OutcomeNode) -> str:
    """Source of the chart that follows; empty where none does."""
    if not node.then:
        return "''"
    (when, follows), *rest = node.then
    if when is None:
        return repr(follows)
    test = writer.code(when)
    parts = [f"({follows!r} if {test} else "]
    with writer.part_of_line():
        for when, follows in rest:
            parts.append(f"({follows!r} if {writer.code(when)} else " if when is not None else f"({follows!r} or ")
    return "".join(parts) + "''" + ")" * len(parts)


def _ruling(writer: "Writer", node: c.OutcomeNode, *, effects: bool) -> str:
    """The entries of the ruling, as `ruling.py` has them."""
    shown = "effects" if writer.needs_row else "e" if effects else "[]"
    rolls = "{}" if not writer.throws else "rolled" if writer.throws_once else "thrown(rolled)"
    entries = {
        "id": "i",
        "chart": repr(writer.call.chart.id),
        "outcome": repr(node.id),
        "title": repr(node.title),
        "says": "says",
        "effects": shown,
        "gives": "v",
        "changes": "h",
        "rolls": rolls,
        "draws": "x.held" if writer.draws else "[]",
        "defaults": TAKE.format(""),
        "readings": "readings(trail)" if writer.trail else "[*told]",
    }
    return ", ".join(f"{name!r}: {source}" for name, source in entries.items())


def _left(writer: "Writer", indent: int) -> None:
    """Tell which answers were not used; mostly their number shows at once that all were.

    An answer that was asked for and not given has had its default taken; what is asked for on some ways only is in
    `used`, see `Writer.written` for the number of those that are always asked for and not in there.
    """
    asked = frozenset(writer.state.asked)
    writer.unsure |= writer.state.may - asked
    writer.sure = asked if writer.sure is None else writer.sure & asked
    if not writer.needs_row:
        rolled = "len(rolled)" if writer.throws else "0"
        all_used = f"len(g) == {writer.counted(asked)} - len(taken) and len(r) == {rolled} and x is None and not d"
        writer.put(indent, f"if not ({all_used}):")
        indent += 1
    rolled = "rolled" if writer.throws else "()"
    told = writer.told_source
    writer.put(indent, f"rest = left(g, r, d, {writer.constant(asked)}, used, {told}, {rolled}, x)")
    writer.put(indent, "if rest: out['unused'] = rest")
