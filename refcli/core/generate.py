"""Python source for the fast path: the checked graph written out as one function.

A node that only one edge leads to is written where it is needed; the others become blocks `if n == …:` in an order
in which every jump leads forward, but for those that close a loop.
"""

from collections.abc import Callable
from typing import Any

from refcli.core import chart as c
from refcli.core.compile import Tree, source
from refcli.core.expr import MAX_NUMBER, Expr, Text
from refcli.core.fact import Fact, Kind
from refcli.core.layout import (
    OPEN,
    GiveUpError,
    always_looked_up,
    condition,
    entries,
    has_loop,
    shower,
    topological,
    word_keys,
)
from refcli.core.parts import reads_of
from refcli.core.tally import NEUTRAL, plain_label
from refcli.core.trail import Line, Step
from refcli.core.types import Number
from refcli.core.values import Frozen

MAX_INLINE = 12
"""How deep the generated code nests before a node becomes a block of its own."""


class Writer:
    """Writes the function of one chart: facts first, then nodes in an order that every jump but a loop follows."""

    def __init__(self, chart: c.Chart, *, record: bool) -> None:
        self.chart = chart
        self.record = record
        self.lines: list[str] = []
        self.constants: list[Any] = []
        self.known: dict[str, Any] = {"OPEN": OPEN, "GiveUp": GiveUpError, "Line": Line, "min": min, "max": max}
        self.steps: list[Callable[..., Step]] = []
        self.order = topological(chart)
        self.entries = entries(chart)
        self.blocks: set[str] = set()
        self.facts = {name: fact for name in chart.live[chart.start] if (fact := chart.fact(name)) is not None}

    # -- names, for compile.source --------------------------------------------------------------------------------
    def name(self, name: str) -> str:
        """Source that reads a fact or a made name."""
        fact = self.facts.get(name)
        if fact is None:
            return f"n_{name}"
        if not self.record:
            return f"f_{name}"
        read = f"f_{name}"
        if fact.default is not None and fact.default.is_constant:
            read = f"({read} if {read} is not OPEN else default({name!r}, {self.constant(fact.default(None))}))"
        return f"note({name!r}, {fact.note!r}, {read})" if fact.note else read

    def field(self, name: str, field: str, column: str) -> str:
        """Cards are the walk's work."""
        raise GiveUpError

    def part(self, name: str, field: str) -> str:
        """Results are the walk's work."""
        raise GiveUpError

    def many(self, tree: Tree, constants: list[Any]) -> str:
        """Lists are the walk's work."""
        raise GiveUpError

    def code(self, expr: Expr) -> str:
        """Source of an expression."""
        return source(expr.tree, self, self.constants)

    def constant(self, value: Any) -> str:
        """Source of a fixed value."""
        if isinstance(value, bool | int | str):
            return repr(value)
        self.constants.append(value)
        return f"K[{len(self.constants) - 1}]"

    # -- the whole ------------------------------------------------------------------------------------------------
    def function(self) -> Callable[..., Any]:
        """The function, ready to call with answers and rolls by name."""
        self.put(0, "def run(g, r):")
        for name, fact in self.facts.items():
            self.fact(name, fact)
        if self.record:
            self.helpers()
        loops = has_loop(self.chart, self.order)
        self.blocks = {name for name in self.order if self.entries[name] > 1 or name == self.chart.start}
        self.put(1, f"n = {self.order.index(self.chart.start)}")
        indent = 1
        if loops:
            self.put(1, "steps = 0")
            self.put(1, "while True:")
            self.put(2, "steps += 1")
            self.put(2, "if steps > 1000: raise GiveUp")
            indent = 2
        for name in self.order:
            if name in self.blocks:
                self.put(indent, f"if n == {self.order.index(name)}:")
                self.node(name, indent + 1)
        names = "".join(f", {key}={key}" for key in ("OPEN", "GiveUp", "Line", "min", "max"))
        self.lines[0] = f"def run(g, r, K=K{names}):"
        space = {**self.known, "K": self.constants, "__builtins__": {"set": set, "int": int, "bool": bool}}
        exec("\n".join(self.lines), space)
        made: Callable[..., Any] = space["run"]
        return made

    def helpers(self) -> None:
        """Where a recording function keeps its trail, the defaults taken and the notes met."""
        self.put(1, "trail = []; log = trail.append; taken = {}")
        if any(fact.default is not None for fact in self.facts.values()):
            self.put(1, "def default(name, value): taken[name] = 1; return value")
        if any(fact.note for fact in self.facts.values()):
            self.put(1, "seen = set(); notes = []")
            self.put(1, "def note(name, text, value):")
            self.put(2, "if name not in seen: seen.add(name); notes.append(text)")
            self.put(2, "return value")

    def put(self, indent: int, line: str) -> None:
        """Add a line."""
        self.lines.append(" " * indent + line)

    def fact(self, name: str, fact: Fact) -> None:
        """Read an answer and see that it is legal."""
        default = "OPEN"
        if fact.default is not None and fact.default.is_constant and not self.record:
            default = self.constant(fact.default(None))
        read = f"f_{name}"
        self.put(1, f"{read} = g.get({name!r}, {default})")
        match fact.kind:
            case Kind.YES_NO:
                self.put(1, f"if {read} is not True and {read} is not False and {read} is not OPEN: raise GiveUp")
            case Kind.NUMBER:
                bounds = [f"{fact.low} <= "] if fact.low is not None else [f"{-MAX_NUMBER} < "]
                bounds += [read, f" <= {fact.high}" if fact.high is not None else f" < {MAX_NUMBER}"]
                self.put(1, f"if {read} is not OPEN and ({read}.__class__ is not int or not {''.join(bounds)}):")
                self.put(2, "raise GiveUp")
            case Kind.CHOICE if not always_looked_up(self.chart, name):
                keys = frozenset(choice.key for choice in fact.choices)
                self.put(1, f"if {read} is not OPEN and {read} not in {self.constant(keys)}: raise GiveUp")

    def go(self, target: str, indent: int, here: str) -> None:
        """Go to a node or outcome: written out here where this is the only way to it."""
        outcome = self.chart.outcomes.get(target)
        if outcome is not None:
            self.end(outcome, indent)
        elif target in self.blocks or indent > MAX_INLINE:
            self.blocks.add(target)
            index = self.order.index(target)
            self.put(indent, f"n = {index}")
            if index <= self.order.index(here):
                self.put(indent, "continue")
        else:
            self.node(target, indent)

    def node(self, name: str, indent: int) -> None:
        """Write a node out."""
        node = self.chart.nodes[name]
        if self.record and any(self.facts[word].note for word in reads_of(node) if word in self.facts):
            self.put(indent, "notes = []")
        match node:
            case c.DoNode():
                self.log(node, indent, value=self.text(node.text))
                self.go(node.go.cases[0].target, indent, name)
            case c.DecideNode():
                self.put(indent, f"t = {self.code(node.test)}")
                self.branch(node, indent)
            case c.SetNode():
                label = self.text(node.label) if node.label and node.label.exprs else None
                for made, expr in node.values:
                    self.put(indent, f"n_{made} = {self.code(expr)}")
                    self.bound(made, indent)
                pairs = ", ".join(f"{made!r}: n_{made}" for made, _ in node.values)
                self.log(node, indent, value="{" + pairs + "}", label=label)
                self.go(node.go.cases[0].target, indent, name)
            case c.TallyNode():
                self.tally(node, indent)
                self.branch(node, indent)
            case c.RollNode():
                made = f"n_{node.name or node.id}"
                self.put(indent, f"{made} = t = r[{node.name or node.id!r}]")
                legal = f"{node.dice.low} <= t <= {node.dice.high}"
                self.put(indent, f"if t.__class__ is not int or not {legal}: raise GiveUp")
                self.branch(node, indent)
            case c.TableNode():
                self.table(node, indent)

    def bound(self, name: str, indent: int) -> None:
        """Keep a made number within all bounds where its range is not known."""
        kind = self.chart.made.get(name)
        known = isinstance(kind, Number) and kind.low is not None and kind.high is not None
        if isinstance(kind, Number) and not (known and max(abs(kind.low or 0), abs(kind.high or 0)) <= MAX_NUMBER):
            self.put(indent, f"if not {-MAX_NUMBER} <= n_{name} <= {MAX_NUMBER}: raise GiveUp")

    def branch(self, node: c.Node, indent: int, test: str = "t") -> None:
        """Follow the edge that the value in `test` picks."""
        cases = node.go.cases
        if len(cases) == 1 and cases[0].key == "next":
            self.log(node, indent, value=self.value(node, test), to=cases[0].target)
            return self.go(cases[0].target, indent, node.id)
        word = "if"
        for case in cases:
            self.put(indent, f"{word} {condition(case.pattern, test)}:")
            self.log(node, indent + 1, value=self.value(node, test), to=case.target)
            self.go(case.target, indent + 1, node.id)
            word = "elif"
        self.put(indent, "else: raise GiveUp")
        return None

    def value(self, node: c.Node, test: str) -> str:
        """Source of the value a node logs."""
        return f"n_{node.name}" if isinstance(node, c.TallyNode) else test

    # -- tallies --------------------------------------------------------------------------------------------------
    def tally(self, node: c.TallyNode, indent: int) -> None:
        """Add up, round down, hold within the cap."""
        divides = any(modifier.op is c.Op.DIVIDE for modifier in node.modifiers)
        self.put(indent, f"s = {self.code(node.start) if node.start is not None else 0}")
        if divides:
            self.put(indent, "d = 1")
        if self.record:
            self.put(indent, "lines = []; mods = []")
        for modifier in node.modifiers:
            self.modifier(modifier, indent, divides)
        if divides:
            self.put(indent, "s = s // d")
        if node.cap is not None and node.cap.low is not None:
            self.put(indent, f"if s < {node.cap.low}: s = {node.cap.low}")
        if node.cap is not None and node.cap.high is not None:
            self.put(indent, f"if s > {node.cap.high}: s = {node.cap.high}")
        self.put(indent, f"n_{node.name} = t = s")
        self.bound(node.name, indent)

    def modifier(self, modifier: c.Modifier, indent: int, divides: bool) -> None:
        """One line of a tally."""
        if modifier.when is not None:
            self.put(indent, f"if {self.code(modifier.when)}:")
            indent += 1
        if modifier.by is not None and self.looked_up(modifier, indent, divides):
            return None
        if modifier.by is None:
            return self.amount(modifier, modifier.amounts[0][1], None, indent, divides)
        self.put(indent, f"b = {self.code(modifier.by)}")
        word = "if"
        for pattern, expr in modifier.amounts:
            key = pattern if isinstance(pattern, str | bool) else None
            self.put(indent, f"{word} {condition(pattern, 'b')}:")
            self.amount(modifier, expr, key, indent + 1, divides)
            word = "elif"
        return None

    def looked_up(self, modifier: c.Modifier, indent: int, divides: bool) -> bool:
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
        if not self.record:
            self.put(indent, f"s += {self.constant(table)}[{self.code(by)}]")
            return True
        lines = {
            key: Line(modifier.label.source if modifier.label else plain_label(modifier, key), amount)
            if amount
            else None
            for key, amount in table.items()
        }
        self.put(indent, f"line = {self.constant(lines)}[{self.code(by)}]")
        self.put(indent, "if line is not None:")
        self.put(indent + 1, "s += line[1]; lines.append(line)")
        if modifier.note:
            self.put(indent + 1, f"mods.append({modifier.note!r})")
        return True

    def amount(self, modifier: c.Modifier, expr: Expr, key: Any, indent: int, divides: bool) -> None:
        """Add, multiply or divide by an amount."""
        if not self.record and modifier.op is c.Op.ADD and not divides:
            return self.put(indent, f"s += {self.code(expr)}")
        self.put(indent, f"a = {self.code(expr)}")
        self.put(indent, f"if a != {NEUTRAL[modifier.op]}:")
        if modifier.op is c.Op.ADD:
            self.put(indent + 1, "s += a * d" if divides else "s += a")
        else:
            self.put(indent + 1, "s *= a" if modifier.op is c.Op.MULTIPLY else "d *= a")
        if self.record:
            if modifier.label is None and modifier.by is not None and key is None:
                raise GiveUpError  # a label made of a looked-up number is the walk's work
            label = self.text(modifier.label) if modifier.label else repr(plain_label(modifier, key))
            self.put(indent + 1, f"lines.append(Line({label}, a, {modifier.op.value!r}))")
            if modifier.note:
                self.put(indent + 1, f"mods.append({modifier.note!r})")
        return None

    # -- tables and ends ------------------------------------------------------------------------------------------
    def table(self, node: c.TableNode, indent: int) -> None:
        """Look a cell up."""
        self.put(indent, f"x = {self.code(node.row)}")
        self.put(indent, f"y = {self.code(node.column) if node.column is not None else 0}")
        word = "if"
        for row in node.rows:
            self.put(indent, f"{word} {condition(row.pattern, 'x')}:")
            word = "elif"
            cells = row.cells if len(row.cells) > 1 else row.cells * max(1, len(node.columns))
            if node.column is None or len(set(cells)) == 1:
                self.cell(node, cells[0], indent + 1)
                continue
            inner = "if"
            for (pattern, _), cell in zip(node.columns, cells, strict=True):
                self.put(indent + 1, f"{inner} {condition(pattern, 'y')}:")
                self.cell(node, cell, indent + 2)
                inner = "elif"
            self.put(indent + 1, "else: raise GiveUp")
        self.put(indent, "else: raise GiveUp")

    def cell(self, node: c.TableNode, cell: int | str, indent: int) -> None:
        """Go where a word leads, or on with a number."""
        if isinstance(cell, str):
            self.log(node, indent, to=cell)
            return self.go(cell, indent, node.id)
        self.put(indent, f"t = {cell}")
        if node.name:
            self.put(indent, f"n_{node.name} = t")
        return self.branch(node, indent)

    def text(self, text: Text) -> str:
        """Source that fills a text in."""
        if not text.exprs:
            return repr(text.source)
        parts = [
            repr(part) if isinstance(part, str) else f"{self.constant(shower(part))}({self.code(part)})"
            for part in text.parts
        ]
        return "(" + " + ".join(parts) + ")"

    def log(self, node: c.Node, indent: int, *, value: str = "None", to: str = "", label: str | None = None) -> None:
        """Record a step: the fixed parts now, the values when the function runs."""
        if not self.record:
            return
        chart, target = self.chart, to or node.go.cases[0].target
        kind = type(node).__name__.removesuffix("Node").lower()
        own = (node.note,) if node.note else ()
        named = node.name or node.id if isinstance(node, c.RollNode) else ""
        fixed = node.label.source if node.label else ""
        if label is None and node.label and node.label.exprs:
            label = self.text(node.label)
        parts = [value]
        if isinstance(node, c.TallyNode):
            parts.append("lines")

        def step(value: Any, notes: Any, mods: Any, words: str | None, lines: Any = ()) -> Step:
            told = tuple(dict.fromkeys((*notes, *own, *mods)))
            shown_label = fixed if words is None else words
            made = Frozen(value) if kind == "set" else value
            return Step(
                chart.id, node.id, kind, 0, shown_label, made, tuple(lines), target, node.page, told, (), (), named
            )  # fmt: skip

        self.steps.append(step)
        noted = any(self.facts[word].note for word in reads_of(node) if word in self.facts)
        mods = isinstance(node, c.TallyNode)
        middle = f"{'notes' if noted else '()'}, {'mods' if mods else '()'}, {label}"
        self.put(indent, f"log(({len(self.steps) - 1}, {value}, {middle}{', lines' if mods else ''}))")

    def end(self, node: c.OutcomeNode, indent: int) -> None:
        """Come to an outcome."""
        gives = "{" + ", ".join(f"{name!r}: {self.code(expr)}" for name, expr in node.gives.items()) + "}"
        if not self.record:
            return self.put(indent, f"return {node.id!r}, {gives}")
        chart = self.chart
        own = (node.note,) if node.note else ()
        noted = any(self.facts[word].note for word in reads_of(node) if word in self.facts)
        if noted:
            self.put(indent, "notes = []")
        self.put(indent, "effects = []")
        for when, text in node.effects:
            guard = f"if {self.code(when)}: " if when is not None else ""
            self.put(indent, f"{guard}effects.append({self.text(text)})")
        self.put(indent, "effects = (*effects,)")
        self.put(indent, f"gives = {gives}")
        changes = "{" + ", ".join(f"{name!r}: {self.code(expr)}" for name, expr in node.changes.items()) + "}"
        self.put(indent, f"changes = {changes}")
        self.put(indent, f"says = {self.text(node.says)}")

        def step(says: str, effects: tuple[str, ...], notes: Any) -> Step:
            told = tuple(dict.fromkeys((*notes, *own)))
            page = node.page or chart.page
            return Step(chart.id, node.id, "outcome", 0, node.title, says, (), "", page, told, (), effects)

        self.steps.append(step)
        self.put(indent, f"log(({len(self.steps) - 1}, says, effects, {'notes' if noted else '()'}))")
        return self.put(indent, f"return {node.id!r}, gives, (trail, [*taken], says, effects, changes)")
