"""Finding and opening the files of books. Nothing outside the given folders is ever read."""

import os
import re
from pathlib import Path

from refcli.core.place import Place
from refcli.core.problem import Code, Problem
from refcli.load.reader import MAX_BYTES, decode, read_tree
from refcli.load.report import Report
from refcli.load.tree import Entries, Source

BOOK_FILE = "book.yaml"


def shown(path: Path) -> str:
    """A path as a user would type it: from the current folder where it lies inside."""
    try:
        return os.path.relpath(path) if path.resolve().is_relative_to(Path.cwd()) else str(path)
    except (OSError, ValueError, RuntimeError):  # the last for links in a ring, before Python 3.13
        return str(path)


def lies_in(path: Path, folder: Path) -> bool:
    """Whether a file truly lies in a folder, links followed."""
    return path.resolve().is_relative_to(folder.resolve())


def open_source(path: Path, folder: Path, report: Report, most: int = MAX_BYTES + 1) -> Source | None:
    """The text of a file in a folder; None where it cannot be had, which is reported."""
    file = shown(path)
    try:
        if not path.is_file():
            what = "this is a folder, not a file" if path.is_dir() else "there is no such file"
            what = "this is no plain file" if path.exists() and not path.is_dir() else what
            report.put(Problem(Code.UNREADABLE, Place(file), what, width=0))
            return None
        if not lies_in(path, folder):
            what = f"the file leads out of {shown(folder)}"
            report.put(Problem(Code.UNREADABLE, Place(file), what, mend="put the file itself there", width=0))
            return None
        with path.open("rb") as stream:
            data = stream.read(most)
    except (OSError, ValueError) as fault:
        why = getattr(fault, "strerror", None) or str(fault)
        report.put(Problem(Code.UNREADABLE, Place(file), f"the file cannot be opened: {why}", width=0))
        return None
    return decode(data, file, report)


def has_top_key(path: Path, key: str) -> bool:
    """Whether a file has that key at its top, though it may be broken elsewhere."""
    source = open_source(path, path.resolve().parent, Report()) if path.is_file() else None
    return source is not None and re.search(rf"^(?:\{{[^{{}}\n]*?)?{key}\s*:", source.text, re.MULTILINE) is not None


def open_tree(path: Path, folder: Path, report: Report) -> Entries | None:
    """The marked tree of a file in a folder; None where there is none, which is reported."""
    source = open_source(path, folder, report)
    return None if source is None else read_tree(source, report)


def chart_files(book: Path) -> list[Path]:
    """The chart files of a book's folder, by name."""
    try:
        names = sorted(entry.name for entry in os.scandir(book) if entry.name.endswith(".yaml"))
    except OSError:
        return []
    return [book / name for name in names if name != BOOK_FILE and not name.startswith(".")]


def is_book(folder: Path) -> bool:
    """Whether a folder is a book, or means to be one."""
    return (folder / BOOK_FILE).is_file() or bool(chart_files(folder))


def book_folders(folder: Path) -> list[Path]:
    """The folders of books within a folder, by name."""
    try:
        entries = [entry for entry in os.scandir(folder) if entry.is_dir() and not entry.name.startswith(".")]
    except OSError:
        return []
    return [folder / name for name in sorted(entry.name for entry in entries)]


def read_lines(file: str) -> list[str]:
    """The lines of a file as problems count them; none where it cannot be read."""
    try:
        if not Path(file).is_file():
            return []
        with Path(file).open("rb") as stream:
            data = stream.read(MAX_BYTES)
    except (OSError, ValueError):
        return []
    return data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n").split("\n")
