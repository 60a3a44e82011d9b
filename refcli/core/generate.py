"""Python source for the fast path: a laid out chart written out as one function.

A node that only one edge leads to is written where it is needed; the others become blocks `if n == …:` in an order
in which every jump leads forward, but for those that close a loop.
"""

import re
from collections.abc import Callable
from typing import Any

from refcli.core import chart as c
from refcli.core import generate_calls, generate_ends, supply
from refcli.core.expr import MAX_NUMBER, Expr, shown
from refcli.core.generate_ends import ROW
from refcli.core.generate_facts import MARKED, TAKE, TAKEN, State
from refcli.core.generate_reads import Reader
from refcli.core.generate_rolls import write_draw, write_roll
from refcli.core.generate_tables import write_table
from refcli.core.generate_tally import write_tally
from refcli.core.layout import NEXT, OPEN, Call, GiveUpError, Key, Layout, condition
from refcli.core.records import record_name
from refcli.core.ruling import plain
from refcli.core.tally import plain_label
from refcli.core.types import Number

MAX_INLINE = 20
"""How deep the generated code nests before a node becomes a block of its own."""
MAX_TWICE = 2
"""How many edges may lead to an outcome that is written out for each of them."""
MAX_STEPS = 10_000
"""How many steps a walk may have; a longer one is left to the walk, which says so."""

_SUPPLIES = ("FACES", "Row", "left", "log", "read", "readings", "records", "see", "stop", "thrown")
SPACE: dict[str, Any] = {
    "OPEN": OPEN,
    "GiveUp": GiveUpError,
    "shown": shown,
    "plain": plain,
    "plain_label": plain_label,
    "record_name": record_name,
    **{name: getattr(supply, name) for name in _SUPPLIES},
    "__builtins__": {one.__name__: one for one in (int, str, len, sum, min, max, set, list)},
}
"""All that the code of a chart can use besides its own constants."""


class Writer(Reader):
    """Writes the function of one chart: nodes in an order that every jump but a loop follows, then what they need.

    Args:
        layout: the chart, laid out.
        mode: 'decide' for the outcome and what it gives, 'rule' for rulings, 'trail' for rulings with their trail.
        house_rules: whether cases answer the house rules of charts that are run.
    """

    def __init__(self, layout: Layout, mode: str, *, house_rules: bool = False) -> None:
        super().__init__(layout, mode, house_rules=house_rules)
        self.blocks = {key for key in layout.order if self._is_block(key)}
        self.arrivals: dict[Key, State] = {}
        self.empty: dict[int, set[str]] = {}
        self.unsure: set[str] = set()
        names = [self._rolled(key) for key in layout.order]
        thrown = [name for name in names if name]
        pools = any(name.endswith("*") for name in thrown)
        self.throws = bool(thrown)
        self.throws_once = not layout.loops and not pools and len(set(thrown)) == len(thrown)
        self.draws = any(isinstance(layout.calls[i].chart.nodes.get(name), c.DrawNode) for i, name in layout.order)
        self.needs_row = self.needs_row or self.draws or pools
        self.dotted: set[str] = set()
        self.sure: frozenset[str] | None = None
        self.sites: dict[str, frozenset[str]] = {}
        self.tells_modifiers = False
        self.source = ""

    def _is_block(self, key: Key) -> bool:
        index, name = key
        entries = self.layout.entries[key]
        if index == 0 and name in self.layout.top.chart.outcomes:
            return entries > MAX_TWICE
        return entries > 1 or key == (0, self.layout.top.chart.start)

    def _rolled(self, key: Key) -> str:
        """The name that a node rolls under, with a star for a pool; empty for other nodes."""
        node = self.layout.calls[key[0]].chart.nodes.get(key[1])
        if not isinstance(node, c.RollNode):
            return ""
        return f"{node.id}*" if node.pool is not None else node.name or node.id

    # -- the whole ------------------------------------------------------------------------------------------------
    def function(self) -> Callable[..., Any]:
        """The function, ready to call with an id, answers, rolls, draws and chance."""
        layout, base = self.layout, 2 if self.layout.loops else 1
        start = (0, layout.top.chart.start)
        self.arrivals[start] = self.state
        for key in layout.order:
            if key in self.blocks and key in self.arrivals:
                self.put(base, f"if n == {layout.place[key]}:")
                self.state = self.arrivals[key].copy()
                self.node(key, base + 1)
        body, self.lines = self.lines, []
        self.header(layout.place[start])
        self.source = self.written([*self.lines, *body])
        space = {**SPACE, **self.constants}
        exec(self.source, space)
        made: Callable[..., Any] = space["run"]
        return made

    def header(self, start: int) -> None:
        """What the function begins with."""
        self.put(0, "def run(i, g, r, d, c):")
        told = "{}" if self.needs_row or self.notes or self.tells_modifiers else "()"
        used = "set()" if self.needs_row or self.in_doubt else "()"
        for name in sorted(self.shared):
            self.put(1, f"if {name!r} in g: read({self.constant(self.told_before[name])}, g[{name!r}])")
        self.put(1, f"taken = {'[]' if self.takes_once else '{}'}; told = {told}; used = {used}")
        self.put(1, "trail = []; fresh = []" if self.trail else "fresh = None")
        if self.throws and self.rules:
            self.put(1, "rolled = {}")
        self.put(1, f"x = {ROW}" if self.needs_row else "x = None")
        if self.needs_row:
            self.put(1, "effects = []")
        if self.dotted:
            self.put(1, f"x.exact = dots = not {self.constant(frozenset(self.dotted))}.isdisjoint(r)")
        self.enter(self.layout.top, 1)
        self.put(1, f"n = {start}")
        if self.layout.loops:
            self.put(1, "steps = 0")
            self.put(1, "while True:")
            self.put(2, f"if steps > {MAX_STEPS - len(self.layout.order)}: raise GiveUp")

    @property
    def in_doubt(self) -> set[str]:
        """The answers of which only a run knows whether they were used."""
        return self.every - (self.sure or frozenset()) if self.layout.loops else self.unsure

    @property
    def takes_once(self) -> bool:
        """Whether no default can be taken twice."""
        return not (self.needs_row or self.layout.loops or self.asks_twice)

    def enter(self, call: Call, indent: int) -> None:
        """What a run of a chart begins with: its answers, not yet asked for."""
        if self.trail:
            self.put(indent, f"seen{call.index} = set()")
        for name in sorted(self.empty.get(call.index, ())):
            self.put(indent, f"{name} = OPEN")
        for key, at in self.slots.items():
            if key[0] == call.index or key[0] < call.index == 0:
                for line in self.answer(at):
                    self.put(indent, line)

    def written(self, lines: list[tuple[int, str | int]]) -> str:
        """The source, with what each call begins with, and the marks for answers where they are needed."""
        found: list[str] = []
        for indent, line in lines:
            if isinstance(line, str):
                found.append(" " * indent + line)
                continue
            self.lines = []
            self.enter(self.layout.calls[line], indent)
            found += [" " * deep + str(text) for deep, text in self.lines]
        unsure = self.in_doubt
        source = MARKED.sub(lambda mark: f"used.add({mark[1]!r}) or " if mark[1] in unsure else "", "\n".join(found))
        source = re.sub(r"\n *None(?=\n)", "", source)
        once = self.takes_once
        source = source.replace(TAKE.format(""), "taken" if once else "[*taken]")
        source = TAKEN.sub(r"taken.append('\1')" if once else r"taken.setdefault('\1')", source)
        # Of what is asked for on every way some is in `used` all the same, for the sake of other outcomes.
        more = " + len(used)" if unsure else ""
        for mark, asked in self.sites.items():
            source = source.replace(mark, "-1" if self.asks_silently else f"{len(asked - unsure)}{more}")
        return source

    def counted(self, asked: frozenset[str]) -> str:
        """Source of how many answers were asked for where these surely were; less than any number if nobody knows."""
        mark = f"\x04{len(self.sites)}\x05"
        self.sites[mark] = asked
        return mark

    def begin(self, call: Call, indent: int) -> None:
        """Enter a call: what it has to ask is known when all is written."""
        self.lines.append((indent, call.index))
        self.state.begin(call.index)

    # -- ways -----------------------------------------------------------------------------------------------------
    def go(self, target: Key, indent: int, here: Key) -> None:
        """Go to a node or outcome: written out here where this is the only way to it."""
        if target not in self.blocks and indent <= MAX_INLINE:
            return self.node(target, indent)
        self.blocks.add(target)
        if target in self.arrivals:
            self.arrivals[target].meet(self.state)
        else:
            self.arrivals[target] = self.state.copy()
        places = self.layout.place
        self.put(indent, f"n = {places[target]}")
        if places[target] <= places[here]:
            self.put(indent, f"steps += {places[here] - places[target] + 1}")
            self.put(indent, "continue")
        return None

    def branch(self, key: Key, indent: int, test: str = "t", **logged: Any) -> None:
        """Follow the edge that the value in `test` picks."""
        call = self.layout.calls[key[0]]
        node = call.chart.nodes[key[1]]
        cases = sorted(node.go.cases, key=lambda case: case.pattern == c.ELSE)
        if len(cases) == 1 and cases[0].key == "next":
            self.log(indent, node, to=cases[0].target, **logged)
            return self.go((key[0], cases[0].target), indent, key)
        word, both = "if", {case.pattern for case in cases} == {True, False}
        for case in cases:
            last = both and word == "elif"
            self.put(indent, "else:" if last else f"{word} {condition(case.pattern, test)}:")
            with self.maybe():
                self.log(indent + 1, node, to=case.target, **logged)
                self.go((key[0], case.target), indent + 1, key)
            self.here = self.call = call
            word = "elif"
        if not both:
            self.put(indent, "else: raise GiveUp")
        return None

    def node(self, key: Key, indent: int) -> None:
        """Write a node or outcome out."""
        index, name = key
        call = self.here = self.call = self.layout.calls[index]
        self.inner = ()
        node = call.chart.nodes.get(name.removesuffix(NEXT))
        match node:
            case None if call.up is None:
                generate_ends.write_end(self, call.chart.outcomes[name], indent)
            case None:
                generate_calls.write_return(self, key, indent)
            case c.DoNode():
                value = self.value(indent, self.text(node.text) if self.trail else "", node.text.exprs)
                self.close(indent, node)
                self.branch(key, indent, value=value)
            case c.DecideNode():
                self.decide(key, node, indent)
            case c.SetNode():
                self.set(key, node, indent)
            case c.TallyNode():
                more = write_tally(self, node, indent)
                self.branch(key, indent, value=self.made(call, node.name), **more)
            case c.RollNode():
                write_roll(self, key, node, indent)
            case c.DrawNode():
                write_draw(self, key, node, indent)
            case c.TableNode():
                write_table(self, key, node, indent)
            case c.EachNode() if name.endswith(NEXT):
                generate_calls.write_next(self, key, node, indent)
            case c.EachNode():
                generate_calls.write_each(self, key, node, indent)
            case c.RunNode():
                run = call.runs[node.id]
                self.begin(run, indent)
                self.overruled(run, indent)
                self.go((run.index, run.chart.start), indent, key)

    def overruled(self, call: Call, indent: int) -> None:
        """What a `with` hands on has not been changed yet."""
        for index, name in sorted(self.layout.overruled):
            if index == call.index:
                self.put(indent, f"{call.prefix}h_{name} = OPEN")

    def value(self, indent: int, source: str, exprs: tuple[Expr, ...]) -> str:
        """A text for the trail; without a trail, only what it reads is read."""
        if not self.trail:
            self.touch(indent, *exprs)
            return "None"
        self.put(indent, f"t = {source}")
        return "t"

    def touch(self, indent: int, *exprs: Expr) -> None:
        """Read what is read, where that may be the first time."""
        for expr in exprs:
            before = self.told
            source = self.code(expr)
            if self.told != before and self._in_line:
                self.put(indent, source)
            self.flush(indent)

    def close(self, indent: int, node: c.Node, *, mods: bool = False, label: bool = True, notes: bool = True) -> None:
        """What every node ends with: its label is read, its notes are told."""
        if label:
            self.label(indent, node)
        if not self.trail and notes:
            self.tell_now(indent, node.note)
            if mods and self.rules:
                self.put(indent, "for m in mods: told.setdefault(m)")

    def label(self, indent: int, node: c.Node) -> None:
        """Read a node's label."""
        if node.label is None or not node.label.exprs:
            return
        if self.trail:
            self.put(indent, f"l = {self.text(node.label)}")
        else:
            self.touch(indent, *node.label.exprs)

    def tell_now(self, indent: int, note: str) -> None:
        """Tell a note."""
        if self.tells(note):
            self.notes += 1
            self.put(indent, f"told[{note!r}] = None")

    def log(
        self, indent: int, node: c.Node, *, to: str = "", value: str = "None", start: str = "None",
        lines: str = "None", mods: bool = False, kind: str = "", label: str = "", notes: bool = True,
    ) -> None:  # fmt: skip
        """Record a step for the trail."""
        if not self.trail:
            return
        kind = kind or repr(type(node).__name__.removesuffix("Node").lower())
        shown_label = label or (
            "l" if node.label and node.label.exprs else repr(node.label.source if node.label else "")
        )
        depth = self.here.depth
        told = f"{node.note!r}, " if node.note and notes else ""
        told += "*mods, " if mods else ""
        self.put(
            indent,
            f"log(trail, {self.here.chart.id!r}, {node.id!r}, {kind}, {depth}, {shown_label}, {value}, {start},"
            f" {lines}, {to!r}, {node.page!r}, (), ({told}), fresh)",
        )

    # -- nodes ----------------------------------------------------------------------------------------------------
    def decide(self, key: Key, node: c.DecideNode, indent: int) -> None:
        """A diamond; where nothing comes between the test and its edges the test is not kept."""
        test = self.code(node.test)
        plain_ends = {case.pattern for case in node.go.cases} == {True, False} and not (
            node.label and node.label.exprs
        )
        noted = node.note and not node.note.startswith("Likely")
        if plain_ends and not self.trail and not noted:
            return self.branch(key, indent, test)
        self.put(indent, f"t = {test}")
        self.close(indent, node)
        return self.branch(key, indent, value="t")

    def set(self, key: Key, node: c.SetNode, indent: int) -> None:
        """Values made, top to bottom."""
        self.label(indent, node)
        for name, expr in node.values:
            var = self.made(self.call, name)
            self.put(indent, f"{var} = {self.code(expr)}")
            self.bound(name, indent)
        self.close(indent, node, label=False)
        made = ", ".join(f"{name!r}: {self.made(self.call, name)}" for name, _ in node.values)
        self.branch(key, indent, value=f"{{{made}}}")

    def bound(self, name: str, indent: int) -> None:
        """Keep a made number within all bounds where its range is not known."""
        kind = self.call.chart.made.get(name)
        known = isinstance(kind, Number) and kind.low is not None and kind.high is not None
        if isinstance(kind, Number) and not (known and max(abs(kind.low or 0), abs(kind.high or 0)) <= MAX_NUMBER):
            self.put(indent, f"if not {-MAX_NUMBER} <= {self.made(self.call, name)} <= {MAX_NUMBER}: raise GiveUp")
