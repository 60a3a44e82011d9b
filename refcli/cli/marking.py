"""What became of men and vehicles, written into their rosters where the player wants it, as a whole or not at all."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refcli.cli.common import library, shipped
from refcli.core.errors import UsageError
from refcli.core.struct import replace

if TYPE_CHECKING:
    from refcli.cli.table import Sitting
    from refcli.core.walk import Walk
    from refcli.drivers.marks import Marks
    from refcli.drivers.player import Player
    from refcli.drivers.rosters import Rosters
    from refcli.load.library import Library
    from refcli.load.rewriting import Change


def keep_marks(sitting: "Sitting", player: "Player", walk: "Walk", *, asks: bool) -> "Sitting":
    """Write what became of a finished walk into its rosters.

    Args:
        sitting: how it was played.
        player: says who scores, and whether it shall be written.
        walk: the finished walk.
        asks: show what is to be written, and ask whether it shall be.

    Returns:
        How the next walk is played: with the rosters as they are written now. As before where nothing was written.

    Raises:
        Back, Quit, EOFError, KeyboardInterrupt: see `Supplier`; nothing has been written.
        RefcliError: a roster cannot be read any more, or not be written; it is as it was.
    """
    from refcli.drivers.marks import marks_of

    shelf = library([Path(folder) for folder in sitting.folders])
    shown: list[str] | None = None
    side: tuple[str, str] | None = None
    while True:  # until what is written is what was shown: the files may change meanwhile
        found = marks_of(walk, _opened(shelf, sitting))
        if shown is None and found.gains:
            side = _who_scores(player, walk, found)
        if (lines := found.lines()) == shown or not found.marks:
            break
        shown = lines
        for line in lines:
            player.say(f"  {line}")
        if asks and not _agreed(player, walk, found):
            return sitting
    files = {file: _write(Path(file), changes) for file, changes in _changes(found, side).items()}
    if not files:
        player.say("Nothing is to be written.")
        return sitting
    player.say(f"Written into {' and '.join(files.values())}.")
    moved = {Path(old).resolve(): new for old, new in files.items()}
    names = [str(Path(moved.get(Path(name), name)).resolve()) for name in sitting.roster_files]
    sitting = replace(sitting, roster_files=names, case=_marked(sitting.case, found))
    return replace(sitting, rosters=_opened(shelf, sitting))


def _opened(shelf: "Library", sitting: "Sitting") -> "Rosters":
    from refcli.cli.rosters import open_rosters

    return open_rosters(shelf, sitting.roster_files, sitting.chart)


def _who_scores(player: "Player", walk: "Walk", found: "Marks") -> tuple[str, str] | None:
    """The roster's file and the side that scores; None where nobody does."""
    from functools import partial

    from refcli.core.fact import Choice, Kind
    from refcli.drivers.answers import clean, read_choice
    from refcli.drivers.prompt import Prompt

    sides = {f"side{number}": gain for number, gain in enumerate(found.gains)}
    choices = (*(Choice(key, clean(str(gain))) for key, gain in sides.items()), Choice("nobody", "Nobody"))
    answer: Any = player.close(
        walk,
        Prompt(
            text="Who scores?",
            kind=Kind.CHOICE,
            legal=f"1 to {len(choices)}",
            read=partial(read_choice, choices),
            choices=choices,
            has_keys=False,
        ),
    )
    gain = sides.get(answer)
    return (gain.roster.file, gain.side) if gain is not None else None


def _agreed(player: "Player", walk: "Walk", found: "Marks") -> bool:
    """Whether it shall be written."""
    from refcli.core.fact import Kind
    from refcli.drivers.answers import clean, read_yes_no
    from refcli.drivers.prompt import Prompt

    files = dict.fromkeys(_place(Path(mark.roster.file)).name for mark in found.marks)
    text = clean(f"Write this into {' and '.join(files)}?")
    return bool(player.close(walk, Prompt(text=text, kind=Kind.YES_NO, legal="y/n", read=read_yes_no, default=True)))


def _changes(found: "Marks", side: tuple[str, str] | None) -> "dict[str, list[Change]]":
    """What is to be changed in each file."""
    from refcli.load.rewriting import Change

    changes: dict[str, list[Change]] = {}
    for mark in found.marks:
        change = Change(("groups", mark.group.name, mark.number), mark.fact.name, mark.value)
        changes.setdefault(mark.roster.file, []).append(change)
    for gain in found.gains:
        if (gain.roster.file, gain.side) == side:
            totals = gain.roster.scores[gain.side]
            scored = [Change(("scores", gain.side), name, totals[name] + add) for name, add in gain.adds.items()]
            changes.setdefault(gain.roster.file, []).extend(scored)
    return changes


def _marked(case: Any, found: "Marks") -> Any:
    """A case whose lists, given beforehand, know what became of their men."""
    given = {
        name: [_with_marks(part, found) for part in value] if isinstance(value, list) else value
        for name, value in case.given.items()
    }
    return replace(case, given=given)


def _with_marks(record: Any, found: "Marks") -> Any:
    if not isinstance(record, dict):
        return record
    texts = {str(value).casefold() for value in record.values() if isinstance(value, str)}
    return record | {
        mark.fact.name: mark.value
        for mark in found.marks
        if (name := mark.group.names[mark.number].casefold()) and name in texts
    }


def _place(file: Path) -> Path:
    """Where a roster is written: one that comes with refcli is copied into the folder that one is in."""
    return Path(file.name) if file.resolve().is_relative_to(shipped().resolve()) else file


def _write(file: Path, changes: "Sequence[Change]") -> str:
    """Change a roster's file; where it was written.

    Raises:
        UsageError: it cannot be; the file is as it was.
    """
    from refcli.load.reader import decode
    from refcli.load.report import Report
    from refcli.load.rewriting import rewritten

    place = _place(file)
    if place != file and place.exists():
        raise UsageError(f"{file.stem} comes with refcli; your own copy is {place}: play with --roster {place}")
    try:
        data = file.read_bytes()
        source = decode(data, str(file), Report())
        text = rewritten(source.text, changes) if source is not None else None
        if text is None:
            raise UsageError(f"'{file}' cannot be changed here; write it in yourself")
        if data.count(b"\r\n") == data.count(b"\n"):
            text = text.replace("\n", "\r\n")
        put(place, (b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b"") + text.encode())
    except OSError as fault:
        raise UsageError(f"cannot write '{place}': {fault.strerror or fault}") from None
    return str(place)


def put(file: Path, data: bytes) -> None:
    """Put a file in place of the one that is there: whoever reads it finds the old or the new, never half of one.

    Raises:
        OSError: it cannot be written, or the one that is there may not be.
    """
    file = file.resolve()  # a link goes on leading to it
    if file.exists() and not os.access(file, os.W_OK):
        raise OSError(None, "it is read-only")
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if file.exists():
            part.chmod(file.stat().st_mode & 0o7777)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
