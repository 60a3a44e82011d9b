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
from refcli.core.generate_tally import write_tally
from refcli.core.layout import (
    OPEN,
    GiveUpError,
    always_looked_up,
    condition,
    entries,
    has_loop,
    shower,
    topological,
)
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
            read = f"({read} if {read} is not OPEN else taken.setdefault({name!r}, {fact.default(None)!r}))"
        return f"(told.setdefault({name!r}, {fact.note!r}) and {read})" if fact.note else read

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
        space = {**self.known, "K": self.constants, "__builtins__": {"int": int, "len": len}}
        exec("\n".join(self.lines), space)
        made: Callable[..., Any] = space["run"]
        return made

    def helpers(self) -> None:
        """Where a recording function keeps its trail, the defaults taken and the notes met."""
        self.put(1, "trail = []; log = trail.append; taken = {}; told = {}")

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
                    self.known_value(f"n_{made}", expr, indent)
                    self.bound(made, indent)
                pairs = ", ".join(f"{made!r}: n_{made}" for made, _ in node.values)
                self.log(node, indent, value="{" + pairs + "}", label=label)
                self.go(node.go.cases[0].target, indent, name)
            case c.TallyNode():
                write_tally(self, node, indent)
                self.branch(node, indent)
            case c.RollNode():
                made = f"n_{node.name or node.id}"
                self.put(indent, f"{made} = t = r[{node.name or node.id!r}]")
                legal = f"{node.dice.low} <= t <= {node.dice.high}"
                self.put(indent, f"if t.__class__ is not int or not {legal}: raise GiveUp")
                self.branch(node, indent)
            case c.TableNode():
                self.table(node, indent)

    def open_facts(self, expr: Expr) -> bool:
        """Whether an expression reads a fact that may be without an answer."""
        facts = (self.facts.get(name) for name in expr.reads)
        return any(f is not None and (f.default is None or not f.default.is_constant) for f in facts)

    def known_value(self, name: str, expr: Expr, indent: int) -> None:
        """Give up where a value is handed on unread and may be open."""
        if expr.tree[0] in ("name", "if") and self.open_facts(expr):
            self.put(indent, f"if {name} is OPEN: raise GiveUp")

    def all_known(self, node: c.OutcomeNode, indent: int) -> None:
        """Give up where an outcome's words and values need a fact that is open, as the walk would ask for it."""
        for when, text in () if self.record else node.effects:
            parts = [expr for expr in text.exprs if self.open_facts(expr)]
            if when is not None and (parts or self.open_facts(when)):
                self.put(indent, f"if {self.code(when)}: ({' ,'.join(f'{self.code(part)} == 0' for part in parts)})")
            elif parts:
                self.put(indent, ", ".join(f"{self.code(part)} == 0" for part in parts))
        words = () if self.record else (*node.says.exprs, *(when for when, _ in node.then if when is not None))
        for expr in (*words, *node.gives.values(), *node.changes.values()):
            if self.open_facts(expr):
                self.put(indent, f"{self.code(expr)} == 0")

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
        word, both = "if", {case.pattern for case in cases} == {True, False}
        for case in cases:
            last = both and word == "elif"
            self.put(indent, "else:" if last else f"{word} {condition(case.pattern, test)}:")
            self.log(node, indent + 1, value=self.value(node, test), to=case.target)
            self.go(case.target, indent + 1, node.id)
            word = "elif"
        if not both:
            self.put(indent, "else: raise GiveUp")
        return None

    def value(self, node: c.Node, test: str) -> str:
        """Source of the value a node logs."""
        return f"n_{node.name}" if isinstance(node, c.TallyNode) else test

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

        def step(notes: Any, value: Any, words: str | None, mods: Any = (), lines: Any = ()) -> Step:
            told = tuple(dict.fromkeys((*notes, *own, *mods)))
            shown_label = fixed if words is None else words
            made = Frozen(value) if kind == "set" else value
            return Step(
                chart.id, node.id, kind, 0, shown_label, made, tuple(lines), target, node.page, told, (), (), named
            )  # fmt: skip

        self.steps.append(step)
        rest = ", mods, lines" if isinstance(node, c.TallyNode) else ""
        self.put(indent, f"log(({len(self.steps) - 1}, {self.told}, {value}, {label}{rest}))")

    @property
    def told(self) -> str:
        """Source of how many notes of facts have been met."""
        return "len(told)" if any(fact.note for fact in self.facts.values()) else "0"

    def end(self, node: c.OutcomeNode, indent: int) -> None:
        """Come to an outcome."""
        self.all_known(node, indent)
        gives = "{" + ", ".join(f"{name!r}: {self.code(expr)}" for name, expr in node.gives.items()) + "}"
        if not self.record:
            return self.put(indent, f"return {node.id!r}, {gives}")
        chart = self.chart
        own = (node.note,) if node.note else ()
        effects = [f"*(({self.text(text)},) if {self.code(when)} else ())" if when is not None else self.text(text)
                   for when, text in node.effects]  # fmt: skip
        self.put(indent, f"effects = ({''.join(effect + ', ' for effect in effects)})")
        self.put(indent, f"gives = {gives}")
        changes = "{" + ", ".join(f"{name!r}: {self.code(expr)}" for name, expr in node.changes.items()) + "}"
        self.put(indent, f"changes = {changes}")
        self.put(indent, f"says = {self.text(node.says)}")

        def step(notes: Any, says: str, effects: tuple[str, ...]) -> Step:
            told = tuple(dict.fromkeys((*notes, *own)))
            page = node.page or chart.page
            return Step(chart.id, node.id, "outcome", 0, node.title, says, (), "", page, told, (), effects)

        self.steps.append(step)
        self.put(indent, f"log(({len(self.steps) - 1}, {self.told}, says, effects))")
        follows = "''"
        for when, chart_id in reversed(node.then):
            follows = repr(chart_id) if when is None else f"({chart_id!r} if {self.code(when)} else {follows})"
        self.put(indent, f"then = {follows}")
        return self.put(indent, f"return {node.id!r}, gives, (trail, taken, told, says, effects, changes, then)")
