"""refcli: the referee at the table. Walks a wargame's flow charts and tables as decision graphs.

    chart = refcli.load("battlefront/bog-down")
    walk = refcli.start(chart, {"crossing": "tracked"})
    while not isinstance(need := refcli.pending(walk), refcli.Outcome):
        walk = refcli.advance(walk, ...)     # a reply to need: an Ask, a Roll or a Draw

Importing this pulls in the core only; nothing here prints, asks or rolls.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from refcli.cli.adjudicate import adjudicate
    from refcli.core.chart import Chart
    from refcli.core.errors import ChartError, RefcliError, ReplyError, WalkError
    from refcli.core.need import Ask, Draw, Outcome, Question, Roll
    from refcli.core.walk import Walk, advance, pending, start

__version__ = "0.1.0"
__all__ = [
    "Ask",
    "ChartError",
    "Draw",
    "Outcome",
    "Question",
    "RefcliError",
    "ReplyError",
    "Roll",
    "Walk",
    "WalkError",
    "__version__",
    "adjudicate",
    "advance",
    "load",
    "pending",
    "start",
]

_HOMES = {
    "refcli.cli.adjudicate": ("adjudicate",),
    "refcli.core.errors": ("ChartError", "RefcliError", "ReplyError", "WalkError"),
    "refcli.core.need": ("Ask", "Draw", "Outcome", "Question", "Roll"),
    "refcli.core.walk": ("Walk", "advance", "pending", "start"),
}


def __getattr__(name: str) -> Any:
    """Names are imported when they are first used, so that the command line starts fast."""
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module 'refcli' has no attribute '{name}'")


def open_chart(chart: str) -> "Chart":
    """The chart of that id, such as `battlefront/bog-down`; shortened while it is unambiguous. Also called `load`.

    Raises:
        UsageError: there is no such chart, or several.
        ChartError: the chart, or one that it runs, has faults.
    """
    from refcli.cli.common import library

    books = library()
    return books.load(books.find(chart))


load = open_chart
