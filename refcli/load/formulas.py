"""The expressions and texts of one file: made from marked scalars, checked with every problem in its place."""

import re

from refcli.core import types as t
from refcli.core.expr import Expr, Fault, Sight, Text, fits
from refcli.core.problem import Code, Problem
from refcli.load.report import Report, brief
from refcli.load.tree import Scalar
from refcli.load.words import parse_number

_WORD = re.compile(r"[a-z][a-z0-9_]*")
_NO_SLOT = re.compile(r"(?<![\w<])<(?: *[A-Za-z_][\w.]* *|(?=[^<>]*[A-Za-z_])[^<>\s=](?:[^<>]*[^<>\s])?)>")


class Formulas:
    """Makes expressions and remembers where each was written."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self._origins: dict[Expr, tuple[Scalar, int]] = {}

    def expr(self, scalar: Scalar) -> Expr:
        """The expression in a scalar, still unchecked; plain numbers, yes and no are known at once."""
        text = scalar.text.strip()
        made = Expr(text, scalar.spot())
        value: int | bool | None = text == "yes" if text in ("yes", "no") else parse_number(text)
        if value is not None:
            made.tree = ("const", value)
            made.type = t.YES_NO if isinstance(value, bool) else t.Number(value, value)
        self._origins[made] = scalar, _lead(scalar)
        return made

    def text(self, scalar: Scalar | None) -> Text | None:
        """The words in a scalar, the expressions in their slots still unchecked."""
        if scalar is None:
            return None
        made = Text(scalar.text.strip(), scalar.spot())
        if len(made.parts) > 1:
            self._place_slots(made, scalar)
        if "<" in made.source:
            self._check_slots(made, scalar)
        return made

    def _check_slots(self, text: Text, scalar: Scalar) -> None:
        """What looks as if something were filled in, though it stays as it stands."""
        at = _lead(scalar)
        for part in text.parts:
            if isinstance(part, Expr):
                at += len(part.text) + 2
                continue
            for found in _NO_SLOT.finditer(part):
                what = f"'{brief(found[0])}' is not filled in: only a name can stand there, like <total>"
                mend = "make a value of it with a `set` node, and name that"
                place, width = scalar.spot(at + found.start()), len(found[0])
                self.report.put(Problem(Code.EXPRESSION, place, what, mend=mend, width=width))
            at += len(part)

    def _place_slots(self, text: Text, scalar: Scalar) -> None:
        """Note where the expressions of a text stand."""
        at, offsets = _lead(scalar), []
        for part in text.parts:
            if isinstance(part, Expr):
                self._origins[part] = scalar, at + 1
                offsets.append(at + 1)
                at += len(part.text) + 2
            else:
                at += len(part)
        for expr, place in zip(text.exprs, scalar.spots(offsets), strict=True):
            expr.place = place

    def check(self, expr: Expr, sight: Sight, expect: t.Type | None = None) -> t.Type:
        """Read and type an expression; its type, or ANYTHING where it is wrong and has been reported."""
        if expr.is_constant and (expect is None or fits(expr.type, expect)):
            return expr.type
        if self.report.is_full:
            return t.ANYTHING
        try:
            expr.check(sight, expect)
        except Fault as fault:
            if not _reads_broken(expr, sight):
                self.blame(expr, fault)
            expr.tree, expr.type = (), t.ANYTHING
            return t.ANYTHING
        return expr.type

    def blame(self, expr: Expr, fault: Fault) -> None:
        """Report what is wrong with an expression, at the right character of the file."""
        scalar, offset = self._origins[expr]
        place = scalar.spot(offset + min(fault.column, len(expr.text)))
        width = max(1, min(fault.width, len(expr.text) - fault.column))
        self.report.put(Problem(fault.code, place, fault.message, fault.hint, width=width))


def _reads_broken(expr: Expr, sight: Sight) -> bool:
    """Whether an expression reads something that is broken, which has been reported where it stands."""
    return any(isinstance(sight.type_of(word), t.Anything) for word in set(_WORD.findall(expr.text)))


def _lead(scalar: Scalar) -> int:
    """How many characters of space its text starts with."""
    return len(scalar.text) - len(scalar.text.lstrip())
