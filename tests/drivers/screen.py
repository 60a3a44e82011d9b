"""`refcli play` on a pseudo-terminal, for tests by keys."""

import json
import os
import re
import sys
import time
from pathlib import Path

import pexpect

ROOT = Path(__file__).parents[2]
UP, DOWN, ESCAPE, BACKSPACE = "\x1b[A", "\x1b[B", "\x1b", "\x7f"
CTRL_C, CTRL_D = "\x03", "\x04"
_SEQUENCE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[=>]|\x1b\][^\x07]*\x07")


class Screen:
    """`refcli play` on a pty."""

    def __init__(self, folder: Path, *flags: str, chart: str = "made/chart", **env: str) -> None:
        base = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS", "LINES")}
        base |= {"PROMPT_TOOLKIT_NO_CPR": "1", "TERM": "xterm-256color", "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"}
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "refcli", "play", chart, "--charts", str(folder), *flags],
            env={**base, **env},
            encoding="utf-8",
            timeout=20,
            dimensions=(30, 100),
        )
        self.child.delaybeforesend = None
        self.seen = ""

    def wait(self, text: str) -> None:
        """Wait until the text is drawn."""
        self.child.expect_exact(text)
        self.seen += f"{self.child.before}{text}"
        time.sleep(0.08)  # until the rest of the prompt is drawn and its keys are bound

    def keys(self, *keys: str) -> None:
        """Type keys."""
        for key in keys:
            self.child.send(key)
            time.sleep(0.15 if key == ESCAPE else 0.03)  # a lone Escape waits for the rest of an arrow key

    def finish(self) -> tuple[int, str]:
        """The exit code, and all that was drawn, without its escape sequences."""
        self.child.expect(pexpect.EOF)
        self.seen += self.child.before or ""
        self.child.close()
        return self.child.exitstatus or 0, _SEQUENCE.sub("", self.seen)


def case_in(seen: str) -> dict[str, object]:
    """The case that a stopped walk prints."""
    found = re.search(r"\{.*\}", seen.replace("\r", ""))
    assert found
    return dict(json.loads(found[0]))
