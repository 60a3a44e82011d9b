"""What has counted on a walk so far, in lines, while it is still going on."""

from refcli.core.walk import Walk
from refcli.render.text import Story, fold

LAST = 6
"""How many of the last steps are told where nothing has been added up yet."""


def ledger_lines(walk: Walk, width: int = 80) -> list[str]:
    """The ledger of a walk, finished or not: what was added up, and a line for every man and chart that was run.

    Args:
        walk: where it stands.
        width: columns that a line may take.

    Returns:
        Lines, set in; where nothing has been added up yet, the last steps. None at all before the first step.
    """
    story = Story(walk.position.frames[0].chart, width)
    steps = [line for line in story.whole(fold(walk.trail.steps)) if not line.lstrip().startswith("(")]
    return counted_lines(walk, width) or steps[-LAST:]


def counted_lines(walk: Walk, width: int = 80) -> list[str]:
    """What was added up on a walk, and a line for every man and chart that was run; maybe nothing yet."""
    return list(Story(walk.position.frames[0].chart, width).short(fold(walk.trail.steps)))
