"""`refcli play`: one walk at the table. Rulings go to stdout, all talk to stderr."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from refcli.cli.common import library
from refcli.cli.options import Charts, Decks, Rosters

if TYPE_CHECKING:
    from refcli.core.chart import Chart
    from refcli.drivers.rosters import Rosters as Opened
    from refcli.drivers.script import Case
    from refcli.load.library import Library


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
    decks: Decks = None,
    charts: Charts = None,
) -> None:
    """Walk a chart at the table: answer what it asks, roll, get a ruling.

    At every question: ? explains, u takes the last answer back, q stops. Your answers are kept as you give them:
    refcli resume goes on. Examples:

    refcli play bog-down

    refcli play bog-down --set bogged=no --dice auto
    """
    from refcli.cli.rosters import open_rosters, roster_paths
    from refcli.cli.table import Sitting, sit

    shelf = library(charts, decks)
    chart = shelf.load(shelf.find(name))
    opened = open_rosters(shelf, rosters or (), chart)
    case = _case(shelf, chart, opened, answers or [], given)
    flags = ["--house-rules"] * house_rules + ["--defaults"] * defaults + ["--plain"] * plain
    flags += ["--no-journal"] * no_journal + (["--dice", "auto"] if dice == "auto" else [])
    flags += [part for file in rosters or () for part in ("--roster", file)]
    flags += [part for file in decks or () for part in ("--deck", str(file))]
    flags += [part for folder in charts or () for part in ("--charts", str(folder))]
    sit(
        Sitting(
            chart=chart,
            case=case,
            dice=dice,
            seed=case.seed if seed is None else seed,
            house_rules=house_rules,
            defaults=defaults,
            plain=plain,
            as_json=as_json,
            trail=trail,
            save=save,
            keeps=not no_journal and keeps_journals(),
            folders=[str(folder.resolve()) for folder in shelf.catalogue.folders],
            decks=[str(file.resolve()) for file in decks or ()],
            rosters=opened,
            roster_files=[str(file.resolve()) for file in roster_paths(shelf, rosters or (), chart)],
            flags=flags,
        )
    )


def keeps_journals() -> bool:
    """Whether walks are kept on disk; `REFCLI_JOURNAL=off` says no."""
    return os.environ.get("REFCLI_JOURNAL", "").strip().lower() not in ("off", "no", "0")


def _case(shelf: "Library", chart: "Chart", rosters: "Opened", answers: Sequence[str], file: Path | None) -> "Case":
    """What is known beforehand: the file's case, and over it what `--set` says; of rosters the records themselves.

    Raises:
        UsageError: a fact that no chart here has, a value that does not fit, or a file that is no case.
    """
    from refcli.core.errors import ReplyError, UsageError
    from refcli.core.struct import replace
    from refcli.drivers.names import fact_names
    from refcli.drivers.script import Case, check_names, read_case

    case = Case()
    try:
        if file is not None:
            case = read_case(_read_file(file), str(file))
            if case.chart and (other := shelf.find(case.chart)) != chart.id:
                raise UsageError(f"{file} is a case of {other}, not of {chart.id}")
            check_names(case, chart)
            case = replace(case, given=rosters.fill(case.given, fact_names(chart), chart.book.id))
        said = _read_answers(chart, rosters, answers)
    except ReplyError as fault:
        raise UsageError(str(fault)) from None
    kept = {name: value for name, value in case.given.items() if not any(_overrides(word, name) for word in said)}
    return replace(case, given={**kept, **said})


def _overrides(said: str, name: str) -> bool:
    """Whether a name on the command line stands for one in the file: a plain name for all that end with it."""
    return name == said or ("." not in said and name.rpartition(".")[2] == said)


def _read_answers(chart: "Chart", rosters: "Opened", answers: Sequence[str]) -> dict[str, Any]:
    """The facts that `--set` answers; one that is set more than once answers in order.

    Raises:
        ReplyError: there is no such fact, or the value does not fit.
    """
    from refcli.core.errors import ReplyError
    from refcli.core.ruling import plain
    from refcli.drivers.names import fact_names
    from refcli.drivers.script import Case, check_names

    found: dict[str, list[Any]] = {}
    facts = fact_names(chart)
    for answer in answers:
        name, sign, text = answer.partition("=")
        name = name.strip()
        if not sign or not name:
            raise ReplyError(f"--set takes fact=value, not '{answer}'")
        check_names(Case(given={name: text}, place="--set"), chart)
        faults = []
        for fact in facts[name]:  # several charts may have one of that name, and mean different things by it
            try:
                found.setdefault(name, []).append(plain(rosters.read(fact, text, chart.book.id)))
                break
            except ReplyError as fault:
                faults.append(fault)
        else:
            raise ReplyError(f"--set {name}: {faults[0]}")
    return {name: values[0] if len(values) == 1 else values for name, values in found.items()}


def _read_file(file: Path) -> Any:
    """The plain data of a file with one case.

    Raises:
        UsageError: it cannot be opened, or is no JSON.
        ChartError: it is no YAML.
    """
    from refcli.cli.cases import parse_json
    from refcli.core.errors import ChartError, UsageError
    from refcli.load.reader import MAX_BYTES

    try:
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as fault:
        raise UsageError(f"--given: cannot read '{file}': {fault.strerror}") from None
    if len(data) > MAX_BYTES:
        raise UsageError(f"--given: {file} has more than {MAX_BYTES // 1024} KB, too much for one case")
    if file.suffix.lower() == ".json" or data.lstrip().startswith(b'{"'):
        try:
            return parse_json(data)
        except ValueError as fault:
            raise UsageError(f"--given {file}: {fault}") from None
    from refcli.cli.cases_yaml import plain
    from refcli.load.reader import decode, read_tree
    from refcli.load.report import Report

    report = Report()
    source = decode(data, str(file), report)
    tree = read_tree(source, report) if source is not None else None
    if tree is None or report.problems:
        raise ChartError(report.problems)
    return plain(tree)
