"""`refcli check`: faults of charts with file, line and caret; their examples played; what these never reach."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from refcli.cli.common import json_text, library, problems_text, say
from refcli.cli.options import Charts

if TYPE_CHECKING:
    from refcli.analysis.coverage import Share
    from refcli.analysis.examine import Findings
    from refcli.core.chart import Chart, Example
    from refcli.core.problem import Problem
    from refcli.core.walk import Walk
    from refcli.drivers.script import Case
    from refcli.load.library import Library

Selection = tuple["Library", list[str]]


def check(
    what: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATH|CHART|BOOK]…", help="What to check; all books in sight when left out."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead.")] = False,
    no_examples: Annotated[bool, typer.Option("--no-examples", help="Do not play the examples.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings count as errors.")] = False,
    explain: Annotated[
        str | None, typer.Option("--explain", metavar="CODE", help="Say what a code such as C403 stands for.")
    ] = None,
    charts: Charts = None,
) -> None:
    """Look for faults in charts and run their examples.

    Ends with 0 when all is well, with 1 when there are errors. Example: refcli check flowcharts/my-game
    """
    if explain is not None:
        say(explanation(explain))
        return
    from refcli.analysis.examine import Findings, examine

    shelf, found = library(charts), Findings()
    wanted = [text for text in what or () if not (_counted(shelf, text, found) or _rostered(shelf, text, found))]
    for chosen, ids in select(shelf, wanted) if wanted or not what else ():
        found.join(examine(chosen, ids, None if no_examples else play_example))
    say(json_text(as_data(found), indent=2) if as_json else as_text(found))
    if any(strict or is_error(problem) for problem in found.problems):
        raise typer.Exit(1)


def _counted(shelf: "Library", text: str, found: "Findings") -> bool:
    """Look at a player's own count of a deck, where a text means one."""
    from refcli.load.counts import is_count

    if not is_count(Path(text)):
        return False
    deck, problems = shelf.count(Path(text))
    found.counts[text] = None if problems else deck
    found.add(problems)
    return True


def _rostered(shelf: "Library", text: str, found: "Findings") -> bool:
    """Look at a roster, or at a folder of them, where a text means one."""
    from refcli.load.files import BOOK_FILE, chart_files
    from refcli.load.rosters import is_roster

    path = Path(text)
    files = chart_files(path) if path.is_dir() and not (path / BOOK_FILE).is_file() else [path]
    if not files or not all(map(is_roster, files)):
        return False
    for file in files:
        # one that lies in a book's folder is of that very book
        book = next((folder for folder in file.resolve().parents if (folder / BOOK_FILE).is_file()), None)
        roster, problems = (shelf if book is None else _shelf_of(shelf, book)).roster(file)
        found.rosters[str(file)] = None if problems else roster
        found.add(problems)
    return True


def explanation(text: str) -> str:
    """What a code stands for.

    Raises:
        UsageError: there is no such code.
    """
    from refcli.core.errors import UsageError
    from refcli.core.problem import Code, did_you_mean

    codes = {code.id: code for code in Code}
    code = codes.get(text.strip().upper())
    if code is None:
        hint = did_you_mean(text.strip().upper(), codes)
        raise UsageError(f"there is no code '{text}'; {hint}".removesuffix("; "))
    return f"{code.id} {code.name.lower().replace('_', ' ')}\n{code.explanation}"


def play_example(chart: "Chart", example: "Example") -> tuple["Walk", list[str]]:
    """An example played by what it says itself, defaults for the rest.

    Returns:
        The walk at its outcome, and the names of answers that were never needed. What has a default may be answered
        for the reader's sake.

    Raises:
        RefcliError: the example does not come to an outcome.
    """
    from refcli.drivers.names import fact_names
    from refcli.drivers.script import Case, check_names

    case = Case(chart=chart.id, given=example.given, rolls=example.rolls, draws=example.draws)
    check_names(case, chart)
    walk, unasked = _play(chart, case)
    facts = fact_names(chart)
    used = {fact.name for step in walk.trail for fact in step.used}
    used |= {name for name in unasked if any(fact.default is not None for fact in facts.get(name, ()))}
    return walk, [name for name in unasked if name not in used and not _needs(chart, case, name)]


def _needs(chart: "Chart", case: "Case", name: str) -> bool:
    """Whether a walk misses an answer that no step tells of: the default of another fact may have read it."""
    from refcli.core.errors import RefcliError
    from refcli.core.struct import replace

    if name not in case.given:
        return False
    try:
        _play(chart, replace(case, given={word: raw for word, raw in case.given.items() if word != name}))
    except RefcliError:
        return True
    return False


def _play(chart: "Chart", case: "Case") -> tuple["Walk", list[str]]:
    """A case played to its outcome, and the names that it was not asked for.

    What it says of the chart's facts is known from the start, so that no default of theirs asks for more; house rules
    are asked like any other fact, so that an example may set them.
    """
    from refcli.core.fact import Kind
    from refcli.core.walk import start
    from refcli.drivers.loop import drive
    from refcli.drivers.script import CaseSupplier, Defaults

    known = {}
    for name, raw in case.given.items():
        fact = chart.fact(name)
        in_order = (
            raw and isinstance(raw, list) and not (fact and fact.kind is Kind.LIST and isinstance(raw[0], dict))
        )
        if fact and not in_order:
            known[name] = raw
    supplier = CaseSupplier(case)
    walk = drive(start(chart, known, house_rules=True), [supplier, Defaults()])
    return walk, supplier.leftover()


def select(shelf: "Library", what: Sequence[str]) -> list[Selection]:
    """The charts that are meant, with the library that has them.

    Raises:
        UsageError: nothing is called so, or there are no charts there.
    """
    from refcli.core.errors import UsageError

    if not what:
        if not shelf.catalogue.ids():
            raise UsageError("there are no charts here; say where they are with --charts DIR")
        return [(shelf, shelf.catalogue.ids())]
    found: dict[Library, dict[str, None]] = {}
    for text in what:
        library, ids = _selected(shelf, text)
        if not ids:
            raise UsageError(f"there are no charts in '{text}'")
        found.setdefault(library, {}).update(dict.fromkeys(ids))
    return [(library, list(ids)) for library, ids in found.items()]


def _selected(shelf: "Library", text: str) -> Selection:
    path = Path(text)
    if text.rstrip("/") in shelf.catalogue.books:
        return shelf, _ids(shelf, text.rstrip("/"))
    if path.is_dir():
        return _folder(shelf, path)
    if path.is_file():
        return _file(shelf, path)
    return shelf, [shelf.find(text)]


def _folder(shelf: "Library", path: Path) -> Selection:
    """A book's folder, or a folder of books."""
    from refcli.load.files import BOOK_FILE, chart_files
    from refcli.load.library import Library

    if chart_files(path) or (path / BOOK_FILE).is_file():
        shelf = _shelf_of(shelf, path)
        return shelf, _ids(shelf, path.resolve().name)
    shelf = Library([path])
    return shelf, shelf.catalogue.ids()


def _file(shelf: "Library", path: Path) -> Selection:
    """A chart's file; for a book's or a deck's the whole book."""
    from refcli.core.errors import UsageError
    from refcli.load.files import BOOK_FILE

    full = path.resolve()
    book = next((folder for folder in full.parents if (folder / BOOK_FILE).is_file()), full.parent)
    shelf = _shelf_of(shelf, book)
    charts = shelf.catalogue.charts(book.name)
    if full.parent == book and full.stem in charts and full.name != BOOK_FILE:
        return shelf, [f"{book.name}/{full.stem}"]
    if not charts or full.suffix != ".yaml":
        raise UsageError(f"'{path}' is no chart: a chart is a file that ends in .yaml in the folder of its book")
    return shelf, _ids(shelf, book.name)


def _shelf_of(shelf: "Library", book: Path) -> "Library":
    """The library that has this very folder as a book: this one, or else one that looks there first."""
    from refcli.load.library import Library

    book = book.resolve()
    known = shelf.catalogue.books.get(book.name)
    if known is not None and known.resolve() == book:
        return shelf
    return Library([book.parent, *shelf.catalogue.folders])


def _ids(shelf: "Library", book: str) -> list[str]:
    return [f"{book}/{stem}" for stem in shelf.catalogue.charts(book)]


def is_error(problem: "Problem") -> bool:
    """Whether a problem stops a walk."""
    from refcli.core.problem import Severity

    return problem.severity is Severity.ERROR


def as_text(found: "Findings") -> str:
    """Every problem with its line and caret, the table of the charts, decks counted and rosters, and the verdict."""
    from refcli.render.words import clean

    parts = [problems_text(found.sorted)] if found.problems else []
    counts = [f"{file}: {deck.size} cards of {deck.id}" for file, deck in found.counts.items() if deck is not None]
    rosters = [
        f"{file}: {_many(len(roster.groups), 'group')}, {_many(roster.size, 'record')} for {roster.book}"
        for file, roster in found.rosters.items()
        if roster is not None
    ]
    table = _table(found) if found.charts or found.broken or not (found.counts or found.rosters) else []
    parts.append("\n".join([*table, *map(clean, counts), *map(clean, rosters), verdict(found)]))
    return "\n\n".join(parts)


HEADS = ("chart", "nodes", "edges", "outcomes", "modifiers", "examples")


def _table(found: "Findings") -> list[str]:
    """One line per chart: how much of it the examples reach, and how many there are."""
    from refcli.render.words import clean

    names = sorted({*found.charts, *found.broken})
    rows = [list(HEADS), *([clean(name), *_counts(found, name)] for name in names)]
    if len(found.covers) > 1:
        rows.append(["all", *_totals(found)])
    # what cannot be loaded has one cell that may be wider than its column
    wide = [max(len(row[0]) for row in rows)]
    wide += [max(len(row[at]) for row in rows if len(row) == len(HEADS)) for at in range(1, len(HEADS))]
    return ["  ".join([row[0].ljust(wide[0]), *map(str.rjust, row[1:], wide[1:])]).rstrip() for row in rows]


def _counts(found: "Findings", name: str) -> list[str]:
    if name in found.broken:
        return ["cannot be loaded"]
    chart = found.charts[name]
    cover = found.covers.get(name)
    if cover is None:
        return [str(len(chart.nodes)), "-", "-", "-", "-"]
    return [*(str(share) for share in cover.shares.values()), str(len(chart.examples))]


def _totals(found: "Findings") -> list[str]:
    from refcli.analysis.coverage import total

    shares = total(found.covers.values())
    return [*(f"{share.percent} %" for share in shares.values()), str(_examples(found))]


def _examples(found: "Findings") -> int:
    return sum(len(chart.examples) for chart in found.charts.values())


def verdict(found: "Findings") -> str:
    """The last line: how many charts, and what is wrong with them."""
    number = len(found.charts) + len(found.broken)
    decks = f"{_many(len(found.counts), 'count')} of cards" if found.counts else ""
    rosters = _many(len(found.rosters), "roster") if found.rosters else ""
    charts = _many(number, "chart") if number or not (decks or rosters) else ""
    charts = ", ".join(filter(None, (charts, decks, rosters)))
    if not found.problems:
        return f"{charts}, all clean"
    errors = sum(map(is_error, found.problems))
    counts = [(errors, "error"), (len(found.problems) - errors, "warning")]
    return f"{charts}: " + ", ".join(_many(n, word) for n, word in counts if n)


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def as_data(found: "Findings") -> dict[str, Any]:
    """The same as JSON values."""
    counts = {file: deck and {"deck": deck.id, "cards": deck.size} for file, deck in found.counts.items()}
    return {
        "problems": [_problem(problem) for problem in found.sorted],
        "charts": [_chart(found, name) for name in sorted({*found.charts, *found.broken})],
        **({"counts": counts} if counts else {}),
        **({"rosters": _rosters(found)} if found.rosters else {}),
        "errors": sum(map(is_error, found.problems)),
        "warnings": sum(not is_error(problem) for problem in found.problems),
    }


def _rosters(found: "Findings") -> dict[str, Any]:
    """Each roster's file with its book and its groups, and how many records these have; null where it has faults."""
    return {
        file: roster and {"book": roster.book, "groups": {one.name: len(one.records) for one in roster.groups}}
        for file, roster in found.rosters.items()
    }


def _problem(problem: "Problem") -> dict[str, Any]:
    place = problem.place
    found = {"code": problem.code.id, "severity": problem.severity.value, "message": problem.message}
    at = {"file": place.file, "line": place.line, "column": place.column, "width": problem.width}
    return {**found, **at, "hint": problem.hint, "mend": problem.mend}


def _chart(found: "Findings", name: str) -> dict[str, Any]:
    if name in found.broken:
        return {"id": name, "loaded": False}
    data: dict[str, Any] = {"id": name, "loaded": True, "examples": len(found.charts[name].examples)}
    if cover := found.covers.get(name):
        data |= {word: _share(share) for word, share in cover.shares.items()}
    return data


def _share(share: "Share") -> dict[str, int]:
    return {"reached": share.done, "of": share.total}
