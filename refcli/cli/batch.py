"""`refcli batch`: many cases in, one ruling per case out, in order. One bad case never stops the rest."""

from typing import Annotated

import typer

from refcli.cli.options import Charts, Decks
from refcli.cli.referee import run_batch


def batch(
    file: Annotated[
        str, typer.Argument(metavar="FILE|-", help="Cases: one JSON object per line, or YAML; - reads stdin.")
    ],
    chart: Annotated[str | None, typer.Option(help="The chart for cases that name none.")] = None,
    form: Annotated[
        str | None, typer.Option("--format", metavar="jsonl|yaml", help="How FILE is written; else its suffix tells.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Roll and draw what cases leave open; the same seed, the same dice.")
    ] = None,
    trail: Annotated[bool, typer.Option("--trail", help="Add every step to the rulings.")] = False,
    house_rules: Annotated[bool, typer.Option("--house-rules", help="Cases answer the house rules too.")] = False,
    decks: Decks = None,
    charts: Charts = None,
) -> None:
    """Rule on many cases from a file.

    Every case becomes one line of JSON. Example:

    echo '{"given": {"mover": "tracked", "bogged": "no"}, "rolls": {"die": 4}}' | refcli batch - --chart bog-down
    """
    code = run_batch(file, chart, form, seed, trail=trail, house_rules=house_rules, charts=charts, decks=decks)
    if code:
        raise typer.Exit(code)
