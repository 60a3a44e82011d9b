"""Collecting problems: one report per file, each problem once, never the first only."""

from collections.abc import Container, Iterable, Mapping
from typing import Protocol

from refcli.core.place import Place
from refcli.core.problem import Code, Problem, did_you_mean
from refcli.core.struct import replace

MAX_PROBLEMS = 100
"""The most problems told of one file; nobody reads more, and hostile files could make millions."""


class Marked(Protocol):
    """Anything with a place in a file."""

    @property
    def place(self) -> Place:
        """Where it starts."""

    @property
    def width(self) -> int:
        """How many characters it fills."""


class Report:
    """The problems of one file."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.slots: list[tuple[str, Place]] = []
        """What stands in < > in texts that nothing is filled into, each with its place."""
        self._seen: set[tuple[Code, Place, str]] = set()

    @property
    def is_full(self) -> bool:
        """Whether it takes no more."""
        return len(self.problems) >= MAX_PROBLEMS

    def add(
        self, code: Code, at: Marked, message: str, hint: str = "", mend: str = "", width: int | None = None
    ) -> None:
        """Note a problem at a marked part."""
        if not self.is_full:
            self.put(Problem(code, at.place, message, hint, mend, at.width if width is None else width))

    def unknown(
        self,
        code: Code,
        at: Marked,
        word: str,
        message: str,
        names: Iterable[str] | Mapping[str, Place],
        mend: str = "",
    ) -> None:
        """Note a word that is not among the legal names, with the nearest of them."""
        if not self.is_full:
            self.add(code, at, message, did_you_mean(word[:60], names), mend)

    def put(self, problem: Problem) -> None:
        """Note a problem that is ready made; the same one is kept only once."""
        mark = (problem.code, problem.place, problem.message)
        if self.is_full or mark in self._seen:
            return
        self._seen.add(mark)
        self.problems.append(problem)
        if self.is_full:
            self.problems[-1] = replace(problem, mend=f"mend these {MAX_PROBLEMS} first; there may be more")

    def check_slots(self, names: Container[str]) -> None:
        """A name in < > is a fault where nothing is filled in: a player would see it as it stands."""
        for slot, place in self.slots:
            if slot.partition(".")[0] in names:
                what = f"'<{slot}>' is not filled in here: that is done in labels, `do`, `says` and effects"
                mend = "say it there, or leave out the < >"
                self.put(Problem(Code.EXPRESSION, place, what, mend=mend, width=len(slot) + 2))

    def drop_from(self, line: int) -> None:
        """Forget what was found from that line on: mere consequences of something worse there."""
        self.problems = [problem for problem in self.problems if problem.place.line < line]


def brief(text: str, most: int = 40) -> str:
    """A text short enough for a message, on one line."""
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"
