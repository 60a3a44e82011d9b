"""Python source for the fast path: tallies."""

from typing import TYPE_CHECKING, Any

from refcli.core import chart as c
from refcli.core.expr import MAX_NUMBER, Expr
from refcli.core.generate_behind import crowd
from refcli.core.layout import condition, word_keys
from refcli.core.tally import NEUTRAL, plain_label
from refcli.core.types import Number

if TYPE_CHECKING:
    from refcli.core.generate import Writer


def write_tally(writer: "Writer", node: c.TallyNode, indent: int) -> dict[str, Any]:
    """Add up, round down, hold within the cap.

    Returns:
        What of it the trail shows: where it started, its lines, the notes of modifiers.
    """
    state, notes, lines = writer.state.copy(), writer.notes, len(writer.lines)
    more = _Tally(writer, node).write(indent)
    if writer.notes != notes and more["mods"]:
        # facts told notes of theirs in between: those of the modifiers come behind them all
        writer.state = state
        del writer.lines[lines:]
        more = _Tally(writer, node, kept=True).write(indent)
    return more


class _Tally:
    """A tally being written: `s` is the total, `q` what it is divided by at the end."""

    def __init__(self, writer: "Writer", node: c.TallyNode, *, kept: bool = False) -> None:
        self.writer = writer
        self.node = node
        self.divides = any(modifier.op is c.Op.DIVIDE for modifier in node.modifiers)
        self.checked = _size(node) > MAX_NUMBER
        self.noted = any(self.note(modifier) for modifier in node.modifiers)
        self.kept = kept or writer.trail

    def note(self, modifier: c.Modifier) -> str:
        """A modifier's note, where it is told."""
        return modifier.note if self.writer.tells(modifier.note) else ""

    def write(self, indent: int) -> dict[str, Any]:
        """The whole of it."""
        writer, node, put = self.writer, self.node, self.writer.put
        writer.crowd = crowd(writer, node)
        put(indent, f"s = {writer.code(node.start) if node.start is not None else 0}")
        if self.divides:
            put(indent, "q = 1")
        if self.noted and self.kept:
            put(indent, "mods = []")
        elif self.noted:
            writer.tell_now(indent, node.note)
        if writer.trail:
            put(indent, "first = s; lines = []")
        for modifier in node.modifiers:
            self.modify(modifier, indent)
        writer.crowd = frozenset()
        if self.divides:
            put(indent, "s = s // q")
        if node.cap is not None and node.cap.low is not None:
            put(indent, f"if s < {node.cap.low}: s = {node.cap.low}")
        if node.cap is not None and node.cap.high is not None:
            put(indent, f"if s > {node.cap.high}: s = {node.cap.high}")
        put(indent, f"{writer.made(writer.call, node.name)} = t = s")
        writer.bound(node.name, indent)
        writer.close(indent, node, mods=self.noted and self.kept, notes=self.kept or not self.noted)
        return {"start": "first" if node.start is not None else "None", "lines": "lines", "mods": self.noted}

    def modify(self, modifier: c.Modifier, indent: int) -> None:
        """One line of it."""
        writer = self.writer
        if modifier.when is None:
            return self.applied(modifier, indent)
        writer.put(indent, f"if {writer.code(modifier.when)}:")
        with writer.maybe():
            return self.applied(modifier, indent + 1)

    def applied(self, modifier: c.Modifier, indent: int) -> None:
        """A line that applies."""
        writer = self.writer
        if modifier.by is None:
            return self.amount(modifier, modifier.amounts[0][1], None, indent)
        if self.looked_up(modifier, modifier.by, indent):
            return None
        writer.put(indent, f"b = {writer.code(modifier.by)}")
        word = "if"
        for pattern, expr in modifier.amounts:
            key = pattern if isinstance(pattern, str | bool) and pattern != c.ELSE else None
            writer.put(indent, f"{word} {condition(pattern, 'b')}:")
            with writer.maybe():
                self.amount(modifier, expr, key, indent + 1)
            word = "elif"
        return None

    def looked_up(self, modifier: c.Modifier, by: Expr, indent: int) -> bool:
        """A look-up of plain numbers by choice becomes one dict."""
        keys = word_keys(by.type)
        plain = all(expr.is_constant and isinstance(pattern, str) for pattern, expr in modifier.amounts)
        slots = modifier.label is not None and modifier.label.exprs
        if keys is None or not plain or slots or self.divides or modifier.op is not c.Op.ADD:
            return False
        amounts = {pattern: expr(None) for pattern, expr in modifier.amounts}
        rest = amounts.get(c.ELSE, 0)
        writer = self.writer
        found = writer.looked_up(by.tree, {key: amounts.get(key, rest) for key in keys})
        if not writer.trail and not self.note(modifier):
            writer.put(indent, f"s += {found}")
        elif writer.trail:
            writer.put(indent, f"b = {writer.code(by)}; a = {found}")
            self.line(modifier, None, indent)
        else:
            writer.put(indent, f"a = {found}")
            self.line(modifier, None, indent)
        if self.checked:
            writer.put(indent, f"if not {-MAX_NUMBER} <= s <= {MAX_NUMBER}: raise GiveUp")
        return True

    def amount(self, modifier: c.Modifier, expr: Expr, key: Any, indent: int) -> None:
        """Add, multiply or divide by an amount."""
        writer = self.writer
        plain = modifier.op is c.Op.ADD and not self.divides and not writer.trail and not self.note(modifier)
        if plain:
            writer.put(indent, f"s += {writer.code(expr)}")
        else:
            writer.put(indent, f"a = {writer.code(expr)}")
        if modifier.label is not None:
            if writer.trail and modifier.label.exprs:
                writer.put(indent, f"k = {writer.text(modifier.label)}")
            else:
                writer.touch(indent, *modifier.label.exprs)
        if not plain:
            self.line(modifier, key, indent, expr(None) if expr.is_constant else None)
        if self.checked:
            more = f" or q > {MAX_NUMBER}" if self.divides else ""
            writer.put(indent, f"if not {-MAX_NUMBER} <= s <= {MAX_NUMBER}{more}: raise GiveUp")

    def line(self, modifier: c.Modifier, key: Any, indent: int, fixed: int | None = None) -> None:
        """Apply the amount `a`, with its line and note; where it is `fixed` nothing is left to be seen."""
        put, deeper = self.writer.put, indent + 1
        if fixed is None:
            put(indent, f"if a != {NEUTRAL[modifier.op]}:")
        elif fixed == NEUTRAL[modifier.op]:
            return
        else:
            deeper = indent
        if modifier.op is c.Op.ADD:
            put(deeper, "s += a * q" if self.divides else "s += a")
        else:
            put(deeper, "s *= a" if modifier.op is c.Op.MULTIPLY else "q *= a")
        if self.writer.trail:
            put(deeper, f"lines.append({{'label': {self.shown(modifier, key)}, {modifier.op.value!r}: a}})")
        if note := self.note(modifier):
            self.writer.tells_modifiers = True
            put(deeper, f"mods.append({note!r})" if self.kept else f"told[{note!r}] = None")

    def shown(self, modifier: c.Modifier, key: Any) -> str:
        """Source of a line's label."""
        if modifier.label:
            return "k" if modifier.label.exprs else repr(modifier.label.source)
        if modifier.by is None or key is not None:
            return repr(plain_label(modifier, key))
        return f"plain_label({self.writer.constant(modifier)}, b)"


def _size(node: c.TallyNode) -> int:
    """How large a running total may get; more than any number where that is not known."""
    total = 0
    for expr in (*((node.start,) if node.start is not None else ()), *_amounts(node)):
        kind = expr.type
        if not isinstance(kind, Number) or kind.low is None or kind.high is None:
            return MAX_NUMBER + 1
        total += max(abs(kind.low), abs(kind.high))
    return total if all(modifier.op is c.Op.ADD for modifier in node.modifiers) else MAX_NUMBER + 1


def _amounts(node: c.TallyNode) -> list[Expr]:
    return [expr for modifier in node.modifiers for _, expr in modifier.amounts]
