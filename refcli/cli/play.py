"""`refcli play`: one walk at the table. Rulings go to stdout, all talk to stderr."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from refcli.cli.options import Charts, Decks, Rosters


def play(
    name: Annotated[str, typer.Argument(metavar="CHART", help="The chart; short forms will do: see refcli list.")],
    answers: Annotated[
        list[str] | None,
        typer.Option(
            "--set", "-s", metavar="FACT=VALUE", help="Answer a fact beforehand; twice: the first time, the second."
        ),
    ] = None,
    given: Annotated[
        Path | None, typer.Option("--given", metavar="FILE", help="Answers, rolls and cards: a case as YAML or JSON.")
    ] = None,
    dice: Annotated[
        Literal["ask", "auto"], typer.Option("--dice", help="Your own dice and cards, or rolled for you.")
    ] = "ask",
    seed: Annotated[int | None, typer.Option(help="Rolled for you: the same seed, the same dice.")] = None,
    house_rules: Annotated[bool, typer.Option("--house-rules", help="Ask for the house rules too.")] = False,
    defaults: Annotated[bool, typer.Option("--defaults", help="Take every default; ask only for the rest.")] = False,
    plain: Annotated[bool, typer.Option("--plain", help="Ask in plain lines even on a terminal.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The ruling as JSON, every step in it.")] = False,
    trail: Annotated[bool, typer.Option("--trail", help="Every step below the ruling.")] = False,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Where your answers go if you stop half-way.")
    ] = None,
    no_journal: Annotated[bool, typer.Option("--no-journal", help="Keep nothing of this walk on disk.")] = False,
    rosters: Rosters = None,
    mark: Annotated[bool, typer.Option("--mark", help="Write into the roster what has become of its men.")] = False,
    decks: Decks = None,
    charts: Charts = None,
) -> None:
    """Walk a chart at the table: answer what it asks, roll, get a ruling.

    At every question: ? explains, u takes the last answer back, q stops. Your answers are kept as you give them:
    refcli resume goes on. Examples:

    refcli play bog-down

    refcli play bog-down --set bogged=no --dice auto
    """
    from refcli.cli.sitdown import play_walk

    play_walk(
        name,
        answers=answers or (),
        given=given,
        dice=dice,
        seed=seed,
        house_rules=house_rules,
        defaults=defaults,
        plain=plain,
        as_json=as_json,
        trail=trail,
        save=save,
        no_journal=no_journal,
        rosters=rosters or (),
        mark=mark,
        decks=decks or (),
        charts=charts or (),
    )
