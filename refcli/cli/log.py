"""`refcli log`: the walks that were played, the latest first."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from refcli.cli.common import json_text, say, width

if TYPE_CHECKING:
    from pathlib import Path

    from refcli.drivers.walks import Record


def log(
    every: Annotated[bool, typer.Option("--all", help="All of them, not only the latest 20.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead.")] = False,
) -> None:
    """List the walks that were played.

    The latest first: when, which chart, how it ended or how far it came. A part of a walk's name is enough for refcli
    resume and refcli replay. Example:

    refcli log
    """
    from itertools import islice

    from refcli.drivers.journal import walks_folder
    from refcli.drivers.walks import Record, journals, records

    folder = walks_folder()
    most = None if every else 20
    found = [
        _entry(one) if isinstance(one, Record) else _broken(one[0], str(one[1]))
        for one in islice(records(folder), most)
    ]
    if as_json:
        say(json_text(found, indent=2))
        return
    if not found:
        say("No walk has been kept yet.")
        return
    say("\n".join(line for entry in found for line in _lines(entry, width())))
    more = len(journals(folder)) - len(found)
    if most is not None and len(found) == most and more > 0:
        say(f"… and {more} more: refcli log --all")


def _entry(record: "Record") -> dict[str, Any]:
    """A walk as JSON values: `state` is ended, open (it can go on) or playing (in another window)."""
    from refcli.drivers.journal import is_held

    ended = record.ending is not None
    state = "ended" if ended else "playing" if is_held(record.path) else "open"
    found = {
        "walk": record.id,
        "chart": record.chart,
        "title": record.text("title"),
        "started": record.text("started"),
        "state": state,
        "answers": record.entered,
        "file": str(record.path),
    }
    if record.ending is not None:
        found |= {"outcome": record.ending["outcome"], "ruling": record.ruled}
    elif last := [reply for reply in record.replies if reply.is_entered]:
        found["last"] = str(last[-1])
    return found


def _broken(path: "Path", fault: str) -> dict[str, Any]:
    return {"walk": path.stem, "state": "broken", "fault": fault, "file": str(path)}


def _lines(entry: dict[str, Any], columns: int) -> list[str]:
    """A walk in two lines: when and what; how far."""
    from refcli.render.words import clean, wrap

    name = clean(entry["walk"])
    if entry["state"] == "broken":
        return [name, *wrap(entry["fault"], columns, "    ", "    ")]
    what = clean(f"{entry['title'] or entry['chart']} ({entry['chart']}), {local_time(entry['started'])}")
    many = f"{entry['answers']} answer{'' if entry['answers'] == 1 else 's'}"
    if entry["state"] == "ended":
        far = entry["ruling"].upper()
    elif entry["state"] == "playing":
        far = f"being played now, {many} so far"
    else:
        far = f"stopped after {many}" + (f", the last: {entry['last']}" if "last" in entry else "")
    return [name, *wrap(what, columns, "    ", "    "), *wrap(far, columns, "    ", "    ")]


def local_time(started: str) -> str:
    """A time in UTC as the clock on the wall shows it; as it stands where it is none."""
    import calendar
    import time

    try:
        seconds = calendar.timegm(time.strptime(started, "%Y-%m-%dT%H:%M:%SZ"))
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
    except (ValueError, OverflowError, OSError):
        return started
