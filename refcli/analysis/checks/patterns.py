"""What holds of every set of patterns: no value without one, no value with two, no pattern without a value."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from refcli.analysis.boxes import Axis, Span, meet_span
from refcli.core.chart import ELSE, Pattern
from refcli.core.place import Place
from refcli.core.problem import Code, Problem, Severity


@dataclass(frozen=True, slots=True)
class Written:
    """A pattern where it stands: its key as written, and the place and width that a caret marks."""

    pattern: Pattern
    key: str
    place: Place
    width: int


@dataclass(frozen=True, slots=True)
class Choosing:
    """A set of patterns that one value chooses from.

    `what` is what the author calls one of them (case, row, column, key), `subject` the expression that is looked at;
    `place` and `width` are where its node stands.
    """

    what: str
    subject: str
    axis: Axis
    written: tuple[Written, ...]
    place: Place
    width: int

    @property
    def spans(self) -> list[list[Span]]:
        """Where each pattern holds, of what can come up."""
        return self.axis.spans([one.pattern for one in self.written])

    @property
    def range(self) -> str:
        """What can come up, in words."""
        if len(self.axis.words) == 1:
            return f"'{self.subject}' is always {self.axis.words[0]}"
        values = self.axis.show()
        return f"'{self.subject}' can be {'any number' if values == '..' else values}"


def check_gaps(choosing: Choosing) -> list[Problem]:
    """Values that no pattern holds, as one problem."""
    left = choosing.axis.left(choosing.spans)
    if not left:
        return []
    keys = [key for span in left for key in choosing.axis.keys(span)]
    proposed = ", ".join(f"`{key}: …`" for key in keys[:6])
    return [
        Problem(
            Code.GAP,
            choosing.place,
            f"{listed(keys)} of '{choosing.subject}' {'has' if len(keys) == 1 else 'have'} no {choosing.what}",
            choosing.range,
            f"add {proposed}, or `else: …` for the rest",
            choosing.width,
        )
    ]


def check_overlaps(choosing: Choosing) -> list[Problem]:
    """Pairs of patterns that hold one value, each pair where the second one stands."""
    problems = []
    for (one, spans), (two, others) in combinations(zip(choosing.written, choosing.spans, strict=True), 2):
        both = [span for a in spans for b in others if (span := meet_span(a, b)) is not None]
        if both and ELSE not in (one.pattern, two.pattern):
            held = choosing.axis.show(*both)
            line = "" if one.place.line == two.place.line else f": {one.key} on line {one.place.line}"
            problems.append(
                Problem(
                    Code.OVERLAP,
                    two.place,
                    f"{one.key} and {two.key} both hold {held}",
                    f"the first one wins{line}",
                    f"give each value one {choosing.what}",
                    two.width,
                )
            )
    return problems


def check_dead(choosing: Choosing) -> list[Problem]:
    """Patterns that hold nothing which can come up."""
    problems = []
    for one, spans in zip(choosing.written, choosing.spans, strict=True):
        if spans:
            continue
        why = f"the others hold all of {choosing.axis.show()}" if one.pattern == ELSE else choosing.range
        problems.append(
            Problem(
                Code.OVERLAP,
                one.place,
                f"{choosing.what} '{one.key}' can never come up",
                why,
                "delete it, or mend what it looks at",
                one.width,
                Severity.WARNING,
            )
        )
    return problems


def listed(keys: Sequence[str], most: int = 6) -> str:
    """Keys in a row: `0..2`, `a and b`, or the first few and how many more."""
    if len(keys) > most:
        return f"{', '.join(keys[:most])} and {len(keys) - most} more"
    return " and ".join(filter(None, (", ".join(keys[:-1]), keys[-1])))
