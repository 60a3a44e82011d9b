"""A cluster of dask writes what a single process writes, whatever becomes of its workers."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.conftest import CHARTS, Run

pytest.importorskip("distributed", reason="dask is an extra")

ENV = os.environ | {"REFCLI_CHARTS": str(CHARTS), "COLUMNS": "80", "PYTHONWARNINGS": "ignore"}
DASK = [sys.executable, "-m", "dask"]
ROWS = 40_000


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


def command(*options: str) -> list[str]:
    start = [sys.executable, "-m", "refcli", "batch"]
    return [*start, *(() if "-" in options else ("cases.jsonl",)), "--chart", "crossing", "--seed", "7", *options]


def batch(folder: Path, *options: str, stdin: bytes = b"") -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command(*options), cwd=folder, env=ENV, input=stdin, capture_output=True)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def same(folder: Path, out: str, bad: str, told: str) -> None:
    assert (folder / out).read_bytes() == (folder / "plain.jsonl").read_bytes()
    assert (folder / bad).read_bytes() == (folder / "bad.jsonl").read_bytes()
    assert told.replace(bad, "bad.jsonl") == (folder / "told.txt").read_text()


@contextmanager
def cluster(
    folder: Path, workers: int, *, elsewhere: Path | None = None, **env: str
) -> Iterator[tuple[str, list[int]]]:
    """A scheduler and some workers, as they are started on other machines: its address, and their processes."""
    file = folder / "scheduler.json"
    file.unlink(missing_ok=True)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    start = [
        *DASK,
        "scheduler",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--no-dashboard",
        "--scheduler-file",
        str(file),
    ]
    started = [subprocess.Popen(start, env=ENV, **quiet)]  # type: ignore[call-overload]
    try:
        while not file.exists() or not file.read_text().strip():
            time.sleep(0.05)
        address = json.loads(file.read_text())["address"]
        join = [*DASK, "worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
        started += [
            subprocess.Popen(join, env=ENV | env, cwd=elsewhere or folder, **quiet)  # type: ignore[call-overload]
            for _ in range(workers)
        ]
        yield address, [one.pid for one in started[1:]]
    finally:
        for one in started:
            one.kill()
            one.wait()


def test_a_cluster_that_is_started_here_writes_the_same_bytes(data: Path) -> None:
    done = batch(data, "--dask", "local", "--jobs", "2", "-o", "local.jsonl", "--rejects", "local-bad.jsonl")
    assert done.returncode == 1
    same(data, "local.jsonl", "local-bad.jsonl", done.stderr)


def test_cases_from_a_pipe_are_shared_too(data: Path) -> None:
    cases = (data / "cases.jsonl").read_bytes()
    done = batch(data, "-", "--dask", "local", "--jobs", "2", "--rejects", "piped-bad.jsonl", stdin=cases)
    assert done.stdout == (data / "plain.jsonl").read_text()


def test_a_worker_killed_on_the_way_loses_and_repeats_nothing(data: Path) -> None:
    with cluster(data, 2) as (address, workers):
        options = command("--dask", address, "-o", "killed.jsonl", "--rejects", "killed-bad.jsonl")
        with subprocess.Popen(options, cwd=data, env=ENV, stderr=subprocess.PIPE, text=True) as running:
            out = data / "killed.jsonl"
            while not (out.exists() and out.stat().st_size > 100_000):
                assert running.poll() is None
                time.sleep(0.005)
            os.kill(workers[0], signal.SIGKILL)
            told = running.communicate()[1]
        assert running.returncode == 1
    same(data, "killed.jsonl", "killed-bad.jsonl", told)


def test_workers_that_have_not_got_the_file_are_sent_the_cases(data: Path, tmp_path: Path) -> None:
    code = (
        "import sys, pathlib, refcli.cli.on_dask as on_dask\n"
        "real = pathlib.Path.is_file\n"
        "from refcli.core.struct import replace\n"
        "plain = on_dask.Job\n"
        "on_dask.Job = lambda terms, path, mark: plain(terms, pathlib.Path('/nowhere/cases.jsonl'), mark)\n"
        "from refcli.cli.main import main\n"
        "main(sys.argv[1:])"
    )
    with cluster(data, 1, elsewhere=tmp_path) as (address, _):
        options = command("--dask", address, "-o", "sent.jsonl", "--rejects", "sent-bad.jsonl")[3:]
        done = subprocess.run(
            [sys.executable, "-c", code, *options], cwd=data, env=ENV, capture_output=True, text=True
        )
    same(data, "sent.jsonl", "sent-bad.jsonl", done.stderr)


def test_a_worker_with_other_charts_is_told_and_rules_on_nothing(data: Path, tmp_path: Path) -> None:
    book = tmp_path / "flowcharts" / "more"
    book.mkdir(parents=True)
    (book / "book.yaml").write_text("title: More\nsource: Nowhere\n")
    with cluster(data, 1, elsewhere=tmp_path) as (address, _):
        done = batch(data, "--dask", address)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == (
        "refcli: a worker has another refcli, or other charts, decks or rosters than this machine\n"
    )


def test_a_cluster_that_is_not_there_is_wrong_usage(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import refcli.cli.on_dask as one; one.WAIT = 1\nfrom refcli.cli.main import main\nmain()",
         *command("--dask", "tcp://127.0.0.1:9")[3:]],
        cwd=data, env=ENV, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("refcli: --dask: no cluster of dask answers at 'tcp://127.0.0.1:9' (")
    assert done.stderr.count("\n") == 1


def test_a_cluster_without_workers_is_wrong_usage(data: Path) -> None:
    with cluster(data, 0) as (address, _):
        code = "import refcli.cli.on_dask as one; one.WAIT = 1\nfrom refcli.cli.main import main\nmain()"
        start = [sys.executable, "-c", code, *command("--dask", address)[3:]]
        done = subprocess.run(start, cwd=data, env=ENV, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"refcli: --dask: the cluster at '{address}' has no worker\n"


def test_without_dask_the_extra_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    ran = run("batch", "-", "--chart", "crossing", "--dask", "local", stdin='{"given": {}}\n')
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "refcli: --dask needs more than refcli alone: pip install 'refcli[dask]'\n"
