import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from refcli.core.errors import RefcliError, UsageError
from refcli.core.struct import replace
from refcli.drivers.batch.blocks import Block, Mark
from refcli.drivers.batch.pool import SLOT, Pool
from refcli.drivers.batch.totals import Done


def block(number: int, data: bytes | None = None) -> Block:
    return Block(Mark(number * 10, number, number), 10, data)


def blocks(count: int, *, carried: bool = False) -> Iterator[Block]:
    for number in range(count):
        yield block(number, b"x" * 300_000 if carried else None)


def done(one: Block, out: bytes) -> Done:
    return Done(out, b"", one.mark, {("chart", "outcome"): 1}, 0, (), (one.mark.number,))


def each(run: Iterator[Done]) -> Iterator[Done]:
    """What a pool finds; its rulings are copied, as they are there for a moment only."""
    return (replace(one, out=bytes(one.out)) for one in run)


def kept(run: Iterator[Done]) -> list[Done]:
    """All that a pool finds."""
    return list(each(run))


def uneven(one: Block) -> Done:
    """Some blocks take longer than others, some give much."""
    number = one.mark.number
    time.sleep(random.Random(number).random() / 50)
    much = SLOT + 5 if number % 7 == 3 else number * 1000
    return done(one, b"%d\n" % number * (much // 3))


@pytest.mark.parametrize("carried", [False, True], ids=["ranges", "carried"])
@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_what_comes_back_is_whole_and_in_order(jobs: int, carried: bool) -> None:
    found = kept(Pool(uneven, jobs).run(blocks(24, carried=carried)))
    assert found == [uneven(one) for one in blocks(24)]
    assert not multiprocessing.active_children()


def test_no_more_blocks_are_taken_than_needed() -> None:
    taken = []

    def watched() -> Iterator[Block]:
        for one in blocks(50):
            taken.append(one)
            yield one

    run = Pool(uneven, 2).run(watched())
    next(run)
    assert len(taken) <= 12
    run.close()
    assert not multiprocessing.active_children()


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (UsageError("the file got shorter"), "the file got shorter"),
        (
            KeyError("x" * 300),
            f"this is a fault of refcli, please report it: KeyError: '{'x' * 189} (in the cases from line 6 on)",
        ),
    ],
)
def test_a_fault_of_a_block_ends_the_run_and_the_workers(
    capfd: pytest.CaptureFixture[str], fault: Exception, told: str
) -> None:
    def rule(one: Block) -> Done:
        if one.mark.number == 5:
            raise fault
        time.sleep(0.2 if one.mark.number == 4 else 0)  # the fault is known before its turn comes
        return done(one, b"%d " % one.mark.number)

    found: list[Done] = []
    with pytest.raises(RefcliError) as raised:
        found.extend(each(Pool(rule, 2).run(blocks(9))))  # what came before the fault is kept
    assert str(raised.value) == told
    assert b"".join(one.out for one in found) == b"0 1 2 3 4 "
    assert capfd.readouterr().err == ""
    assert not multiprocessing.active_children()


def test_what_a_dead_worker_had_is_done_by_another(tmp_path: Path) -> None:
    def rule(one: Block) -> Done:
        flag = tmp_path / "died"
        if one.mark.number == 4 and not flag.exists():
            flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return done(one, b"%d " % one.mark.number)

    found = kept(Pool(rule, 2).run(blocks(12)))
    assert b"".join(one.out for one in found) == b"0 1 2 3 4 5 6 7 8 9 10 11 "
    assert (tmp_path / "died").exists()
    assert not multiprocessing.active_children()


def test_a_worker_whose_pipe_broke_is_not_left_running() -> None:
    def rule(one: Block) -> Done:
        if one.mark.number == 4:
            os.closerange(3, 256)
            time.sleep(60)
        return done(one, b"")

    with pytest.raises(RefcliError, match=r"^workers die over the cases from line 5 on; "):
        list(Pool(rule, 2).run(blocks(12)))
    assert not multiprocessing.active_children()


def test_a_block_that_kills_every_worker_is_named() -> None:
    def rule(one: Block) -> Done:
        if one.mark.number == 4:
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.5 if one.mark.number == 3 else 0)  # still under way when the next block is given up
        return done(one, b"%d " % one.mark.number)

    found: list[Done] = []
    with pytest.raises(RefcliError) as raised:
        found.extend(each(Pool(rule, 2).run(blocks(12))))  # what came before the fault is kept
    assert str(raised.value) == "workers die over the cases from line 5 on; is there enough memory?"
    assert b"".join(one.out for one in found) == b"0 1 2 3 "
    assert not multiprocessing.active_children()


def test_a_process_that_starts_anew_can_be_a_worker() -> None:
    code = (
        "import multiprocessing; multiprocessing.get_all_start_methods = lambda: ['spawn']\n"
        "from tests.drivers.batch.test_pool import blocks, kept, uneven\n"
        "from refcli.drivers.batch.pool import Pool\n"
        "if __name__ == '__main__':\n"
        "    assert kept(Pool(uneven, 2).run(blocks(9))) == [uneven(one) for one in blocks(9)]\n"
    )
    root = Path(__file__).parents[3]
    subprocess.run([sys.executable, "-c", code], check=True, cwd=root, env={**os.environ, "PYTHONPATH": str(root)})


def is_alive(process: int) -> bool:
    """Whether a process still runs; one that has ended but that nobody has asked for does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_no_worker_outlives_a_parent_that_was_killed() -> None:
    code = (
        "import multiprocessing, sys, time\n"
        "from refcli.drivers.batch.pool import Pool\n"
        "from tests.drivers.batch.test_pool import blocks, uneven\n"
        "for place, one in enumerate(Pool(uneven, 3).run(blocks(10**6))):\n"
        "    if place == 20:\n"
        "        print(*[child.pid for child in multiprocessing.active_children()], flush=True)\n"
    )
    root = Path(__file__).parents[3]
    env = {**os.environ, "PYTHONPATH": str(root)}
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=root, env=env
    ) as parent:
        assert parent.stdout is not None
        children = [int(word) for word in parent.stdout.readline().split()]
        assert len(children) == 3
        assert all(map(is_alive, children))
        parent.kill()
        parent.wait()
        for _ in range(500):
            if not any(map(is_alive, children)):
                break
            time.sleep(0.02)
        assert not any(map(is_alive, children))
