"""A ruling for a terminal: the same lines as everywhere, its title as a band that cannot be missed.

Nothing here prints; words of charts and players are never read as markup.
"""

from typing import TYPE_CHECKING

from refcli.core.chart import Tone
from refcli.core.need import Outcome
from refcli.core.walk import Walk
from refcli.render.text import ruling_text

if TYPE_CHECKING:
    from rich.text import Text

COLOURS = {Tone.GOOD: "green", Tone.BAD: "red", Tone.MIXED: "yellow", Tone.PLAIN: "default"}
"""The band's colour by tone. It stands in reverse, so that it is read on light and on dark."""

HEADS = ("Why", "Readings:")


def ruling_screen(walk: Walk, trail: bool = False, width: int = 80) -> "Text":
    """The ruling of a finished walk with its styles; the words are those of `ruling_text`.

    Args:
        walk: a walk that has come to its outcome.
        trail: tell every step.
        width: columns that a line may take.
    """
    from rich.text import Text

    outcome = walk.need
    if not isinstance(outcome, Outcome):
        raise TypeError("the walk has not ended")
    title, *lines = ruling_text(walk, trail, width).split("\n")
    found = Text(f" {title} ".ljust(width), f"bold reverse {COLOURS[outcome.tone]}", no_wrap=False)
    for number, line in enumerate(lines):
        style = "bold" if number == 0 or line in HEADS else "dim" if line.startswith("Source:") else ""
        found.append("\n").append(line, style)
    return found
