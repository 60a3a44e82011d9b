"""Walks that were kept: journals read, listed and found again by name.

A journal may come from anywhere, so everything in it is looked at before it is believed.
"""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from refcli.core.errors import UsageError
from refcli.core.struct import Struct, replace
from refcli.drivers.answers import clean
from refcli.drivers.journal import BY_OTHERS, FORMAT, JournalError

MAX_BYTES = 16 * 2**20
"""The largest journal that is read."""


class Kept(Struct):
    """A reply as a journal keeps it.

    `kind` is ask, roll or draw; `name` what was rolled or drawn; `chart` is who asked; `source` and `his` are as in
    `Supplied`.
    """

    kind: str
    name: str
    chart: str
    reply: Any
    source: str
    his: bool | None = None

    @property
    def is_entered(self) -> bool:
        """Whether a player gave it himself."""
        return self.source not in BY_OTHERS

    def __str__(self) -> str:
        if self.kind == "ask":
            said = ", ".join(f"{key} = {_brief(part)}" for key, part in self.reply.items())
        else:
            said = f"the {self.kind} '{self.name}' = {_brief(self.reply)}"
        return clean(said)


class Record(Struct):
    """A journal as read: its first line, the replies that hold, and how the walk ended, if it did.

    `digest` and `files` are those of the chart as it was walked last. `kept` are answers that a changed chart has had
    no use for yet: to be offered again. `auto` tells that the player had left all dice to chance. `size` is how many
    bytes of the file hold, `is_cut` that its last line lacks its end.
    """

    path: Path
    head: Mapping[str, Any]
    digest: str
    files: Mapping[str, Any]
    replies: tuple[Kept, ...] = ()
    kept: tuple[Kept, ...] = ()
    ending: Mapping[str, Any] | None = None
    auto: bool = False
    size: int = 0
    is_cut: bool = False

    @property
    def id(self) -> str:
        """What the walk is called."""
        return self.path.stem

    @property
    def chart(self) -> str:
        """The full id of the chart."""
        return str(self.head["chart"])

    @property
    def entered(self) -> int:
        """How many replies a player gave himself."""
        return sum(reply.is_entered for reply in self.replies)

    @property
    def case(self) -> Mapping[str, Any]:
        """What was known beforehand, as raw data."""
        found = self.head.get("case")
        return found if isinstance(found, dict) else {}

    def texts(self, key: str) -> list[str]:
        """A list of texts of the first line, as they stand; empty where there is none."""
        found = self.head.get(key)
        return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []

    def text(self, key: str) -> str:
        """A text of the first line, safe to print; empty where there is none."""
        value = self.head.get(key)
        return clean(value) if isinstance(value, str) else ""

    @property
    def ruled(self) -> str:
        """The title of the outcome; empty where the walk has not ended."""
        return clean(str(self.ending.get("title", ""))) or "ended" if self.ending is not None else ""


def read_journal(path: Path) -> Record:
    """A journal from its file; a torn end is left out.

    Raises:
        JournalError: it cannot be read, or is no journal; the message names the file and the line.
    """
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as fault:
        raise JournalError(f"cannot read '{path}': {getattr(fault, 'strerror', None) or fault}") from None
    if len(data) > MAX_BYTES:
        raise JournalError(f"'{path}' is too large for a journal: more than {MAX_BYTES // 2**20} MB")
    lines = data.split(b"\n")
    read = [_object(line) for line in lines]
    while read and read[-1] is None:
        read.pop()
    head = read[0] if read else None
    if head is None or "journal" not in head:
        raise JournalError(f"'{path}' is no journal of refcli: its first line does not say so")
    if head["journal"] != FORMAT:
        raise JournalError(f"'{path}' was written by another version of refcli: its format is not {FORMAT}")
    if not isinstance(head.get("chart"), str) or not isinstance(head.get("files", {}), dict):
        raise JournalError(f"'{path}', line 1: it does not say which chart was walked")
    reading = _Reading()
    for number, line in enumerate(read[1:], 2):
        if line is None:
            if lines[number - 1].strip():
                raise JournalError(f"'{path}', line {number}, is damaged")
        elif not reading.take(line):
            raise JournalError(f"'{path}', line {number}, is nothing that a journal says")
    size = sum(len(line) + 1 for line in lines[: len(read)])
    return Record(
        path,
        head,
        reading.digest or str(head.get("digest", "")),
        reading.files or head.get("files", {}),
        tuple(reading.replies),
        tuple(reading.kept),
        reading.ending,
        reading.auto,
        min(size, len(data)),
        size > len(data),
    )


def _object(line: bytes) -> dict[str, Any] | None:
    """A line as a JSON object; None where it is none."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


class _Reading:
    """What the lines have said so far."""

    def __init__(self) -> None:
        self.replies: list[Kept] = []
        self.kept: list[Kept] = []
        self.ending: dict[str, Any] | None = None
        self.auto = False
        self.digest = ""
        self.files: dict[str, Any] = {}

    def take(self, line: dict[str, Any]) -> bool:
        """Take one line; False where it makes no sense."""
        if "outcome" in line:
            self.ending = line
            return isinstance(line["outcome"], str)
        self.ending = None
        self.auto = self.auto or line.get("auto") is True
        if "back" in line:
            return self._cut(line["back"], keep=False)
        if "changed" in line:
            self.digest, self.files = line.get("digest", ""), line.get("files", {})
            fits = isinstance(self.digest, str) and isinstance(self.files, dict)
            return fits and self._cut(line["changed"], keep=True)
        reply = _reply(line)
        if reply is None:
            return False
        self.replies.append(reply)
        self.kept = without(self.kept, reply)
        return True

    def _cut(self, count: Any, *, keep: bool) -> bool:
        if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= len(self.replies):
            return False
        if keep:
            self.kept = [reply for reply in self.replies[count:] if reply.is_entered] + self.kept
        del self.replies[count:]
        return True


def _reply(line: dict[str, Any]) -> Kept | None:
    """A reply, whose value is for the walk to judge; None where the line is none."""
    kind = next((word for word in ("ask", "roll", "draw") if word in line), "")
    chart, source = line.get("chart"), line.get("by")
    if not kind or not isinstance(chart, str) or not isinstance(source, str):
        return None
    if kind == "ask":
        value, name = line["ask"], ""
        fits = isinstance(value, dict) and bool(value)
    else:
        value, name = line.get("shows"), line[kind]
        fits = isinstance(name, str) and isinstance(value, dict if kind == "draw" else int | list)
    his = line.get("his")
    fits = fits and (his is None or isinstance(his, bool))
    return Kept(kind, name, chart, value, source, his) if fits else None


def without(kept: list[Kept], reply: Kept) -> list[Kept]:
    """What is still to be offered once a reply has been given: of every question the first answer is used up."""
    left: list[Kept] = []
    keys = set(reply.reply) if reply.kind == "ask" else {reply.name}
    for one in kept:
        if not keys or (one.kind, one.chart) != (reply.kind, reply.chart):
            left.append(one)
        elif one.kind != "ask":
            if one.name in keys:
                keys.clear()
            else:
                left.append(one)
        elif rest := {key: value for key, value in one.reply.items() if key not in keys}:
            keys -= set(one.reply)
            left.append(replace(one, reply=rest))
        else:
            keys -= set(one.reply)
    return left


def journals(folder: Path) -> list[Path]:
    """The journals of a folder; the one that was written to last comes first."""
    try:
        found = [entry for entry in os.scandir(folder) if entry.name.endswith(".jsonl") and entry.is_file()]
        found.sort(key=lambda entry: (entry.stat().st_mtime_ns, entry.name), reverse=True)
    except OSError:
        return []
    return [Path(entry.path) for entry in found]


def find(word: str, folder: Path) -> Path:
    """The journal that is meant: by its whole name, the beginning of it, or any part of it that no other has.

    Raises:
        UsageError: no walk or several are called so; names them.
    """
    files = {path.stem: path for path in journals(folder)}
    word = word.strip().removesuffix(".jsonl")
    if word in files:
        return files[word]
    near = [name for name in files if word and name.startswith(word)]
    near = near or [name for name in files if word and word in name]
    if len(near) == 1:
        return files[near[0]]
    if near:
        names = ", ".join(near[:8]) + (", …" if len(near) > 8 else "")
        raise UsageError(f"'{word}' could be {len(near)} walks: {names}")
    raise UsageError(f"there is no walk '{word}'; refcli log lists them" if files else "no walk has been kept yet")


def records(folder: Path) -> Iterator[Record | tuple[Path, JournalError]]:
    """The journals of a folder, the latest first; of those that cannot be read, why. One hardly begun is left out."""
    for path in journals(folder):
        try:
            yield read_journal(path)
        except JournalError as fault:
            if not _is_just_begun(path):
                yield path, fault


def _is_just_begun(path: Path) -> bool:
    """Whether a file lacks even its first line: the walk was killed, or is being played, before a reply was kept."""
    try:
        with path.open("rb") as stream:
            return b"\n" not in stream.read(MAX_BYTES)
    except OSError:
        return False


def _brief(value: Any) -> str:
    """A value in words, cut where it is long."""
    try:
        text = _words(value)
    except RecursionError:
        return "…"
    return text if len(text) <= 60 else text[:59] + "…"


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name} {_words(part)}" for name, part in value.items()) or "unseen"
    if isinstance(value, list):
        mark = " " if all(isinstance(part, int) for part in value) else "; "
        return mark.join(map(_words, value)) or "none"
    return str(value)
