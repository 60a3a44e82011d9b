"""`refcli play` on a pseudo-terminal, for tests by keys."""

import json
import os
import re
import sys
import time
from pathlib import Path

import pexpect
import pyte

ROOT = Path(__file__).parents[2]
UP, DOWN, RIGHT, LEFT, ESCAPE, BACKSPACE = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b", "\x7f"
CTRL_C, CTRL_D = "\x03", "\x04"
_SEQUENCE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[=>]|\x1b\][^\x07]*\x07")


class Display:
    """What a terminal shows of what it is sent."""

    def __init__(self, columns: int, rows: int) -> None:
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.Stream(self.screen)

    def write(self, text: str) -> None:
        self.stream.feed(text)

    def flush(self) -> None:
        pass

    def __str__(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip()


class Screen:
    """`refcli play` on a pty; `args` are given instead of `play CHART --charts FOLDER`."""

    def __init__(
        self,
        folder: Path,
        *flags: str,
        chart: str = "made/chart",
        columns: int = 100,
        rows: int = 30,
        args: list[str] | None = None,
        **env: str,
    ) -> None:
        base = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS", "LINES")}
        base |= {"PROMPT_TOOLKIT_NO_CPR": "1", "TERM": "xterm-256color", "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"}
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "refcli", *(["play", chart, "--charts", str(folder)] if args is None else args), *flags],
            env={**base, **env},
            encoding="utf-8",
            codec_errors="replace",
            timeout=20,
            dimensions=(rows, columns),
        )
        self.display = Display(columns, rows)
        self.child.logfile_read = self.display
        self.child.delaybeforesend = None
        self.seen = ""

    def wait(self, text: str) -> None:
        """Wait until the text is drawn."""
        self.child.expect_exact(text)
        self.seen += f"{self.child.before}{text}"
        time.sleep(0.08)  # until the rest of the prompt is drawn and its keys are bound

    def shows(self, text: str, seconds: float = 20) -> str:
        """Wait until the text stands on the screen; the whole screen."""
        end = time.monotonic() + seconds
        while text not in str(self.display):
            if self.child.expect([pexpect.TIMEOUT, pexpect.EOF], timeout=0.05) == 1 or time.monotonic() > end:
                assert text in str(self.display), f"not on the screen: {text!r}\n{self.display}"
        time.sleep(0.25)  # until Enter is no longer taken for the end of an answer that needed none
        return str(self.display)

    def awaits(self, prompt: str, seconds: float = 20) -> None:
        """Wait until a prompt is open to keys: the last line that begins with `? ` asks it, and says how to answer."""
        asked = "".join(f"{prompt}(".split())
        end = time.monotonic() + seconds
        before = ""
        while True:
            lines = str(self.display).splitlines()
            last = max((place for place, line in enumerate(lines) if line.startswith("? ")), default=0)
            now = "".join("".join(lines[last:]).removeprefix("? ").split())
            if now.startswith(asked) and now == before:
                return
            before = now
            ended = self.child.expect([pexpect.TIMEOUT, pexpect.EOF], timeout=0.05) == 1
            if ended or time.monotonic() > end:
                raise AssertionError(f"not awaited: {prompt!r}\n{self.display}")

    def resize(self, columns: int, rows: int) -> None:
        """Give the window another size."""
        self.display.screen.resize(rows, columns)
        self.child.setwinsize(rows, columns)
        time.sleep(0.2)

    def keys(self, *keys: str) -> None:
        """Type keys."""
        for key in keys:
            self.child.send(key)
            time.sleep(0.15 if key == ESCAPE else 0.03)  # a lone Escape waits for the rest of an arrow key

    def finish(self) -> tuple[int, str]:
        """The exit code, and all that was drawn, without its escape sequences; asked what comes next, nothing does."""
        if self.child.expect_exact(["What now?", pexpect.EOF]) == 0:
            self.seen += f"{self.child.before}What now?"
            time.sleep(0.3)
            self.keys("q", "\r")
            self.child.expect(pexpect.EOF)
        self.seen += self.child.before or ""
        self.child.close()
        return self.child.exitstatus or 0, _SEQUENCE.sub("", self.seen)


def case_in(seen: str) -> dict[str, object]:
    """The case that a stopped walk prints."""
    found = re.search(r"\{.*\}", seen.replace("\r", ""))
    assert found
    return dict(json.loads(found[0]))
