"""Reading an expression: whitelisted node by node over Python's own parser, and typed against the names in sight.

What is not listed here does not exist in the language.
"""

import ast
import re
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn, Protocol

from refcli.core import types as t
from refcli.core.compile import Tree
from refcli.core.problem import Code, did_you_mean

MAX_LENGTH = 400
MAX_NODES = 150
MAX_NUMBER = 10**9
FUNCTIONS = {"min", "max", "half_up", "half_down", "count", "total"}
_WHERE = re.compile(r"\bwhere\b")
_GLUED = re.compile(r"\b\d+[A-Za-z_]\w*")
_STRANGE = re.compile(r"[^\w\s.,+\-*/<>=!()\[\]]", re.ASCII)
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Is: "==",
    ast.IsNot: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_BINARY: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//"}


class Sight(Protocol):
    """The names an expression can see, each with its type."""

    def type_of(self, name: str) -> t.Type | None:
        """The type of a fact or made name; None when there is none of that name."""

    def names(self) -> Iterable[str]:
        """All names, for suggestions."""

    def words(self) -> Mapping[str, Any]:
        """All choice keys that may stand bare."""

    def inner(self) -> Mapping[str, t.Type]:
        """The names that come before all others: a record's or result's, in an each."""


class Fault(Exception):
    """What is wrong with an expression; `column` counts from 0 in its text."""

    def __init__(self, code: Code, message: str, column: int = 0, width: int = 1, hint: str = "") -> None:
        self.code, self.message, self.column, self.width, self.hint = code, message, column, width, hint
        super().__init__(message)


class Checker:
    """One pass over one expression."""

    def __init__(self, text: str, sight: Sight) -> None:
        self.text = text
        self.sight = sight
        self.inner = sight.inner()
        self.reads: set[str] = set()
        self.inner_reads: set[str] = set()
        self.fields: set[tuple[str, str]] = set()

    def read(self, expect: t.Type | None) -> tuple[Tree, t.Type]:
        """The checked tree and its type."""
        text = self.text
        if not text.strip():
            raise Fault(Code.EXPRESSION, "an expression is empty")
        if len(text) > MAX_LENGTH:
            raise Fault(Code.EXPRESSION, f"an expression has {len(text)} characters, more than {MAX_LENGTH}")
        if strange := _STRANGE.search(text):
            raise self.strange(strange[0], strange.start())
        if glued := _GLUED.search(text):
            raise Fault(Code.EXPRESSION, f"'{glued[0]}' cannot be read: put a space behind the number", glued.start())
        try:
            node = ast.parse(_WHERE.sub(",    ", text).replace("\n", " "), mode="eval").body
        except SyntaxError as fault:
            raise self.unreadable(fault) from None
        except (ValueError, RecursionError, MemoryError):
            raise Fault(Code.EXPRESSION, f"'{text[:40]}' cannot be read") from None
        if sum(1 for _ in ast.walk(node)) > MAX_NODES * 2:
            raise Fault(Code.EXPRESSION, "an expression is too long: split it with a `set` node")
        tree, kind = self.of(node, expect)
        if expect is not None and not fits(kind, expect):
            self.wrong(node, f"{_article(expect)} is needed here, this is {kind}")
        return tree, kind

    def strange(self, sign: str, column: int) -> Fault:
        """A sign that no expression has."""
        hints = {
            "−": "use the plain minus sign -",
            "–": "use the plain minus sign -",
            "≤": "write <=",
            "≥": "write >=",
        }
        hints |= {"&": "write `and`", "|": "write `or`", '"': "choice keys stand bare, without quotes"}
        shown = f"'{sign}'" if sign.isprintable() and not sign.isspace() else f"the sign U+{ord(sign):04X}"
        return Fault(Code.EXPRESSION, f"{shown} is not part of the chart language", column, 1, hints.get(sign, ""))

    def unreadable(self, fault: SyntaxError) -> Fault:
        """Words for a syntax error."""
        column = max(0, (fault.offset or 1) - 1)
        hint = ""
        if re.search(r"(?<![<>=!])=(?!=)", self.text):
            hint = "compare with `is`, `==`, `<=` …; one `=` does nothing here"
        return Fault(Code.EXPRESSION, f"'{self.text}' cannot be read", min(column, len(self.text)), 1, hint)

    def wrong(self, node: ast.AST, message: str, code: Code = Code.TYPE, hint: str = "") -> NoReturn:
        """Give up at a node of the text."""
        start = getattr(node, "col_offset", 0)
        width = max(1, getattr(node, "end_col_offset", start + 1) - start)
        raise Fault(code, message, start, width, hint)

    def of(self, node: ast.expr, expect: t.Type | None = None) -> tuple[Tree, t.Type]:
        """The tree and type of any node."""
        match node:
            case ast.Constant(value=bool()) | ast.Constant(value=None):
                self.wrong(node, f"write yes or no, not {node.value!r}", Code.EXPRESSION)
            case ast.Constant(value=int() as value):
                if abs(value) > MAX_NUMBER:
                    self.wrong(node, f"the number is larger than {MAX_NUMBER:,}", Code.EXPRESSION)
                return ("const", value), t.Number(value, value)
            case ast.Name(id=name):
                return self.name(node, name, expect)
            case ast.Attribute():
                return self.attribute(node)
            case ast.UnaryOp():
                return self.unary(node)
            case ast.BinOp():
                return self.arithmetic(node)
            case ast.BoolOp(op=op, values=parts):
                word = "and" if isinstance(op, ast.And) else "or"
                return (word, tuple(self.yes_no(part) for part in parts)), t.YES_NO
            case ast.Compare():
                return self.compare(node)
            case ast.IfExp(test=test, body=yes, orelse=no):
                asked = self.yes_no(test)
                (a, kind_a), (b, kind_b) = self.of(yes, expect), self.of(no, expect)
                kind = t.join((kind_a, kind_b))
                if kind is None:
                    self.wrong(no, f"the two ends of an if … else differ: {kind_a} and {kind_b}")
                return ("if", asked, a, b), kind or t.ANYTHING
            case ast.Call():
                return self.call(node)
        self.wrong(node, f"'{ast.unparse(node)}' is not part of the chart language", Code.EXPRESSION)

    def unary(self, node: ast.UnaryOp) -> tuple[Tree, t.Type]:
        """A sign, or `not`."""
        if isinstance(node.op, ast.Not):
            return ("not", self.yes_no(node.operand)), t.YES_NO
        if isinstance(node.op, ast.Invert):
            self.wrong(node, f"'{ast.unparse(node)}' is not part of the chart language", Code.EXPRESSION)
        tree, kind = self.number(node.operand)
        if isinstance(node.op, ast.UAdd):
            return tree, kind
        return (("const", -tree[1]) if tree[0] == "const" else ("neg", tree)), t.negate(kind)

    def name(self, node: ast.AST, name: str, expect: t.Type | None) -> tuple[Tree, t.Type]:
        """A name in sight, or a bare choice key."""
        if name in ("yes", "no"):
            return ("const", name == "yes"), t.YES_NO
        if name in self.inner:
            self.inner_reads.add(name)
            return ("name", name), self.inner[name]
        kind = self.sight.type_of(name)
        is_key = isinstance(expect, t.Word) and name in expect.keys
        if kind is not None and not (is_key and expect is not None and not fits(kind, expect)):
            self.reads.add(name)
            return ("name", name), kind
        if isinstance(expect, t.Word) and is_key:
            return ("const", name), t.Word(frozenset({name}), expect.fact)
        if name in self.sight.words() and not isinstance(expect, t.Word):
            return ("const", name), t.Word(frozenset({name}))
        legal = [*self.sight.names(), *self.inner, *(sorted(expect.keys) if isinstance(expect, t.Word) else ())]
        legal += [key for key in self.sight.words() if not legal]
        self.wrong(
            node,
            f"nothing here is called '{name}'",
            Code.UNKNOWN_WORD,
            did_you_mean(name, legal) or did_you_mean(name, list(self.sight.words()), 0),
        )

    def attribute(self, node: ast.Attribute) -> tuple[Tree, t.Type]:
        """What stands behind a dot: a choice's data, a card's field, a result's part."""
        tree, kind = self.of(node.value)
        if isinstance(kind, t.Word) and kind.fact is not None:
            return self.data(node, tree, kind.fact)
        if isinstance(kind, t.Card) and tree[0] == "name":
            field = kind.deck.fields.get(node.attr)
            if field is not None and not field.columns:
                self.fields.add((tree[1], node.attr))
                return ("field", tree[1], node.attr, None), t.type_of_fact(field)
            hint = f"write {tree[1]}.{node.attr}(…)" if field else did_you_mean(node.attr, kind.deck.fields)
            self.wrong(node, f"a card of {kind.deck.name} has no '{node.attr}'", Code.UNKNOWN_WORD, hint)
        if isinstance(kind, t.Result) and tree[0] == "name" and not kind.many:
            if node.attr in kind.fields:
                self.fields.add((tree[1], node.attr))
                return ("part", tree[1], node.attr), kind.fields[node.attr]
            hint = did_you_mean(node.attr, kind.fields)
            self.wrong(node, f"{kind.chart} does not always give '{node.attr}'", Code.UNKNOWN_WORD, hint)
        self.wrong(node, f"{kind} has no parts to read with a dot", Code.TYPE)

    def data(self, node: ast.Attribute, tree: Tree, fact: Any) -> tuple[Tree, t.Type]:
        """A choice's data, as a table from key to value."""
        table = {c.key: c.data[node.attr] for c in fact.choices if node.attr in c.data}
        if len(table) != len(fact.choices):
            lacking = next((c.key for c in fact.choices if c.key not in table), "")
            what = f"choice '{lacking}' of {fact.name} has no '{node.attr}'"
            hint = did_you_mean(node.attr, {name for c in fact.choices for name in c.data})
            self.wrong(node, what, Code.UNKNOWN_WORD, "" if table else hint)
        kinds = {type(value) for value in table.values()}
        if kinds == {bool}:
            return ("data", tree, table), t.YES_NO
        if kinds == {int}:
            numbers = [int(value) for value in table.values()]
            return ("data", tree, table), t.Number(min(numbers), max(numbers))
        return ("data", tree, table), t.Word(frozenset(map(str, table.values())))

    def number(self, node: ast.expr) -> tuple[Tree, t.Number]:
        """A node that must be a number."""
        tree, kind = self.of(node)
        if isinstance(kind, t.Anything):
            return tree, t.NUMBER
        if not isinstance(kind, t.Number):
            self.wrong(node, f"a number is needed here, '{ast.unparse(node)}' is {kind}")
        return tree, kind

    def yes_no(self, node: ast.expr) -> Tree:
        """A node that must be yes or no."""
        tree, kind = self.of(node)
        if not isinstance(kind, t.YesNo | t.Anything):
            hint = "compare it with something" if isinstance(kind, t.Number | t.Word) else ""
            self.wrong(node, f"a yes/no value is needed here, '{ast.unparse(node)}' is {kind}", Code.TYPE, hint)
        return tree

    def arithmetic(self, node: ast.BinOp) -> tuple[Tree, t.Type]:
        """+ - * and //."""
        sign = _BINARY.get(type(node.op))
        if sign is None:
            hint = "use // to round down, or half_up, half_down" if isinstance(node.op, ast.Div) else ""
            what = f"'{ast.unparse(node)}' is not part of the chart language"
            self.wrong(node, what, Code.EXPRESSION, hint)
        (a, kind_a), (b, kind_b) = self.number(node.left), self.number(node.right)
        if sign == "//":
            if b[0] != "const" or b[1] < 1:
                self.wrong(node.right, "divide by a plain number above zero only")
            return (sign, a, b), t.divide(kind_a, b[1])
        if sign == "*":
            return (sign, a, b), t.multiply(kind_a, kind_b)
        return (sign, a, b), t.add(kind_a, kind_b, 1 if sign == "+" else -1)

    def compare(self, node: ast.Compare) -> tuple[Tree, t.Type]:
        """Comparisons, chained ones too."""
        parts, left = [], node.left
        for op, right in zip(node.ops, node.comparators, strict=True):
            parts.append(self.pair(left, op, right))
            left = right
        return (parts[0] if len(parts) == 1 else ("and", tuple(parts))), t.YES_NO

    def pair(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> Tree:
        """One comparison."""
        a, kind_a = self.of(left)
        if isinstance(op, ast.In | ast.NotIn):
            if not isinstance(right, ast.List | ast.Tuple) or not right.elts:
                self.wrong(right, "`in` needs a list like [one, other]", Code.EXPRESSION)
            tree: Tree = ("in", a, tuple(self.like(option, kind_a) for option in right.elts))
            return tree if isinstance(op, ast.In) else ("not", tree)
        sign = _COMPARE[type(op)]
        if sign in ("==", "!="):
            return (sign, a, self.like(right, kind_a))
        if not isinstance(kind_a, t.Number | t.Anything):
            self.wrong(left, f"only numbers can be compared with {sign}, this is {kind_a}")
        return (sign, a, self.number(right)[0])

    def like(self, node: ast.expr, kind: t.Type) -> Tree:
        """The right side of `is`: a bare word means a choice of the left side first."""
        if isinstance(kind, t.Word) and isinstance(node, ast.Name) and node.id in kind.keys:
            return ("const", node.id)
        if isinstance(kind, t.Word) and isinstance(node, ast.Name) and self.sight.type_of(node.id) is None:
            what = f"'{node.id}' is no {str(kind).removeprefix('a ')}"
            self.wrong(node, what, Code.UNKNOWN_WORD, did_you_mean(node.id, sorted(kind.keys)))
        tree, other = self.of(node, kind)
        if t.join((kind, other)) is None or isinstance(kind, t.Records | t.Card | t.Result):
            self.wrong(node, f"{kind} cannot be compared with {other}")
        return tree

    def call(self, node: ast.Call) -> tuple[Tree, t.Type]:
        """A function, or a card's numbered field."""
        if node.keywords or any(isinstance(arg, ast.Starred) for arg in node.args):
            self.wrong(node, f"'{ast.unparse(node)}' is not part of the chart language", Code.EXPRESSION)
        if isinstance(node.func, ast.Attribute):
            return self.column(node, node.func)
        if not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS:
            name = ast.unparse(node.func)
            hint = did_you_mean(name, sorted(FUNCTIONS))
            self.wrong(node.func, f"there is no function '{name}'", Code.UNKNOWN_WORD, hint)
        name = node.func.id
        if name in ("count", "total"):
            return self.many(node, name)
        if name in ("min", "max"):
            if len(node.args) < 2:
                self.wrong(node, f"{name} needs two or more numbers", Code.EXPRESSION)
            parts = [self.number(arg) for arg in node.args]
            bound = (t.least if name == "min" else t.most)(kind for _, kind in parts)
            return ("call", name, tuple(tree for tree, _ in parts)), bound
        if len(node.args) != 1:
            self.wrong(node, f"{name} needs one number", Code.EXPRESSION)
        tree, kind = self.number(node.args[0])
        return (name, tree), t.divide(t.add(kind, t.Number(1, 1)) if name == "half_up" else kind, 2)

    def column(self, node: ast.Call, func: ast.Attribute) -> tuple[Tree, t.Type]:
        """A card's numbered field, such as card.column(7)."""
        tree, kind = self.of(func.value)
        field = kind.deck.fields.get(func.attr) if isinstance(kind, t.Card) else None
        if field is None or not field.columns or len(node.args) != 1 or tree[0] != "name":
            legal = [n for n, f in kind.deck.fields.items() if f.columns] if isinstance(kind, t.Card) else []
            hint = did_you_mean(func.attr, legal)
            self.wrong(func, f"'{ast.unparse(func)}' is not a numbered field of a card", Code.UNKNOWN_WORD, hint)
        index, _ = self.number(node.args[0])
        if index[0] == "const" and not field.columns[0] <= index[1] <= field.columns[1]:
            what = f"columns run from {field.columns[0]} to {field.columns[1]}"
            self.wrong(node.args[0], what)
        self.fields.add((tree[1], func.attr))
        return ("field", tree[1], func.attr, index), t.type_of_fact(field)

    def many(self, node: ast.Call, name: str) -> tuple[Tree, t.Type]:
        """count(…) and total(…) over a list."""
        written = len(_WHERE.findall(self.text))
        if not node.args or len(node.args) > 2 or (len(node.args) == 2 and not written):
            example = "count(men where pinned)" if name == "count" else "total(men.strength where not pinned)"
            self.wrong(node, f"write it like {example}", Code.EXPRESSION)
        first: ast.expr = node.args[0]
        field = ""
        if name == "total":
            if not isinstance(first, ast.Attribute):
                self.wrong(first, "total needs a list and what to add up, like total(men.strength)", Code.EXPRESSION)
            field, first = first.attr, first.value
        if not isinstance(first, ast.Name):
            self.wrong(first, f"{name} needs the name of a list", Code.EXPRESSION)
        tree, kind = self.name(first, first.id, None)
        if not isinstance(kind, t.Records) and not (isinstance(kind, t.Result) and kind.many):
            self.wrong(first, f"'{first.id}' is {kind}, not a list")
        outer, self.inner = self.inner, {**self.inner, **record_types(kind)}
        try:
            what = self.number(ast.copy_location(ast.Name(field), first))[0] if field else None
            where = self.yes_no(node.args[1]) if len(node.args) == 2 else None
        finally:
            self.inner = outer
        if name == "count":
            least, most = kind.fact.size if isinstance(kind, t.Records) else (0, None)
            return ("count", tree[1], where), t.Number(least if where is None else 0, most)
        return ("total", tree[1], what, where), t.NUMBER


def record_types(kind: t.Type) -> dict[str, t.Type]:
    """The names that come first inside a list: a record's facts and its `place`, or a result's parts."""
    if isinstance(kind, t.Result):
        return dict(kind.fields)
    if isinstance(kind, t.Records):
        return {"place": t.Number(1, kind.fact.size[1])} | {f.name: t.type_of_fact(f) for f in kind.fact.fields}
    return {}


def fits(kind: t.Type, expect: t.Type) -> bool:
    """Whether a value of `kind` may stand where `expect` is needed (ranges are not compared)."""
    if isinstance(kind, t.Anything) or isinstance(expect, t.Anything):
        return True
    if isinstance(kind, t.Word) and isinstance(expect, t.Word):
        return kind.keys <= expect.keys
    if isinstance(kind, t.Card) and isinstance(expect, t.Card):
        return kind.deck is expect.deck
    if isinstance(kind, t.Records) and isinstance(expect, t.Records):
        return {f.name for f in expect.fact.fields} <= {f.name for f in kind.fact.fields}
    return type(kind) is type(expect)


def _article(kind: t.Type) -> str:
    if isinstance(kind, t.Word):
        return f"{kind} ({', '.join(sorted(kind.keys)[:8])})"
    return str(kind)
