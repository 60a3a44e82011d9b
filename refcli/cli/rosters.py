"""The rosters that a command is given."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from refcli.core.chart import Chart
    from refcli.drivers.rosters import Rosters
    from refcli.load.library import Library


def open_rosters(shelf: "Library", files: Sequence[str], chart: "Chart | None" = None) -> "Rosters":
    """The rosters of some files.

    Args:
        shelf: where their books are.
        files: paths, or names of rosters that come with a book.
        chart: the chart that is played; its book's rosters come first, and each must be of a book that it reads.

    Raises:
        UsageError: a file is not there, is of a book that the chart does not read, or has a group of another's name.
        ChartError: a file has faults.
    """
    from refcli.core.errors import ChartError, UsageError
    from refcli.core.family import family
    from refcli.drivers.rosters import Rosters

    found = []
    for path in roster_paths(shelf, files, chart):
        roster, problems = shelf.roster(path)
        if roster is None or problems:
            raise ChartError(problems)
        if chart is not None and roster.book not in {one.book.id for one in family([chart]).values()}:
            raise UsageError(f"--roster: {roster.file} is a roster of {roster.book}, not of {chart.book.id}")
        found.append(roster)
    return Rosters(found)


def roster_paths(shelf: "Library", files: Sequence[str], chart: "Chart | None" = None) -> list[Path]:
    """Where the rosters of that path or name are.

    Raises:
        UsageError: one is not there, or there are several of its name.
    """
    return [shelf.find_roster(text, chart.book.id if chart is not None else "") for text in files]


def fitting(shelf: "Library", files: Sequence[str], chart: "Chart") -> list[str]:
    """The rosters among these that are of a book which the chart reads, and those that have faults, to be told of."""
    from refcli.core.family import family

    books = {one.book.id for one in family([chart]).values()}
    found = {text: shelf.roster(path)[0] for text, path in zip(files, roster_paths(shelf, files, chart), strict=True)}
    return [text for text, roster in found.items() if roster is None or roster.book in books]
