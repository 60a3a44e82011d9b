"""From a checked expression to Python source: one generator for the walk and for the fast path.

Law of this file: it sees only trees that `expr.py` built node by node; no text of an author ever reaches `eval`,
but for names that were matched against the words of the language.
"""

from collections.abc import Callable, Mapping
from typing import Any

Tree = tuple[Any, ...]
"""A checked expression: an operator and its parts."""

_BINARY = {"+", "-", "*", "//", "==", "!=", "<", "<=", ">", ">="}


class Source:
    """Python source of trees; whoever reads names somewhere says how in a subclass.

    Values that cannot be written out are kept in `constants`, by the name that the source reads them by.
    """

    def __init__(self) -> None:
        self.constants: dict[str, Any] = {}

    def name(self, name: str) -> str:
        """Source that reads a fact or made name."""
        raise NotImplementedError

    def field(self, name: str, field: str, column: str) -> str:
        """Source that reads a card's field; `column` is source or 'None'."""
        raise NotImplementedError

    def part(self, name: str, field: str) -> str:
        """Source that reads a part of a result."""
        raise NotImplementedError

    def many(self, tree: Tree) -> str:
        """Source that counts or totals a list."""
        raise NotImplementedError

    def both(self, word: str, parts: tuple[Tree, ...]) -> str:
        """Source of parts joined by `and` or `or`."""
        return f"({f' {word} '.join(self.of(part) for part in parts)})"

    def either(self, test: Tree, yes: Tree, no: Tree) -> str:
        """Source of `yes if test else no`."""
        return f"({self.of(yes)} if {self.of(test)} else {self.of(no)})"

    def data(self, part: Tree, table: Mapping[str, Any]) -> str:
        """Source that looks up what a choice carries."""
        return f"{self.constant(table)}[{self.of(part)}]"

    def constant(self, value: Any) -> str:
        """Source of a fixed value."""
        if value is None or isinstance(value, bool | int | str):
            return repr(value)
        name = f"K{len(self.constants)}"
        self.constants[name] = value
        return name

    def of(self, tree: Tree) -> str:
        """Source of a tree."""
        head = tree[0]
        if head == "const":
            return repr(tree[1])
        if head == "name":
            return self.name(tree[1])
        if head in _BINARY:
            return f"({self.of(tree[1])} {head} {self.of(tree[2])})"
        if head in ("and", "or"):
            return self.both(head, tree[1])
        match tree:
            case ("not", part):
                return f"(not {self.of(part)})"
            case ("neg", part):
                return f"(-{self.of(part)})"
            case ("if", test, yes, no):
                return self.either(test, yes, no)
            case ("in", part, options):
                return f"({self.of(part)} in ({''.join(self.of(option) + ', ' for option in options)}))"
            case ("data", part, table):
                return self.data(part, table)
            case ("call", name, parts):
                return f"{name}({', '.join(self.of(part) for part in parts)})"
            case ("half_up", part):
                return f"((1 + {self.of(part)}) // 2)"
            case ("half_down", part):
                return f"({self.of(part)} // 2)"
            case ("field", name, field, column):
                return self.field(name, field, self.of(column) if column else "None")
            case ("part", name, field):
                return self.part(name, field)
            case _:
                return self.many(tree)


class _ScopeSource(Source):
    """Names read from a scope object `s` of the walk."""

    def name(self, name: str) -> str:
        return f"s[{name!r}]"

    def field(self, name: str, field: str, column: str) -> str:
        return f"s.field({name!r}, {field!r}, {column})"

    def part(self, name: str, field: str) -> str:
        return f"s.part({name!r}, {field!r})"

    def many(self, tree: Tree) -> str:
        head, name, *rest = tree
        parts = ["None" if part is None else f"(lambda s: {self.of(part)})" for part in rest]
        return f"s.{head}({name!r}, {', '.join(parts)})"


def function(tree: Tree) -> Callable[[Any], Any]:
    """A function from a scope to the value of the tree."""
    if tree[0] == "const":
        value = tree[1]
        return lambda s: value
    written = _ScopeSource()
    code = f"lambda s: {written.of(tree)}"
    made: Callable[[Any], Any] = eval(code, {"min": min, "max": max, "__builtins__": {}, **written.constants})
    return made
