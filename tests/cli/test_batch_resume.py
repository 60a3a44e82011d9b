"""A batch with a checkpoint loses no row and repeats none, however it ends."""

import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PYTHON = [sys.executable, "-c", "from refcli.cli.main import main; main()"]
CHART = """\
title: Quick
summary: One step.
facts: {range: {ask: How far, number: 0..9}}
nodes: {look: {decide: range > 4, yes: far, no: near}}
outcomes: {near: {title: Near}, far: {title: Far}}
"""
QUOTED = '"x"'
KILLS = 20
ROWS = 16_000


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A quick chart and many cases for it, one in fifty of them bad."""
    monkeypatch.setenv("REFCLI_CHARTS", str(tmp_path / "charts"))
    book = tmp_path / "charts" / "quick"
    book.mkdir(parents=True)
    (book / "book.yaml").write_text("title: Quick\nsource: Nowhere\n")
    (book / "quick.yaml").write_text(CHART)
    rows = [f'{{"given": {{"range": {row % 10 if row % 50 else QUOTED}}}}}' for row in range(ROWS)]
    (tmp_path / "cases.jsonl").write_text("\n".join(rows))
    table = "".join(f"case number {row},{row % 10 if row % 50 else 'x'}\n" for row in range(ROWS))
    (tmp_path / "cases.csv").write_text("id,range\n" + table)
    return tmp_path


def command(folder: Path, name: str, *more: str) -> list[str]:
    form = "csv" if name.endswith("csv") else "jsonl"
    files = ["--out", f"out.{form}", "--rejects", f"bad.{form}", "--checkpoint", "check"]
    return [*PYTHON, "batch", name, "--chart", "quick", *files, *more]


def outcome(folder: Path, args: list[str]) -> tuple[int, str, bytes, bytes]:
    """The exit code of a run, what it told, and its files."""
    ran = subprocess.run(args, cwd=folder, capture_output=True, text=True)
    told = "\n".join(line for line in ran.stderr.splitlines() if not line.startswith("going on after"))
    return ran.returncode, told, *(next(folder.glob(f"{name}.*")).read_bytes() for name in ("out", "bad"))


def killed(folder: Path, args: list[str], after: float) -> bool:
    """Run a batch and kill it after a while; whether it was still at work."""
    with subprocess.Popen(args, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as batch:
        try:
            batch.wait(after)
        except subprocess.TimeoutExpired:
            batch.send_signal(signal.SIGKILL)
            return batch.wait() == -signal.SIGKILL
    return False


@pytest.mark.parametrize(("name", "more"), [("cases.jsonl", ()), ("cases.csv", ()), ("cases.jsonl", ("--jobs", "2"))])
def test_killed_again_and_again_it_comes_to_the_same_end(folder: Path, name: str, more: tuple[str, ...]) -> None:
    args = command(folder, name, *more)
    began = time.monotonic()
    wanted = outcome(folder, args)
    took = time.monotonic() - began
    assert wanted[0] == 1
    assert wanted[1].splitlines()[0] == "16,000 cases: 15,680 rulings, 320 errors"
    assert not (folder / "check").exists()
    for file in folder.glob("out.*"):
        file.unlink()
    chance = random.Random(name + str(more))
    hits = noted = 0
    for _ in range(KILLS):
        hit = killed(folder, args, took * chance.uniform(0.2, 0.9))
        took *= 1.1 if hit else 0.8  # the machine may be busier now, or less so, than when it was measured
        hits += hit
        noted += (folder / "check").exists()
    assert hits > KILLS // 4
    assert noted > 0
    assert outcome(folder, args) == wanted
    assert not list(folder.glob("check*"))


def test_a_full_disk_ends_a_batch_that_can_go_on(folder: Path) -> None:
    wanted = outcome(folder, command(folder, "cases.jsonl"))
    (folder / "out.jsonl").unlink()
    args = command(folder, "cases.jsonl")
    # the most that a file may have, as a full disk would: it is met in the middle
    limited = ["bash", "-c", f"ulimit -f {len(wanted[2]) // 2048}; trap '' XFSZ; exec \"$@\"", "bash", *args]
    ran = subprocess.run(limited, cwd=folder, capture_output=True, text=True)
    assert ran.returncode == 1
    *_, stopped, told = ran.stderr.splitlines()
    assert told == "refcli: cannot write 'out.jsonl': File too large"
    form = r"stopped after ([\d,]+) cases \(\d+ errors\), before line ([\d,]+); the same command goes on from there"
    found = re.fullmatch(form, stopped)
    assert found is not None
    assert int(found[2].replace(",", "")) == int(found[1].replace(",", "")) + 1
    assert (folder / "check").exists()
    ran = subprocess.run(args, cwd=folder, capture_output=True, text=True)
    assert ran.stderr.startswith("going on after ")
    assert (folder / "out.jsonl").read_bytes() == wanted[2]
    assert (folder / "bad.jsonl").read_bytes() == wanted[3]


def test_ctrl_c_ends_a_batch_that_can_go_on(folder: Path) -> None:
    wanted = outcome(folder, command(folder, "cases.jsonl"))
    # told to all processes of the batch, as a terminal does, as soon as there is something to go on with
    code = (
        "import os; from refcli.drivers.batch.checkpoint import Checkpoint; save = Checkpoint.save\n"
        "def saved(*args):\n    save(*args)\n    os.killpg(0, 2)\n"
        "Checkpoint.save = saved; from refcli.cli.main import main; main()"
    )
    for jobs in ("1", "2"):
        args = command(folder, "cases.jsonl", "--jobs", jobs)
        (folder / "out.jsonl").unlink()
        stopped = [sys.executable, "-c", code, *args[len(PYTHON) :]]
        ran = subprocess.run(stopped, cwd=folder, capture_output=True, text=True, start_new_session=True)
        assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (130, "", 1)
        assert re.fullmatch(r"stopped after .*, before line .*; the same command goes on from there\n", ran.stderr)
        assert (folder / "check").exists()
        assert outcome(folder, args) == wanted


def test_mended_cases_go_on_where_a_bad_one_stopped_them(folder: Path) -> None:
    args = command(folder, "cases.jsonl", "--on-error", "stop")
    good = (folder / "cases.jsonl").read_text().replace('"x"', "0").splitlines()
    (folder / "cases.jsonl").write_text("\n".join(good))
    wanted = outcome(folder, args)
    assert wanted[0] == 0
    for place in (123, 9_000, 15_999):
        bad = [*good[:place], '{"given": {"range": "y"}}', *good[place + 1 :]]
        (folder / "cases.jsonl").write_text("\n".join(bad))
        code, told, out, kept = outcome(folder, args)
        assert (code, out) == (1, b"".join(wanted[2].splitlines(keepends=True)[:place]))
        reason = f"line {place + 1}: range: a number in 0..9 is needed, not 'y'"
        assert told.splitlines()[0] == f"{place + 1:,} cases: {place:,} rulings, 1 error"
        assert told.splitlines()[-1] == f"stopped at {reason}; mend it and run the same command to go on"
        assert kept.decode() == f'# {reason}\n{{"id": {place + 1}, "given": {{"range": "y"}}}}\n'
    (folder / "cases.jsonl").write_text("\n".join(good))
    assert outcome(folder, args) == wanted
