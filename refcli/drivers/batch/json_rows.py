"""Cases written as JSON Lines: one object per line; blank lines and lines that begin with # are passed over.

Every line is read twice over at most: at once by the fastest reader there is, and where that has the least doubt by
the careful one, which knows the words for what is wrong. Both read the same where both read something.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from refcli.drivers.batch.row import MAX_DEPTH, TOO_DEEP, Row, depth_of

_PASSED_OVER = re.compile(rb"\n[ \t\r\x0b\x0c]*(?:#[^\n]*)?(?=\n|\Z)")
_NO_ROW = re.compile(rb"\n(?:[^{]|\Z)")
"""Where a line may be something else than an object; what this finds is looked at more closely."""
LISTED = "this begins a list: write one case per line, or give the list as YAML (--format yaml)"
Loads = Callable[[bytes], Any]
loads: Loads = json.loads


def quick_loads() -> Loads:
    """The fastest reader of JSON at hand: orjson where it is installed."""
    try:
        with undisturbed():
            import orjson
    except ImportError:
        return loads
    quick: Loads = orjson.loads
    return quick


@contextmanager
def undisturbed() -> Iterator[None]:
    """Put Ctrl-C off until the end: for the import of a library that crashes when it is interrupted."""
    import signal

    came: list[int] = []
    try:
        before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    except ValueError:  # another thread than the main one is never interrupted
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before or signal.SIG_DFL)
    if came and callable(before):
        before(came[0], None)


def whole(data: bytes) -> int:
    """How many of these bytes are whole lines."""
    return data.rfind(b"\n") + 1


def count(data: bytes) -> tuple[int, int]:
    """How many lines and how many rows these whole lines are."""
    if not data:
        return 0, 0
    end = len(data) - data.endswith(b"\n")
    lines = data.count(b"\n", 0, end) + 1
    if data.startswith(b"{") and _NO_ROW.search(data, 0, end) is None:
        return lines, lines
    return lines, lines - sum(1 for _ in _PASSED_OVER.finditer(b"\n" + data[:end]))


def is_passed_over(text: bytes) -> bool:
    """Whether a line is none of the rows: blank, or a remark."""
    return text.strip()[:1] in (b"", b"#")


def read(data: bytes, line: int, number: int, loads: Loads) -> Iterator[Row]:
    """The rows of whole lines, with `line` lines and `number` rows before them."""
    lines = data.split(b"\n")
    if not lines[-1]:
        del lines[-1]
    for at, text in enumerate(lines, line + 1):
        if text[:1] != b"{" and is_passed_over(text):
            continue
        number += 1
        yield row(text, at, number, loads)


def row(text: bytes, line: int, number: int, loads: Loads) -> Row:
    """The row of one line."""
    try:
        raw = loads(text)
        # As many colons as keys that arrived: none of them stood twice.
        flat = text.count(b":") == len(raw) + len(raw.get("given", ())) + len(raw.get("rolls", ()))
        if (flat or _is_plain(text, raw)) and type(raw.get("seed")) is not float:
            return Row(line, number, raw, "", text)
    except (ValueError, TypeError, AttributeError, RecursionError):
        pass
    return careful(text, line, number)


def _is_plain(text: bytes, raw: Any) -> bool:
    """Whether no key of a line stands twice: every colon of it is behind a key that arrived, or in a text."""
    if b"\\" in text:
        return False
    colons = 0
    level = [raw]
    for _ in range(MAX_DEPTH):
        inner: list[Any] = []
        for one in level:
            if isinstance(one, dict):
                colons += len(one) + "".join(one).count(":")
                inner += one.values()
            elif isinstance(one, list):
                inner += one
            elif isinstance(one, str):
                colons += one.count(":")
        if not inner:
            return text.count(b":") == colons
        level = inner
    return False


def careful(text: bytes, line: int, number: int) -> Row:
    """A row by the careful reader; what it cannot read is handed on as its error."""
    try:
        raw, error = parse_json(text), ""
        if isinstance(raw, list):
            raw, error = None, LISTED
    except ValueError as fault:
        raw, error = None, str(fault)
    return Row(line, number, raw, error, text)


def parse_json(data: bytes) -> Any:
    """A line of JSON.

    Raises:
        ValueError: it is none, or holds what no case can use; the message tells what, in words.
    """
    try:
        text = data.decode("utf-8").strip()
        found = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_no_doubles)
    except UnicodeDecodeError:
        raise ValueError("the line is not UTF-8 text") from None
    except json.JSONDecodeError as fault:
        raise ValueError(_unreadable(text, fault)) from None
    except RecursionError:
        raise ValueError(TOO_DEEP) from None
    except ValueError as fault:
        # Python's own word on numbers of thousands of digits speaks of its settings
        raise ValueError("a number has too many digits" if "int_max_str" in str(fault) else str(fault)) from None
    if depth_of(found) > MAX_DEPTH:
        raise ValueError(TOO_DEEP)
    return found


def _unreadable(text: str, fault: json.JSONDecodeError) -> str:
    if text.startswith("["):
        return LISTED
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


def mendable(row: Row, reason: str) -> bytes:
    """A bad row as it goes to the rejects: why, as a line that is passed over, then the line itself.

    A row without an id gets its number as id, so that it has the same name and the same dice wherever it is mended.
    """
    told = f"# line {row.line}: {' '.join(reason.split())}\n".encode("utf-8", "replace")
    if row.source is None:
        if row.raw is None:
            return told
        return told + json.dumps(_named(row.raw, row.number)).encode() + b"\n"
    text: bytes = row.source.strip()
    if isinstance(row.raw, dict) and row.raw.get("id", 0) is None:
        return told + json.dumps(_named(row.raw, row.number)).encode() + b"\n"
    nameless = "id" not in row.raw if isinstance(row.raw, dict) else b'"id"' not in text
    if nameless and text.startswith(b"{"):
        rest = text[1:].lstrip()
        gap = b" " if rest.startswith(b"}") or not rest else b", "
        text = b'{"id": ' + str(row.number).encode() + gap + rest
    return told + text + b"\n"


def _named(raw: Any, number: int) -> Any:
    if not isinstance(raw, dict) or raw.get("id") is not None:
        return raw
    return {"id": number} | {key: value for key, value in raw.items() if key != "id"}
