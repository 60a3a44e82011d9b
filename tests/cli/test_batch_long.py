"""Long files: packed ones that break off, and how much memory they take."""

import gzip
import os
import random
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from tests.cli.conftest import CHARTS, Run
from tests.cli.test_batch_inputs import CROSSING, GOOD, TABLE, told

ENV = {**os.environ, "REFCLI_CHARTS": str(CHARTS), "COLUMNS": "80"}


DAMAGED = {
    "cut": "a.jsonl.gz ends in the middle: it was not packed or copied whole",
    "more": "cannot read 'a.jsonl.gz': its packing is damaged",
    "wrong sum": "cannot read 'a.jsonl.gz': its packing is damaged",
}


def damaged(kind: str, whole: bytes) -> tuple[bytes, int]:
    """A packed file with a fault, and how many lines are whole before it."""
    file = gzip.compress(whole, mtime=0)
    match kind:
        case "cut":
            file = file[:-3000]
            return file, zlib.decompressobj(31).decompress(file).count(b"\n")
        case "more":
            return file + b"\r\nsomething else", whole.count(b"\n")
        case _:
            return file[:-8] + b"12345678", whole.count(b"\n")


@pytest.mark.parametrize("jobs", ["1", "3"])
@pytest.mark.parametrize("form", ["jsonl", "csv"])
@pytest.mark.parametrize("kind", DAMAGED)
def test_what_is_whole_in_a_damaged_packed_file_is_ruled_on(run: Run, kind: str, form: str, jobs: str) -> None:
    chance = random.Random(1)
    names = [f"case {chance.randrange(10**9)}" for _ in range(20_000)]
    if form == "csv":
        lines = [f"id,{TABLE}", *(f"{name},tracked,no,4" for name in names)]
    else:
        lines = [f'{{"id": "{name}", {GOOD[1:]}' for name in names]
    # without an end of line behind it the last row is whole only where the file is
    file, whole = damaged(kind, "\n".join(lines).encode())
    rows = whole - (form == "csv")
    Path(f"a.{form}.gz").write_bytes(file)
    ran = run("batch", f"a.{form}.gz", *CROSSING, "-o", "out.jsonl", "--jobs", jobs)
    stop = f"stopped after {rows:,} cases, before line {whole + 1:,}\n"
    assert (ran.code, ran.out, ran.err) == (1, "", f"{stop}refcli: {DAMAGED[kind].replace('jsonl', form)}\n")
    assert [line["id"] for line in told(Path("out.jsonl").read_text())] == names[:rows]
    assert rows > 15_000


OWN_PEAK = (
    "open('/proc/self/status').read().partition('VmHWM:')[2].split()[0]"
    if Path("/proc/self/status").exists()
    else "resource.getrusage(resource.RUSAGE_SELF).ru_maxrss"
)
"""The most memory a process has taken. On Linux its `ru_maxrss` begins with that of the process that started it."""


def peak(folder: Path, rows: int, *options: str) -> int:
    """The most memory, in bytes, that a batch of so many rows takes."""
    book = folder / "charts" / "quick"
    book.mkdir(parents=True, exist_ok=True)
    (book / "book.yaml").write_text("title: Quick\nsource: Nowhere\n")
    (book / "quick.yaml").write_text(
        "title: Quick\nsummary: One step.\nfacts: {range: {ask: How far, number: 0..9}}\n"
        "nodes: {look: {decide: range > 4, yes: far, no: near}}\n"
        "outcomes: {near: {title: Near}, far: {title: Far}}\n"
    )
    cases = folder / "cases.jsonl"
    with cases.open("w") as file:
        file.writelines(
            f'{{"id": "case {row}", "given": {{"range": {row % 10 if row % 50 else 11}}}}}\n' for row in range(rows)
        )
    code = (
        "import resource\nfrom refcli.cli.main import main\n"
        f"try:\n    main(['batch', 'cases.jsonl', '--chart', 'quick', *{options!r}])\n"
        f"finally:\n    print({OWN_PEAK}, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    env = {**ENV, "REFCLI_CHARTS": str(folder / "charts")}
    ran = subprocess.run([sys.executable, "-c", code], cwd=folder, env=env, capture_output=True, text=True)
    assert ran.returncode == 1, ran.stderr
    assert ran.stderr.startswith(f"{rows:,} cases: ")
    unit = 1 if sys.platform == "darwin" else 1024
    return max(map(int, ran.stdout.split())) * unit


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_memory_does_not_grow_with_the_number_of_cases(tmp_path: Path, jobs: str) -> None:
    options = ("-o", "out.jsonl", "--rejects", "bad.jsonl", "--jobs", jobs)
    few, many = (peak(tmp_path, rows, *options) for rows in (2_000, 200_000))
    assert many - few < 50 * 1024 * 1024
