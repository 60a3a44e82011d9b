"""How far a batch has come, on disk: written anew after every few blocks, read when the same command runs again.

Law of this file: a checkpoint is written only after all that it counts is on the disk, and replaces the old one in a
single step; so whenever the process dies, there is one, and it knows of nothing that is lost.
"""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from refcli.core.errors import RefcliError, UsageError
from refcli.core.struct import Struct
from refcli.drivers.batch.blocks import Mark

SHARE = 20
"""At most one part in so many of the time is spent on checkpoints."""
_SAMPLE = 64 * 1024


class State(Struct):
    """What a batch had done at a moment: the place in the input, the sizes of its files, and its counts."""

    mark: Mark
    sizes: tuple[int, ...] = (0, 0)
    counts: Any = None
    seen: str = ""


class Checkpoint:
    """The checkpoint of one batch.

    Args:
        file: where it is kept.
        source: the file of cases.
        terms: all that the rulings depend on besides the cases; a checkpoint with other terms is refused.
    """

    def __init__(self, file: str, source: Path, terms: dict[str, Any]) -> None:
        self.path = Path(file)
        self._source = source
        self._terms = json.loads(json.dumps(terms))
        self._next = 0.0

    def load(self) -> State | None:
        """Where to go on; None where there is nothing to go on with.

        Raises:
            UsageError: the file is no checkpoint, or one of another batch; says in what it differs.
        """
        try:
            data = json.loads(self.path.read_bytes())
            mark, state = Mark(*data["mark"]), data["state"]
            found = State(mark, tuple(state["sizes"]), state["counts"], state["seen"])
        except FileNotFoundError:
            return None
        except OSError as fault:
            raise UsageError(f"cannot read '{self.path}': {fault.strerror}") from None
        except (ValueError, KeyError, TypeError):
            raise UsageError(f"'{self.path}' is no checkpoint; name a file that is yet to be made") from None
        for name, value in self._terms.items():
            if data["terms"].get(name) != value:
                before = _shown(data["terms"].get(name))
                raise UsageError(
                    f"'{self.path}' is the checkpoint of another batch: {name} was {before}, is {_shown(value)}; "
                    "remove it to begin anew"
                )
        if found.seen != self._sample(found.mark.offset):
            raise UsageError(f"'{self._source}' has changed since '{self.path}'; remove that to begin anew")
        return found

    def due(self) -> bool:
        """Whether it is time for the next."""
        return time.monotonic() >= self._next

    def save(self, mark: Mark, counts: Any, keep: Callable[[], tuple[int, ...]]) -> None:
        """Note how far the batch has come.

        Args:
            mark: up to where its input is done.
            counts: its counts, as JSON values.
            keep: brings all output to the disk and tells the sizes of the files.

        Raises:
            RefcliError: it cannot be written.
        """
        began = time.monotonic()
        state = {"sizes": keep(), "counts": counts, "seen": self._sample(mark.offset)}
        place = [mark.offset, mark.line, mark.number]
        fresh = fresh_name(self.path)
        try:
            with fresh.open("w", encoding="utf-8") as file:
                json.dump({"refcli": "checkpoint", "terms": self._terms, "mark": place, "state": state}, file)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self.path)
            _keep_folder(self.path.parent)
        except OSError as fault:
            raise RefcliError(f"cannot write '{self.path}': {fault.strerror}") from None
        now = time.monotonic()
        self._next = now + SHARE * (now - began)

    def remove(self) -> None:
        """Forget it: the batch is done."""
        self.path.unlink(missing_ok=True)

    def _sample(self, offset: int) -> str:
        """What the input looks like at its beginning and just before the place that was reached."""
        from hashlib import blake2b

        found = blake2b(digest_size=16)
        with self._source.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            for start in (0, max(0, min(offset, size) - _SAMPLE)):
                file.seek(start)
                found.update(file.read(min(_SAMPLE, max(0, offset - start))))
        return found.hexdigest()


def fresh_name(path: Path) -> Path:
    """Where a checkpoint is written before it takes the place of the old one."""
    return path.with_name(path.name + ".new")


def _keep_folder(folder: Path) -> None:
    """See that the new name of a file is on the disk, where the system can do so."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _shown(value: Any) -> str:
    return "not given" if value in (None, "", False, []) else "given" if value is True else str(value)
