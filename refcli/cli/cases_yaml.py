"""Cases written as YAML: a list of cases, or a mapping of `cases` with a `chart` (and `seed`) for all of them.

Read with the reader of the charts, so that yes, no, 1:30 and 6.10 mean the same in both.
"""

import re
from collections.abc import Iterator
from typing import Any

from refcli.core.errors import ChartError, UsageError
from refcli.core.place import Place
from refcli.core.problem import Problem, did_you_mean
from refcli.drivers.batch.row import Row
from refcli.load.reader import MAX_BYTES as MAX_BYTES
from refcli.load.reader import decode, read_tree
from refcli.load.report import Report
from refcli.load.scalars import plain as plain
from refcli.load.tree import Entries, Items, Source

KEYS = ("cases", "chart", "seed")
_FIRST = re.compile(r"^(?!\s*(?:#|$|---\s*$)).", re.MULTILINE)


def read_yaml(data: bytes, name: str) -> Iterator[Row]:
    """The cases of a YAML file; one with a fault is handed on as its error.

    Raises:
        ChartError: the file cannot be read at all.
        UsageError: it holds no list of cases.
    """
    if not data.strip():
        return
    report = Report()
    source = decode(data, name, report)
    if source is not None and not _FIRST.search(source.text):
        return
    root, added = _read(source, report) if source is not None else (None, 0)
    problems = [_moved(problem, added) for problem in report.problems]
    if root is None:
        raise ChartError(problems)
    cases, common = _cases(root, name)
    starts = [part.place.line - added for part in cases.parts]
    for number, (part, line) in enumerate(zip(cases.parts, starts, strict=True), 1):
        end = starts[number] if number < len(starts) else 10**9
        faults = [problem for problem in problems if line <= problem.place.line < end]
        if faults:
            yield Row(line, number, error="; ".join(f"line {p.place.line}: {p.message}" for p in faults))
            continue
        raw = plain(part)
        yield Row(line, number, {**common, **raw} if isinstance(raw, dict) else raw)


def _read(source: Source, report: Report) -> tuple[Entries | None, int]:
    """The tree of a file, and how many lines were put before it: a list is read as `cases:` with that list."""
    first = _FIRST.search(source.text)
    if first is None or first[0] not in "-[":
        return read_tree(source, report), 0
    added = "cases:\n" if first[0] == "-" else "cases: "
    text = source.text[: first.start()].replace("---", "   ") + added + source.text[first.start() :]
    return read_tree(Source(source.file, text), report), added.count("\n")


def _moved(problem: Problem, lines: int) -> Problem:
    if not lines or not problem.place.line:
        return problem
    place = Place(problem.place.file, max(1, problem.place.line - lines), problem.place.column)
    return Problem(problem.code, place, problem.message, problem.hint, problem.mend, problem.width, problem.severity)


def _cases(root: Entries, name: str) -> tuple[Items, dict[str, Any]]:
    for key in root.pairs:
        if key not in KEYS:
            raise UsageError(f"{name}: a file of cases has no '{key}'; {did_you_mean(key, KEYS)}".removesuffix("; "))
    cases = root.pairs["cases"][1] if "cases" in root.pairs else None
    if not isinstance(cases, Items):
        raise UsageError(f"{name}: a file of cases is a list, or a mapping with a list called 'cases'")
    return cases, {key: plain(value) for key, (_, value) in root.pairs.items() if key != "cases"}
