"""Shapes: limits, values of the wrong kind, and the words in which they are told."""

import pytest

from refcli.load.language import FILES
from refcli.load.scalars import MAX_TEXT, OneOf, Prose
from refcli.load.shape import Either, Kinds, ListOf, MapOf, Object, Raw, Shape
from refcli.load.words import MAX_NAME
from tests.load.conftest import END, FaultsOf

GO = "nodes:\n  go: {do: Go on., next: end}" + END


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        (
            f"summary: {'x' * (MAX_TEXT + 1)}\n" + GO,
            ["2:10: error C102: this text has 4,001 characters, more than 4,000"],
        ),
        (
            "examples: [" + ", ".join(["{outcome: end}"] * 1001) + "]\n" + GO,
            ["2:11: error C102: a list of 1,001 is longer than 1,000"],
        ),
        (
            "facts:\n" + "".join(f"  f{i}: Is it so?\n" for i in range(501)) + GO,
            ["3:3: error C102: a mapping of 501 entries is larger than 500"],
        ),
        ("facts: {}\n" + GO, []),
        ("nodes: {}" + END, ["2:8: error C203: 'nodes' needs an entry, this has none"]),
        (
            "nodes: {go: 3}" + END,
            ["2:13: error C203: 'go' needs a node (each, do, decide, set …), this is a single value"],
        ),
        (
            "nodes: {go: {}}" + END,
            [
                "2:9: error C208: node 'go' has no kind; give it one of each, do, decide, set, tally, roll, draw, table, run"
            ],
        ),
        (
            GO.replace("{title: End}", "[End]"),
            ["5:8: error C203: 'end' needs an outcome (title, tone, says, effects …), this is a list"],
        ),
        (
            "examples: [over]\n" + GO,
            ["2:12: error C203: an example (name, given, rolls, draws …) is needed here, this is a "],
        ),
        (
            f"facts:\n  {'x' * (MAX_NAME + 1)}: Is it so?\n" + GO,
            ["3:3: error C205: a name of 61 characters is too long: 60 at most"],
        ),
        (
            f"nodes:\n  go: {{run: {'x' * 61}, next: end}}" + END,
            ["3:13: error C205: a name of 61 characters is too long: 60 at most"],
        ),
        (
            "nodes:\n  go: {run: Strike, next: end}" + END,
            [
                "3:13: error C205: 'Strike' cannot be a name: small letters a-z, digits, - and _ make one; for example 'st"
            ],
        ),
        (
            "facts:\n  wet: Is it wet?\nnodes:\n  go: {decide: wet, cases: {Yes: end, else: end}}" + END,
            ["5:29: error C205: 'Yes' is no case: it can be a range, a choice, yes, no or else"],
        ),
        (
            "facts:\n  wet: Is it wet?\nnodes:\n  go: {decide: wet, yes: [end], no: end}" + END,
            ["5:26: error C203: 'yes' needs the name of a node or outcome, this is a list"],
        ),
        (
            "facts:\n  wet: Is it wet?\nnodes:\n  go: {decide: [wet], yes: end, no: end}" + END,
            ["5:16: error C203: 'decide' needs an expression, this is a list"],
        ),
        (
            "nodes:\n  go: {tally: [sum], modifiers: [{when: 3}, 4, {add: []}], next: end}" + END,
            [
                "3:15: error C203: 'tally' needs a name, this is a list",
                "3:34: error C208: a modifier needs one of add, multiply and divide",
                "3:45: error C203: a modifier (when, by, add, multiply …) is needed here, this is a single value",
                "3:54: error C203: 'add' needs an expression or a mapping, each expression, this is a list",
            ],
        ),
        (
            "nodes:\n  go: {set: {x: [1], y: 2}, next: a}\n  a: {roll: d6, dice: 2, count: {c: {}}, next: b}\n"
            "  b: {draw: [], next: c}\n  c: {each: [], run: chart2, next: d}\n  d: {run: {}, next: e}\n"
            "  e: {roll: [], next: f}\n  f: {table: x, rows: {..: [end, []]}}" + END,
            [
                "3:17: error C203: 'x' needs an expression, this is a list",
                "4:37: error C203: 'c' needs an expression, this is a mapping",
                "5:13: error C203: 'draw' needs a name, this is a list",
                "6:13: error C203: 'each' needs a name, this is a list",
                "7:12: error C203: 'run' needs a name, this is a mapping",
                "8:13: error C203: 'roll' needs dice such as 2d6, this is a list",
                "9:34: error C203: a number or the name of a node or outcome is needed here, this is a list",
            ],
        ),
        (
            GO.replace(
                "{title: End}", "{title: End, gives: {a: [], b: 1}, changes: [], then: [], effects: [{do: Run.}]}"
            ),
            [
                "5:32: error C203: 'a' needs an expression, this is a list",
                "5:52: error C203: 'changes' needs a mapping, each expression, this is a list",
                "5:62: error C203: 'then' needs 1 or more, this has 0",
                "5:76: error C202: an effect needs 'when'; add `when:`, when it applies",
            ],
        ),
    ],
)
def test_a_wrong_shape_is_told(text: str, messages: list[str], faults_of: FaultsOf) -> None:
    found = faults_of(text, chart2=GO)
    assert len(found) == len(messages), found
    for told, message in zip(found, messages, strict=True):
        assert told.startswith(message)


def test_a_key_without_value_brings_no_second_complaint(faults_of: FaultsOf) -> None:
    text = """
        facts:
          wet: {ask: Stop, look and listen, default: no}
        nodes:
          go: {tally: sum, modifiers: [{by: wet, add: {yes: 1, no}}], next: end}
        outcomes:
          end: {title: End, gives: {Loss}}
        """
    assert [told.split(":")[2] + told.split(":")[3] for told in faults_of(text)] == [
        " error C105 'look and listen' has no value",
        " error C105 'no' has no value",
        " error C105 'Loss' has no value",
    ]


def shapes(shape: Shape) -> list[Shape]:
    """A shape and all within it."""
    inner: list[Shape] = []
    match shape:
        case ListOf(item=item):
            inner = [item]
        case MapOf(name=name, value=value):
            inner = [name, value]
        case Object(fields=fields):
            inner = [field.shape for field in fields.values()]
        case Either(options=options):
            inner = list(options)
        case Kinds(kinds=kinds, common=common):
            inner = [field.shape for fields in (*kinds.values(), common) for field in fields.values()]
    return [shape, *(deep for part in inner for deep in shapes(part))]


@pytest.mark.parametrize("kind", FILES)
def test_every_shape_says_what_it_is_and_takes(kind: str) -> None:
    for shape in shapes(FILES[kind]):
        assert shape.said
        assert shape.takes.said
        assert "\n" not in shape.said


def test_the_tables_use_every_shape() -> None:
    used = {type(shape).__name__ for kind in FILES for shape in shapes(FILES[kind])}
    assert used == {
        *("Prose", "Formula", "Target", "Name", "Flag", "Range", "DiceText", "Case", "OneOf", "Cell"),
        *("ColumnRange", "Count", "Weight"),
        *("ListOf", "MapOf", "Object", "Either", "Kinds", "Raw"),
    }


def test_shapes_are_compared_by_value() -> None:
    assert Either((Prose(), Raw())) == Either((Prose(), Raw()))
    assert OneOf(("a", "b")).said == "one of a, b"
