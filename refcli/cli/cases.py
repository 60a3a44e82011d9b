"""Cases from files and pipes, one after the other, as plain data. What cannot be read is handed on as its error.

JSON Lines and tables are read block by block and never kept; YAML is read whole.
"""

from collections.abc import Iterator
from pathlib import Path

from refcli.core.errors import UsageError
from refcli.core.problem import did_you_mean
from refcli.drivers.batch.blocks import Block, Cutter, Form, Mark
from refcli.drivers.batch.json_rows import parse_json as parse_json
from refcli.drivers.batch.row import MAX_LINE, Row
from refcli.drivers.batch.source import Source

FORMATS = ("jsonl", "csv", "yaml")
SUFFIXES = {".csv": "csv", ".tsv": "csv", ".yaml": "yaml", ".yml": "yaml"}
"""How a file is written, by its suffix; all others are JSON lines."""


def form_of(file: str, form: str | None) -> str:
    """How a file of cases is written: as said, else by its suffix (before `.gz`).

    Raises:
        UsageError: there is no such format.
    """
    if form is not None and form not in FORMATS:
        raise UsageError(f"--format: there is no format '{form}'; {did_you_mean(form, FORMATS)}")
    return form or SUFFIXES.get(suffix_of(file), "jsonl")


def suffix_of(file: str) -> str:
    """The suffix of a file, before `.gz`."""
    return Path(file.lower().removesuffix(".gz")).suffix


def read_rows(file: str, form: str | None) -> Iterator[Row]:
    """The cases of a file, or of the standard input for `-`.

    Args:
        file: path, or `-`.
        form: 'jsonl', 'csv' or 'yaml'; by the file's suffix when None.

    Raises:
        UsageError: the file cannot be opened, is not text in UTF-8, or its format is not known.
        RefcliError: it cannot be read to its end.
        ChartError: a YAML file that cannot be read at all.
    """
    form = form_of(file, form)
    source = Source(file)
    try:
        if form == "yaml":
            yield from yaml_rows(source)
            return
        shape, mark = start_of(source, form)
        cutter = Cutter(source.read, shape, mark, source.begin())
        for block in cutter.blocks():
            cutter.mark = shape.after(block)
            yield from shape.rows(block, block.data or b"")
    finally:
        source.close()


def yaml_rows(source: Source) -> Iterator[Row]:
    """The cases of a YAML file.

    Raises:
        UsageError: it holds no list of cases, or is too long to be read whole.
        ChartError: it cannot be read at all.
    """
    from refcli.cli.cases_yaml import MAX_BYTES, read_yaml

    data = source.begin()
    while len(data) <= MAX_BYTES and (more := source.read()):
        data += more
    if len(data) > MAX_BYTES:
        much = f"{source.name} has more than {MAX_BYTES // 1024} KB, too much for YAML"
        raise UsageError(f"{much}; write long lists of cases as JSON lines or as a table")
    yield from read_yaml(data, source.name)


def start_of(source: Source, form: str) -> tuple[Form, Mark]:
    """How the rows of an open file are written, and where they begin.

    Raises:
        UsageError: a table has no line of names that can be read.
    """
    if form != "csv":
        return Form(), Mark(source.skipped)
    from refcli.drivers.batch.csv_rows import parse_header

    at, line, lines = source.skipped, b"", 0
    while not line.strip() and (line := source.first_line()):
        at += len(line)
        lines += 1
    header = None
    if line.strip():
        try:
            header = parse_header(line.decode("utf-8"), source.name)
        except UnicodeDecodeError:
            raise UsageError(f"{source.name}: the line of names is not UTF-8 text") from None
    return Form(header), Mark(at, lines)


def peek(source: Source, form: Form) -> tuple[Row | None, bytes]:
    """The first row, None where there is none nearby; and all bytes that were read for it."""
    data = source.begin()
    while True:
        whole = data[: form.whole(data)]
        first = next(form.rows(Block(Mark(), len(whole), whole), whole), None)
        if first is not None or len(data) > MAX_LINE:
            return first, data
        more = source.read()
        if not more:
            return next(form.rows(Block(Mark(), len(data), data), data), None), data
        data += more
