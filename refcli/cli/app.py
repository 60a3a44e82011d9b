"""The `refcli` command: which commands there are, and the one place where errors become messages.

Law of this file: it imports typer and nothing of ours that takes time. A command's module is imported when that
command is called, so `refcli --help` costs no more than typer itself.
"""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from refcli.cli.common import CHARTS_HELP, complain, say

COMMANDS = {
    "play": ("refcli.cli.play", "play", "Walk a chart at the table: answer what it asks, roll, get a ruling."),
    "list": ("refcli.cli.list_", "list_charts", "List the books and their charts."),
    "show": ("refcli.cli.show", "show", "Read a chart or a book on screen."),
    "batch": ("refcli.cli.batch", "batch", "Rule on many cases from a file."),
    "check": ("refcli.cli.check", "check", "Look for faults in charts and run their examples."),
}
"""Every command: its module, its function, and its line in `refcli --help`."""

WELCOME = """\
refcli is the referee at your table. It walks a flow chart of your game, asks only what
the chart needs to know, and tells you what happens.

  refcli list          the books and charts you have
  refcli play CHART    play one, for example: refcli play bog-down
  refcli show CHART    read one on screen
  refcli batch FILE    rule on many cases at once
  refcli check         look for faults in charts of your own
  refcli --help        everything else
"""

EPILOG = "Example: refcli play bog-down"


class LazyGroup(TyperGroup):
    """Commands that are imported only when they are called."""

    def list_commands(self, ctx: Any) -> list[str]:
        """All names, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of that name, imported now; None when there is none."""
        if cmd_name not in COMMANDS:
            return None
        module, function, _ = COMMANDS[cmd_name]
        made = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
        made.command(cmd_name)(getattr(import_module(module), function))
        return typer.main.get_command(made)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The list of commands in the help, without importing one."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, _, summary) in COMMANDS.items()])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command called; a misspelt one is answered with the nearest."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            from refcli.core.problem import did_you_mean

            hint = did_you_mean(args[0], COMMANDS, most=len(COMMANDS))
            ctx.fail(f"there is no command '{args[0]}'; {hint}")
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=LazyGroup,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from refcli import __version__

        say(f"refcli {__version__}")
        raise typer.Exit


@app.callback(epilog=EPILOG)
def refcli(
    ctx: typer.Context,
    charts: Annotated[
        list[Path] | None, typer.Option("--charts", metavar="DIR", help=CHARTS_HELP, show_default=False)
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """The referee at the table: walks a wargame's flow charts and rules."""
    if charts:
        ctx.default_map = {name: {"charts": charts} for name in COMMANDS}
    if ctx.invoked_subcommand is None:
        say(WELCOME.rstrip())


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and end the process.

    Args:
        args: the arguments without the program's name; those of the process when None.

    Raises:
        SystemExit: always. 0 all is well, 1 faults were found or the work stopped short, 2 wrong usage, 130 Ctrl-C.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        code = _run(args)
        sys.stdout.flush()
    except BrokenPipeError:
        # whoever read our output has left; Python would complain once more when it flushes at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    raise SystemExit(code)


def _run(args: Sequence[str] | None) -> int:
    """The exit code of a run; every error has been told by then."""
    try:
        done = typer.main.get_command(app).main(args=args, prog_name="refcli", standalone_mode=False)
        return done if isinstance(done, int) else 0
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        raise
    except typer.Abort:
        return _fail("the input has ended")
    except typer.TyperException as fault:
        where = getattr(getattr(fault, "ctx", None), "command_path", "refcli")
        message = fault.format_message()
        return _fail(f"{message[:1].lower()}{message[1:]}\nTry '{where} --help'.", fault.exit_code)
    except OSError as fault:
        named = f"'{fault.filename}': " if fault.filename else ""
        return _debug(fault) or _fail(f"{named}{fault.strerror or fault}")
    except Exception as fault:
        return _report(fault)


def _report(fault: Exception) -> int:
    """Tell an error of ours, or a fault in refcli itself."""
    from refcli.core.errors import ChartError, RefcliError

    if isinstance(fault, ChartError):
        from refcli.cli.common import problems_text

        complain(problems_text(fault.problems))
        return fault.exit_code
    if isinstance(fault, RefcliError):
        return _fail(str(fault), fault.exit_code)
    what = f"{type(fault).__name__}: {fault}".splitlines()[0][:200]
    return _debug(fault) or _fail(
        f"this is a fault of refcli, please report it: {what}\n(REFCLI_DEBUG=1 shows where it happened)"
    )


def _debug(fault: Exception) -> int:
    """The traceback of a fault, only for those who asked for it."""
    if os.environ.get("REFCLI_DEBUG") != "1":
        return 0
    import traceback

    traceback.print_exception(fault)
    return 1


def _fail(message: str, code: int = 1) -> int:
    complain(f"refcli: {message}")
    return code
