"""refcli: the referee at the table. Walks a wargame's flow charts and tables as decision graphs.

    chart = refcli.load("battlefront/bog-down")
    walk = refcli.start(chart, {"crossing": "tracked"})
    while not isinstance(need := refcli.pending(walk), refcli.Outcome):
        walk = refcli.advance(walk, ...)     # a reply to need: an Ask, a Roll or a Draw

Importing this pulls in the core only; nothing here prints, asks or rolls.
"""

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
    "advance",
    "pending",
    "start",
]
