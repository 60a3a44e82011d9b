"""A cluster of dask writes what a single process writes, whatever becomes of its workers."""

import gzip
import json
import os
import random
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.conftest import CHARTS, Run

ENV = os.environ | {"REFCLI_CHARTS": str(CHARTS), "COLUMNS": "80", "PYTHONWARNINGS": "ignore"}
DASK = [sys.executable, "-m", "dask"]
REFCLI = [sys.executable, "-c", "from refcli.cli.main import main; main()"]


def changed(code: str) -> list[str]:
    """refcli with something changed in its way to dask, here `one`."""
    return [
        sys.executable,
        "-c",
        f"import refcli.cli.on_dask as one; {code}\nfrom refcli.cli.main import main; main()",
    ]


ROWS = 12_000
FARAWAY = "job = one.Job; one.Job = lambda terms, _, mark: job(terms, one.Path('/nowhere/cases.jsonl'), mark)"


def case(number: int) -> str:
    chance = random.Random(number)
    given = {"crossing": chance.choice(["tracked", "wheeled"]), "bogged": chance.choice(["yes", "no"])}
    if chance.randrange(50) == 0:
        given = {"crossing": "tank", "bogged": "no"}
    return json.dumps({"id": f"case {number}", "note" if chance.randrange(400) == 0 else "given": given})


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with cases, and the rulings on them by a single process."""
    folder = tmp_path_factory.mktemp("cases")
    (folder / "cases.jsonl").write_text("".join(case(number) + "\n" for number in range(ROWS)))
    done = batch(folder, "-o", "plain.jsonl", "--rejects", "bad.jsonl")
    assert done.returncode == 1
    (folder / "told.txt").write_text(done.stderr)
    return folder


def options_of(*options: str) -> list[str]:
    return ["batch", *(() if "-" in options else ("cases.jsonl",)), "--chart", "crossing", "--seed", "7", *options]


def batch(
    folder: Path, *options: str, stdin: bytes = b"", by: list[str] = REFCLI, **env: str
) -> subprocess.CompletedProcess[str]:
    args = [*by, *options_of(*options)]
    done = subprocess.run(args, cwd=folder, env=ENV | env, input=stdin, capture_output=True)
    return subprocess.CompletedProcess(args, done.returncode, done.stdout.decode(), done.stderr.decode())


def same(folder: Path, out: str, bad: str, told: str) -> None:
    assert (folder / out).read_bytes() == (folder / "plain.jsonl").read_bytes()
    assert (folder / bad).read_bytes() == (folder / "bad.jsonl").read_bytes()
    assert told.replace(bad, "bad.jsonl") == (folder / "told.txt").read_text()


@contextmanager
def started(folder: Path, workers: int) -> Iterator[tuple[str, list[int]]]:
    """A scheduler and some workers, as they are started on other machines: its address, and their processes."""
    file = folder / "scheduler.json"
    quiet = {"cwd": folder, "env": ENV, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    where = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
    join = ["--scheduler-file", str(file), "--nthreads", "1", "--no-nanny", "--no-dashboard"]
    one = [subprocess.Popen([*DASK, "scheduler", *where], **quiet)]  # type: ignore[call-overload]
    try:
        while not file.exists() or not file.read_text().strip():
            assert one[0].poll() is None
            time.sleep(0.02)
        one += [subprocess.Popen([*DASK, "worker", *join], **quiet) for _ in range(workers)]  # type: ignore[call-overload]
        yield json.loads(file.read_text())["address"], [worker.pid for worker in one[1:]]
    finally:
        for process in one:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[int]]]:
    """A cluster elsewhere; one of its workers does not live to see the end."""
    with started(tmp_path_factory.mktemp("elsewhere"), 2) as found:
        yield found


def test_a_cluster_that_is_started_here_writes_the_same_bytes(data: Path) -> None:
    done = batch(data, "--dask", "local", "--jobs", "2", "-o", "local.jsonl", "--rejects", "local-bad.jsonl")
    assert done.returncode == 1
    same(data, "local.jsonl", "local-bad.jsonl", done.stderr)


def test_a_cluster_elsewhere_does_so_too(data: Path, cluster: tuple[str, list[int]]) -> None:
    done = batch(data, "--dask", cluster[0], "-o", "there.jsonl", "--rejects", "there-bad.jsonl")
    assert done.returncode == 1
    same(data, "there.jsonl", "there-bad.jsonl", done.stderr)


def test_cases_from_a_pipe_are_shared_too(data: Path, cluster: tuple[str, list[int]]) -> None:
    cases = (data / "cases.jsonl").read_bytes()
    done = batch(data, "-", "--dask", cluster[0], stdin=cases)
    assert done.stdout == (data / "plain.jsonl").read_text()
    assert done.stderr.splitlines()[0] == (data / "told.txt").read_text().splitlines()[0]


def test_what_is_whole_in_a_packed_file_that_was_cut_is_ruled_on(data: Path, cluster: tuple[str, list[int]]) -> None:
    packed = gzip.compress((data / "cases.jsonl").read_bytes(), mtime=0)
    (data / "cut.jsonl.gz").write_bytes(packed[:-3000])
    args = ["batch", "cut.jsonl.gz", "--chart", "crossing", "--seed", "7"]
    one, shared = (
        subprocess.run([*REFCLI, *args, *more], cwd=data, env=ENV, capture_output=True, text=True)
        for more in ((), ("--dask", cluster[0]))
    )
    assert (shared.returncode, shared.stdout, shared.stderr) == (1, one.stdout, one.stderr)
    assert one.stderr.endswith("\nrefcli: cut.jsonl.gz ends in the middle: it was not packed or copied whole\n")
    whole = zlib.decompressobj(31).decompress(packed[:-3000]).count(b"\n")
    assert one.stdout == "".join((data / "plain.jsonl").read_text().splitlines(keepends=True)[:whole])
    assert ROWS // 2 < whole < ROWS


def test_workers_that_have_not_got_the_file_are_sent_the_cases(data: Path, cluster: tuple[str, list[int]]) -> None:
    done = batch(data, "--dask", cluster[0], "-o", "sent.jsonl", "--rejects", "sent-bad.jsonl", by=changed(FARAWAY))
    same(data, "sent.jsonl", "sent-bad.jsonl", done.stderr)


def test_what_dask_says_of_itself_is_not_heard() -> None:
    code = (
        "import logging, distributed\nfrom refcli.cli.on_dask import _hush\n_hush()\n"
        "for name in ('distributed', 'distributed.client', 'distributed.core', 'tornado.application'):\n"
        "    logging.getLogger(name).warning('lost a worker')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=ENV)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_worker_killed_on_the_way_loses_and_repeats_nothing(data: Path, cluster: tuple[str, list[int]]) -> None:
    worker = cluster[1][0]
    dying = (
        "import os; from contextlib import suppress; from refcli.drivers.batch.sink import Sink; write = Sink.write\n"
        "def written(*args):\n    write(*args)\n"
        f"    with suppress(ProcessLookupError):\n        os.kill({worker}, 9)\n"
        "Sink.write = written"
    )
    more = ["--dask", cluster[0], "-o", "killed.jsonl", "--rejects", "killed-bad.jsonl"]
    done = batch(data, *more, by=changed(dying))
    assert done.returncode == 1
    same(data, "killed.jsonl", "killed-bad.jsonl", done.stderr)
    assert os.waitpid(worker, 0)[1] == signal.SIGKILL


def test_a_batch_that_was_killed_itself_goes_on(data: Path, cluster: tuple[str, list[int]]) -> None:
    more = ["--dask", cluster[0], "-o", "on.jsonl", "--rejects", "on-bad.jsonl", "--checkpoint", "check"]
    dying = (
        "import os; from refcli.drivers.batch.checkpoint import Checkpoint; save = Checkpoint.save\n"
        "def saved(*args):\n    save(*args)\n    os.kill(os.getpid(), 9)\n"
        "Checkpoint.save = saved"
    )
    assert batch(data, *more, by=changed(dying)).returncode == -signal.SIGKILL
    assert (data / "check").exists()
    done = batch(data, *more)
    first, told = done.stderr.split("\n", 1)
    assert first.startswith("going on after ")
    same(data, "on.jsonl", "on-bad.jsonl", told)


def test_a_worker_with_other_charts_is_told_and_rules_on_nothing(data: Path, cluster: tuple[str, list[int]]) -> None:
    done = batch(data, "--dask", cluster[0], by=changed("one.mark_of = lambda terms: 'of other charts'"))
    told = "refcli: a worker has another refcli, or other charts, decks or rosters than this machine\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", told)


def test_a_cluster_that_is_not_there_is_wrong_usage(data: Path) -> None:
    done = batch(data, "--dask", "tcp://127.0.0.1:9", by=changed("one.WAIT = 1"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("refcli: --dask: no cluster of dask answers at 'tcp://127.0.0.1:9' (")
    assert done.stderr.count("\n") == 1


def test_a_cluster_without_workers_is_wrong_usage(data: Path, tmp_path: Path) -> None:
    with started(tmp_path, 0) as (address, _):
        done = batch(data, "--dask", address, by=changed("one.WAIT = 1"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"refcli: --dask: the cluster at '{address}' has no worker\n"


def test_without_dask_the_extra_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    ran = run("batch", "-", "--chart", "crossing", "--dask", "local", stdin='{"given": {}}\n')
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "refcli: --dask needs more than refcli alone: pip install 'refcli[dask]'\n"
