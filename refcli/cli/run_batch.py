"""A batch from its beginning to its end: the input cut into blocks, ruled on, written in order, counted."""

from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refcli.cli.batch_options import Options, is_packed
from refcli.cli.cases import peek, start_of, yaml_rows
from refcli.cli.clerk import Clerk, Terms, packed
from refcli.cli.columns import check_header, columns_of, rejects_head
from refcli.cli.common import complain
from refcli.cli.progress import is_watched, watched
from refcli.core.errors import RefcliError
from refcli.core.struct import replace
from refcli.drivers.batch.blocks import Block, Cutter, Form, Mark
from refcli.drivers.batch.sink import Sink
from refcli.drivers.batch.source import Source
from refcli.drivers.batch.totals import Done, Totals
from refcli.render.counts import counts_text, many, summary

if TYPE_CHECKING:
    from refcli.cli.referee import Referee
    from refcli.drivers.batch.checkpoint import Checkpoint, State


def run_batch(**options: Any) -> int:
    """Rule on the cases of a file, write one ruling for each, and tell on stderr what became of them.

    Args:
        options: those of `Options`.

    Returns:
        The exit code: 0 all were ruled on, 1 some were not, 130 Ctrl-C.

    Raises:
        UsageError: the options do not go together, or name what is not there.
        RefcliError: the input cannot be read or the output cannot be written any further.
    """
    wanted = Options(**options)
    if wanted.out == "-":
        wanted = replace(wanted, out=None)
    wanted.check()
    source = Source(wanted.file)
    try:
        return _Batch(wanted, source).run()
    finally:
        source.close()


class _Batch:
    """One batch on its way."""

    def __init__(self, wanted: Options, source: Source) -> None:
        self.wanted = wanted
        self.source = source
        self.totals = Totals()
        self.checkpoint: Checkpoint | None = None
        self.out: Sink | None = None
        self.rejects: Sink | None = None
        self.stopped = ""
        self._line = 0
        self._rejects_head = b""

    def run(self) -> int:
        """Rule on all cases; the exit code."""
        try:
            with closing(self._watched()) as blocks:
                for done in blocks:
                    self._take(done)
                    if self.stopped:
                        break
            return self._finish()
        except KeyboardInterrupt:
            self._tell_stop()
            return 130
        except RefcliError:
            if self.totals.rows:
                self._tell_stop()
            raise
        finally:
            for sink in (self.out, self.rejects):
                if sink is not None:
                    sink.close()

    # what is ruled on

    def _watched(self) -> Generator[Done, None, None]:
        """The blocks, with a bar where somebody sees it."""
        wanted, source = self.wanted, self.source
        blocks = self._yaml() if wanted.input_form == "yaml" else self._blocks()
        if not is_watched(to_file=wanted.out is not None or wanted.summary):
            yield from blocks
            return

        def at(done: Done) -> int:
            return source.at() if source.path is None else done.after.offset

        yield from watched(blocks, source.size, at, lambda: self.totals.rows)

    def _yaml(self) -> Iterator[Done]:
        """All cases of a YAML file in one."""
        terms = self.wanted.terms()
        referee = terms.referee()
        rows = list(yaml_rows(self.source))
        terms = replace(terms, columns=columns_of(terms, referee, rows[0].raw if rows else None))
        self._open(terms, None)
        return iter([Clerk(terms, None, referee).rule(iter(rows), Mark())])

    def _blocks(self) -> Iterator[Done]:
        """The blocks of JSON lines or of a table, in order."""
        source = self.source
        terms = self.wanted.terms()
        referee = terms.referee()
        form, mark = start_of(source, self.wanted.input_form)
        if form.header is not None:
            terms = replace(terms, header=form.header.names, delimiter=form.header.delimiter)
            self._rejects_head = rejects_head(form.header)
            check_header(form.header, referee, source.name)
        rest = None
        if terms.to == "csv":
            first, rest = peek(source, form)
            terms = replace(terms, columns=columns_of(terms, referee, first.raw if first is not None else None))
        state = self._resume(terms, referee)
        self._open(terms, state)
        if state is not None:
            mark, rest = state.mark, b""
            source.skip_to(mark.offset)
        cutter = Cutter(source.read, form, mark, source.begin() if rest is None else rest)
        clerk = Clerk(terms, source.path, referee)
        if self.wanted.dask is not None:
            return _on_dask(source, cutter, form, clerk, self.wanted.dask, self.wanted.jobs)
        jobs = self.wanted.processes
        if jobs == 1 or (source.path is not None and source.size - mark.offset <= source.step):
            return _alone(cutter, clerk)
        from refcli.drivers.batch.pool import Pool

        return _together(source, cutter, form, lambda blocks: Pool(clerk, jobs).run(blocks))

    def _resume(self, terms: Terms, referee: "Referee") -> "State | None":
        """Where an earlier run of the same command came to, if there was one."""
        if self.wanted.checkpoint is None:
            return None
        from refcli.drivers.batch.checkpoint import Checkpoint

        self.checkpoint = Checkpoint(
            self.wanted.checkpoint, Path(self.wanted.file), self.wanted.decisive(terms, referee)
        )
        state = self.checkpoint.load()
        if state is not None:
            self.totals.restore(state.counts)
            self._line = state.mark.line
            complain(f"going on after {many(self.totals.rows, 'case')}, at line {state.mark.line + 1:,}")
        return state

    def _open(self, terms: Terms, state: "State | None") -> None:
        """Open what is written to, and write what stands before the first ruling."""
        wanted = self.wanted
        out, rejects = (None, None) if state is None else state.sizes
        if wanted.rejects is not None:
            self.rejects = Sink(wanted.rejects, "", rejects)
        self.out = Sink(wanted.out, "the rulings", out)
        writer = terms.writer()
        if writer is not None and state is None:
            self.out.write(packed(writer.head(), terms.packed))

    # what becomes of it

    def _take(self, done: Done) -> None:
        """Write a block of rulings, count it, and note how far that is."""
        assert self.out is not None
        self.out.write(done.out)
        if not done.stopped:
            self._reject(done.rejects)
        self.totals.add(done)
        self._line = done.after.line
        if self.checkpoint is not None and (done.stopped or self.checkpoint.due()):
            self.checkpoint.save(done.after, self.totals.data(), self._keep)
        if done.stopped:  # the row at fault is not done: the next run begins with it
            self._reject(done.rejects)
            self.totals.errors += 1
            self.stopped = done.stopped

    def _reject(self, data: bytes) -> None:
        """Keep bad rows."""
        if self.rejects is None or not data:
            return
        if not self.rejects.size and self._rejects_head:
            self.rejects.write(packed(self._rejects_head, is_packed(self.wanted.rejects)))
        self.rejects.write(data)

    def _keep(self) -> tuple[int, ...]:
        """Bring all that was written to the disk; the sizes of the files."""
        sinks = (self.out, self.rejects)
        for sink in sinks:
            if sink is not None:
                sink.keep()
        return tuple(0 if sink is None else sink.size for sink in sinks)

    def _finish(self) -> int:
        """Tell what became of the batch; the exit code."""
        assert self.out is not None
        totals, wanted = self.totals, self.wanted
        counts = totals.rows, totals.errors, totals.outcomes
        if wanted.summary:
            form = wanted.to or (wanted.output_form if wanted.out is not None else "table")
            data = summary(form, *counts).encode(wanted.encoding, "replace")
            self.out.write(packed(data, is_packed(wanted.out)))
        else:
            complain(counts_text(*counts))
        self._tell()
        if self.checkpoint is not None and not self.stopped:
            self._keep()
            self.checkpoint.remove()
        return 1 if totals.errors else 0

    def _tell_stop(self) -> None:
        """Tell how far a batch came that did not come to its end."""
        totals = self.totals
        bad = f" ({many(totals.errors, 'error')})" if totals.errors else ""
        where = f", before line {self._line + 1:,}" if self._line else ""
        more = "; the same command goes on from there" if self.checkpoint is not None else ""
        complain(f"stopped after {many(totals.rows, 'case')}{bad}{where}{more}")

    def _tell(self) -> None:
        """Tell the bad rows where the rulings do not show them, and what else is odd."""
        totals, wanted = self.totals, self.wanted
        if wanted.out is not None or wanted.summary:
            for line, reason in totals.told:
                complain(f"  line {line:,}: {reason}")
            more = totals.errors - len(totals.told) - bool(self.stopped)
            if more > 0:
                keep = "" if wanted.rejects is not None else "; --rejects FILE keeps them all"
                complain(f"  and {more:,} more{keep}")
        if wanted.rejects is not None and totals.errors:
            complain(f"  '{wanted.rejects}' has the bad ones, to be mended and run again")
        if totals.first_double:
            complain(f"note: {totals.first_double}; cases of one id roll the same dice")
        if self.stopped:
            how = "; mend it and run the same command to go on" if self.checkpoint is not None else ""
            complain(f"stopped at {self.stopped}{how}")


def _alone(cutter: Cutter, clerk: Clerk) -> Iterator[Done]:
    """Rule on all blocks in this process."""
    for block in cutter.blocks():
        done = clerk(block)
        cutter.mark = done.after
        yield done


def _on_dask(source: Source, cutter: Cutter, form: Form, clerk: Clerk, address: str, jobs: int) -> Iterator[Done]:
    """Rule on all blocks on a cluster of dask."""
    from refcli.cli.on_dask import on_dask

    with on_dask(address, jobs, clerk) as run:
        yield from _together(source, cutter, form, run)


def _together(
    source: Source, cutter: Cutter, form: Form, run: Callable[[Iterator[Block]], Generator[Done, None, None]]
) -> Iterator[Done]:
    """Rule on all blocks in several processes, which read a file's by themselves.

    A row's number tells how many are before it. To take every line of a file for a row, and to begin anew behind the
    first block where some are none, is faster than to look at each. Where the input breaks, all before comes first.
    """
    guess = source.path is not None
    while True:
        guessed: deque[Mark] = deque()
        broken: list[RefcliError] = []
        blocks = _marked(cutter, form, guessed, broken, guess=guess, lean=source.path is not None)
        with closing(run(blocks)) as found:
            for done in found:
                yield done
                after = done.after
                if after != guessed.popleft():
                    break
            else:
                if broken:
                    raise broken[0]
                return
        guess = False
        source.skip_to(after.offset)
        cutter = Cutter(source.read, form, after)


def _marked(
    cutter: Cutter, form: Form, marks: "deque[Mark]", broken: list[RefcliError], *, guess: bool, lean: bool
) -> Iterator[Block]:
    """Blocks with their places; the places behind them are added to the marks. Lean ones are without their bytes.

    A line that cannot be read keeps them. What ends the input too early is added to `broken`.
    """
    try:
        for block in cutter.blocks():
            cutter.mark = form.after(block, guess=guess)
            marks.append(cutter.mark)
            yield replace(block, data=None) if lean and not block.error else block
    except RefcliError as fault:
        broken.append(fault)
