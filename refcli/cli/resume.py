"""`refcli resume`: go on with a walk at the question where it stopped."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from refcli.cli.common import complain, library
from refcli.cli.options import Charts

if TYPE_CHECKING:
    from refcli.cli.evening import Evening
    from refcli.core.chart import Chart
    from refcli.drivers.replay import Replayed
    from refcli.drivers.walks import Record
    from refcli.load.library import Library


def resume(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[WALK]", help="Which one: a part of its name in refcli log. Left out: the latest."),
    ] = None,
    dice: Annotated[
        Literal["ask", "auto"] | None,
        typer.Option("--dice", help="Your own dice and cards, or rolled for you; left out: as before."),
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Ask in plain lines even on a terminal.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The ruling as JSON, every step in it.")] = False,
    trail: Annotated[bool, typer.Option("--trail", help="Every step below the ruling.")] = False,
    charts: Charts = None,
) -> None:
    """Go on with a walk at the question where it stopped.

    Dice that were rolled stay rolled, and your answers can still be taken back. Example:

    refcli resume
    """
    go_on(unfinished(name), charts, dice=dice, plain=plain, as_json=as_json, trail=trail)


def go_on(
    record: "Record",
    charts: Sequence[Path] | None = None,
    *,
    evening: "Evening | None" = None,
    dice: str | None = None,
    **more: bool,
) -> None:
    """Go on with a walk.

    Args:
        record: its journal.
        charts: the folders given by `--charts`.
        evening: what lasts from walk to walk.
        dice: ask or auto from now on; None is as before.
        more: `plain`, `as_json` and `trail`.
    """
    from refcli.cli.table import sit, sitting_of
    from refcli.drivers.replay import replay

    shelf = shelf_of(record, charts)
    chart = chart_of(record, shelf)
    found = replay(chart, record)
    _tell(found, chart)
    sit(sitting_of(record, shelf, chart, dice=dice, **more), found, evening)


def unfinished(name: str | None) -> "Record":
    """The walk to go on with.

    Raises:
        UsageError: there is none, or it has ended.
        JournalError: it cannot be read.
    """
    from refcli.core.errors import UsageError
    from refcli.drivers.journal import is_held, walks_folder
    from refcli.drivers.walks import Record, find, read_journal, records

    folder = walks_folder()
    if name is not None:
        record = read_journal(find(name, folder))
        if record.ending is not None:
            again = f"to see its ruling again: refcli replay {record.id}"
            raise UsageError(f"the walk {record.id} has ended ({record.ruled}); {again}")
        return record
    held = ""
    for one in records(folder):
        if not isinstance(one, Record):
            complain(f"refcli: {one[1]}; looking for an earlier walk")
        elif one.ending is None:
            if not is_held(one.path):
                return one
            held = f"; {one.id} is being played in another window"
    raise UsageError(f"there is no walk to go on with{held or '; refcli log lists those that have ended'}")


def shelf_of(record: "Record", charts: Sequence[Path] | None) -> "Library":
    """The charts within reach: those of the command line, those of the walk while they are there, and all others."""
    decks = [Path(file) for file in record.texts("decks")]
    folders = [Path(folder) for folder in record.texts("charts")]
    found = [folder for folder in folders if folder.is_dir()]
    return library([*(charts or ()), *found], [file for file in decks if file.is_file()])


def chart_of(record: "Record", shelf: "Library") -> "Chart":
    """The chart of a walk.

    Raises:
        UsageError: it is not there.
        ChartError: it has faults.
    """
    from refcli.core.errors import UsageError
    from refcli.drivers.answers import clean

    if shelf.catalogue.path(record.chart) is None:
        where = "say where it is by --charts DIR"
        raise UsageError(f"the chart of this walk, {clean(record.chart)}, is not there any more; {where}")
    return shelf.load(record.chart)


def _tell(found: "Replayed", chart: "Chart") -> None:
    """Say what goes on, and what a changed chart has made of it.

    Raises:
        UsageError: the chart cannot even start.
    """
    from refcli.cli.proof import changed
    from refcli.core.errors import UsageError

    if found.walk is None:
        raise UsageError(f"the walk cannot go on: {found.fault}")
    record = found.record
    complain(f"Going on with {chart.title}, walk {record.id}.")
    parts = changed(record, chart)
    if parts:
        complain(f"The chart has changed since: {', '.join(parts)}.")
    if found.fault:
        complain(f"{found.fault[:1].upper()}{found.fault[1:]}.")
        complain("What you answered from there on is offered again, as far as it is asked: Enter takes it.")
    elif parts:
        complain("All your answers still fit.")
