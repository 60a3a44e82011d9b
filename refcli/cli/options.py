"""Options that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

CHARTS_HELP = "A folder of books to look in first; may be given more than once."
Charts = Annotated[list[Path] | None, typer.Option("--charts", metavar="DIR", help=CHARTS_HELP, show_default=False)]
"""The `--charts` option of a command. Left out, it is what `refcli --charts DIR command` says."""
Decks = Annotated[
    list[Path] | None,
    typer.Option(
        "--deck",
        metavar="FILE",
        help="Your own count of a deck, to draw from; once for each deck.",
        show_default=False,
    ),
]
"""The `--deck` option of a command."""
Rosters = Annotated[
    list[str] | None,
    typer.Option(
        "--roster",
        metavar="FILE",
        help="Groups of men or vehicles to answer lists with; may be given more than once.",
        show_default=False,
    ),
]
"""The `--roster` option of a command: a path, or the name of a roster that comes with a book."""
