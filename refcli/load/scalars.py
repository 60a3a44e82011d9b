"""Shapes of single values: texts, names, ranges, dice, flags. Each reads one marked scalar into something plain."""

from collections.abc import Callable
from typing import Any, ClassVar, Literal

from refcli.core.chart import ELSE, Band, Pattern
from refcli.core.dice import Dice, parse_dice
from refcli.core.expr import MAX_NUMBER, SLOT
from refcli.core.problem import Code, did_you_mean
from refcli.core.struct import Struct
from refcli.load import words
from refcli.load.report import Report, brief
from refcli.load.tree import Entries, Items, Refused, Scalar, Tree

MAX_TEXT = 4000
"""The most characters of one text."""


class UnfitError(Exception):
    """A single value that does not fit its shape."""

    def __init__(self, code: Code, message: str, hint: str = "") -> None:
        self.code, self.message, self.hint = code, message, hint
        super().__init__(message)


class ScalarShape(Struct):
    """What all single values have in common: they are no list and no mapping."""

    takes: ClassVar[type[Tree]] = Scalar

    @property
    def said(self) -> str:
        """What it is called in a message."""
        raise NotImplementedError

    def value(self, scalar: Scalar, report: Report) -> Any:
        """The value in plain form.

        Raises:
            UnfitError: the text does not fit.
        """
        raise NotImplementedError

    def read(self, tree: Tree, key: Scalar | None, report: Report) -> Any:
        """The value in plain form; None where it was wrong and has been reported. `key` is what it stands behind."""
        if type(tree) is not Scalar:
            wrong(self.said, tree, key, report)
            return None
        try:
            return self.value(tree, report)
        except UnfitError as unfit:
            report.add(unfit.code, tree, unfit.message, unfit.hint)
            return None


def wrong(said: str, tree: Tree, key: Scalar | None, report: Report) -> None:
    """Report a value of another kind than the shape takes."""
    if not isinstance(tree, Refused):
        what = f"'{brief(key.text)}' needs {said}" if key is not None else f"{said} is needed here"
        report.add(Code.WRONG_SHAPE, tree, f"{what}, this is {tree.said}")


class Prose(ScalarShape):
    """Words for people; `fills` are the names in `<name>` that are filled in, None where any may be."""

    fills: frozenset[str] | None = frozenset()
    said: ClassVar[str] = "a text"

    def value(self, scalar: Scalar, report: Report) -> Scalar:
        """The text, marked."""
        if len(scalar.text) > MAX_TEXT:
            what = f"this text has {len(scalar.text):,} characters, more than {MAX_TEXT:,}"
            raise UnfitError(Code.TOO_LARGE, what)
        if scalar.is_cut:
            what = "one space before # makes it a comment, so this text ends there"
            mend = "quote the text; for a comment put two spaces before #"
            report.add(Code.SWALLOWED, scalar, what, mend=mend)
        if self.fills is not None and "<" in scalar.text:
            slots = [slot for slot in SLOT.finditer(scalar.text) if slot[1] not in self.fills]
            report.slots += [(slot[1], scalar.spot(slot.start())) for slot in slots]
        return scalar


class Formula(ScalarShape):
    """An expression; it is read as one when all names are known."""

    said: ClassVar[str] = "an expression"

    def value(self, scalar: Scalar, report: Report) -> Scalar:
        """Its text, marked."""
        return scalar


class Target(ScalarShape):
    """Where an edge leads: a node or outcome of the chart."""

    said: ClassVar[str] = "the name of a node or outcome"

    def value(self, scalar: Scalar, report: Report) -> Scalar:
        """The name, marked."""
        return scalar


_FAULTS: dict[str, Callable[[str], str]] = {
    "name": words.name_fault,
    "word": words.word_fault,
    "id": words.id_fault,
    "file": words.file_fault,
    "chart": words.chart_fault,
}


class Name(ScalarShape):
    """A name that the author gives (`name`, `word` or `id`), or that of a deck or chart (`file`, `chart`)."""

    rule: Literal["name", "word", "id", "file", "chart"] = "name"
    said: ClassVar[str] = "a name"

    def value(self, scalar: Scalar, report: Report) -> Scalar:
        """The name, marked; the author's own is kept even where it is bad, so that its uses are not blamed too."""
        fault = _FAULTS[self.rule](scalar.text)
        if not fault:
            return scalar
        better = words.suggested_name(scalar.text) if "small letters" in fault else ""
        unfit = UnfitError(Code.BAD_NAME, brief(fault, 160), f"for example '{better}'" if better else "")
        if self.rule in ("file", "chart"):
            raise unfit
        report.add(unfit.code, scalar, unfit.message, unfit.hint)
        return scalar


_FLAGS = {"yes": True, "no": False, "true": True, "false": False}


class Flag(ScalarShape):
    """Yes or no."""

    said: ClassVar[str] = "yes or no"

    def value(self, scalar: Scalar, report: Report) -> bool:
        """The truth value."""
        value = _FLAGS.get(scalar.text)
        if value is None:
            raise UnfitError(Code.WRONG_SHAPE, f"yes or no is needed here, not '{brief(scalar.text)}'")
        return value


class Range(ScalarShape):
    """A range of integers such as `-3..3` or `0..`; closed where both ends must be there."""

    closed: bool = False
    said: ClassVar[str] = "a range such as 1..6"

    def value(self, scalar: Scalar, report: Report) -> Band:
        """The range."""
        band = words.parse_band(scalar.text)
        if isinstance(band, str):
            raise UnfitError(Code.BAD_RANGE, brief(band, 160))
        if self.closed and (band.low is None or band.high is None):
            raise UnfitError(Code.BAD_RANGE, f"'{scalar.text}' needs both ends here, like 1..10")
        return band


class ColumnRange(Range):
    """The range of a field on a card: `1..column` ends at the number of the column that it stands in."""

    said: ClassVar[str] = "a range such as 1..6 or 1..column"

    def value(self, scalar: Scalar, report: Report) -> Any:
        """The range; for one that ends at its column only its lower end, as an integer."""
        low, dots, high = scalar.text.partition("..")
        if not dots or high.strip() != "column":
            return super().value(scalar, report)
        number = words.parse_number(low.strip())
        if number is None:
            raise UnfitError(Code.BAD_RANGE, f"'{brief(scalar.text)}' needs a number first, like 1..column")
        return number


class Weight(ScalarShape):
    """How often something comes, against all else."""

    said: ClassVar[str] = "a number above zero"

    def value(self, scalar: Scalar, report: Report) -> int:
        """The number."""
        number = words.parse_number(scalar.text)
        if number is None or number < 1:
            raise UnfitError(Code.WRONG_SHAPE, f"a number above zero is needed here, not '{brief(scalar.text)}'")
        return number


class Count(ScalarShape):
    """A whole number."""

    said: ClassVar[str] = "a whole number"

    def value(self, scalar: Scalar, report: Report) -> int:
        """The number."""
        number = words.parse_number(scalar.text)
        if number is None:
            raise UnfitError(Code.WRONG_SHAPE, f"a whole number is needed here, not '{brief(scalar.text)}'")
        return number


class DiceText(ScalarShape):
    """Dice such as `2d6+1`."""

    said: ClassVar[str] = "dice such as 2d6"

    def value(self, scalar: Scalar, report: Report) -> Dice:
        """The dice."""
        try:
            dice = parse_dice(scalar.text if len(scalar.text) <= 20 else brief(scalar.text))
        except ValueError as fault:
            raise UnfitError(Code.BAD_DICE, str(fault)) from None
        if abs(dice.plus) > MAX_NUMBER:
            raise UnfitError(Code.BAD_DICE, f"'{scalar.text}' goes beyond {MAX_NUMBER:,}")
        return dice


class Case(ScalarShape):
    """What a case matches, as a key or in a list: `..3`, `-4..-1`, `7`, a choice, yes, no or `else`.

    A bad one that is `kept` stands for all values once it is reported, so that nobody misses where it leads.
    """

    kept: bool = False
    said: ClassVar[str] = "a range, a choice, yes, no or else"

    def value(self, scalar: Scalar, report: Report) -> tuple[Scalar, Pattern]:
        """The pattern, behind its marked text."""
        pattern = words.parse_pattern(scalar.text)
        if pattern is not None:
            return scalar, pattern
        band = words.parse_band(scalar.text)
        if isinstance(band, str) and any(sign in scalar.text for sign in "0123456789.−–"):
            unfit = UnfitError(Code.BAD_RANGE, brief(band, 160))
        else:
            unfit = UnfitError(Code.BAD_NAME, f"'{brief(scalar.text)}' is no case: it can be {self.said}")
        if not self.kept:
            raise unfit
        report.add(unfit.code, scalar, unfit.message)
        return scalar, ELSE


class OneOf(ScalarShape):
    """One of a few words."""

    options: tuple[str, ...]

    @property
    def said(self) -> str:
        """The words, listed."""
        return "one of " + ", ".join(self.options)

    def value(self, scalar: Scalar, report: Report) -> str:
        """The word."""
        if scalar.text not in self.options:
            what = f"'{brief(scalar.text)}' is not {self.said}"
            raise UnfitError(Code.WRONG_SHAPE, what, did_you_mean(scalar.text[:60], self.options, 0))
        return scalar.text


class Cell(ScalarShape):
    """A cell of a table: a number, or a word where to go."""

    said: ClassVar[str] = "a number or the name of a node or outcome"

    def value(self, scalar: Scalar, report: Report) -> tuple[Scalar, int | str]:
        """The number or word, behind its marked text."""
        number = words.parse_number(scalar.text)
        if number is None and words.id_fault(scalar.text):
            what = f"'{brief(scalar.text)}' is neither an integer nor the name of a node or outcome"
            raise UnfitError(Code.WRONG_SHAPE, what)
        return scalar, scalar.text if number is None else number


def plain(tree: Tree) -> Any:
    """A marked value as bool, int, str, list or dict; quoted text stays text, and what was refused is None."""
    if isinstance(tree, Scalar):
        if not tree.plain:
            return tree.text
        if tree.text in ("yes", "no"):
            return tree.text == "yes"
        number = words.parse_number(tree.text)
        return tree.text if number is None else number
    if isinstance(tree, Items):
        return [plain(part) for part in tree.parts]
    if isinstance(tree, Entries):
        return {word: plain(value) for word, (_, value) in tree.pairs.items()}
    return None
