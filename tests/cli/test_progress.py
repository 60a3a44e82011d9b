import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

from refcli.cli import progress
from refcli.drivers.batch.blocks import Mark
from refcli.drivers.batch.totals import Done
from tests.cli.conftest import CHARTS

PYTHON = shlex.join([sys.executable, "-c", "from refcli.cli.main import main; main()"])
CASE = '{"given": {"crossing": "tracked", "bogged": "no"}, "rolls": {"die": 4}}'
ENV = {**os.environ, "REFCLI_CHARTS": str(CHARTS), "COLUMNS": "90", "TERM": "xterm"}


def test_a_long_batch_shows_its_progress_on_a_terminal(tmp_path: Path) -> None:
    until = f"until [ -e seen ]; do echo {shlex.quote(CASE)}; sleep 0.05; done"
    command = f"({until}) | tee cases.jsonl | {PYTHON} batch - --chart crossing -o out.jsonl"
    seen = pexpect.spawn(
        "bash", ["-c", command], cwd=str(tmp_path), env=ENV, encoding="utf-8", dimensions=(24, 90), timeout=60
    )
    seen.expect(r"\d+ cases, \d+ a second .*\d:\d\d:\d\d")
    (tmp_path / "seen").touch()
    seen.expect(r"([\d,]+) cases: ([\d,]+) rulings, 0 errors")
    counts = [int(count.replace(",", "")) for count in seen.match.groups()]  # type: ignore[union-attr]
    seen.expect(pexpect.EOF)
    cases, rulings = (len((tmp_path / f"{name}.jsonl").read_text().splitlines()) for name in ("cases", "out"))
    assert counts == [cases, cases]
    assert rulings == cases


def test_nothing_is_shown_elsewhere(tmp_path: Path) -> None:
    slow = f"for i in $(seq 25); do echo {shlex.quote(CASE)}; sleep 0.05; done"
    command = f"({slow}) | {PYTHON} batch - --chart crossing"
    ran = subprocess.run(["bash", "-c", command], cwd=tmp_path, env=ENV, capture_output=True, text=True)
    assert ran.stderr == "25 cases: 25 rulings, 0 errors\n  demo/crossing: through 25\n"


class Screen:
    """A standard stream that is a terminal, or is not."""

    def __init__(self, tty: bool) -> None:
        self.isatty = lambda: tty


@pytest.mark.parametrize(
    ("err", "out", "to_file", "watched"),
    [(True, True, False, False), (True, True, True, True), (True, False, False, True), (False, False, True, False)],
)
def test_the_bar_is_not_mixed_with_rulings(
    monkeypatch: pytest.MonkeyPatch, err: bool, out: bool, to_file: bool, watched: bool
) -> None:
    monkeypatch.setattr(sys, "stderr", Screen(err))
    monkeypatch.setattr(sys, "stdout", Screen(out))
    assert progress.is_watched(to_file=to_file) is watched


class Bar:
    def __init__(self) -> None:
        self.told: list[dict[str, float]] = []
        self.stopped = False

    def start(self) -> None: ...

    def refresh(self) -> None: ...

    def stop(self) -> None:
        self.stopped = True

    def update(self, task: int, **values: float) -> None:
        self.told.append(values)


def test_the_bar_is_told_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    bar, clock = Bar(), iter([0.0, 0.5, 2.0, 2.05, 4.0])
    monkeypatch.setattr(progress, "_bar", lambda size: bar)
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    rows = 0

    def blocks() -> Iterator[Done]:
        nonlocal rows
        for number in range(1, 5):
            rows += 100
            yield Done(b"", b"", Mark(number * 10), {}, 0, (), ())

    list(progress.watched(blocks(), 40, lambda done: done.after.offset, lambda: rows))
    assert bar.told == [{"completed": 20, "rows": 200, "rate": 100.0}, {"completed": 40, "rows": 400, "rate": 100.0}]
    assert bar.stopped
