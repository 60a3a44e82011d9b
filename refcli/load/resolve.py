"""Second pass over the parts of a chart: what every name, word, edge and expression means, and whether they fit."""

from collections.abc import Mapping, Sequence

from refcli.core import chart as c
from refcli.core import types as t
from refcli.core.chart import ELSE, Band, OutcomeNode, Pattern
from refcli.core.expr import Expr, Sight, Text, record_types
from refcli.core.fact import Fact, Kind
from refcli.core.place import Place
from refcli.core.problem import Code, Problem
from refcli.load.defaults import check_bounds
from refcli.load.edges import Declared, Raw
from refcli.load.facts import places
from refcli.load.formulas import Formulas
from refcli.load.inference import Called, Inference
from refcli.load.report import brief
from refcli.load.sights import ChartSight, InnerSight
from refcli.load.tree import Scalar

PLAIN = (t.YesNo, t.Number, t.Word, t.Words, t.Anything)
"""The types of values that can be kept, handed on and shown."""


class Resolver:
    """Checks one chart whose names are all declared and typed."""

    def __init__(
        self,
        raw: Raw,
        declared: Declared,
        outcomes: Mapping[str, OutcomeNode],
        facts: Mapping[str, Fact],
        sight: ChartSight,
        formulas: Formulas,
        called: Mapping[str, Called | None],
    ) -> None:
        self.raw = raw
        self.declared = declared
        self.outcomes = outcomes
        self.facts = facts
        self.sight = sight
        self.formulas = formulas
        self.report = formulas.report
        self.called = called
        self.typing = Inference(declared, sight, formulas, called)
        self.targets: dict[str, Place] = {name: at.place for name, at in declared.names.items()}
        self.targets |= {name: outcome.place for name, outcome in outcomes.items()}

    def run(self) -> None:
        """Check every node and outcome."""
        self.typing.run()
        for node_id, raw in self.declared.raw.items():
            self.edges(raw)
            node = self.declared.nodes.get(node_id)
            if node is not None:
                self.text(node.label)
                self.node(node, raw)
        self.changes(self.raw)
        for name, written in self.raw.get("outcomes", ()):
            self.changes(written or {})
            self.outcome(self.outcomes[name.text])

    # expressions

    def check(self, expr: Expr | None, expect: t.Type | None = None, sight: Sight | None = None) -> t.Type:
        """Type an expression, unless that has been done."""
        if expr is None or expr in self.typing.done:
            return t.ANYTHING if expr is None else expr.type
        self.typing.done.add(expr)
        return self.formulas.check(expr, sight or self.sight, expect)

    def plain(self, expr: Expr, expect: t.Type | None = None) -> t.Type:
        """Type an expression whose value is kept or handed on."""
        kind = self.check(expr, expect)
        if not isinstance(kind, PLAIN):
            self.misfit(expr, f"only a number, yes or no, or a word can stand here, this is {kind}")
        return kind

    def text(self, text: Text | None) -> None:
        """Type what is to be filled into words."""
        for expr in text.exprs if text is not None else ():
            kind = self.check(expr)
            if not isinstance(kind, PLAIN):
                self.misfit(expr, f"{kind} cannot be shown in a text")

    def misfit(self, expr: Expr, what: str) -> None:
        """Report an expression of the wrong type."""
        self.report.put(Problem(Code.TYPE, expr.place, what, width=len(expr.text)))

    # edges

    def edges(self, raw: Raw) -> None:
        """Every edge leads to a node or outcome that is there."""
        for word in ("next", "yes", "no"):
            if isinstance(raw.get(word), Scalar):
                self.edge(word, raw[word])
        for (key, _), target in raw.get("cases", ()):
            if target is not None:
                self.edge(key.text, target)
        for (key, _), cells in raw.get("rows", ()):
            for at, value in cells if isinstance(cells, list) else [cells] if cells is not None else ():
                if isinstance(value, str):
                    self.edge(key.text, at)

    def edge(self, word: str, target: Scalar) -> None:
        """One edge."""
        name = target.text
        if name not in self.targets:
            self.declared.whole = False
            what = f"edge '{brief(word)}' leads to unknown node '{brief(name)}'"
            mend = f"rename the target, or add a node '{name}'" if len(name) <= 40 else "rename the target"
            self.report.unknown(Code.UNKNOWN_TARGET, target, name, what, self.targets, mend)

    def patterns(self, written: Sequence[tuple[Scalar, Pattern]], kind: t.Type, of: str) -> None:
        """Cases fit the value that they are tried on."""
        if not isinstance(kind, PLAIN) or isinstance(kind, t.Words):
            if written:
                self.report.add(Code.TYPE, written[0][0], f"{kind} has no cases")
            return
        for key, pattern in written:
            if pattern == ELSE or isinstance(kind, t.Anything):
                continue
            if isinstance(pattern, bool) or isinstance(kind, t.YesNo):
                if not (isinstance(pattern, bool) and isinstance(kind, t.YesNo)):
                    self.report.add(Code.TYPE, key, f"'{key.text}' is no case of {kind}", self.legal(kind))
            elif isinstance(pattern, Band) or isinstance(kind, t.Number):
                if not (isinstance(pattern, Band) and isinstance(kind, t.Number)):
                    self.report.add(Code.TYPE, key, f"'{key.text}' is no case of {kind}", self.legal(kind))
            elif isinstance(kind, t.Word) and pattern not in kind.keys:
                what = (
                    f"'{pattern}' is no {str(kind).removeprefix('a ')}" if kind.fact else f"{of} is never '{pattern}'"
                )
                self.report.unknown(Code.UNKNOWN_WORD, key, pattern, what, sorted(kind.keys))

    @staticmethod
    def legal(kind: t.Type) -> str:
        """What the cases of a type look like."""
        if isinstance(kind, t.YesNo):
            return "it can be: yes, no"
        return "cases of numbers look like ..3, 4..6 or 7" if isinstance(kind, t.Number) else ""

    # nodes

    def node(self, node: c.Node, raw: Raw) -> None:
        """What one node says."""
        cases = [key for key, target in raw.get("cases", ()) if target is not None]
        match node:
            case c.DoNode():
                self.text(node.text)
            case c.DecideNode() if "cases" in raw["keys"]:
                self.patterns(cases, self.check(node.test), f"'{brief(node.test.text)}'")
            case c.DecideNode():
                self.check(node.test, t.YES_NO)
            case c.SetNode():
                for _, expr in node.values:
                    self.plain(expr)
            case c.TallyNode():
                self.tally(node, raw)
                self.patterns(cases, self.sight.made.get(node.name, t.NUMBER), f"'{node.name}'")
            case c.RollNode():
                self.roll(node)
                self.patterns(cases, t.Number(node.dice.low, node.dice.high), f"'{node.id}'")
            case c.TableNode():
                self.patterns(
                    [key for key, _ in raw.get("rows", ())], self.check(node.row), f"'{brief(node.row.text)}'"
                )
                if node.column is not None:
                    of = f"'{brief(node.column.text)}'"
                    self.patterns(raw.get("columns", ()), self.check(node.column), of)
            case c.RunNode():
                self.run_chart(node, raw, cases)

    def tally(self, node: c.TallyNode, raw: Raw) -> None:
        """A tally's start and modifiers."""
        self.check(node.start, t.NUMBER)
        written = {part["at"].place: part for part in raw.get("modifiers", ())}
        for modifier in node.modifiers:
            self.check(modifier.when, t.YES_NO)
            self.text(modifier.label)
            for _, amount in modifier.amounts:
                self.check(amount, t.NUMBER)
            if modifier.by is not None:
                kind = self.check(modifier.by)
                keys = [key for key, _ in written[modifier.place][modifier.op.value]]
                self.patterns(keys, kind, f"'{brief(modifier.by.text)}'")

    def roll(self, node: c.RollNode) -> None:
        """A pool's size and what is counted in it."""
        if node.pool is not None:
            self.check(node.pool, t.NUMBER)
            die = InnerSight({"die": t.Number(node.dice.low, node.dice.high)}, self.sight)
            for _, test in node.counts:
                self.check(test, t.YES_NO, die)

    def run_chart(self, node: c.RunNode, raw: Raw, cases: list[tuple[Scalar, Pattern]]) -> None:
        """A run or each: which records, what it hands over, where each outcome leads."""
        called = self.called.get(node.chart_id)
        sight: Sight | None = self.sight
        if isinstance(node, c.EachNode):
            sight = self.each(node, raw["each"], called)
        for name, part in raw.get("with", ()):
            if part is not None:
                self.hand_over(name, node.given[name.text], called, sight)
        if called is not None:
            self.patterns(cases, t.Word(frozenset(called.outcomes)), f"the outcome of {called.title}")

    def each(self, node: c.EachNode, at: Scalar, called: Called | None) -> InnerSight | None:
        """The list that is run through; what is in sight for its records, None where the list is wrong."""
        fact = self.facts.get(at.text)
        if fact is None or fact.kind is not Kind.LIST:
            kind = self.sight.type_of(at.text)
            if not isinstance(kind, t.Anything):
                known = {name: fact for name, fact in self.facts.items() if fact.kind is Kind.LIST}
                what = (
                    f"there is no list '{brief(at.text)}'" if kind is None else f"'{at.text}' is {kind}, not a list"
                )
                code = Code.UNKNOWN_FACT if kind is None else Code.TYPE
                self.report.unknown(code, at, at.text, what, places(known, at.source.file))
            return None
        inner = record_types(t.Records(fact))
        sight = InnerSight(inner, self.sight)
        self.check(node.when, t.YES_NO, sight)
        if called is not None:
            self.check(node.until, t.YES_NO, InnerSight({**inner, **called.fields}, self.sight))
        return sight

    def hand_over(self, name: Scalar, expr: Expr, called: Called | None, sight: Sight | None) -> None:
        """One `with`: the chart must be able to use it, and it must fit."""
        word = name.text
        expect = called.takes.get(word) if called is not None else None
        if called is not None and expect is None:
            what = f"{called.title} reads no '{brief(word)}'"
            mend = "delete it, or name a fact, roll or card that it reads"
            self.report.unknown(Code.UNKNOWN_NAME, name, word, what, called.takes, mend)
        if sight is None:
            return
        kind = self.check(expr, expect, sight)
        if isinstance(kind, t.Records | t.Card | t.Result) and expr.tree[0] != "name":
            self.misfit(expr, f"{kind} is handed on by its name alone")
        check_bounds(expr, expect, word, self.formulas)

    # outcomes

    def outcome(self, outcome: OutcomeNode) -> None:
        """What an outcome says, gives and changes."""
        self.text(outcome.says)
        for when, text in outcome.effects:
            self.check(when, t.YES_NO)
            self.text(text)
        for when, _ in outcome.then:
            self.check(when, t.YES_NO)
        for expr in outcome.gives.values():
            self.plain(expr)
        for name, expr in outcome.changes.items():
            kind = self.sight.type_of(name) if name in self.facts else None
            self.plain(expr, kind)
            check_bounds(expr, kind, name, self.formulas)

    def changes(self, raw: Raw) -> None:
        """What an outcome changes must be facts."""
        for name, _ in raw.get("changes", ()):
            word = name.text
            if word not in self.facts and not isinstance(self.sight.type_of(word), t.Anything):
                known = places(self.facts, name.source.file)
                what = f"there is no fact '{brief(word)}' to change"
                self.report.unknown(
                    Code.UNKNOWN_FACT, name, word, what, known, "name a fact, or put it under `gives`"
                )
