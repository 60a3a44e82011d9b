"""`refcli play`: one walk at the table. Rulings go to stdout, all talk to stderr."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from refcli.cli.common import complain, json_text, library, say, width
from refcli.cli.options import Charts, Decks

if TYPE_CHECKING:
    from refcli.core.chart import Chart
    from refcli.core.walk import Walk
    from refcli.drivers.loop import Stopped
    from refcli.drivers.script import Case, CaseSupplier
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
    decks: Decks = None,
    charts: Charts = None,
) -> None:
    """Walk a chart at the table: answer what it asks, roll, get a ruling.

    At every question: ? explains, u takes the last answer back, q stops and keeps your answers. Examples:

    refcli play bog-down

    refcli play bog-down --set bogged=no --dice auto
    """
    from refcli.core.errors import ReplyError, UnansweredError, UsageError
    from refcli.core.walk import start
    from refcli.drivers.chance import Chance
    from refcli.drivers.loop import Stopped, Supplier, drive
    from refcli.drivers.script import CaseSupplier, Defaults, Unasked
    from refcli.drivers.terminal import choose_player

    shelf = library(charts, decks)
    chart = shelf.load(shelf.find(name))
    case = _case(shelf, chart, answers or [], given)
    scripted = CaseSupplier(case)
    stream = "" if case.id is None else str(case.id)
    chance = Chance(case.seed if seed is None else seed, stream)
    player = choose_player(plain=plain, chance=chance)
    suppliers: list[Supplier] = [scripted]
    suppliers.append(Defaults() if defaults else Unasked(house_rules=house_rules))
    suppliers += [chance, player] if dice == "auto" else [player]
    try:
        # with all house rules on: what `--set` and the file say of them holds in any case
        walk = drive(start(chart, house_rules=True), suppliers, note=player.say)
    except Stopped as stop:
        flags = (
            ["--house-rules"] * house_rules
            + ["--defaults"] * defaults
            + ["--plain"] * plain
            + ["--dice", "auto"] * (dice == "auto")
        )
        flags += [part for file in decks or () for part in ("--deck", str(file))]
        flags += [part for folder in charts or () for part in ("--charts", str(folder))]
        _keep(stop, chart, scripted, flags, save)
        raise typer.Exit(stop.exit_code) from None
    except (UnansweredError, ReplyError) as fault:
        rolled = f"\nso far rolled with --seed {chance.seed}" if chance.used and chance.is_chosen else ""
        raise UsageError(f"{fault}{rolled}") from None
    if not as_json:
        player.tell(walk, dice_only=True)
    _rule(walk, case, as_json=as_json, trail=trail)
    if chance.used and chance.is_chosen:
        complain(f"Rolled with --seed {chance.seed}.")
    if unused := scripted.leftover():
        complain(f"Not needed: {', '.join(unused)}.")


def _rule(walk: "Walk", case: "Case", *, as_json: bool, trail: bool) -> None:
    """Print the ruling."""
    if as_json:
        from refcli.core.ruling import ruling

        say(json_text(ruling(walk, case.id, trail=True)))
        return
    from refcli.render.text import ruling_text

    say(ruling_text(walk, trail, width()))


def _case(shelf: "Library", chart: "Chart", answers: Sequence[str], file: Path | None) -> "Case":
    """What is known beforehand: the file's case, and over it what `--set` says.

    Raises:
        UsageError: a fact that no chart here has, a value that does not fit, or a file that is no case.
    """
    from refcli.core.errors import ReplyError, UsageError
    from refcli.core.struct import replace
    from refcli.drivers.script import Case, check_names, read_case

    case = Case()
    try:
        if file is not None:
            case = read_case(_read_file(file), str(file))
            if case.chart and (other := shelf.find(case.chart)) != chart.id:
                raise UsageError(f"{file} is a case of {other}, not of {chart.id}")
            check_names(case, chart)
        said = _read_answers(chart, answers)
    except ReplyError as fault:
        raise UsageError(str(fault)) from None
    kept = {name: value for name, value in case.given.items() if not any(_overrides(word, name) for word in said)}
    return replace(case, given={**kept, **said})


def _overrides(said: str, name: str) -> bool:
    """Whether a name on the command line stands for one in the file: a plain name for all that end with it."""
    return name == said or ("." not in said and name.rpartition(".")[2] == said)


def _read_answers(chart: "Chart", answers: Sequence[str]) -> dict[str, Any]:
    """The facts that `--set` answers; one that is set more than once answers in order.

    Raises:
        ReplyError: there is no such fact, or the value does not fit.
    """
    from refcli.core.errors import ReplyError
    from refcli.core.ruling import plain
    from refcli.drivers.answers import read_text
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
                found.setdefault(name, []).append(plain(read_text(fact, text)))
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

    try:
        data = file.read_bytes()
    except OSError as fault:
        raise UsageError(f"--given: cannot read '{file}': {fault.strerror}") from None
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


def _keep(stop: "Stopped", chart: "Chart", scripted: "CaseSupplier", flags: list[str], save: Path | None) -> None:
    """Say where a walk stopped and how to go on from there; keep what was entered."""
    import json

    from refcli.core.ruling import plain
    from refcli.drivers.script import joined

    complain(f"\n{str(stop)[:1].upper()}{str(stop)[1:]}.")
    if not stop.answers:
        return
    answers = plain(joined(stop.answers, scripted.rest()))
    text = json.dumps({"chart": chart.id, **answers})
    if save is not None and _write(save, text):
        complain(f"Your answers are in {save}. To go on: {_command(chart, save, flags)}")
        return
    file = Path("case.json")
    complain(f"To go on, save this line as {file}, then: {_command(chart, file, flags)}\n{text}")


def _command(chart: "Chart", file: Path, flags: Sequence[str]) -> str:
    import shlex

    return shlex.join(["refcli", "play", chart.id, "--given", str(file), *flags])


def _write(file: Path, text: str) -> bool:
    """Write a file as a whole or not at all; False, and the reason told, where that fails."""
    part = file.with_name(f"{file.name}.part")
    try:
        part.write_text(text + "\n", encoding="utf-8")
        part.replace(file)
    except OSError as fault:
        complain(f"--save: cannot write '{file}': {fault.strerror}")
        return False
    return True
