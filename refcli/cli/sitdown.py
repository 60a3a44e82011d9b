"""A walk at the table as the command line wants it; without typer, so that the first question is there sooner."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refcli.cli.common import library

if TYPE_CHECKING:
    from refcli.core.chart import Chart
    from refcli.drivers.rosters import Rosters as Opened
    from refcli.drivers.script import Case
    from refcli.load.library import Library


def play_walk(
    name: str,
    *,
    answers: Sequence[str] = (),
    given: Path | None = None,
    dice: str = "ask",
    seed: int | None = None,
    house_rules: bool = False,
    defaults: bool = False,
    plain: bool = False,
    as_json: bool = False,
    trail: bool = False,
    save: Path | None = None,
    no_journal: bool = False,
    rosters: Sequence[str] = (),
    mark: bool = False,
    decks: Sequence[Path] = (),
    charts: Sequence[Path] = (),
) -> None:
    """Play a chart; the options are those of `refcli play`.

    Raises:
        Left: it stopped before its outcome, which has been told.
        RefcliError: a chart, a roster or a case is not there, or has faults; or nobody is there to answer.
    """
    from refcli.cli.rosters import open_rosters, roster_paths
    from refcli.cli.table import Sitting, sit
    from refcli.core.errors import UsageError

    if mark and not rosters:
        raise UsageError("--mark writes into a roster; say which by --roster FILE")
    shelf = library(charts, decks)
    chart = shelf.load(shelf.find(name))
    opened = open_rosters(shelf, rosters, chart)
    case = _case(shelf, chart, opened, answers, given)
    flags = ["--house-rules"] * house_rules + ["--defaults"] * defaults + ["--plain"] * plain
    flags += ["--mark"] * mark + ["--no-journal"] * no_journal + (["--dice", "auto"] if dice == "auto" else [])
    flags += [part for file in rosters for part in ("--roster", file)]
    flags += [part for file in decks for part in ("--deck", str(file))]
    flags += [part for folder in charts for part in ("--charts", str(folder))]
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
            marks=mark,
            folders=[str(folder.resolve()) for folder in shelf.catalogue.folders],
            decks=[str(file.resolve()) for file in decks],
            rosters=opened,
            roster_files=[str(file.resolve()) for file in roster_paths(shelf, rosters, chart)],
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
