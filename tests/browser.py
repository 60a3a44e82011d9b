"""A real browser for tests: Chromium, spoken to over a pipe in its DevTools protocol, without any other library."""

import base64
import fcntl
import json
import os
import select
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-default-apps", "--disable-dev-shm-usage", "--disable-extensions", "--disable-sync", "--hide-scrollbars",
    "--metrics-recording-only", "--no-default-browser-check", "--no-first-run", "--remote-debugging-pipe",
)  # fmt: skip
PATIENCE = 60.0
"""Seconds until a browser that says nothing is given up."""


def program() -> str:
    """The browser on this machine. Without one the test is skipped, or fails where `REFCLI_BROWSER=1` wants it."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        told = f"no browser on this machine: none of {', '.join(NAMES)} is on the PATH"
        if os.environ.get("REFCLI_BROWSER") == "1":
            pytest.fail(told)
        pytest.skip(told)
    return found


@contextmanager
def browsing() -> Iterator["Browser"]:
    """A browser with a profile of its own, gone afterwards."""
    path = program()
    with tempfile.TemporaryDirectory(prefix="refcli-browser-", ignore_cleanup_errors=True) as profile:
        browser = Browser(path, profile)
        try:
            yield browser
        finally:
            browser.close()


class Browser:
    """A running browser with one tab."""

    def __init__(self, path: str, profile: str) -> None:
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        # away from 3 and 4, which the browser reads and writes
        high = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 10) for fd in (theirs_in, theirs_out)]
        os.close(theirs_in)
        os.close(theirs_out)
        self._pid = os.posix_spawn(
            path,
            [path, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
            os.environ,
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
                (os.POSIX_SPAWN_DUP2, high[0], 3),
                (os.POSIX_SPAWN_DUP2, high[1], 4),
            ],
            setpgroup=0,
        )
        for fd in high:
            os.close(fd)
        self._unread = b""
        self._number = 0
        self.events: list[dict[str, Any]] = []
        made = self.call("Target.createTarget", url="about:blank", session=None)
        joined = self.call("Target.attachToTarget", targetId=made["targetId"], flatten=True, session=None)
        self._session = joined["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log", "DOM"):
            self.call(f"{domain}.enable")
        self.call("Page.setLifecycleEventsEnabled", enabled=True)

    def call(self, method: str, *, session: str | None = "", **params: Any) -> dict[str, Any]:
        """A command of the protocol, and what it comes to."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session or self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._out, data) :]
        while True:
            reply = self._read()
            if reply.get("id") == self._number:
                assert "error" not in reply, f"{method}: {reply['error']}"
                return reply["result"]
            self.events.append(reply)

    def _read(self) -> dict[str, Any]:
        until = time.monotonic() + PATIENCE
        while b"\0" not in self._unread:
            ready, _, _ = select.select([self._in], [], [], max(0, until - time.monotonic()))
            assert ready, "the browser says nothing"
            data = os.read(self._in, 1 << 20)
            assert data, "the browser is gone"
            self._unread += data
        message, _, self._unread = self._unread.partition(b"\0")
        return json.loads(message)

    def open(self, path: Path, anchor: str = "") -> None:
        """Open a file, afresh; what happened before is forgotten."""
        self._go("about:blank")
        self.events.clear()
        self._go(path.as_uri() + (f"#{anchor}" if anchor else ""))

    def _go(self, url: str) -> None:
        """Go to an address and wait until all of it is there."""
        loader = self.call("Page.navigate", url=url)["loaderId"]
        loaded = {"name": "load", "loaderId": loader}
        while not any(loaded.items() <= event["params"].items() for event in self._told("Page.lifecycleEvent")):
            self.events.append(self._read())

    def run(self, code: str) -> Any:
        """The value of an expression of JavaScript."""
        found = self.call("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def click(self, selector: str) -> None:
        """Click the middle of an element with the mouse."""
        self.run(f"document.querySelector({json.dumps(selector)}).scrollIntoView({{block: 'center'}})")
        box = self.run(
            f"(r => [r.x + r.width / 2, r.y + r.height / 2])"
            f"(document.querySelector({json.dumps(selector)}).getBoundingClientRect())"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def press(self, key: str) -> None:
        """Press a key by its name, such as `Tab` or `Enter`."""
        codes = {"Tab": 9, "Enter": 13}
        text = {"text": "\r"} if key == "Enter" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=codes[key], **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=codes[key])

    def size(self, width: int, height: int) -> None:
        """Make the window as large as this, in pixels."""
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500
        )

    def media(self, kind: str = "", scheme: str = "light") -> None:
        """Show it as on `screen` or `print`, in a `light` or `dark` scheme."""
        self.call(
            "Emulation.setEmulatedMedia", media=kind, features=[{"name": "prefers-color-scheme", "value": scheme}]
        )

    def pdf(self) -> bytes:
        """The pages on paper, as the style sheet wants them."""
        made = self.call("Page.printToPDF", preferCSSPageSize=True, printBackground=False)
        return base64.b64decode(made["data"])

    def picture(self, *, whole: bool = False) -> bytes:
        """What is on the screen as a PNG, or the whole page."""
        made = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        return base64.b64decode(made["data"])

    def requests(self) -> list[str]:
        """The addresses that were asked for since the page was opened."""
        return [event["params"]["request"]["url"] for event in self._told("Network.requestWillBeSent")]

    def complaints(self) -> list[str]:
        """What the browser had to say against the page: errors, warnings, dialogues, broken rules of safety."""
        logged = [event["params"]["entry"]["text"] for event in self._told("Log.entryAdded")]
        thrown = [event["params"]["exceptionDetails"]["text"] for event in self._told("Runtime.exceptionThrown")]
        return logged + thrown + [event["params"]["message"] for event in self._told("Page.javascriptDialogOpening")]

    def _told(self, method: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event.get("method") == method]

    def close(self) -> None:
        """End the browser and wait for it."""
        with suppress(OSError, AssertionError):
            self.call("Browser.close", session=None)
        for fd in (self._out, self._in):
            os.close(fd)
        for _ in range(200):
            if os.waitpid(self._pid, os.WNOHANG)[0]:
                return
            time.sleep(0.02)
        with suppress(ProcessLookupError):
            os.killpg(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
