"""Python source for the fast path: tables."""

from typing import TYPE_CHECKING

from refcli.core import chart as c
from refcli.core.layout import Key, condition

if TYPE_CHECKING:
    from refcli.core.generate import Writer


def write_table(writer: "Writer", key: Key, node: c.TableNode, indent: int) -> None:
    """Look a cell up: a word leads somewhere, a number is the value."""
    call, put = writer.call, writer.put
    put(indent, f"y = {writer.code(node.row)}")
    if node.column is not None:
        put(indent, f"z = {writer.code(node.column)}")
    writer.close(indent, node)
    numbers = all(isinstance(cell, int) for row in node.rows for cell in row.cells)
    word = "if"
    for row in node.rows:
        put(indent, f"{word} {condition(row.pattern, 'y')}:")
        word = "elif"
        if node.column is None:
            _cell(writer, key, node, row.cells[0], indent + 1, end=not numbers)
            continue
        inner = "if"
        cells = row.cells if len(row.cells) > 1 else row.cells * len(node.columns)
        for (pattern, _), cell in zip(node.columns, cells, strict=True):
            put(indent + 1, f"{inner} {condition(pattern, 'z')}:")
            _cell(writer, key, node, cell, indent + 2, end=not numbers)
            inner = "elif"
        put(indent + 1, "else: raise GiveUp")
    put(indent, "else: raise GiveUp")
    if numbers:
        _number(writer, key, node, indent)
    writer.here = writer.call = call


def _cell(writer: "Writer", key: Key, node: c.TableNode, cell: int | str, indent: int, *, end: bool) -> None:
    """Take one cell; with `end` the way goes on from here."""
    call = writer.call
    with writer.maybe():
        if isinstance(cell, str):
            writer.log(indent, node, to=cell)
            writer.go((key[0], cell), indent, key)
        else:
            writer.put(indent, f"t = {cell}")
            if end:
                _number(writer, key, node, indent)
    writer.here = writer.call = call


def _number(writer: "Writer", key: Key, node: c.TableNode, indent: int) -> None:
    """Go on with the number of a cell."""
    if node.name:
        writer.put(indent, f"{writer.made(writer.call, node.name)} = t")
    writer.branch(key, indent, value="t")
