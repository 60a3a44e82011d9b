"""`refcli batch`: many cases in, one ruling per case out, in order. One bad case never stops the rest."""

from typing import Annotated, Any

import typer

from refcli.cli.options import Charts, Decks, Rosters
from refcli.cli.run_batch import run_batch


def batch(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="Cases as JSON lines, CSV or YAML; - reads stdin.")],
    chart: Annotated[str | None, typer.Option(help="The chart for cases that name none.")] = None,
    form: Annotated[
        str | None,
        typer.Option("--format", metavar="jsonl|csv|yaml", help="How FILE is written; else its suffix tells."),
    ] = None,
    out: Annotated[
        str | None, typer.Option("--out", "-o", metavar="FILE", help="Where the rulings go; else to stdout.")
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            "--to", metavar="jsonl|csv|table", help="How rulings are written; else the suffix of --out tells."
        ),
    ] = None,
    summary: Annotated[
        bool, typer.Option("--summary", help="No rulings, only how often each outcome came up.")
    ] = False,
    seed: Annotated[
        int | None, typer.Option(help="Roll and draw what cases leave open; the same seed and id, the same dice.")
    ] = None,
    rejects: Annotated[
        str | None, typer.Option(metavar="FILE", help="Keep bad cases there, with why, to be mended and run again.")
    ] = None,
    on_error: Annotated[
        str, typer.Option("--on-error", metavar="continue|stop", help="What a bad case does to those after it.")
    ] = "continue",
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", metavar="N", help="Processes to share a long file; 0 for all cores.")
    ] = 1,
    dask: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS|local", help="Share the cases over a cluster of dask; local starts one here."),
    ] = None,
    checkpoint: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Note there how far the batch is; after a kill the same command goes on."),
    ] = None,
    trail: Annotated[bool, typer.Option("--trail", help="Add every step to the rulings.")] = False,
    house_rules: Annotated[bool, typer.Option("--house-rules", help="Cases answer the house rules too.")] = False,
    rosters: Rosters = None,
    decks: Decks = None,
    charts: Charts = None,
) -> None:
    """Rule on many cases from a file.

    Every case becomes one line of JSON, or one row of a table. Files may end in .gz. Example:

    echo '{"given": {"mover": "tracked", "bogged": "no"}, "rolls": {"die": 4}}' | refcli batch - --chart bog-down
    """
    options: dict[str, Any] = dict(locals())
    code = run_batch(**options)
    if code:
        raise typer.Exit(code)
