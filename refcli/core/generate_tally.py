"""Python source for the fast path: tallies."""

from typing import TYPE_CHECKING, Any

from refcli.core import chart as c
from refcli.core.expr import Expr
from refcli.core.layout import GiveUpError, condition, word_keys
from refcli.core.tally import NEUTRAL, plain_label, start_label
from refcli.core.trail import Line

if TYPE_CHECKING:
    from refcli.core.generate import Writer


def write_tally(writer: "Writer", node: c.TallyNode, indent: int) -> None:
    """Add up, round down, hold within the cap."""
    divides = any(modifier.op is c.Op.DIVIDE for modifier in node.modifiers)
    writer.put(indent, f"s = {writer.code(node.start) if node.start is not None else 0}")
    if node.start is not None:
        writer.known_value("s", node.start, indent)
    if divides:
        writer.put(indent, "d = 1")
    if writer.record:
        begin = f"Line({start_label(node.start)!r}, s, 'start')" if node.start is not None else ""
        writer.put(indent, f"lines = [{begin}]; mods = []")
    for modifier in node.modifiers:
        modify(writer, modifier, indent, divides)
    if divides:
        writer.put(indent, "s = s // d")
    if node.cap is not None and node.cap.low is not None:
        writer.put(indent, f"if s < {node.cap.low}: s = {node.cap.low}")
    if node.cap is not None and node.cap.high is not None:
        writer.put(indent, f"if s > {node.cap.high}: s = {node.cap.high}")
    writer.put(indent, f"n_{node.name} = t = s")
    writer.bound(node.name, indent)


def modify(writer: "Writer", modifier: c.Modifier, indent: int, divides: bool) -> None:
    """One line of a tally."""
    if modifier.when is not None:
        writer.put(indent, f"if {writer.code(modifier.when)}:")
        indent += 1
    if modifier.by is not None and looked_up(writer, modifier, indent, divides):
        return None
    if modifier.by is None:
        return amount(writer, modifier, modifier.amounts[0][1], None, indent, divides)
    writer.put(indent, f"b = {writer.code(modifier.by)}")
    word = "if"
    for pattern, expr in modifier.amounts:
        key = pattern if isinstance(pattern, str | bool) else None
        writer.put(indent, f"{word} {condition(pattern, 'b')}:")
        amount(writer, modifier, expr, key, indent + 1, divides)
        word = "elif"
    return None


def looked_up(writer: "Writer", modifier: c.Modifier, indent: int, divides: bool) -> bool:
    """A look-up of plain numbers by choice becomes one dict."""
    by = modifier.by
    keys = word_keys(by)
    plain = all(expr.is_constant and isinstance(pattern, str) for pattern, expr in modifier.amounts)
    slots = modifier.label is not None and modifier.label.exprs
    if by is None or keys is None or not plain or slots or divides or modifier.op is not c.Op.ADD:
        return False
    amounts = {pattern: expr(None) for pattern, expr in modifier.amounts}
    rest = amounts.get(c.ELSE, 0)
    table = {key: amounts.get(key, rest) for key in keys}
    if not writer.record:
        writer.put(indent, f"s += {writer.constant(table)}[{writer.code(by)}]")
        return True
    lines = {
        key: Line(modifier.label.source if modifier.label else plain_label(modifier, key), amount) if amount else None
        for key, amount in table.items()
    }
    writer.put(indent, f"line = {writer.constant(lines)}[{writer.code(by)}]")
    writer.put(indent, "if line is not None:")
    writer.put(indent + 1, "s += line[1]; lines.append(line)")
    if modifier.note:
        writer.put(indent + 1, f"mods.append({modifier.note!r})")
    return True


def amount(writer: "Writer", modifier: c.Modifier, expr: Expr, key: Any, indent: int, divides: bool) -> None:
    """Add, multiply or divide by an amount."""
    if not writer.record and modifier.op is c.Op.ADD and not divides:
        return writer.put(indent, f"s += {writer.code(expr)}")
    writer.put(indent, f"a = {writer.code(expr)}")
    writer.put(indent, f"if a != {NEUTRAL[modifier.op]}:")
    if modifier.op is c.Op.ADD:
        writer.put(indent + 1, "s += a * d" if divides else "s += a")
    else:
        writer.put(indent + 1, "s *= a" if modifier.op is c.Op.MULTIPLY else "d *= a")
    if writer.record:
        if modifier.label is None and modifier.by is not None and key is None:
            raise GiveUpError  # a label made of a looked-up number is the walk's work
        label = writer.text(modifier.label) if modifier.label else repr(plain_label(modifier, key))
        writer.put(indent + 1, f"lines.append(Line({label}, a, {modifier.op.value!r}))")
        if modifier.note:
            writer.put(indent + 1, f"mods.append({modifier.note!r})")
    return None
