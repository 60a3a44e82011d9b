"""Cases from files and pipes, one after the other, as plain data. What cannot be read is handed on as its error.

JSON Lines are read line by line and never kept; YAML is read whole.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, NoReturn

from refcli.core.errors import UsageError
from refcli.core.problem import did_you_mean
from refcli.core.struct import Struct

MAX_LINE = 4 * 1024 * 1024
"""The most bytes of one line of JSON; a real case has a thousandth of that."""
FORMATS = ("jsonl", "yaml")
_BOM = b"\xef\xbb\xbf"
_WIDE_BOMS = (b"\xff\xfe", b"\xfe\xff")


class Row(Struct):
    """One case as read: the line it starts on and its number, both from 1; `error` where it could not be read."""

    line: int
    number: int
    raw: Any = None
    error: str = ""


def read_rows(file: str, form: str | None) -> Iterator[Row]:
    """The cases of a file, or of the standard input for `-`.

    Args:
        file: path, or `-`.
        form: 'jsonl' or 'yaml'; by the file's suffix when None.

    Raises:
        UsageError: the file cannot be opened, or its format is not known.
        ChartError: a YAML file that cannot be read at all.
    """
    suffix = Path(file).suffix.lower()
    form = form or ("yaml" if suffix in (".yaml", ".yml") else "jsonl")
    if form not in FORMATS:
        raise UsageError(f"--format: there is no format '{form}'; {did_you_mean(form, FORMATS)}")
    if file == "-":
        yield from read_stream(sys.stdin.buffer, form, "stdin")
        return
    try:
        with Path(file).open("rb") as stream:
            yield from read_stream(stream, form, file)
    except OSError as fault:
        if fault.filename is None and not isinstance(fault, IsADirectoryError):
            raise  # not about our file
        raise UsageError(f"cannot read '{file}': {fault.strerror}") from None


def read_stream(stream: IO[bytes], form: str, name: str) -> Iterator[Row]:
    """The cases of an open file."""
    if form == "yaml":
        from refcli.cli.cases_yaml import read_yaml

        yield from read_yaml(stream.read(), name)
    else:
        yield from read_lines(stream)


def read_lines(stream: IO[bytes]) -> Iterator[Row]:
    """Cases written as JSON, one per line; blank lines are skipped."""
    line = number = 0
    while data := stream.readline(MAX_LINE):
        line += 1
        cut = len(data) == MAX_LINE and not data.endswith(b"\n")
        while cut and (more := stream.readline(MAX_LINE)) and not more.endswith(b"\n"):
            pass
        if line == 1:
            if data.startswith(_WIDE_BOMS):
                raise UsageError("the input is UTF-16 text; save it as UTF-8")
            data = data.removeprefix(_BOM)
        if not data.strip():
            continue
        number += 1
        if cut:
            yield Row(line, number, error=f"the line has more than {MAX_LINE // 1024 // 1024} MB")
            continue
        try:
            yield Row(line, number, parse_json(data))
        except ValueError as fault:
            yield Row(line, number, error=str(fault))


def parse_json(data: bytes) -> Any:
    """A line of JSON.

    Raises:
        ValueError: it is none, or holds what no case can use; the message tells what, in words.
    """
    try:
        text = data.decode("utf-8").strip()
        return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_no_doubles)
    except UnicodeDecodeError:
        raise ValueError("the line is not UTF-8 text") from None
    except json.JSONDecodeError as fault:
        raise ValueError(_unreadable(text, fault)) from None
    except RecursionError:
        raise ValueError("the line is nested too deep to be a case") from None
    except ValueError as fault:
        # Python's own word on numbers of thousands of digits speaks of its settings
        raise ValueError("a number has too many digits" if "int_max_str" in str(fault) else str(fault)) from None


def _unreadable(text: str, fault: json.JSONDecodeError) -> str:
    if text.startswith("["):
        return "this begins a list: write one case per line, or give the list as YAML (--format yaml)"
    what = fault.msg[:1].lower() + fault.msg[1:]
    hint = "; write one case per line" if len(text) < 3 else ""
    return f"this is not readable JSON: {what} at column {fault.colno}{hint}"


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a number that a case can use")


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        double = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f"the key '{double}' stands twice")
    return found
