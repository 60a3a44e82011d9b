"""Where `refcli` starts, and the one place where errors become messages and exit codes."""

import os
import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from refcli.cli.common import complain, fail, silence
from refcli.cli.stops import Left

FLAGS = {"--trail": "trail", "--house-rules": "house_rules", "--summary": "summary"}
VALUES = {
    "--chart": "chart", "--format": "form", "--seed": "seed", "--out": "out", "-o": "out", "--to": "to",
    "--rejects": "rejects", "--on-error": "on_error", "--jobs": "jobs", "-j": "jobs", "--checkpoint": "checkpoint",
    "--roster": "rosters",
}  # fmt: skip
"""The options of a batch that are read without typer: flags, and those with a value."""
PLAY_FLAGS = {
    "--plain": "plain", "--json": "as_json", "--trail": "trail", "--defaults": "defaults", "--mark": "mark",
    "--house-rules": "house_rules", "--no-journal": "no_journal",
}  # fmt: skip
PLAY_VALUES = {
    "--set": "answers", "-s": "answers", "--given": "given", "--dice": "dice", "--seed": "seed", "--save": "save",
    "--roster": "rosters", "--deck": "decks", "--charts": "charts",
}  # fmt: skip
"""The options of a walk that are read without typer."""
NUMBERS = ("seed", "jobs")
LISTS = ("rosters", "answers", "decks", "charts")
PATHS = ("given", "save", "decks", "charts")
WHOLE = re.compile("-?[0-9]{1,18}")


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and end the process.

    Args:
        args: the arguments without the program's name; those of the process when None.

    Raises:
        SystemExit: always. 0 all is well, 1 faults were found or the work stopped short, 2 wrong usage, 130 Ctrl-C.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # whoever started us closed it: what is said there goes nowhere
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        code = _run(sys.argv[1:] if args is None else list(args))
        sys.stdout.flush()
    except BrokenPipeError:
        # whoever read our output has left; Python would complain once more when it flushes at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    except OSError as fault:
        # a full disk, or the terminal itself is gone and nothing can be told any more
        with suppress(OSError):
            fail(f"cannot write the output: {fault.strerror}")
        silence()
        code = 1
    raise SystemExit(code)


def _run(args: list[str]) -> int:
    """The exit code of a run; every error has been told by then."""
    try:
        if len(args) == 3 and args[0] == "--complete":
            from refcli.cli.complete import complete

            return complete(args[1], args[2])
        options = plain_batch(args)
        if options is not None:
            from refcli.cli.run_batch import run_batch

            return run_batch(**options)
        wanted = plain_play(args)
        if wanted is not None:
            from refcli.cli.sitdown import play_walk

            play_walk(**wanted)
            return 0
        from refcli.cli.app import run

        return run(args)
    except Left as stop:
        return stop.exit_code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        raise
    except OSError as fault:
        named = f"'{fault.filename}': " if fault.filename else ""
        return _debug(fault) or fail(f"{named}{fault.strerror or fault}")
    except Exception as fault:
        return _report(fault)


def plain_batch(args: Sequence[str]) -> dict[str, Any] | None:
    """The options of a batch that is called in the plainest way; None leaves the arguments to typer.

    Scripts start batches by the thousand, and importing typer takes longer than ruling on a case.
    """
    if len(args) < 2 or args[0] != "batch":
        return None
    return _read(args[1:], "file", FLAGS, VALUES)


def plain_play(args: Sequence[str]) -> dict[str, Any] | None:
    """The options of a walk that is played in a plain way; None leaves the arguments to typer.

    Importing typer would be a third of the time from Enter to the first question.
    """
    if len(args) < 2 or args[0] != "play":
        return None
    found = _read(args[1:], "name", PLAY_FLAGS, PLAY_VALUES)
    return found if found is not None and found.get("dice", "ask") in ("ask", "auto") else None


def _read(
    args: Sequence[str], first: str, flags: Mapping[str, str], values: Mapping[str, str]
) -> dict[str, Any] | None:
    """What the words after a command say; None where anything is not plain. `first` is what is no option."""
    options: dict[str, Any] = {}
    rest = iter(args)
    for word in rest:
        if word in flags:
            options[flags[word]] = True
        elif word in values:
            name, value = values[word], next(rest, None)
            if value is None or (name in NUMBERS and not WHOLE.fullmatch(value)):
                return None
            kind = Path if name in PATHS else int if name in NUMBERS else str
            if name in LISTS:
                options.setdefault(name, []).append(kind(value))
            else:
                options[name] = kind(value)
        elif (word == "-" or not word.startswith("-")) and first not in options:
            options[first] = word
        else:
            return None
    return options if first in options else None


def _report(fault: Exception) -> int:
    """Tell an error of ours, or a fault in refcli itself."""
    from refcli.core.errors import ChartError, RefcliError

    if isinstance(fault, ChartError):
        from refcli.cli.common import problems_text

        complain(problems_text(fault.problems))
        return fault.exit_code
    if isinstance(fault, RefcliError):
        return fail(str(fault), fault.exit_code)
    what = f"{type(fault).__name__}: {fault}".splitlines()[0][:200]
    return _debug(fault) or fail(
        f"this is a fault of refcli, please report it: {what}\n(REFCLI_DEBUG=1 shows where it happened)"
    )


def _debug(fault: Exception) -> int:
    """The traceback of a fault, only for those who asked for it."""
    if os.environ.get("REFCLI_DEBUG") != "1":
        return 0
    import traceback

    traceback.print_exception(fault)
    return 1
