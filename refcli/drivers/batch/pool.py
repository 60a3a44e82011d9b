"""Workers that rule on blocks side by side; what they find comes back in the order of the blocks.

Law of this file: no worker outlives the batch. A worker waits at a pipe of its own, and ends when the other side of
it is gone, however that came to be. Rulings come back through memory that both sides see; what goes through a pipe is
copied again and again, and that would cost more than a second worker gains.
"""

import mmap
import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterator
from multiprocessing.connection import Connection, wait
from typing import Any

from refcli.core.errors import RefcliError
from refcli.core.struct import replace
from refcli.drivers.batch.blocks import Block
from refcli.drivers.batch.totals import Done

Rule = Callable[[Block], Done]
AHEAD = 2
"""How many blocks a worker is given at a time, so that it need not wait for the next one."""
MOST_TRIES = 3
"""How many workers may die over one block."""
SLOT = 4 * 1024 * 1024
"""How many bytes of rulings a worker can hand over in memory; more of them go through the pipe."""


class _Worker:
    """A process with the blocks it was given, in order."""

    def __init__(self, rule: Rule, others: list[Connection]) -> None:
        ways = multiprocessing.get_all_start_methods()
        context: Any = multiprocessing.get_context("fork" if "fork" in ways else "spawn")
        self.pipe, theirs = context.Pipe()
        shares = context.get_start_method() == "fork"
        inherited = [*others, self.pipe] if shares else []
        # One slot for each block that a worker may have ahead, and one that is being read.
        self._slots = [mmap.mmap(-1, SLOT) for _ in range(AHEAD + 1)] if shares else []
        self._taken = 0
        self.process = context.Process(target=_serve, args=(theirs, inherited, self._slots, rule), daemon=True)
        self.process.start()
        theirs.close()
        self.given: deque[int] = deque()
        self.is_dead = False

    def take(self) -> "Done | str":
        """What it found of the first block it was given, or why it could not. The rulings are still in its memory.

        Raises:
            EOFError: it is dead.
        """
        found, size = self.pipe.recv()
        if size:
            found = replace(found, out=memoryview(self._slots[self._taken % len(self._slots)])[:size])
        self._taken += 1
        return found  # type: ignore[no-any-return]

    def end(self) -> None:
        """End it, if it still runs: a pipe may close some time before its process is gone."""
        self.pipe.close()
        for slot in self._slots:
            slot.close()
        self.process.kill()


def _serve(pipe: Connection, inherited: list[Connection], slots: list[mmap.mmap], rule: Rule) -> None:
    """What a worker does: rule on what comes through its pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is told to all; who started us stops us
    for other in inherited:  # or we would hold our own pipe open when he is gone
        other.close()
    done = 0
    last: list[Done] = []  # were all of it gone, its memory would go back to the system, and be asked for anew
    try:
        while True:
            block = pipe.recv()
            found: Done | str
            size = 0
            try:
                found = rule(block)
                last[:] = [found]
                if slots and 0 < len(found.out) <= SLOT:
                    size = len(found.out)
                    slots[done % len(slots)][:size] = found.out
                    found = replace(found, out=b"")
            except RefcliError as fault:
                found = str(fault)
            except Exception as fault:
                told = f"{type(fault).__name__}: {fault}"[:200]
                line = block.mark.line + 1
                found = f"this is a fault of refcli, please report it: {told} (in the cases from line {line:,} on)"
            pipe.send((found, size))
            done += 1
    except (EOFError, OSError):
        pass


class Pool:
    """Some workers; each is started when there is something for it to do.

    Args:
        rule: rules on a block; is copied into the workers.
        jobs: how many workers.
    """

    def __init__(self, rule: Rule, jobs: int) -> None:
        self._rule = rule
        self._jobs = jobs
        self._workers: list[_Worker] = []
        self._blocks: dict[int, Block] = {}
        self._waiting: deque[int] = deque()
        self._tries: dict[int, int] = {}
        self._found: dict[int, Done | str] = {}
        self._next = 0

    def run(self, blocks: Iterator[Block]) -> Generator[Done, None, None]:
        """Rule on all blocks. The rulings of each are there until the next one is asked for, and no longer.

        Args:
            blocks: taken one by one, only a few more than there are workers ahead of the results.

        Raises:
            RefcliError: a block cannot be ruled on, or workers die of it; the rulings before it came first.
        """
        taken = 0
        more = True
        try:
            while more or self._blocks:
                while more and len(self._blocks) < (AHEAD + 1) * self._jobs:
                    block = next(blocks, None)
                    if block is None:
                        more = False
                        break
                    self._blocks[taken] = block
                    self._waiting.append(taken)
                    taken += 1
                    self._give()
                while self._next in self._found:
                    del self._blocks[self._next]
                    done = self._found.pop(self._next)
                    self._next += 1
                    if isinstance(done, str):
                        raise RefcliError(done)
                    try:
                        yield done
                    finally:
                        if isinstance(done.out, memoryview):
                            done.out.release()
                self._give()
                if any(worker.given for worker in self._workers):
                    self._take()
        finally:
            self._stop()

    def _give(self) -> None:
        """Give the workers what waits, and start one where all are busy."""
        while self._waiting:
            index = self._waiting[0]
            # One that carries its bytes is given to an idle worker only: no two can then wait for each other
            # to read from a full pipe.
            most = AHEAD if self._blocks[index].data is None else 1
            if len(self._workers) < self._jobs and all(worker.given for worker in self._workers):
                self._hire()
            worker = min(self._workers, key=lambda one: (one.is_dead, len(one.given)))
            if worker.is_dead or len(worker.given) >= most:
                return
            try:
                worker.pipe.send(self._blocks[index])
                worker.given.append(self._waiting.popleft())
            except OSError:
                worker.is_dead = True
                if not worker.given:  # else what it has found comes first
                    self._lost(worker)

    def _hire(self) -> None:
        """Start one more worker; where there is no room for it, those that are there will do."""
        try:
            self._workers.append(_Worker(self._rule, [worker.pipe for worker in self._workers]))
        except OSError as fault:
            self._jobs = len(self._workers)
            if not self._jobs:
                raise RefcliError(f"cannot start a process: {fault.strerror}; try --jobs 1") from None

    def _take(self) -> None:
        """Wait for some worker, and take what it found."""
        ready = wait([worker.pipe for worker in self._workers if worker.given])
        for worker in [one for one in self._workers if one.pipe in ready]:
            try:
                found = worker.take()
            except (EOFError, OSError):
                self._lost(worker)
                continue
            index = worker.given.popleft()
            if index != self._next and not isinstance(found, str) and isinstance(found.out, memoryview):
                found = replace(found, out=bytes(found.out))  # its turn comes when that memory is written anew
            self._found[index] = found

    def _lost(self, worker: _Worker) -> None:
        """A worker died: others get what it was given."""
        self._workers.remove(worker)
        worker.end()
        worker.process.join()
        for index in list(worker.given)[:1]:
            self._tries[index] = self._tries.get(index, 0) + 1
            if self._tries[index] >= MOST_TRIES:
                line = self._blocks[index].mark.line + 1
                self._found[index] = f"workers die over the cases from line {line:,} on; is there enough memory?"
                worker.given.popleft()
        self._waiting.extendleft(reversed(worker.given))

    def _stop(self) -> None:
        """End all workers."""
        for worker in self._workers:
            worker.end()
        for worker in self._workers:
            worker.process.join()
        self._workers = []
