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


MORE = "(w tells the rest)"
"""In place of the parts that would push the ruling itself off the screen."""


def ruling_screen(walk: Walk, trail: bool = False, width: int = 80, rows: int | None = None) -> "Text":
    """The ruling of a finished walk with its styles; the words are those of `ruling_text`.

    Args:
        walk: a walk that has come to its outcome.
        trail: tell every step.
        width: columns that a line may take.
        rows: how many lines there is room for; what rests behind the ruling is left out where it does not fit. None
            for as many as it takes.
    """
    from rich.text import Text

    outcome = walk.need
    if not isinstance(outcome, Outcome):
        raise TypeError("the walk has not ended")
    title, *lines = fitting(ruling_text(walk, trail, width), rows)
    found = Text(f" {title} ".ljust(width), f"bold reverse {COLOURS[outcome.tone]}", no_wrap=False)
    for number, line in enumerate(lines):
        style = "bold" if number == 0 or line in HEADS else "dim" if line.startswith("Source:") else ""
        found.append("\n").append(line, style)
    return found


def fitting(text: str, rows: int | None) -> list[str]:
    """The lines of a ruling that fit: its own in any case, of the parts behind it as many as there is room for."""
    first, *rest = text.split("\n\n")
    lines = first.split("\n")
    if rows is not None and lines[-1].startswith("Next: "):
        del lines[-1]  # it is the first answer to the question that follows
    for number, part in enumerate(rest):
        more = ["", *part.split("\n")]
        if rows is not None and len(lines) + len(more) + 2 * (number < len(rest) - 1) > rows:
            return [*lines, "", MORE]
        lines += more
    return lines
