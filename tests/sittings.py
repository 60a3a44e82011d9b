"""`refcli` as processes that share one home of walks: on a pty, through pipes, killed at a given write."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import pexpect

ROOT = Path(__file__).parents[1]
_SEQUENCE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[=>]|\x1b\][^\x07]*\x07")

KILLER = """
import os, signal, sys
how, at = sys.argv.pop(1), int(sys.argv.pop(1))
write, fsync, count = os.write, os.fsync, 0
def die():
    os.kill(os.getpid(), signal.SIGKILL)
def killed_write(file, data):
    global count
    count += 1
    if count == at and how == "before":
        die()
    if count == at and how == "half":
        write(file, data[: len(data) // 2])
        die()
    done = write(file, data)
    if count == at and how == "after":
        die()
    return done
def killed_fsync(file):
    fsync(file)
    if count >= at and how == "synced":
        die()
import refcli.drivers.journal as journal
class Os:
    def __getattr__(self, name):
        return {"write": killed_write, "fsync": killed_fsync}.get(name) or getattr(os, name)
journal.os = Os()
from refcli.cli.main import main
main(sys.argv[1:])
"""
"""Runs `refcli` until a write to its journal, and kills it there as kill -9 does: before, in the midst of or after it."""


class Ran(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str


class Home:
    """A home of walks, and a folder of charts to play."""

    def __init__(self, folder: Path, charts: Path) -> None:
        self.folder = folder
        self.charts = charts
        self.env = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS", "LINES")}
        self.env |= {
            "PROMPT_TOOLKIT_NO_CPR": "1",
            "TERM": "xterm-256color",
            "PYTHONPATH": str(ROOT),
            "LANG": "C.UTF-8",
            "REFCLI_HOME": str(folder),
            "REFCLI_CHARTS": str(charts),
        }

    def run(self, *args: str, typed: str = "", before: str = "", **env: str) -> Ran:
        """A command that is typed to through a pipe; `before` are words of the shell ahead of it."""
        words = [sys.executable, "-m", "refcli", *args]
        command = ["/bin/sh", "-c", f'{before} exec "$@"', "sh", *words] if before else words
        done = subprocess.run(
            command,
            input=typed,
            capture_output=True,
            text=True,
            encoding="utf-8",
            env={**self.env, **env},
            cwd=self.charts,
            timeout=60,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    def run_killed(self, how: str, at: int, *args: str, typed: str = "") -> Ran:
        """A command that is killed at a write to its journal; see KILLER."""
        command = [sys.executable, "-c", KILLER, how, str(at), *args]
        done = subprocess.run(
            command, input=typed, capture_output=True, text=True, env=self.env, cwd=self.charts, check=False
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    def open(self, *args: str) -> "Window":
        """A command on a terminal of its own."""
        return Window(
            pexpect.spawn(
                sys.executable,
                ["-m", "refcli", *args],
                env=self.env,
                cwd=str(self.charts),
                encoding="utf-8",
                timeout=20,
                dimensions=(30, 100),
            )
        )

    @property
    def journals(self) -> list[Path]:
        """The files of the walks."""
        return sorted((self.folder / "walks").glob("*")) if (self.folder / "walks").is_dir() else []

    def lines(self) -> list[dict[str, Any]]:
        """The lines of the only journal."""
        (file,) = self.journals
        return [json.loads(line) for line in file.read_bytes().splitlines()]


class Window:
    """A command on a terminal."""

    def __init__(self, child: Any) -> None:
        self.child = child
        self.child.delaybeforesend = None
        self.seen = ""

    def wait(self, text: str) -> None:
        """Wait until the text is shown."""
        self.child.expect_exact(text)
        self.seen += f"{self.child.before}{text}"
        time.sleep(0.1)  # until the rest of the prompt is drawn and its keys are bound

    def answer(self, *lines: str) -> None:
        """Type lines, key by key."""
        for line in lines:
            for key in f"{line}\r":
                self.child.send(key)
                time.sleep(0.03)

    def kill(self, number: int = signal.SIGKILL) -> None:
        """Send a signal."""
        self.child.kill(number)

    def finish(self) -> tuple[int, str]:
        """The exit code, minus the signal where one ended it, and all that was shown, without escape sequences."""
        self.child.expect(pexpect.EOF)
        self.seen += self.child.before or ""
        self.child.close()
        code = -self.child.signalstatus if self.child.signalstatus else self.child.exitstatus
        return code, _SEQUENCE.sub("", self.seen).replace("\r", "")
