"""What a batch is asked to do, and whether that goes together."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refcli.cli.cases import form_of, suffix_of
from refcli.cli.clerk import Terms
from refcli.cli.common import width
from refcli.core.errors import UsageError
from refcli.core.problem import did_you_mean
from refcli.core.struct import Struct
from refcli.drivers.batch.checkpoint import fresh_name
from refcli.drivers.batch.sink import check_apart
from refcli.render.rulings import FORMS

if TYPE_CHECKING:
    from refcli.cli.referee import Referee

ON_ERROR = ("continue", "stop")


class Options(Struct, kw_only=True):
    """The options of `refcli batch`, by the names of its function."""

    file: str
    chart: str | None = None
    form: str | None = None
    seed: int | None = None
    out: str | None = None
    to: str | None = None
    summary: bool = False
    rejects: str | None = None
    on_error: str = "continue"
    jobs: int = 1
    dask: str | None = None
    checkpoint: str | None = None
    trail: bool = False
    house_rules: bool = False
    charts: Sequence[Path] | None = None
    decks: Sequence[Path] | None = None
    rosters: Sequence[str] | None = None

    @property
    def processes(self) -> int:
        """How many processes rule; 0 stands for one on every core."""
        return self.jobs or len(
            os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)
        )

    @property
    def input_form(self) -> str:
        """How the cases are written."""
        return form_of(self.file, self.form)

    @property
    def output_form(self) -> str:
        """How the rulings, or their counts, are written."""
        return self.to or ("csv" if suffix_of(self.out or "") == ".csv" else "jsonl")

    def check(self) -> None:
        """See that the options go together.

        Raises:
            UsageError: they do not; says which, and what would.
        """
        form = self.input_form
        for option, value, legal in (("--to", self.to, FORMS), ("--on-error", self.on_error, ON_ERROR)):
            if value is not None and value not in legal:
                raise UsageError(f"{option}: there is no '{value}'; {did_you_mean(value, legal)}".removesuffix("; "))
        if self.jobs < 0:
            raise UsageError("--jobs is a number of processes: 1 or more, or 0 for one on every core")
        for option, file in (("--rejects", self.rejects), ("--checkpoint", self.checkpoint)):
            if file == "-":
                raise UsageError(f"{option} takes the name of a file, not -")
        piped = self.file == "-" or _is_odd(self.file) or self.out is None or _is_odd(self.out)
        if self.checkpoint is not None and (piped or form == "yaml"):
            raise UsageError("--checkpoint goes with a file of JSON lines or a table, and with --out FILE")
        if self.checkpoint is not None and _is_odd(self.checkpoint):  # a device might be read without end
            raise UsageError(f"--checkpoint: '{self.checkpoint}' is no file; name one that is yet to be made")
        self._check_rejects("csv" if form == "csv" else "jsonl")
        written = {"--out": self.out, "--rejects": self.rejects, "--checkpoint": self.checkpoint}
        if self.checkpoint is not None:
            written["--checkpoint, before it is whole"] = fresh_name(Path(self.checkpoint)).as_posix()
        source = None if self.file == "-" else Path(self.file)
        named = {option: file for option, file in written.items() if file is not None}
        check_apart(source, named, to_stdout=self.out is None)

    def _check_rejects(self, form: str) -> None:
        """See that a file of rejects, which are written like the cases, will also be read like them."""
        if self.rejects is not None and form_of(self.rejects, None) != form:
            path = Path(self.rejects.removesuffix(".gz"))
            better = path.with_suffix(f".{form}")
            raise UsageError(f"--rejects are written like the cases; name the file '{better}'")

    def terms(self) -> Terms:
        """The terms for the clerks; what the input decides is still open."""
        return Terms(
            chart=self.chart,
            seed=self.seed,
            trail=self.trail,
            house_rules=self.house_rules,
            charts=tuple(map(str, self.charts or ())),
            decks=tuple(map(str, self.decks or ())),
            rosters=tuple(self.rosters or ()),
            to="" if self.summary else self.output_form,
            width=width(),
            encoding=self.encoding,
            rejects=self.rejects is not None,
            packed=is_packed(self.out),
            rejects_packed=is_packed(self.rejects),
            stop=self.on_error == "stop",
        )

    def decisive(self, terms: Terms, referee: "Referee") -> dict[str, Any]:
        """All that output depends on besides the cases, by names that people know; another run must have the same."""
        from hashlib import sha256

        from refcli import __version__
        from refcli.core.family import family

        files = {"the file of cases": self.file, "--out": self.out, "--rejects": self.rejects}
        found: dict[str, Any] = {name: file and str(Path(file).absolute()) for name, file in files.items()}
        found |= {"--chart": self.chart, "--seed": self.seed, "--summary": self.summary, "--trail": self.trail}
        found |= {"--house-rules": self.house_rules, "--deck": terms.decks, "--roster": terms.rosters}
        read = [Path(file).read_bytes() for file in (*terms.decks, *terms.rosters) if Path(file).is_file()]
        found["the text of decks and rosters"] = sha256(b"\0".join(read)).hexdigest()[:12] if read else ""
        found |= {"--on-error": self.on_error, "the format": self.input_form, "the format of rulings": terms.to}
        found |= {"the line of names": terms.header, "refcli": __version__}
        if self.chart is not None:
            digests = "".join(chart.digest for chart in family([referee.chart(self.chart).chart]).values())
            found["the text of the chart"] = sha256(digests.encode()).hexdigest()[:12]
        return found

    @property
    def encoding(self) -> str:
        """What the output can carry: files everything, the standard output what its terminal shows."""
        import codecs

        try:
            return "utf-8" if self.out is not None else codecs.lookup(sys.stdout.encoding or "utf-8").name
        except LookupError:
            return "ascii"


def _is_odd(file: str) -> bool:
    """Whether something is there that is no file: a device, a pipe, a folder."""
    return Path(file).exists() and not Path(file).is_file()


def is_packed(file: str | None) -> bool:
    """Whether a file is packed by gzip, by its suffix."""
    return file is not None and file.lower().endswith(".gz")
