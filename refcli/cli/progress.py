"""How far a batch is, on the standard error output of a terminal; elsewhere nothing is shown.

rich is imported only once a batch has run for a moment: most are done by then.
"""

import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from refcli.drivers.batch.totals import Done

PATIENCE = 1.0
"""How many seconds a batch runs before it shows how far it is."""
PACE = 0.1
"""How many seconds lie between two looks."""


def is_watched(*, to_file: bool) -> bool:
    """Whether somebody sees the bar, and nothing else is written to the same terminal.

    Args:
        to_file: the rulings go to a file, or are only counted.
    """
    return sys.stderr is not None and sys.stderr.isatty() and (to_file or not sys.stdout.isatty())


def watched(blocks: Iterator[Done], size: int, at: Callable[[Done], int], rows: Callable[[], int]) -> Iterator[Done]:
    """The same blocks, while a bar shows how far they are.

    Args:
        blocks: the blocks, in order.
        size: the bytes of the input, 0 where nobody knows.
        at: how many of these bytes a block is the end of.
        rows: how many cases have been ruled on.
    """
    began = seen = time.monotonic()
    before = rows()
    bar: Any = None
    try:
        for done in blocks:
            yield done
            now = time.monotonic()
            if now - began < PATIENCE or now - seen < PACE:
                continue
            seen = now
            fresh = bar is None
            if fresh:
                bar = _bar(size)
            rate = (rows() - before) / (now - began)
            bar.update(0, completed=at(done) if size else None, rows=rows(), rate=rate)
            if fresh:
                bar.start()
            bar.refresh()
    finally:
        if bar is not None:
            bar.stop()


def _bar(size: int) -> Any:
    """A bar with the number of cases, their rate, and the time left where the input's length is known."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    known = (BarColumn(), TaskProgressColumn()) if size else ()
    told = TextColumn("{task.fields[rows]:,} cases, {task.fields[rate]:,.0f} a second")
    when = (TimeRemainingColumn(), TextColumn("left")) if size else (TimeElapsedColumn(),)
    bar = Progress(*known, told, *when, console=Console(stderr=True), auto_refresh=False, transient=True)
    bar.add_task("", total=size or None, rows=0, rate=0.0)
    return bar
