"""`refcli` alone, on a terminal: what there is to play, and the walks to go on with."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from refcli.cli.common import complain, library

if TYPE_CHECKING:
    from refcli.cli.evening import Evening
    from refcli.drivers.choosing import Entry
    from refcli.drivers.walks import Record
    from refcli.load.catalogue import ChartEntry
    from refcli.load.library import Library

RECENT = 5
"""How many unfinished walks are offered."""


def menu(charts: Sequence[Path] | None = None, *, plain: bool = False, rosters: Sequence[str] = ()) -> int:
    """Offer books, charts and unfinished walks, and play what is chosen, until the player leaves.

    Args:
        charts: the folders given by `--charts`.
        plain: plain lines, even on a terminal.
        rosters: files or names of rosters, at hand wherever a chart reads their book.

    Returns:
        The exit code.

    Raises:
        UsageError: a roster is not there.
    """
    from refcli.cli.evening import Evening
    from refcli.cli.stops import Left
    from refcli.core.errors import RefcliError

    shelf = library(charts)
    for roster in rosters:
        shelf.find_roster(roster)
    evening = Evening(shelf.load, "Back to the menu", plain=plain)
    while True:
        entries = [*_walks(), *_charts(shelf)]
        if not entries:
            complain("There are no charts here. Say where they are with --charts DIR.")
            return 0
        try:
            key = evening.somebody.choose("What shall we play?", entries)
        except EOFError:
            key = None
        if key is None:
            return 0
        try:
            _play(key, shelf, evening, charts, rosters)
        except Left as stop:  # the walk was left, which has been told
            if stop.exit_code > 1:
                return stop.exit_code
        except RefcliError as fault:
            _tell(fault)
        if evening.is_over:
            return 0


def _play(
    key: str, shelf: "Library", evening: "Evening", charts: Sequence[Path] | None, rosters: Sequence[str]
) -> None:
    """Play a chart, or go on with a walk."""
    kind, _, name = key.partition(":")
    if kind == "walk":
        from refcli.cli.resume import go_on, unfinished

        return go_on(unfinished(name), charts, evening=evening, plain=evening.plain)
    from refcli.cli.rosters import fitting, open_rosters, roster_paths
    from refcli.cli.sitdown import keeps_journals
    from refcli.cli.table import Sitting, sit
    from refcli.drivers.script import Case

    chart = shelf.load(name)
    folders = [str(folder.resolve()) for folder in shelf.catalogue.folders]
    fit = fitting(shelf, rosters, chart)
    flags = [part for folder in charts or () for part in ("--charts", str(folder))]
    sitting = Sitting(
        chart=chart,
        case=Case(),
        plain=evening.plain,
        keeps=keeps_journals(),
        folders=folders,
        rosters=open_rosters(shelf, fit, chart),
        roster_files=[str(file.resolve()) for file in roster_paths(shelf, fit, chart)],
        flags=flags + [part for file in fit for part in ("--roster", file)],
    )
    sit(sitting, evening=evening)
    return None


def _tell(fault: Exception) -> None:
    """Tell an error; the menu stays."""
    from refcli.cli.common import problems_text
    from refcli.core.errors import ChartError

    complain(problems_text(fault.problems) if isinstance(fault, ChartError) else f"refcli: {fault}")


def _charts(shelf: "Library") -> "Iterator[Entry]":
    """Every chart for players, by book and page."""
    from refcli.drivers.answers import clean
    from refcli.drivers.choosing import Entry

    for book in shelf.titles():
        listed = [chart for chart in book.charts if chart.listed and not chart.broken]
        for chart in sorted(listed, key=_page) if any(chart.page[:1].isdigit() for chart in listed) else listed:
            page = f"  p. {chart.page}" if chart.page[:1].isdigit() else ""
            yield Entry(
                f"chart:{chart.id}", clean(f"{chart.title}{page}"), clean(book.title), chart.id.partition("/")[2]
            )


def _page(chart: "ChartEntry") -> tuple[int, int]:
    """Pages in order; charts without one come last."""
    digits = "".join(char for char in chart.page.split("–")[0].split("-")[0].split(",")[0] if char.isdigit())
    return (0, int(digits[:6])) if digits else (1, 0)


def _walks() -> "Iterator[Entry]":
    """The unfinished walks, the latest first."""
    from refcli.cli.log import local_time
    from refcli.core.errors import RefcliError
    from refcli.drivers.choosing import Entry

    try:
        for record in _open_walks():
            many = f"{record.entered} answer{'' if record.entered == 1 else 's'}"
            label = f"{record.text('title') or record.chart}: {many}, {local_time(record.text('started'))}"
            yield Entry(f"walk:{record.id}", label, "Go on with", record.id, is_aside=True)
    except (OSError, RefcliError):  # no home to keep walks in is no reason not to play
        return


def _open_walks() -> "list[Record]":
    from refcli.drivers.journal import is_held, walks_folder
    from refcli.drivers.walks import Record, records

    found: list[Record] = []
    for one in records(walks_folder()):
        if isinstance(one, Record) and one.ending is None and not is_held(one.path):
            found.append(one)
        if len(found) == RECENT:
            break
    return found
