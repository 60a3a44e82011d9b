"""`refcli replay`: the ruling of a walk once more, from its journal; and whether it still is the chart's ruling."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from refcli.cli.common import complain
from refcli.cli.options import Charts

if TYPE_CHECKING:
    from refcli.core.chart import Chart
    from refcli.drivers.replay import Replayed
    from refcli.drivers.walks import Record


def replay_walk(
    name: Annotated[
        str, typer.Argument(metavar="FILE|WALK", help="A journal, or a part of a walk's name in refcli log.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="The ruling as JSON, every step in it.")] = False,
    trail: Annotated[bool, typer.Option("--trail", help="Every step below the ruling.")] = False,
    charts: Charts = None,
) -> None:
    """Give the ruling of a walk again, from its journal.

    Says whether the chart is the one it was ruled by, and names the first reply that no longer fits a changed one.
    The exit status is 0 only where the ruling is the same. Example:

    refcli replay 20261129-203000-bog-down
    """
    from refcli.cli.resume import chart_of, shelf_of
    from refcli.cli.table import rule
    from refcli.drivers.replay import replay

    record = _journal(name)
    chart = chart_of(record, shelf_of(record, charts))
    found = replay(chart, record)
    if found.walk is not None and found.has_ended and not found.fault:
        rule(found.walk, record.case.get("id"), as_json=as_json, trail=trail)
    if not _verdict(found, chart):
        raise typer.Exit(1)


def _journal(name: str) -> "Record":
    """The journal that is meant: a file, or a walk that was kept.

    Raises:
        UsageError: there is none.
        JournalError: it cannot be read.
    """
    from refcli.drivers.journal import walks_folder
    from refcli.drivers.walks import find, read_journal

    file = Path(name)
    return read_journal(file if file.is_file() else find(name, walks_folder()))


def _verdict(found: "Replayed", chart: "Chart") -> bool:
    """Say what the replay proves; True where the ruling is the same as it was."""
    from refcli.cli.proof import changed
    from refcli.drivers.words import describe

    record = found.record
    parts = changed(record, chart)
    chart_is = (
        f"The chart has changed since: {', '.join(parts)}." if parts else "The chart is the one it was ruled by."
    )
    if found.fault:
        complain(f"{chart_is}\n{found.fault[:1].upper()}{found.fault[1:]}.")
        return False
    if found.walk is None or not found.has_ended:
        where = f"at {describe(found.walk.need)}" if found.walk is not None else "at its start"
        complain(f"This walk has not come to a ruling: it stands {where}. To go on: refcli resume {record.id}")
        return False
    differs = _difference(found, record)
    complain(f"{chart_is} {differs or 'The ruling is the same.'}")
    if found.odd and not parts:
        what = "; ".join(found.odd[:4])
        complain(f"These were not rolled or drawn by the seed {record.head.get('seed')}: {what}.")
        return False
    return not differs


def _difference(found: "Replayed", record: "Record") -> str:
    """How the ruling differs from the one in the journal; empty where it is the same, or the journal has none."""
    import json

    from refcli.core.ruling import ruling

    if record.ending is None or found.walk is None:
        return ""
    then: Any = record.ending.get("ruling")
    now = json.loads(json.dumps(ruling(found.walk, record.case.get("id"))))
    if then == now:
        return ""
    if not isinstance(then, dict):
        return "The journal does not tell its ruling."
    if then.get("title") != now["title"]:
        return f"The ruling differs: it was {record.ruled}, and is {now['title']} now."
    parts = sorted(key for key in {*then, *now} if then.get(key) != now.get(key))
    return f"The ruling differs: {record.ruled} still, but not the same {', '.join(parts)}."
