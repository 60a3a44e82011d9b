"""Splitting boxes: what a set of rows leaves uncovered, and where two rows meet.

A box is one span per axis; a span is a closed range of whole numbers whose ends may be open (infinite). Choice keys
and yes/no stand on an axis as 0, 1, 2 … in their order, so that one method serves them all. What is left of the
whole space after every row has been cut out is the proof that nothing is missing, or the list of rows to propose.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf

from refcli.core import types as t
from refcli.core.chart import ELSE, Band, Pattern

End = int | float
Span = tuple[End, End]
Box = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Axis:
    """The values that one expression can have: numbers in `span`, or the keys of `words` in their order."""

    span: Span
    words: tuple[str, ...] = ()

    def of(self, pattern: Pattern | None) -> list[Span]:
        """Where a pattern holds on this axis; nowhere where it holds nothing that can come up."""
        if isinstance(pattern, Band):
            met = None if self.words else meet_span(self.span, span_of(pattern))
            return [] if met is None else [met]
        word = ("yes" if pattern else "no") if isinstance(pattern, bool) else pattern
        at = self.words.index(word) if word in self.words else None
        return [] if at is None else [(at, at)]

    def spans(self, patterns: Sequence[Pattern]) -> list[list[Span]]:
        """Where each of several patterns holds; `else` holds what the others leave."""
        found = [self.of(pattern) for pattern in patterns]
        if ELSE in patterns:
            found[patterns.index(ELSE)] = self.left(found)
        return found

    def left(self, spans: Iterable[Iterable[Span]]) -> list[Span]:
        """What no span of any pattern holds."""
        held = [(span,) for some in spans for span in some]
        return [box[0] for box in remainder([(self.span,)], held)]

    def show(self, *spans: Span) -> str:
        """Spans as a chart writes them: `4..6`, `7`, `..3`, or the keys; the whole axis where none is given."""
        return ", ".join(key for span in spans or (self.span,) for key in self.keys(span))

    def keys(self, span: Span) -> list[str]:
        """A span as the keys of a chart: one range of numbers, or each word."""
        low, high = span
        if self.words:
            return list(self.words[int(low) : int(high) + 1])
        return [str(Band(None if low == -inf else int(low), None if high == inf else int(high)))]


def axis_of(kind: t.Type) -> Axis | None:
    """The axis of a type; None where values of that type have no cases."""
    match kind:
        case t.YesNo():
            return Axis((0, 1), ("yes", "no"))
        case t.Number():
            return Axis(span_of(kind))
        case t.Word():
            order = [c.key for c in kind.fact.choices] if kind.fact else []
            words = [key for key in order if key in kind.keys] or sorted(kind.keys)
            return Axis((0, len(words) - 1), tuple(words))
    return None


def span_of(band: Band | t.Number) -> Span:
    """A band or range of numbers as a span."""
    return (-inf if band.low is None else band.low), (inf if band.high is None else band.high)


def meet_span(a: Span, b: Span) -> Span | None:
    """What two spans share; None where they share nothing."""
    low, high = max(a[0], b[0]), min(a[1], b[1])
    return (low, high) if low <= high else None


def meet(a: Box, b: Box) -> Box | None:
    """What two boxes share; None where they share nothing."""
    shared = [meet_span(p, q) for p, q in zip(a, b, strict=True)]
    return None if None in shared else tuple(span for span in shared if span is not None)


def minus(a: Box, b: Box) -> list[Box]:
    """Box `a` without box `b`, as boxes that share nothing."""
    if meet(a, b) is None:
        return [a]
    pieces, core = [], list(a)
    for axis, ((low, high), (from_, to)) in enumerate(zip(a, b, strict=True)):
        if low < from_:
            pieces.append((*core[:axis], (low, from_ - 1), *a[axis + 1 :]))
        if high > to:
            pieces.append((*core[:axis], (to + 1, high), *a[axis + 1 :]))
        core[axis] = (max(low, from_), min(high, to))
    return pieces


def remainder(space: Iterable[Box], rows: Iterable[Box]) -> list[Box]:
    """What is left of the space when every row is cut out: boxes that share nothing, joined and in order."""
    left = list(space)
    for row in rows:
        left = [piece for box in left for piece in minus(box, row)]
    return joined(left)


def joined(boxes: Iterable[Box]) -> list[Box]:
    """The same space in fewer boxes: neighbours that differ in one axis only become one."""
    found = sorted(set(boxes))
    for axis in reversed(range(len(found[0]) if found else 0)):
        found.sort(key=lambda box, axis=axis: (box[:axis], box[axis + 1 :], box[axis]))  # type: ignore[misc]
        kept: list[Box] = []
        for box in found:
            last = kept[-1] if kept else None
            if last and last[:axis] == box[:axis] and last[axis + 1 :] == box[axis + 1 :] and _touch(last, box, axis):
                kept[-1] = (*box[:axis], (last[axis][0], box[axis][1]), *box[axis + 1 :])
            else:
                kept.append(box)
        found = kept
    return sorted(found)


def _touch(a: Box, b: Box, axis: int) -> bool:
    return a[axis][1] + 1 == b[axis][0]
