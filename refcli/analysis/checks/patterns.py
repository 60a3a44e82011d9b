"""What holds of every set of patterns: no value without one, no value with two, no pattern without a value."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from refcli.analysis.boxes import Axis, Span, meet_span
from refcli.core.chart import ELSE, Pattern
from refcli.core.fact import Fact
from refcli.core.place import Place
from refcli.core.problem import Code, Problem, Severity, did_you_mean


@dataclass(frozen=True, slots=True)
class Written:
    """A pattern where it stands: its key as written, and its place."""

    pattern: Pattern
    key: str
    place: Place


@dataclass(frozen=True, slots=True)
class Choosing:
    """A set of patterns that one value chooses from.

    `what` is what the author calls one of them (case, row, column, key), `subject` the expression that is looked at,
    `fact` the fact that its words are choices of.
    """

    what: str
    subject: str
    axis: Axis
    written: tuple[Written, ...]
    place: Place
    width: int
    fact: Fact | None = None

    @property
    def spans(self) -> list[list[Span]]:
        """Where each pattern holds, of what can come up."""
        return self.axis.spans([one.pattern for one in self.written])

    @property
    def range(self) -> str:
        """What can come up, in words."""
        if len(self.axis.words) == 1:
            return f"'{self.subject}' is always {self.axis.words[0]}"
        return f"'{self.subject}' can be {self.axis.show()}"


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
            problems.append(
                Problem(
                    Code.OVERLAP,
                    two.place,
                    f"{one.key} and {two.key} both hold {held}",
                    f"the first one wins: {one.key} stands on line {one.place.line}",
                    f"give each value one {choosing.what}",
                    len(two.key),
                )
            )
    return problems


def check_dead(choosing: Choosing) -> list[Problem]:
    """Patterns that hold nothing which can come up, and words that are no choice at all."""
    problems = []
    for one, spans in zip(choosing.written, choosing.spans, strict=True):
        if spans:
            continue
        if problem := _unknown(choosing, one):
            problems.append(problem)
            continue
        why = f"the others hold all of {choosing.axis.show()}" if one.pattern == ELSE else choosing.range
        problems.append(
            Problem(
                Code.OVERLAP,
                one.place,
                f"{choosing.what} '{one.key}' can never come up",
                why,
                "delete it, or mend what it looks at",
                len(one.key),
                Severity.WARNING,
            )
        )
    return problems


def _unknown(choosing: Choosing, one: Written) -> Problem | None:
    """A word that the fact does not have among its choices."""
    if choosing.fact is None or isinstance(one.pattern, bool) or one.pattern == ELSE:
        return None
    if isinstance(one.pattern, str) and choosing.fact.choice(one.pattern):
        return None
    hint = did_you_mean(one.key, [choice.key for choice in choosing.fact.choices], 12)
    message = f"{choosing.what} '{one.key}' is no choice of {choosing.fact.name}"
    return Problem(Code.UNKNOWN_WORD, one.place, message, hint, width=len(one.key))


def listed(keys: Sequence[str], most: int = 6) -> str:
    """Keys in a row: `0..2`, `a and b`, or the first few and how many more."""
    if len(keys) > most:
        return f"{', '.join(keys[:most])} and {len(keys) - most} more"
    return " and ".join(filter(None, (", ".join(keys[:-1]), keys[-1])))
