"""From a checked expression to Python source: one generator for the walk and for the fast path.

Law of this file: it sees only trees that `expr.py` built node by node; no text of an author ever reaches `eval`,
but for names that were matched against the words of the language.
"""

from collections.abc import Callable
from typing import Any, Protocol

Tree = tuple[Any, ...]
"""A checked expression: an operator and its parts."""


class Names(Protocol):
    """How a place in the generated code reads names."""

    def name(self, name: str) -> str:
        """Source that reads a fact or made name."""

    def field(self, name: str, field: str, column: str) -> str:
        """Source that reads a card's field; `column` is source or 'None'."""

    def part(self, name: str, field: str) -> str:
        """Source that reads a part of a result."""

    def many(self, tree: Tree, constants: list[Any]) -> str:
        """Source that counts or totals a list."""


_BINARY = {"+", "-", "*", "//", "==", "!=", "<", "<=", ">", ">="}


def source(tree: Tree, names: Names, constants: list[Any]) -> str:
    """Python source of the tree; look-up tables are appended to `constants`, read as `K[i]`."""

    def sub(part: Tree) -> str:
        return source(part, names, constants)

    head = tree[0]
    if head == "const":
        return repr(tree[1])
    if head == "name":
        return names.name(tree[1])
    if head in _BINARY:
        return f"({sub(tree[1])} {head} {sub(tree[2])})"
    if head in ("and", "or"):
        return "(" + f" {head} ".join(sub(part) for part in tree[1]) + ")"
    match tree:
        case ("not", part):
            return f"(not {sub(part)})"
        case ("neg", part):
            return f"(-{sub(part)})"
        case ("if", test, yes, no):
            return f"({sub(yes)} if {sub(test)} else {sub(no)})"
        case ("in", part, options):
            return f"({sub(part)} in ({''.join(sub(option) + ', ' for option in options)}))"
        case ("data", part, table):
            constants.append(table)
            return f"K[{len(constants) - 1}][{sub(part)}]"
        case ("call", name, parts):
            return f"{name}({', '.join(sub(part) for part in parts)})"
        case ("half_up", part):
            return f"((1 + {sub(part)}) // 2)"
        case ("half_down", part):
            return f"({sub(part)} // 2)"
        case ("field", name, field, column):
            return names.field(name, field, sub(column) if column else "None")
        case ("part", name, field):
            return names.part(name, field)
        case _:
            return names.many(tree, constants)


class _ScopeNames:
    """Names read from a scope object `s` of the walk."""

    def name(self, name: str) -> str:
        return f"s[{name!r}]"

    def field(self, name: str, field: str, column: str) -> str:
        return f"s.field({name!r}, {field!r}, {column})"

    def part(self, name: str, field: str) -> str:
        return f"s.part({name!r}, {field!r})"

    def many(self, tree: Tree, constants: list[Any]) -> str:
        head, name, *rest = tree
        parts = ["None" if part is None else f"(lambda s: {source(part, self, constants)})" for part in rest]
        return f"s.{head}({name!r}, {', '.join(parts)})"


def function(tree: Tree) -> Callable[[Any], Any]:
    """A function from a scope to the value of the tree."""
    if tree[0] == "const":
        value = tree[1]
        return lambda s: value
    constants: list[Any] = []
    code = f"lambda s: {source(tree, _ScopeNames(), constants)}"
    made: Callable[[Any], Any] = eval(code, {"K": constants, "min": min, "max": max, "__builtins__": {}})
    return made
