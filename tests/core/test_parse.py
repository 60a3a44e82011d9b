"""Expressions: what they mean, what they may not contain, and what is said then."""

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from refcli.core import types as t
from refcli.core.expr import Expr, Fault, Text
from refcli.core.fact import Choice, Fact, Kind
from refcli.core.place import Place

HERE = Place("a.yaml", 1, 1)
GROUND = Fact(
    name="ground",
    kind=Kind.CHOICE,
    ask="Ground?",
    place=HERE,
    choices=(
        Choice("open", "Open ground", {"tem": 0, "wild": False}),
        Choice("wood", "Woods", {"tem": -2, "wild": True, "cost": 2}),
    ),
)


class Sight:
    """Names in sight, by hand."""

    kinds: Mapping[str, t.Type] = {
        "size": t.Number(0, 5),
        "loss": t.Number(None, 3),
        "wet": t.YES_NO,
        "ground": t.type_of_fact(GROUND),
    }

    def type_of(self, name: str) -> t.Type | None:
        return self.kinds.get(name)

    def names(self) -> Iterable[str]:
        return self.kinds

    def words(self) -> Mapping[str, Any]:
        return {"open": 1, "wood": 1}

    def inner(self) -> Mapping[str, t.Type]:
        return {}


def checked(text: str, expect: t.Type | None = None) -> Expr:
    expr = Expr(text, HERE)
    expr.check(Sight(), expect)
    return expr


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("size + 2 * 3", 10),
        ("-size", -4),
        ("+2", 2),
        ("size // 3", 1),
        ("half_up(size + 1)", 3),
        ("half_down(size + 1)", 2),
        ("half_up(-3)", -1),
        ("min(size, 9, loss)", -1),
        ("max(size, 2)", 4),
        ("wet and size > 3", True),
        ("not wet or loss == 0", False),
        ("1 <= size <= 4", True),
        ("ground is wood", True),
        ("ground is not wood", False),
        ("ground in [open, wood]", True),
        ("ground not in [open]", True),
        ("ground.tem", -2),
        ("ground.wild", True),
        ("5 if ground is open else 7", 7),
        ("wet is yes", True),
        ("wood", "wood"),
        ("yes", True),
    ],
)
def test_an_expression_has_its_value(text: str, value: object) -> None:
    assert checked(text)({"size": 4, "loss": -1, "wet": True, "ground": "wood"}) == value


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("size", 0, 5),
        ("size - loss", -3, None),
        ("loss + 1", None, 4),
        ("-size", -5, 0),
        ("size * 2 - 1", -1, 9),
        ("size * loss", None, None),
        ("half_up(size)", 0, 3),
        ("(size - 5) // 2", -3, 0),
        ("min(size, loss)", None, 3),
        ("max(size, loss)", 0, 5),
        ("ground.tem", -2, 0),
        ("1 if wet else size", 0, 5),
    ],
)
def test_the_range_of_a_number_is_known(text: str, low: int | None, high: int | None) -> None:
    assert checked(text).type == t.Number(low, high)


@pytest.mark.parametrize(
    ("text", "code", "message", "hint"),
    [
        ("sise + 1", "C502", "nothing here is called 'sise'", "did you mean 'size'?"),
        ("ground is wod", "C502", "'wod' is no choice of ground", "did you mean 'wood'?"),
        ("mim(size, 1)", "C502", "there is no function 'mim'", "did you mean 'min'?"),
        ("ground.temp", "C502", "choice 'open' of ground has no 'temp'", "did you mean 'tem'?"),
        ("ground.cost", "C502", "choice 'open' of ground has no 'cost'", ""),
        ("size = 3", "C501", "'size = 3' cannot be read", "compare with `is`, `==`, `<=` …; one `=` does nothing here"),
        ("size / 2", "C501", "'size / 2' is not part of the chart language", "use // to round down, or half_up, half_down"),
        ("size // 0", "C503", "divide by a plain number above zero only", ""),
        ("size // loss", "C503", "divide by a plain number above zero only", ""),
        ("size ** 2", "C501", "'size ** 2' is not part of the chart language", ""),
        ("size and wet", "C503", "a yes/no value is needed here, 'size' is a number", "compare it with something"),
        ("wet + 1", "C503", "a number is needed here, 'wet' is a yes/no value", ""),
        ("ground < 3", "C503", "only numbers can be compared with <, this is a choice of ground", ""),
        ("wet.tem", "C503", "a yes/no value has no parts to read with a dot", ""),
        ("size ≤ 3", "C501", "'≤' is not part of the chart language", "write <="),
        ("size − 1", "C501", "'−' is not part of the chart language", "use the plain minus sign -"),
        ('ground is "wood"', "C501", "'\"' is not part of the chart language", "choice keys stand bare, without quotes"),
        ("1 # 2", "C501", "'#' is not part of the chart language", ""),
        ("__import__(1)", "C502", "there is no function '__import__'", "it can be: count, half_down, half_up, max, min, total"),
        ("wet.__class__", "C503", "a yes/no value has no parts to read with a dot", ""),
        ("[size][0]", "C501", "'[size][0]' is not part of the chart language", ""),
        ("size if wet else ground", "C503", "the two ends of an if … else differ: a number and a choice of ground", ""),
        ("count(size)", "C503", "'size' is a number, not a list", ""),
        ("", "C501", "an expression is empty", ""),
        ("9999999999", "C501", "the number is larger than 1,000,000,000", ""),
        ("True", "C501", "write yes or no, not True", ""),
        ("1if wet else 2", "C501", "'1if' cannot be read: put a space behind the number", ""),
        ("0x10", "C501", "'0x10' cannot be read: put a space behind the number", ""),
    ],
)  # fmt: skip
def test_a_bad_expression_is_named(text: str, code: str, message: str, hint: str) -> None:
    with pytest.raises(Fault) as caught:
        checked(text)
    assert (caught.value.code.id, caught.value.message, caught.value.hint) == (code, message, hint)


def test_a_fault_stands_at_its_column() -> None:
    with pytest.raises(Fault) as caught:
        checked("size + colour")
    assert (caught.value.column, caught.value.width) == (7, 6)


@pytest.mark.parametrize("text", ["size" + " + 1" * 200, "(" * 200 + "1" + ")" * 200, "wet and " * 99 + "wet"])
def test_an_endless_expression_is_refused_not_run(text: str) -> None:
    with pytest.raises(Fault) as caught:
        checked(text)
    assert caught.value.code.id == "C501"


def test_a_bare_word_means_what_is_expected() -> None:
    assert checked("wood", t.type_of_fact(GROUND)).tree == ("const", "wood")
    with pytest.raises(Fault) as caught:
        checked("wod", t.type_of_fact(GROUND))
    assert caught.value.hint == "did you mean 'wood'?"
    with pytest.raises(Fault) as caught:
        checked("size", t.YES_NO)
    assert caught.value.message == "a yes/no value is needed here, this is a number"


def test_a_text_is_filled_with_labels_and_words() -> None:
    text = Text("In <ground>, size <size>, wet: <wet>, 3 < 4", HERE)
    for expr in text.exprs:
        expr.check(Sight())
    scope = {"ground": "wood", "size": 3, "wet": False}
    assert text.fill(scope) == "In Woods, size 3, wet: no, 3 < 4"
