from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refcli.analysis.ranges import axis_of_expr, possible
from refcli.core import types as t
from refcli.core.chart import ELSE, Band, Case, Cases, Modifier, Op, Pattern, TallyNode
from refcli.core.expr import Expr
from refcli.core.fact import Choice, Fact, Kind
from refcli.core.place import Place
from refcli.core.tally import add_up
from refcli.load.ranges import tally_range

HERE = Place("here.yaml", 1, 1)
TERRAIN = Fact(
    name="terrain",
    kind=Kind.CHOICE,
    ask="Where?",
    place=HERE,
    choices=(
        Choice("open", "Open", {"tem": 0, "rough": False}),
        Choice("woods", "Woods", {"tem": -2, "rough": True}),
        Choice("hill", "Hill", {"tem": 1, "rough": True}),
    ),
)
TYPES: dict[str, t.Type] = {
    "a": t.Number(-3, 4),
    "b": t.Number(0, 2),
    "seen": t.YES_NO,
    "terrain": t.type_of_fact(TERRAIN),
    "wide": t.NUMBER,
}
VALUES: dict[str, list[Any]] = {
    "a": list(range(-3, 5)),
    "b": [0, 1, 2],
    "seen": [True, False],
    "terrain": ["open", "woods", "hill"],
}


class Sight:
    """The facts above."""

    def type_of(self, name: str) -> t.Type | None:
        return TYPES.get(name)

    def names(self) -> Iterable[str]:
        return TYPES

    def words(self) -> Mapping[str, Any]:
        return {"open": 1, "woods": 1, "hill": 1}

    def inner(self) -> Mapping[str, t.Type]:
        return {}


def expr_of(text: str) -> Expr:
    made = Expr(text, HERE)
    made.check(Sight())
    return made


def brute_scopes() -> Iterable[dict[str, Any]]:
    for values in product(*VALUES.values()):
        yield dict(zip(VALUES, values, strict=True))


def holds(found: Any, value: Any) -> bool:
    if isinstance(found, t.Number):
        return (found.low is None or value >= found.low) and (found.high is None or value <= found.high)
    return found is None or value in found


NUMBERS = st.recursive(
    st.sampled_from(["a", "b", "terrain.tem", "0", "2", "5"]),
    lambda part: st.one_of(
        st.tuples(part, st.sampled_from(["+", "-", "*"]), part).map(lambda p: f"({p[0]} {p[1]} {p[2]})"),
        st.tuples(part, st.sampled_from(["2", "3"])).map(lambda p: f"({p[0]} // {p[1]})"),
        st.tuples(st.sampled_from(["min", "max"]), part, part).map(lambda p: f"{p[0]}({p[1]}, {p[2]})"),
        st.tuples(st.sampled_from(["half_up", "half_down"]), part).map(lambda p: f"{p[0]}({p[1]})"),
        part.map(lambda p: f"(-{p})"),
        st.tuples(part, part).map(lambda p: f"({p[0]} if seen else {p[1]})"),
    ),
    max_leaves=5,
)
TESTS = st.recursive(
    st.one_of(
        st.tuples(NUMBERS, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), NUMBERS).map(" ".join),
        st.sampled_from(
            [
                "seen",
                "terrain is woods",
                "terrain is not hill",
                "terrain in [open, hill]",
                "terrain.rough",
                "a in [0, 9]",
            ]
        ),
    ),
    lambda part: st.one_of(
        st.tuples(part, st.sampled_from(["and", "or"]), part).map(lambda p: f"({p[0]}) {p[1]} ({p[2]})"),
        part.map(lambda p: f"not ({p})"),
    ),
    max_leaves=4,
)


@given(st.one_of(NUMBERS, TESTS))
def test_possible_misses_no_value_that_brute_force_finds(text: str) -> None:
    made = expr_of(text)
    found = possible(made.tree, TYPES.get)
    for scope in brute_scopes():
        assert holds(found, made(scope)), (text, scope)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a + b", "-3..6"),
        ("a - b", "-5..4"),
        ("a * b", "-6..8"),
        ("min(a, 1)", "-3..1"),
        ("max(wide, 2)", "2.."),
        ("terrain.tem", "-2..1"),
        ("5 if a > 9 else b", "0..2"),
        ("a > 9", "no"),
        ("a >= -3", "yes"),
        ("a > 3", "yes, no"),
        ("a < 5 or seen", "yes"),
        ("b == 7", "no"),
        ("terrain", "open, woods, hill"),
        ("open if seen else woods", "open, woods"),
    ],
    ids=lambda value: value,
)
def test_expression_is_narrowed_to_what_it_can_be(text: str, values: str) -> None:
    axis = axis_of_expr(expr_of(text), TYPES.get)
    assert axis is not None
    assert axis.show() == values


AMOUNTS = st.sampled_from(["a", "b", "1", "-2", "terrain.tem"])
GO = Cases((Case(ELSE, "out", HERE, "next"),))


def modifiers() -> st.SearchStrategy[Modifier]:
    whens = st.none() | st.sampled_from(["seen", "a > 1", "a > 9", "b >= 0"]).map(expr_of)
    plain = st.builds(
        lambda op, amount, when: Modifier(op, ((None, expr_of(amount)),), HERE, None, when),
        st.sampled_from([Op.ADD, Op.MULTIPLY]),
        AMOUNTS,
        whens,
    )
    divide = st.builds(
        lambda by, when: Modifier(Op.DIVIDE, ((None, expr_of(by)),), HERE, None, when),
        st.sampled_from(["2", "3"]),
        whens,
    )
    return st.one_of(plain, divide, st.builds(look_up, AMOUNTS, AMOUNTS, st.booleans(), whens))


def look_up(one: str, two: str, rest: bool, when: Expr | None) -> Modifier:
    amounts: list[tuple[Pattern | None, Expr]] = [("woods", expr_of(one)), ("hill", expr_of(two))]
    if rest:
        amounts.append((ELSE, expr_of("7")))
    return Modifier(Op.ADD, tuple(amounts), HERE, expr_of("terrain"), when)


@given(
    st.none() | AMOUNTS,
    st.lists(modifiers(), max_size=3),
    st.sampled_from([None, Band(0, 3), Band(None, 2), Band(1, None)]),
)
def test_tally_range_holds_every_total(start: str | None, parts: list[Modifier], cap: Band | None) -> None:
    node = TallyNode(
        id="sum",
        place=HERE,
        go=GO,
        name="total",
        start=expr_of(start) if start else None,
        modifiers=tuple(parts),
        cap=cap,
    )
    found = tally_range(node)
    for scope in brute_scopes():
        assert holds(found, add_up(node, scope, "here")[0])  # type: ignore[arg-type]


def test_tally_range_is_exact_for_plain_modifiers() -> None:
    add = Modifier(Op.ADD, ((None, expr_of("a")),), HERE, None, expr_of("seen"))
    node = TallyNode(id="sum", place=HERE, go=GO, name="total", start=expr_of("b"), modifiers=(add,))
    assert tally_range(node) == t.Number(-3, 6)


def test_tally_range_stays_open_where_its_start_is() -> None:
    add = Modifier(Op.ADD, ((None, expr_of("a")),), HERE)
    node = TallyNode(
        id="sum", place=HERE, go=GO, name="total", start=expr_of("wide"), modifiers=(add,), cap=Band(None, 9)
    )
    assert tally_range(node) == t.Number(None, 9)


@pytest.mark.parametrize(
    "tree",
    [("name", "nobody"), ("part", "nobody", "score"), ("field", "nobody", "suit", None), ("something", "new")],
    ids=["unknown name", "unknown result", "unknown card", "unknown operator"],
)
def test_nothing_is_known_of_what_has_no_type(tree: Any) -> None:
    assert possible(tree, TYPES.get) is None
    assert possible(("==", tree, ("const", 1)), TYPES.get) == frozenset({True, False})
    assert possible(("+", tree, ("const", 1)), TYPES.get) == t.NUMBER
    assert possible(("if", ("name", "seen"), tree, ("const", 1)), TYPES.get) is None
