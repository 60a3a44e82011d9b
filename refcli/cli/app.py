"""The `refcli` command: which commands there are.

Law of this file: it imports typer and nothing of ours that takes time. A command's module is imported when that
command is called, so `refcli --help` costs no more than typer itself.
"""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from refcli.cli.commands import COMMANDS
from refcli.cli.common import at_table, fail, say
from refcli.cli.options import CHARTS_HELP, Rosters

WELCOME = """\
refcli is the referee at your table. It walks a flow chart of your game, asks only what
the chart needs to know, and tells you what happens.

  refcli               on a terminal: the menu of all there is to play
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


def _completion(shell: str | None) -> None:
    if shell is None:
        return
    from refcli.cli.complete import SCRIPTS

    if shell not in SCRIPTS:
        raise typer.BadParameter(f"'{shell}' is none of {', '.join(SCRIPTS)}")
    say(SCRIPTS[shell].rstrip())
    raise typer.Exit


@app.callback(epilog=EPILOG)
def refcli(
    ctx: typer.Context,
    charts: Annotated[
        list[Path] | None, typer.Option("--charts", metavar="DIR", help=CHARTS_HELP, show_default=False)
    ] = None,
    rosters: Rosters = None,
    plain: Annotated[bool, typer.Option("--plain", help="The menu in plain lines, even on a terminal.")] = False,
    completion: Annotated[
        str | None,
        typer.Option(
            "--show-completion",
            metavar="SHELL",
            callback=_completion,
            is_eager=True,
            help="What makes Tab complete charts and facts in bash, zsh or fish.",
        ),
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """The referee at the table: walks a wargame's flow charts and rules."""
    if charts or rosters:
        ctx.default_map = {name: {"charts": charts, "rosters": rosters} for name in COMMANDS}
    if ctx.invoked_subcommand is None:
        if at_table():
            from refcli.cli.menu import menu

            raise typer.Exit(menu(charts, plain=plain, rosters=rosters or ()))
        say(WELCOME.rstrip())


def run(args: Sequence[str]) -> int:
    """Run a command.

    Returns:
        Its exit code; wrong usage has been told by then, errors of the work itself pass through.
    """
    try:
        done = typer.main.get_command(app).main(args=args, prog_name="refcli", standalone_mode=False)
        return done if isinstance(done, int) else 0
    except typer.Abort:
        return fail("the input has ended")
    except typer.TyperException as fault:
        where = getattr(getattr(fault, "ctx", None), "command_path", "refcli")
        message = fault.format_message()
        return fail(f"{message[:1].lower()}{message[1:]}\nTry '{where} --help'.", fault.exit_code)
