"""From the nodes of a file to core nodes: first pass, names are only declared; `resolve.py` sees what they mean."""

from collections.abc import Callable, Mapping
from typing import Any

from refcli.core import chart as c
from refcli.core.chart import Modifier, Op
from refcli.core.deck import Deck
from refcli.core.expr import Expr
from refcli.core.problem import Code
from refcli.load.edges import Declared, Edges, Raw
from refcli.load.facts import words
from refcli.load.formulas import Formulas
from refcli.load.report import brief
from refcli.load.tables import check_widths, rows_of
from refcli.load.tree import Scalar
from refcli.load.words import name_fault


class NodeMaker:
    """Makes the nodes of one chart."""

    def __init__(
        self, book_id: str, decks: Mapping[str, Deck], broken_decks: frozenset[str], formulas: Formulas
    ) -> None:
        self.book_id = book_id
        self.decks = decks
        self.broken_decks = broken_decks
        self.formulas = formulas
        self.report = formulas.report
        self.found = Declared()
        self.edges = Edges(self.found, self.report)
        self.kinds: dict[str, Callable[[Scalar, Raw, Raw], c.Node | None]] = {
            "do": self.do,
            "decide": self.decide,
            "set": self.set,
            "tally": self.tally,
            "roll": self.roll,
            "draw": self.draw,
            "table": self.table,
            "run": self.run,
            "each": self.run,
        }

    def make_all(self, written: list[tuple[Scalar, Raw | None]]) -> Declared:
        """All nodes, in the order written."""
        for name, raw in written:
            self.found.names[name.text] = name
            node = None
            if raw is not None:
                self.found.raw[name.text] = raw
                common: Raw = {
                    "id": name.text,
                    "place": name.place,
                    "label": self.formulas.text(raw.get("label")),
                    "note": words(raw.get("note")),
                    "page": words(raw.get("page")),
                }
                node = self.kinds[raw["kind"]](name, raw, common)
            if node is None:
                self.found.whole = False
            else:
                self.found.nodes[name.text] = node
        return self.found

    # names

    def makes(self, node: Scalar, name: Scalar) -> str:
        """Note that a node makes a name."""
        self.found.makers.setdefault(name.text, []).append((node.text, name))
        return name.text

    def named(self, node: Scalar, raw: Raw) -> str:
        """The name of what a roll or draw brings: `as`, else that of the node."""
        name = raw.get("as")
        if name is not None:
            return self.makes(node, name)
        if "as" not in raw["bad"] and (fault := name_fault(node.text)):
            self.report.add(Code.BAD_NAME, node, brief(fault, 160), mend="name the result with `as:`")
        return self.makes(node, node)

    def maybe_named(self, node: Scalar, raw: Raw) -> str | None:
        """The name given with `as`, if any."""
        return self.makes(node, raw["as"]) if "as" in raw else None

    def exprs(self, written: list[tuple[Scalar, Scalar | None]] | None) -> dict[str, Expr]:
        """Expressions by name."""
        return {name.text: self.formulas.expr(part) for name, part in written or () if part is not None}

    def expr(self, raw: Raw, key: str) -> Expr | None:
        """The expression behind a key, if any."""
        return self.formulas.expr(raw[key]) if key in raw else None

    # kinds

    def do(self, name: Scalar, raw: Raw, common: Raw) -> c.Node | None:
        """An instruction."""
        text = self.formulas.text(raw.get("do"))
        go = self.edges.go(name, raw)
        return None if text is None else c.DoNode(**common, go=go, text=text)

    def decide(self, name: Scalar, raw: Raw, common: Raw) -> c.Node | None:
        """A decision."""
        go, test = self.edges.yes_no(name, raw), self.expr(raw, "decide")
        return None if test is None else c.DecideNode(**common, go=go, test=test)

    def set(self, name: Scalar, raw: Raw, common: Raw) -> c.Node | None:
        """Values made."""
        go = self.edges.go(name, raw)
        written = raw.get("set") or ()
        values = []
        for word, part in written:
            self.makes(name, word)
            if part is not None:
                values.append((word.text, self.formulas.expr(part)))
        return c.SetNode(**common, go=go, values=tuple(values)) if values else None

    def tally(self, name: Scalar, raw: Raw, common: Raw) -> c.Node | None:
        """A running total."""
        go = self.edges.go(name, raw, cases=True)
        modifiers = tuple(filter(None, (self.modifier(part) for part in raw.get("modifiers", ()))))
        if "tally" not in raw:
            return None
        return c.TallyNode(
            **common,
            go=go,
            name=self.makes(name, raw["tally"]),
            start=self.expr(raw, "start"),
            modifiers=modifiers,
            cap=raw.get("cap"),
        )

    def modifier(self, raw: Raw) -> Modifier | None:
        """One line of a tally."""
        ops = [op for op in Op if op.value in raw["keys"]]
        if len(ops) != 1:
            what = "a modifier needs one of add, multiply and divide"
            if ops:
                what += f", this has {' and '.join(op.value for op in ops)}"
            self.report.add(Code.KIND, raw["at"], what)
            return None
        op = ops[0]
        written = raw.get(op.value)
        if written is None:
            return None
        key = raw["keys"][op.value]
        if isinstance(written, list) != ("by" in raw["keys"]):
            what = f"`by` goes with a mapping, like by: terrain, {op.value}: {{open: 1, woods: 2}}"
            self.report.add(Code.WRONG_SHAPE, key, what)
            return None
        pairs = written if isinstance(written, list) else [((None, None), written)]
        amounts = tuple((pattern, self.formulas.expr(part)) for (_, pattern), part in pairs if part is not None)
        if op is Op.DIVIDE:
            self.check_divisors(amounts, [part for _, part in pairs if part is not None])
        return Modifier(
            op,
            amounts,
            raw["at"].place,
            self.expr(raw, "by"),
            self.expr(raw, "when"),
            self.formulas.text(raw.get("label")),
            words(raw.get("note")),
        )

    def check_divisors(self, amounts: tuple[tuple[Any, Expr], ...], parts: list[Scalar]) -> None:
        """Amounts to divide by are plain numbers."""
        for (_, expr), part in zip(amounts, parts, strict=True):
            value = expr.tree[1] if expr.is_constant else 0
            if isinstance(value, bool) or value < 1:
                self.report.add(Code.TYPE, part, "divide by a plain number above zero only")

    def roll(self, name: Scalar, raw: Raw, common: Raw) -> c.Node | None:
        """A throw, of one total or of a pool."""
        keys = raw["keys"]
        go = self.edges.go(name, raw, cases=True)
        dice = raw.get("roll")
        if "dice" not in keys and "count" not in keys:
            made = self.named(name, raw)
            return None if dice is None else c.RollNode(**common, go=go, dice=dice, name=made)
        for word, other in (("dice", "count"), ("count", "dice")):
            if word not in keys:
                what = f"node '{name.text}' has '{other}' but no '{word}'"
                mend = "a pool has both: dice: how many, count: {name: test}"
                self.report.add(Code.MISSING_KEY, keys[other], what, mend=mend)
        if "as" in keys:
            what = "a pool has no total to name: name what you count"
            self.report.add(Code.WRONG_SHAPE, keys["as"], what, mend="delete `as`")
        counts = []
        for word, part in raw.get("count", ()):
            self.makes(name, word)
            if part is not None:
                counts.append((word.text, self.formulas.expr(part)))
        pool = self.expr(raw, "dice")
        if dice is not None and dice.count > 1:
            what = f"a pool throws single dice, not {dice}"
            self.report.add(
                Code.BAD_DICE, keys["roll"], what, mend=f"write roll: d{dice.sides}, and how many in dice:"
            )
        if dice is None or pool is None:
            return None
        return c.RollNode(**common, go=go, dice=dice, name=None, pool=pool, counts=tuple(counts))

    def draw(self, name: Scalar, raw: Raw, common: Raw) -> c.Node | None:
        """A card drawn."""
        go, made = self.edges.go(name, raw), self.named(name, raw)
        deck = raw.get("draw")
        if deck is None:
            return None
        if deck.text not in self.decks:
            if deck.text not in self.broken_decks:
                what = f"the book has no deck '{deck.text}'"
                mend = "name it under `decks:` in book.yaml"
                self.report.unknown(Code.UNKNOWN_DECK, deck, deck.text, what, self.decks, mend)
            return None
        return c.DrawNode(**common, go=go, deck=self.decks[deck.text], name=made)

    def run(self, name: Scalar, raw: Raw, common: Raw) -> c.Node | None:
        """A chart run, once or for each record."""
        is_each = raw["kind"] == "each"
        go, made = self.edges.go(name, raw, cases=not is_each), self.maybe_named(name, raw)
        given = self.exprs(raw.get("with"))
        chart = raw.get("run")
        if chart is None:
            return None
        full = chart.text if "/" in chart.text else f"{self.book_id}/{chart.text}"
        self.found.runs.append((chart, full))
        if not is_each:
            return c.RunNode(**common, go=go, chart_id=full, given=given, name=made)
        when, until = self.expr(raw, "when"), self.expr(raw, "until")
        if "each" not in raw:
            return None
        records = raw["each"].text
        return c.EachNode(
            **common, go=go, chart_id=full, given=given, name=made, records=records, when=when, until=until
        )

    def table(self, name: Scalar, raw: Raw, common: Raw) -> c.Node | None:
        """A look-up."""
        picks = raw.get("table")
        rows = rows_of(raw, self.found)
        cells = [cell for row in rows for cell in row.cells]
        has_numbers = any(isinstance(cell, int) for cell in cells)
        keys = raw["keys"]
        go = self.edges.go(name, raw, needed=has_numbers)
        made = self.maybe_named(name, raw)
        if has_numbers and made is None and "as" not in raw["bad"]:
            what = f"node '{name.text}' has numbers in its table and needs 'as'"
            self.report.add(Code.MISSING_KEY, name, what, mend="add `as:`, a name for the number looked up")
        if cells and not has_numbers and not raw["bad"]:
            for word in ("as", "next"):
                if word in keys:
                    what = f"no cell of this table is a number, so its '{word}' is never used"
                    self.report.add(Code.WRONG_SHAPE, keys[word], what, mend="delete it")
        if picks is None or not rows:
            return None
        row, *rest = picks if isinstance(picks, list) else [picks]
        columns = tuple((pattern, key.text) for key, pattern in raw.get("columns", ()))
        if "columns" in raw["bad"]:
            self.found.whole = False
        elif bool(rest) != ("columns" in keys):
            what = "table: [row, column] goes with columns, and columns with it"
            self.report.add(Code.WRONG_SHAPE, keys.get("columns", keys["table"]), what)
        check_widths(raw, len(columns), self.report)
        return c.TableNode(
            **common,
            go=go,
            row=self.formulas.expr(row),
            column=self.formulas.expr(rest[0]) if rest else None,
            columns=columns,
            rows=rows,
            name=made,
        )
