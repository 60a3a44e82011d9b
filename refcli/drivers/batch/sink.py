"""Where rulings and rejects go: a file or the standard output, as bytes, with a place to go back to."""

import os
import stat
import sys
from pathlib import Path
from typing import IO

from refcli.core.errors import RefcliError, UsageError


class Sink:
    """An output that is written block by block; what it holds after a block is on its way to the reader.

    `size` is how many bytes have been written. A file can be taken back to an earlier size, by `kept`.

    Args:
        file: a path; None for the standard output.
        what: what is written, for messages.
        kept: how many bytes a file that is there already holds of this very work; the rest of it is cut off.

    Raises:
        UsageError: the file cannot be written.
        RefcliError: it is shorter than it should be, or somebody else is writing it.
    """

    def __init__(self, file: str | None, what: str, kept: int | None = None) -> None:
        self.what = what if file is None else f"'{file}'"
        self.size = kept or 0
        self._own: IO[bytes] | None = None
        if file is not None:
            self._own = self._open(Path(file), kept)
            try:
                if Path(file).is_file():  # not a device or a pipe
                    _lock(self._own, self.what)
                    self._cut(self._own, kept or 0)
            except BaseException:
                self._own.close()
                raise

    def _open(self, path: Path, kept: int | None) -> IO[bytes]:
        try:
            if kept is not None and not path.exists():
                raise RefcliError(
                    f"{self.what} is gone, and the checkpoint goes on with it; remove that to begin anew"
                )
            # not emptied by being opened: that waits until the lock on it is ours
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
            return os.fdopen(handle, "wb", buffering=0)
        except OSError as fault:
            raise UsageError(f"cannot write {self.what}: {fault.strerror}") from None

    def _cut(self, file: IO[bytes], kept: int) -> None:
        there = os.fstat(file.fileno()).st_size
        if there < kept:
            raise RefcliError(
                f"{self.what} has {there:,} bytes, the checkpoint knows of {kept:,}: it was changed; "
                "remove that to begin anew"
            )
        file.truncate(kept)
        file.seek(kept)

    def write(self, data: bytes | memoryview) -> None:
        """Write a block.

        Raises:
            RefcliError: it cannot be written.
            BrokenPipeError: whoever read the standard output has left.
        """
        if not data:
            return
        try:
            if self._own is None:
                stream = sys.stdout.buffer
                stream.write(data)
                stream.flush()
            else:
                left = memoryview(data)
                while left:
                    left = left[self._own.write(left) :]
        except BrokenPipeError:
            raise
        except OSError as fault:
            raise RefcliError(f"cannot write {self.what}: {fault.strerror}") from None
        self.size += len(data)

    def keep(self) -> None:
        """See that all of it is on the disk.

        Raises:
            RefcliError: it cannot be written.
        """
        try:
            if self._own is not None:
                os.fsync(self._own.fileno())
        except OSError as fault:
            raise RefcliError(f"cannot write {self.what}: {fault.strerror}") from None

    def close(self) -> None:
        """Close a file."""
        if self._own is not None:
            self._own.close()


def _lock(file: IO[bytes], what: str) -> None:
    """Keep other processes from writing the same file; the lock ends with the process, however it ends."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.lockf(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as fault:
        if isinstance(fault, PermissionError | BlockingIOError):
            raise RefcliError(f"another process is writing {what}") from None


def check_apart(source: Path | None, files: dict[str, str], *, to_stdout: bool) -> None:
    """See that no file is both read and written, or written twice, by whatever names.

    Args:
        source: the file that is read; None for the standard input.
        files: the files that are written, by the option that names them.
        to_stdout: the standard output is written too.

    Raises:
        UsageError: one is.
    """
    seen = {_file_of(0 if source is None else source): "the file of cases"}
    if to_stdout:
        out = _file_of(1)
        if out is not None and out in seen:
            raise UsageError("the output goes into the file of cases; give it another one")
        seen[out] = "the output"
    for option, file in files.items():
        own = _file_of(Path(file))
        if own is not None and own in seen:
            raise UsageError(f"{option}: '{file}' is {seen[own]} too; name another file")
        seen[own] = f"{option}'s file"


def _file_of(file: Path | int) -> object:
    """What tells one file from all others, whatever names it has; None for a device, a pipe, or no file at all."""
    try:
        facts = file.stat() if isinstance(file, Path) else os.fstat(file)
    except OSError:
        return os.path.realpath(file) if isinstance(file, Path) else None
    return (facts.st_dev, facts.st_ino) if stat.S_ISREG(facts.st_mode) else None
