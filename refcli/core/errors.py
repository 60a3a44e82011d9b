"""Everything that can go wrong for a user, sorted by whose fault it is. Constructors never print or read."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from refcli.core.problem import Problem

if TYPE_CHECKING:
    from refcli.core.need import Need


class RefcliError(Exception):
    """Base of all errors a user can meet; `exit_code` is what the command line ends with."""

    exit_code = 1


class UsageError(RefcliError):
    """The command was called with something it cannot use."""

    exit_code = 2


class ChartError(RefcliError):
    """A chart or deck has faults; all of them are in `problems`, sorted by place."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda p: (p.place.file, p.place.line, p.place.column)))
        super().__init__("\n".join(map(str, self.problems)))


class ReplyError(RefcliError):
    """A reply that does not fit the need; the walk stands where it was."""

    def __init__(self, message: str, need: "Need | None" = None, key: str = "") -> None:
        self.need = need
        self.key = key
        super().__init__(message)


class UnansweredError(RefcliError):
    """Nobody could answer a need; names it and how to give it. `why` is a reason the need does not tell."""

    def __init__(self, message: str, need: "Need", why: str = "") -> None:
        self.need = need
        self.why = why
        super().__init__(message)


class WalkError(RefcliError):
    """The walk cannot go on: a value without a case, a number out of all bounds; names the node."""


class LimitError(WalkError):
    """A named limit of the walk was passed."""

    def __init__(self, limit: str, value: int, where: str) -> None:
        self.limit = limit
        super().__init__(f"{where}: more than {value:,} {limit}")
