"""How a walk stops before its outcome: by a signal or by its player; what is told and kept then."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from refcli.cli.common import complain

if TYPE_CHECKING:
    from refcli.cli.table import Sitting
    from refcli.drivers.loop import Stopped
    from refcli.drivers.script import CaseSupplier


class Left(Exception):
    """A walk was left before its outcome, or what was wanted at its end could not be done; it has been told."""

    def __init__(self, exit_code: int) -> None:
        self.exit_code = exit_code
        super().__init__()


class Ended:
    """The signal that ended a walk, None while none has."""

    signal: int | None = None

    @property
    def is_hung_up(self) -> bool:
        """Whether the terminal is gone."""
        return self.signal is not None and self.signal == getattr(signal, "SIGHUP", None)

    def code(self, otherwise: int) -> int:
        """The exit code: the shell's for a signal, else the other."""
        return otherwise if self.signal is None else 128 + self.signal


@contextmanager
def ended_by_signals(ended: Ended) -> Iterator[None]:
    """While it lasts, a closed terminal and a polite kill end the walk as Ctrl-C does: the screen is put in order."""

    def end(number: int, frame: object) -> None:
        ended.signal = number
        raise KeyboardInterrupt

    before = {}
    for name in ("SIGTERM", "SIGHUP", "SIGBREAK"):
        number = getattr(signal, name, None)
        # what a parent has had ignored, as nohup does, stays ignored
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            try:
                before[number] = signal.signal(number, end)
            except ValueError:  # not the main thread
                break
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def keep(stop: "Stopped", sitting: "Sitting", scripted: "CaseSupplier", *, is_kept: bool) -> None:
    """Say where a walk stopped and how to go on from there; print what was entered where it is not on disk."""
    import json

    from refcli.core.ruling import plain
    from refcli.drivers.script import joined

    complain(f"\n{str(stop)[:1].upper()}{str(stop)[1:]}.")
    if not stop.answers and not is_kept:
        return
    answers = plain(joined(stop.answers, scripted.rest()))
    text = json.dumps({"chart": sitting.chart.id, **answers})
    if sitting.save is not None and _write(sitting.save, text):
        complain(f"Your answers are in {sitting.save}. To go on: {_command(sitting, sitting.save)}")
    elif is_kept:
        complain("To go on: refcli resume")
    else:
        file = Path("case.json")
        complain(f"To go on, save this line as {file}, then: {_command(sitting, file)}\n{text}")


def _command(sitting: "Sitting", file: Path) -> str:
    import shlex

    return shlex.join(["refcli", "play", sitting.chart.id, "--given", str(file), *sitting.flags])


def _write(file: Path, text: str) -> bool:
    """Write a file as a whole or not at all; False, and the reason told, where that fails."""
    part = file.with_name(f"{file.name}.part")
    try:
        part.write_text(text + "\n", encoding="utf-8")
        part.replace(file)
    except OSError as fault:
        complain(f"--save: cannot write '{file}': {fault.strerror}")
        return False
    return True
