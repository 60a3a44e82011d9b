"""`refcli batch --dask`: the blocks of a batch ruled on by the workers of a cluster of dask.

Law of this file: a worker has the same clerk as a single process, so it writes the same bytes; what it has not got
alike (charts, decks, rosters, a version of refcli) ends the batch, in words. Blocks come back in order, only some of
them are under way at a time, and those of a worker that died go to another.
"""

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from refcli.cli.clerk import Clerk, Terms
from refcli.core.errors import RefcliError, UsageError
from refcli.core.struct import Struct, replace
from refcli.drivers.batch.blocks import Block
from refcli.drivers.batch.totals import Done

LOCAL = "local"
"""The address of a cluster that is started here and ends with the batch."""
TOGETHER = 8
"""How many blocks of a long file a worker is given at once: going there and back takes as long as ruling on some."""
AHEAD = 3
"""How many such bundles are under way for each thread of the cluster."""
WAIT = 30
"""How many seconds a cluster may take to answer, and to have a worker."""
UNSEEN = "unseen"
"""What a worker says who has not got the file of cases."""
_own = threading.local()

Run = Callable[[Iterator[Block]], Generator[Done, None, None]]


class Job(Struct):
    """What a worker has to know of a batch: the terms, the file of cases, and what its charts must be like."""

    terms: Terms
    path: Path | None
    mark: str


@contextmanager
def on_dask(address: str, jobs: int, clerk: Clerk) -> Iterator[Run]:
    """What shares blocks out over a cluster.

    Args:
        address: where its scheduler is, such as `tcp://host:8786`; `local` starts one here.
        jobs: how many workers a local one has; with 1 or less one on every core.
        clerk: the clerk of this process.

    Raises:
        UsageError: dask is not installed, or no cluster answers at the address.
    """
    try:
        import distributed
    except ImportError:
        raise UsageError("--dask needs more than refcli alone: pip install 'refcli[dask]'") from None
    _hush()
    terms = replace(clerk.terms, charts=_everywhere(clerk.terms.charts))
    job = Job(terms, clerk.path.absolute() if clerk.path is not None else None, mark_of(terms))
    cluster = _local(distributed, jobs) if address == LOCAL else None
    try:
        client = _client(distributed, address, cluster)
        try:
            yield lambda blocks: _shared(client, job, clerk, blocks)
        finally:
            client.close(timeout=5)
    finally:
        if cluster is not None:
            cluster.close(timeout=10)


def _hush() -> None:
    """Let dask keep what it does to itself: what concerns the batch is told by the batch."""
    import logging
    import sys
    import warnings

    sys.unraisablehook = lambda _: None
    whose = ("distributed", "tornado", "asyncio")
    for name in (*whose, *logging.root.manager.loggerDict):  # some of theirs have levels of their own
        if name.partition(".")[0] in whose:
            logging.getLogger(name).setLevel(logging.CRITICAL)
    warnings.simplefilter("ignore")


def _local(distributed: Any, jobs: int) -> Any:
    import logging
    import os

    count = jobs if jobs > 1 else os.cpu_count() or 1
    return distributed.LocalCluster(
        n_workers=count,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address=None,
        silence_logs=logging.CRITICAL,
    )


def _client(distributed: Any, address: str, cluster: Any) -> Any:
    try:
        if cluster is None:
            distributed.comm.get_address_host_port(address)  # a client that cannot read it would never end
        client = distributed.Client(cluster or address, timeout=WAIT, set_as_default=False)
    except Exception as fault:
        told = str(fault).splitlines()[0] if str(fault) else type(fault).__name__
        raise UsageError(f"--dask: no cluster of dask answers at '{address}' ({told[:120]})") from None
    try:
        client.wait_for_workers(1, timeout=WAIT)
    except (OSError, TimeoutError):
        client.close(timeout=1)
        raise UsageError(f"--dask: the cluster at '{address}' has no worker") from None
    return client


def _everywhere(charts: Iterable[str]) -> tuple[str, ...]:
    """The folders of charts that this process looks in, without refcli's own; the same from anywhere."""
    from refcli.cli.common import folders, shipped

    found = folders([Path(one) for one in charts])
    return tuple(str(one.absolute()) for one in found if one.resolve() != shipped().resolve())


def mark_of(terms: Terms) -> str:
    """A mark of all that rulings depend on besides the cases: the version, the charts within reach, decks, rosters.

    Raises:
        UsageError: a folder of charts is not there.
    """
    from refcli import __version__
    from refcli.cli.common import folders

    found = sha256(__version__.encode())
    for folder in folders([Path(one) for one in terms.charts]):
        for file in sorted(folder.rglob("*.yaml")):
            found.update(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    for name in (*terms.decks, *terms.rosters):
        found.update(Path(name).read_bytes() if Path(name).is_file() else name.encode())
    return found.hexdigest()


def rule(job: Job, blocks: list[Block]) -> list[Done] | str:
    """What a worker does: rule on some blocks; or say why it cannot."""
    if job.path is not None and blocks[0].data is None and not job.path.is_file():
        return UNSEEN
    try:
        if getattr(_own, "job", None) != job:
            if mark_of(job.terms) != job.mark:
                return "a worker has another refcli, or other charts, decks or rosters than this machine"
            _own.clerk, _own.job = Clerk(job.terms, job.path), job
        return [_own.clerk(block) for block in blocks]
    except (RefcliError, OSError) as fault:
        return f"a worker cannot go on: {' '.join(str(fault).split())}"


def _shared(client: Any, job: Job, clerk: Clerk, blocks: Iterator[Block]) -> Generator[Done, None, None]:
    """Rule on blocks, in order.

    Raises:
        RefcliError: the cluster is gone, its workers die of a block, or one has not got what it needs.
    """
    threads = max(1, sum(client.nthreads().values()))
    under_way: deque[tuple[Any, list[Block]]] = deque()
    size, sends = 1, job.path is None
    try:
        while True:
            while len(under_way) < AHEAD * threads and (bundle := list(islice(blocks, size))):
                size = min(size * 2, TOGETHER)  # the first few are small, so that short files are shared too
                under_way.append((_submit(client, job, clerk, bundle, sends=sends), bundle))
            if not under_way:
                return
            future, bundle = under_way.popleft()
            found = _result(future, bundle)
            if found == UNSEEN:
                sends = True
                found = _result(_submit(client, job, clerk, bundle, sends=True), bundle)
            if isinstance(found, str):
                raise RefcliError(found)
            yield from found
    finally:
        for future, _ in under_way:
            future.cancel()


def _submit(client: Any, job: Job, clerk: Clerk, bundle: list[Block], *, sends: bool) -> Any:
    """Give a bundle to the cluster; with its bytes where the workers have not got the file."""
    if sends:
        bundle = [block if block.data is not None else replace(block, data=clerk.read(block)) for block in bundle]
    return client.submit(rule, job, bundle, pure=False, priority=-bundle[0].mark.number)


def _result(future: Any, bundle: list[Block]) -> list[Done] | str:
    try:
        found: list[Done] | str = future.result()
        return found
    except RefcliError:
        raise
    except Exception as fault:
        line = bundle[0].mark.line + 1
        if type(fault).__name__ == "KilledWorker":
            raise RefcliError(f"workers die over the cases from line {line:,} on; is there enough memory?") from None
        raise RefcliError(f"the cluster of dask cannot go on from line {line:,}: {type(fault).__name__}") from None
