"""Where cases come from: a file, a packed file, or a pipe; read from its beginning to its end, once."""

import os
import stat
import sys
from pathlib import Path
from typing import IO

from refcli.core.errors import RefcliError, UsageError

SIZE = 256 * 1024
"""How many bytes of a long file are read at a time."""
LEAST = 16 * 1024
"""How many of a short one, so that every worker gets some."""
_PIECE = 8 * 1024
"""How many bytes are unpacked at a time: where the packing is damaged, what is unpacked just then is lost."""
_BOM = b"\xef\xbb\xbf"
_WIDE_BOMS = (b"\xff\xfe", b"\xfe\xff")


class Source:
    """An open input.

    `path` is the file where it can be read from anywhere in it; `size` its bytes as they are stored, 0 where nobody
    knows; `skipped` the bytes of the mark at its beginning that are no text.

    Args:
        name: a path, or `-` for the standard input.

    Raises:
        UsageError: it cannot be opened, or is not text in UTF-8; says what it is.
    """

    def __init__(self, name: str) -> None:
        self.name = "stdin" if name == "-" else name
        self.path: Path | None = None
        self.size = 0
        self.step = SIZE
        self._short = 0
        self._file = self._open(name)
        self._packed = name != "-" and name.lower().endswith(".gz")
        self._stream: IO[bytes] = self._file
        self._is_gzip = False
        self._fault: RefcliError | None = None
        if self._packed:
            import gzip

            self._stream = gzip.GzipFile(fileobj=self._file)  # type: ignore[assignment]
            self.path = None
        try:
            self._head = self.read()
            self._check()
        except BaseException:
            self.close()
            raise
        self.skipped = len(_BOM) if self._head.startswith(_BOM) else 0

    def _open(self, name: str) -> IO[bytes]:
        if name == "-":
            if sys.stdin is None:
                raise UsageError("there is no input")
            return sys.stdin.buffer
        try:
            file = Path(name).open("rb")  # noqa: SIM115 (closed by close)
        except OSError as fault:
            raise UsageError(f"cannot read '{name}': {fault.strerror}") from None
        facts = os.fstat(file.fileno())
        if stat.S_ISREG(facts.st_mode):
            self.path, self.size = Path(name), facts.st_size
            self.step = max(LEAST, min(SIZE, self.size // 32))
        return file

    def _check(self) -> None:
        head = self._head
        if head.startswith(_WIDE_BOMS):
            raise UsageError(f"{self.name} is UTF-16 text; save it as UTF-8")
        if head.startswith(b"\x1f\x8b"):
            raise UsageError(f"{self.name} is packed: unpack it (gunzip -c FILE | refcli batch -), or name it .gz")
        if head.startswith(b"PK\x03\x04"):
            raise UsageError(f"{self.name} is a spreadsheet or an archive; save the sheet as CSV (UTF-8)")
        if b"\0" in head[:64]:
            raise UsageError(f"{self.name} is no text, or one that is not UTF-8; save it as UTF-8")

    def read(self) -> bytes:
        """The next bytes: of a file a block, of a pipe what has arrived; nothing at the end.

        Raises:
            RefcliError: it cannot be read any further.
        """
        if self._packed:
            return self._unpack()
        try:
            if self.path is not None:
                return self._stream.read(self._size())
            return self._stream.read1(self.step)  # type: ignore[attr-defined, no-any-return]
        except OSError as fault:
            raise RefcliError(f"cannot read '{self.name}': {fault.strerror}") from None

    def _size(self) -> int:
        """How many bytes are due."""
        size, self._short = self._short or self.step, 0
        return size

    def _unpack(self) -> bytes:
        """The next bytes of a packed file; where it breaks first all that can be had of it, then the reason."""
        from zlib import error as damaged

        parts: list[bytes] = []
        left = self._size()
        while left and self._fault is None:
            try:
                fresh = self._stream.read1(min(left, _PIECE))  # type: ignore[attr-defined]
            except (EOFError, OSError, damaged) as fault:
                self._fault = self._broken(fault)
                break
            if not fresh:
                break
            self._is_gzip = True
            parts.append(fresh)
            left -= len(fresh)
        if self._fault is not None and not parts:
            raise self._fault
        return b"".join(parts)

    def _broken(self, fault: Exception) -> RefcliError:
        """Why a packed file cannot be read any further."""
        if isinstance(fault, EOFError):
            return RefcliError(f"{self.name} ends in the middle: it was not packed or copied whole")
        why = "its packing is damaged" if self._is_gzip else "it is not packed by gzip"
        return RefcliError(f"cannot read '{self.name}': {getattr(fault, 'strerror', None) or why}")

    def begin(self) -> bytes:
        """The first bytes, once; without the mark that says UTF-8."""
        head, self._head = self._head, b""
        return head[self.skipped :]

    def first_line(self) -> bytes:
        """The first line, with its end; `begin` then gives what is behind it.

        Raises:
            UsageError: it is too long to be a line of names.
        """
        while b"\n" not in self._head and (more := self.read()):
            self._head += more
            if len(self._head) > 2 * SIZE:
                raise UsageError(f"{self.name}: a table of cases begins with a line of column names")
        end = self._head.find(b"\n") + 1 or len(self._head)
        line = self._head[self.skipped : end]
        self._head, self.skipped = self._head[end:], 0
        return line

    def skip_to(self, offset: int) -> None:
        """Go on at that byte, counted from the beginning; `begin` then gives nothing.

        The next bytes end where they would have ended without that, so that the file is cut in the same places.
        """
        self._head = b""
        self._short = self.step - offset % self.step
        if not self._packed:
            self._file.seek(offset)
            return
        from zlib import error as damaged

        try:
            self._stream.seek(offset)  # reads and forgets
        except (EOFError, OSError, damaged) as fault:
            raise self._broken(fault) from None

    def at(self) -> int:
        """How many of the stored bytes have been read."""
        try:
            return self._file.tell() if self.size else 0
        except (OSError, ValueError):
            return 0

    def close(self) -> None:
        """Close a file; the standard input stays open."""
        if self._file is not getattr(sys.stdin, "buffer", None):
            self._stream.close()
            self._file.close()
