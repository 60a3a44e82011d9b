"""The journal of a walk: every reply is on disk before the next question, so that nothing a player entered is lost.

A journal is a file of JSON Lines. The first says which chart is walked, with its digest, and how; then comes a line
for each reply that was taken and each step back; the last tells the ruling. Nothing is written before a player has
something to lose: a walk that asks nobody leaves no file.

Rule 1: a line once written is never changed. Rule 2: whatever goes wrong here is told once, and the game goes on.
"""

import json
import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

from refcli.core.errors import RefcliError
from refcli.core.need import Ask, Draw, Need, Outcome, Roll, accept
from refcli.core.ruling import plain
from refcli.core.walk import Walk
from refcli.drivers.loop import Supplied

FORMAT = 1
"""The version of the format; a journal of a later one is not read."""

BY_CHANCE = ("rolled", "drawn", "placeholder")
"""The sources of replies that were made from the seed."""

BY_OTHERS = (*BY_CHANCE, "given", "default")
"""The sources of all replies but those that a player entered himself."""


class JournalError(RefcliError):
    """A journal that cannot be read, or is in use; the message names the file."""


def home() -> Path:
    """The folder of what refcli keeps: `REFCLI_HOME`, else the one where this system keeps such things.

    Raises:
        OSError: this user has no home folder.
    """
    if named := os.environ.get("REFCLI_HOME"):
        return Path(named)
    if os.name == "nt" and (local := os.environ.get("LOCALAPPDATA")):
        return Path(local) / "refcli"
    state = Path(os.environ.get("XDG_STATE_HOME", ""))
    if not state.is_absolute():  # the XDG specification has such a path ignored
        try:
            state = Path.home() / ".local" / "state"
        except RuntimeError:
            raise OSError(None, "there is no home folder; set REFCLI_HOME") from None
    return state / "refcli"


def walks_folder() -> Path:
    """The folder of the journals; it need not be there.

    Raises:
        OSError: this user has no home folder.
    """
    return home() / "walks"


class Journal:
    """Writes the journal of one walk. Stands right before the player: whoever comes to it is about to be asked.

    Args:
        head: what the first line says beside the format; asked for when the file is made.
        note: tells the player, once, that his answers are not being kept.
        auto: whether the player has left all dice to chance by now.
        folder: where the file goes; the folder of the journals when None.
    """

    def __init__(
        self,
        head: Callable[[], Mapping[str, Any]],
        note: Callable[[str], None],
        *,
        auto: Callable[[], bool] = lambda: False,
        folder: Path | None = None,
    ) -> None:
        self.path: Path | None = None
        self._head = head
        self._note = note
        self._auto = auto
        self._folder = folder
        self._known = 0
        self._file: int | None = None
        # how many bytes of the file hold, and the lines that come after them: one value, so that a Ctrl-C between
        # two statements neither loses a line nor writes it twice
        self._state: tuple[int, tuple[bytes, ...]] = (0, ())
        self._start, self._before = 0, b""
        self._is_dirty = self._is_synced = self._is_told = False
        self._has_entered = self._has_thrown = False

    @property
    def is_kept(self) -> bool:
        """Whether the walk can go on from what is on disk."""
        return self.path is not None and not self._state[1]

    def go_on(self, path: Path, size: int, *, known: int, is_cut: bool = False) -> None:
        """Go on in the file of an earlier sitting.

        Args:
            path: the file.
            size: how many of its bytes hold; a torn end is cut off when the first line is added.
            known: how many replies the loop will tell of again, which the file has.
            is_cut: the last line lacks its end.

        Raises:
            JournalError: the walk is being played elsewhere.
        """
        self.path, self._known, self._has_entered = path, known, True
        self._state, self._start, self._before = (size, ()), size, b"\n" if is_cut else b""
        self._is_dirty = True
        try:
            file = os.open(path, _FLAGS)
        except OSError as fault:
            return self._fail(fault)
        if not lock(file):
            os.close(file)
            raise JournalError(f"the walk {path.stem} is being played in another window")
        self._file = file

    # what the loop and the row of suppliers call

    def supply(self, walk: Walk, need: Need) -> Supplied | None:
        """Never a reply; but all is on disk before the next in the row asks for one."""
        if self._file is not None or self._has_entered or self._has_thrown:
            self._write(sync=True)
        return None

    def taken(self, need: Need, supplied: Supplied) -> None:
        """Write a reply down."""
        if self._known:
            self._known -= 1
            return
        self._has_thrown = self._has_thrown or supplied.source in BY_CHANCE
        self._has_entered = self._has_entered or supplied.source not in BY_OTHERS
        self._add(reply_line(need, supplied) | ({"auto": True} if self._auto() else {}))
        if self._file is not None or self._has_entered:
            self._write()

    def back(self, kept: int) -> None:
        """Write down that only so many of the replies still hold."""
        self._add({"back": kept})
        self._write()

    # how a walk goes on and ends

    def changed(self, head: Mapping[str, Any], keep: int) -> None:
        """Write down that the walk goes on by a changed chart, by which so many of its replies still hold."""
        self._add({"changed": keep} | {part: head[part] for part in ("digest", "files", "version") if part in head})
        self._write(sync=True)

    def end(self, ruling: Mapping[str, Any]) -> None:
        """Write the ruling down, and close the file."""
        if self._file is not None or self._has_entered:
            self._add({"outcome": ruling["outcome"], "title": ruling["title"], "ended": now(), "ruling": ruling})
        self.close()

    def close(self) -> None:
        """Write what is still to be written, and close the file; the walk may go on another day."""
        if self._file is not None or self._has_entered:
            self._write(sync=True)
        if self._file is not None and self.path is not None:
            with suppress(OSError):
                os.utime(self.path)  # of several walks the one that was left last is the one to go on with
            with suppress(OSError):
                os.close(self._file)
            if not self._state[0]:
                self._remove()
        self._file = None

    def discard(self) -> None:
        """Close the file; nothing is left of a walk on which no player entered anything."""
        if self._has_entered or self.path is None:
            return self.close()
        self._state = (self._state[0], ())
        self.close()
        self._remove()

    # the file

    def _remove(self) -> None:
        if self.path is not None:
            with suppress(OSError):
                self.path.unlink()
        self.path = None

    def _add(self, line: Mapping[str, Any]) -> None:
        size, waiting = self._state
        self._state = (size, (*waiting, as_line(line)))

    def _write(self, *, sync: bool = False) -> None:
        """Write the lines that wait; where that fails they go on waiting for the next time."""
        try:
            if self._file is None:
                self._file = self._create() if self.path is None else os.open(self.path, _FLAGS)
                lock(self._file)
            size, waiting = self._state
            if waiting:
                if self._is_dirty:
                    os.ftruncate(self._file, size)
                self._is_dirty, self._is_synced = True, False
                data = (self._before if size == self._start else b"") + b"".join(waiting)
                os.lseek(self._file, size, os.SEEK_SET)
                at = 0
                while at < len(data):
                    at += os.write(self._file, data[at:])
                self._state = (size + len(data), ())
                self._is_dirty = False
            if sync and not self._is_synced:
                os.fsync(self._file)
                self._is_synced = True
                if self._is_told:
                    self._is_told = False
                    self._note("Your answers are on disk again.")
        except OSError as fault:
            self._fail(fault)

    def _create(self) -> int:
        """Make the file; its first line is written together with the first reply.

        Raises:
            OSError: it cannot be made.
        """
        head = {"journal": FORMAT, **self._head(), "started": now()}
        self._before = as_line(head)
        folder = walks_folder() if self._folder is None else self._folder
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        begun = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
        stem = f"{begun}-{str(head.get('chart', '')).rpartition('/')[2][:60]}"
        for number in count(1):
            path = folder / f"{stem}{f'-{number}' if number > 1 else ''}.jsonl"
            try:
                file = os.open(path, _FLAGS | os.O_CREAT | os.O_EXCL, 0o600)
            except FileExistsError:
                continue
            self.path = path
            _sync_folder(folder)
            return file
        raise AssertionError("some name is free")

    def _fail(self, fault: OSError) -> None:
        if not self._is_told:
            self._is_told = True
            where = f": {fault.filename}" if fault.filename else ""
            what = f"{fault.strerror or fault}{where}"
            self._note(f"Your answers cannot be kept on disk ({what}). Play on; they are printed when you stop.")


_FLAGS = os.O_RDWR | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def lock(file: int) -> bool:
    """Hold a file for this process; False where another holds it. Where files cannot be held, all is well."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True


def is_held(path: Path) -> bool:
    """Whether a walk is being played right now."""
    try:
        file = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    except OSError:
        return False
    try:
        return not lock(file)
    finally:
        os.close(file)


def _sync_folder(folder: Path) -> None:
    """See that the file's name is on disk too."""
    if os.name == "nt":
        return
    file = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(file)
    except OSError:  # not every file system can; the lines themselves are looked after
        pass
    finally:
        os.close(file)


def now() -> str:
    """The time, to the second, in UTC."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def as_line(data: Mapping[str, Any]) -> bytes:
    """One line of a journal."""
    return json.dumps(data, default=str).encode() + b"\n"


def reply_line(need: Need, supplied: Supplied) -> dict[str, Any]:
    """A reply as a line of a journal says it."""
    value = plain(accept(need, supplied.reply))
    match need:
        case Ask():
            said = {"ask": value}
        case Roll():
            said = {"roll": need.name, "shows": value}
        case Draw():
            said = {"draw": need.name, "shows": value}
        case Outcome():
            raise TypeError("the walk has ended")
    his = {} if supplied.his is None else {"his": supplied.his}
    return {**said, "chart": need.chart, "by": supplied.source, **his}
