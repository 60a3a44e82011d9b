"""What the Tab key offers in a shell: commands, charts, facts and their values. Typer is imported for options only.

`refcli --show-completion bash` prints what to put into the shell's own start file. The shell then asks
`refcli --complete SHELL LINE` with the line up to the cursor, and gets one offer a line.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refcli.cli.common import say

if TYPE_CHECKING:
    from refcli.core.chart import Chart

Offer = tuple[str, str]
"""A word, and what it stands for."""

SCRIPTS = {
    "bash": """\
# put this into ~/.bashrc:  source <(refcli --show-completion bash)
_refcli() {
    local IFS=$'\\n'
    COMPREPLY=($(refcli --complete bash "${COMP_LINE:0:COMP_POINT}" 2>/dev/null))
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
}
complete -o default -F _refcli refcli
""",
    "zsh": """\
# put this into ~/.zshrc, behind compinit:  source <(refcli --show-completion zsh)
_refcli() {
    setopt local_options extended_glob
    local -a offers open
    offers=("${(@f)$(refcli --complete zsh "${BUFFER[1,CURSOR]}" 2>/dev/null)}")
    open=(${(M)offers:#[^:]##=(|:*)})  # a value is to follow, and no space
    offers=(${offers:|open})
    if (( $#offers + $#open )); then _describe refcli offers -- open -S ''; else _files; fi
}
compdef _refcli refcli
""",
    "fish": """\
# put this into ~/.config/fish/completions/refcli.fish:  refcli --show-completion fish > that file
complete -c refcli -f -a '(refcli --complete fish (commandline -cp) 2>/dev/null)'
complete -c refcli -n '__fish_seen_subcommand_from batch check replay' -F
for option in charts deck given roster save
    complete -c refcli -l $option -r -F
end
""",
}

PLACES = {
    "play": ("charts",),
    "odds": ("charts",),
    "show": ("charts", "books"),
    "print": ("charts", "books"),
    "check": ("charts", "books"),
    "list": ("books",),
    "resume": ("walks",),
    "replay": ("walks",),
}
"""What the arguments of a command are."""

VALUES = {
    "--dice": ("ask", "auto"),
    "--format": ("jsonl", "yaml", "csv"),
    "--chart": (),
    "-s": (),
    "--set": (),
    "--by": (),
}
FACTS = ("--set", "-s", "--by")


def complete(shell: str, line: str) -> int:
    """Print what may stand at the end of a line; never an error, whatever goes wrong.

    Args:
        shell: bash, zsh or fish.
        line: the line up to the cursor, the program's name first.
    """
    words = split(line)
    try:
        found = [(word, what) for word, what in offers(words[1:]) if word.startswith(words[-1])]
    except Exception:  # a chart that is broken or not there offers nothing
        found = []
    say("\n".join(shown(shell, words[-1], found))) if found else None
    return 0


def split(line: str) -> list[str]:
    """The words of a line; the last is the one being typed, empty where none is begun."""
    import shlex

    try:
        words = shlex.split(line)
    except ValueError:  # a quote is still open
        words = line.replace('"', "").replace("'", "").split()
    return [*words, ""] if not words or line[-1:].isspace() else words


def shown(shell: str, typed: str, found: Iterable[Offer]) -> Iterator[str]:
    """The offers as the shell wants them."""
    for word, what in sorted(set(found)):
        if shell == "fish":
            yield f"{word}\t{what}" if what else word
        elif shell == "zsh":
            yield f"{word.replace(':', chr(92) + ':')}:{what}" if what else word
        else:  # bash takes = and : for the ends of words
            cut = max(typed.rfind("="), typed.rfind(":")) + 1
            yield word[cut:]


def offers(words: Sequence[str]) -> Iterator[Offer]:
    """What may stand where the last of these words stands; the others come before it."""
    from refcli.cli.commands import COMMANDS

    *before, typed = words
    command = next((word for word in before if word in COMMANDS), "")
    option = before[-1] if before and before[-1].startswith("-") else ""
    if option in FACTS:
        yield from _facts(before, typed)
    elif option == "--chart":
        yield from _charts(before)
    elif VALUES.get(option):
        yield from ((value, "") for value in VALUES[option])
    elif not command:
        yield from ((name, summary) for name, (_, _, summary) in COMMANDS.items())
    elif typed.startswith("-"):
        yield from _options(command)
    else:
        for place in PLACES.get(command, ()):
            yield from {"charts": _charts, "books": _books, "walks": _walks}[place](before)


def _shelf(before: Sequence[str]) -> Any:
    """The charts within reach of a line."""
    from refcli.cli.common import catalogue

    found = [Path(before[place + 1]) for place, word in enumerate(before[:-1]) if word == "--charts"]
    return catalogue(found)


def _charts(before: Sequence[str]) -> Iterator[Offer]:
    """Every chart by its full id, and by its short one where no other book has it."""
    shelf = _shelf(before)
    ids = shelf.ids()
    stems = [full.partition("/")[2] for full in ids]
    for full, stem in zip(ids, stems, strict=True):
        yield full, ""
        if stems.count(stem) == 1:
            yield stem, ""


def _books(before: Sequence[str]) -> Iterator[Offer]:
    yield from ((book, "") for book in _shelf(before).books)


def _walks(before: Sequence[str]) -> Iterator[Offer]:
    from refcli.drivers.journal import walks_folder
    from refcli.drivers.walks import journals

    yield from ((path.stem, "") for path in journals(walks_folder()))


def _facts(before: Sequence[str], typed: str) -> Iterator[Offer]:
    """The facts of the chart on the line, or the values of one of them behind its `=`."""
    from refcli.core.fact import Kind
    from refcli.core.family import family
    from refcli.drivers.names import fact_names

    chart = _chart(before)
    if chart is None:
        return
    name, sign, _ = typed.partition("=")
    charts = family([chart]).values()
    read = {name for one in charts for name in (*one.facts, *one.reads)}
    read |= {field.name for one in charts for name in read if (fact := one.fact(name)) for field in fact.fields}
    names = {name: facts for name, facts in fact_names(chart).items() if name in read}
    if not sign:
        yield from ((f"{one}=", facts[0].ask) for one, facts in names.items())
        return
    for fact in names.get(name, ()):
        if fact.kind is Kind.YES_NO:
            yield from ((f"{name}={word}", "") for word in ("yes", "no"))
        yield from ((f"{name}={choice.key}", choice.label) for choice in fact.choices)


def _chart(before: Sequence[str]) -> "Chart | None":
    """The chart that a line names."""
    from refcli.cli.common import library

    shelf = library([Path(before[place + 1]) for place, word in enumerate(before[:-1]) if word == "--charts"])
    for word in before[1:]:
        if not word.startswith("-") and "=" not in word:
            return shelf.load(shelf.find(word))
    return None


def _options(command: str) -> Iterator[Offer]:
    """The options of a command, each with its help."""
    import typer

    from refcli.cli.app import app

    group: Any = typer.main.get_command(app)
    made = group.get_command(None, command)
    for option in getattr(made, "params", ()):
        for name in getattr(option, "opts", ()):
            if name.startswith("--"):
                yield name, getattr(option, "help", "") or ""
    yield "--help", ""
