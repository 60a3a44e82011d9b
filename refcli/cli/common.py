"""What the commands share: where charts are looked up, and how text and data are printed."""

import json
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from refcli.core.problem import Problem
    from refcli.load.catalogue import Catalogue
    from refcli.load.library import Library

MAX_WIDTH = 100
"""Text is never set wider than this: longer lines are hard to read."""


def library(charts: Sequence[Path] | None = None, decks: Sequence[Path] | None = None) -> "Library":
    """The charts within reach, to load.

    Args:
        charts: the folders given by `--charts`.
        decks: the files given by `--deck`, whose cards take the place of those of their decks.

    Raises:
        UsageError: a folder or file that was asked for is not there, or two files are for one deck.
        ChartError: a file of cards has faults.
    """
    from refcli.core.errors import UsageError
    from refcli.load.library import Library

    shelf = Library(folders(charts))
    for file in decks or ():
        if not file.is_file():
            raise UsageError(f"--deck: there is no file '{file}'")
        shelf.take_count(file)
    return shelf


def catalogue(charts: Sequence[Path] | None = None) -> "Catalogue":
    """The titles of the charts within reach; without what builds charts, so it is there sooner.

    Args:
        charts: the folders given by `--charts`.

    Raises:
        UsageError: a folder that was asked for is not there.
    """
    from refcli.load.catalogue import Catalogue

    return Catalogue(folders(charts))


def folders(charts: Sequence[Path] | None = None) -> list[Path]:
    """Where charts are looked up: `--charts`, `REFCLI_CHARTS`, `flowcharts` right here, then those that are shipped.

    Raises:
        UsageError: a folder that was asked for is not there.
    """
    from refcli.core.errors import UsageError

    wanted = [(folder, "--charts") for folder in charts or ()]
    named = os.environ.get("REFCLI_CHARTS", "").split(os.pathsep)
    wanted += [(Path(folder), "REFCLI_CHARTS") for folder in named if folder.strip()]
    for folder, source in wanted:
        if not folder.is_dir():
            raise UsageError(f"{source}: there is no folder '{folder}'")
    found = [folder for folder, _ in wanted]
    found += [folder for folder in (Path("flowcharts"), shipped()) if folder.is_dir()]
    first: dict[Path, Path] = {}
    for folder in found:
        first.setdefault(folder.resolve(), folder)
    return list(first.values())


def shipped() -> Path:
    """The folder of the charts that come with refcli: in the wheel, or in the repository it is run from."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "flowcharts"
    return inside if inside.is_dir() else package.parent / "flowcharts"


def width() -> int:
    """How many columns text may take: the terminal's, or `COLUMNS`, between 40 and MAX_WIDTH; 80 where unknown."""
    import shutil  # slow to import, and seldom wanted by scripts

    return max(40, min(shutil.get_terminal_size((80, 24)).columns, MAX_WIDTH))


def room_for_a_ruling() -> int:
    """How many lines a ruling may take, so that it stands whole above the question that follows; 10 or more."""
    import shutil  # slow to import, and seldom wanted by scripts

    return max(10, shutil.get_terminal_size((80, 24)).lines - 7)


def at_table() -> bool:
    """Whether somebody sits at a terminal: types there, and sees there what is printed."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def can_draw() -> bool:
    """Whether stdout is a terminal that knows more than plain lines, and signs beyond ASCII."""
    able = os.name == "nt" or os.environ.get("TERM", "dumb") not in ("", "dumb", "unknown")
    encoding = (getattr(sys.stdout, "encoding", "") or "").lower().replace("-", "")
    return able and sys.stdout is not None and sys.stdout.isatty() and encoding == "utf8"


def say(text: str) -> None:
    """Print text for people; signs the output cannot show are replaced by plain ones."""
    _write(text, sys.stdout)


def complain(text: str) -> None:
    """Print text for people on the standard error output; what it quotes cannot rewrite the screen."""
    if not text.replace("\n", "").isprintable():
        from refcli.render.problems import harmless

        text = "\n".join(map(harmless, text.split("\n")))
    _write(text, sys.stderr)


def fail(message: str, code: int = 1) -> int:
    """Tell an error; the exit code that goes with it."""
    complain(f"refcli: {message}")
    return code


def _write(text: str, stream: TextIO) -> None:
    if not text.isascii():
        from refcli.render.words import showable

        text = showable(text, stream.encoding)
    stream.write(f"{text}\n")


def silence() -> None:
    """Let all output go nowhere: there is no terminal any more, and a failed write would be one more fault."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            os.dup2(nowhere, stream.fileno())


def json_text(data: Any, *, indent: int | None = None) -> str:
    """JSON that the output can carry; nothing is lost where it cannot show a sign."""
    text = json.dumps(data, ensure_ascii=False, indent=indent)
    if not text.isascii():
        try:
            text.encode(sys.stdout.encoding or "utf-8")
        except (UnicodeEncodeError, LookupError):
            return json.dumps(data, indent=indent)
    return text


def problems_text(problems: Iterable["Problem"]) -> str:
    """Problems of charts with their lines and carets, sorted by place."""
    from refcli.load.files import read_lines
    from refcli.render.problems import render

    files: dict[str, list[str]] = {}
    parts = []
    for problem in problems:
        file = problem.place.file
        if file not in files:
            files[file] = read_lines(file)
        parts.append(render(problem, files[file]))
    return "\n\n".join(parts)
