"""How fast refcli is, as ratios to something plain measured in the same run.

    python tests/benchmarks/ratios.py [decision] [load] [start] [batch] [jobs] [memory] [engines]

Each row: what is timed, its time (of memory: MB), what it is compared with, the ratio, and the ratio to stay below.
Exit status 1 when a ratio is above. Times are medians; run it on an idle machine. `engines` needs what nothing else
does: pip install zen-engine datalogic-py.
"""

import compileall
import itertools
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import batches
import pexpect
import yaml

from refcli.core.fast import compiled
from refcli.load.library import Library

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
ROWS: list[tuple[str, float, float, float]] = []

# -- one decision ---------------------------------------------------------------------------------------------------
RANGE = {"short": 0, "medium": -3, "long": -6}
ATTACKER = {"still": 0, "slow": -1, "moderate": -3, "fast": -5}
TARGET = {"still": 0, "slow": -1, "moderate": -2, "fast": -3}
HIDDEN = {"none": 0, "under_third": -1, "one_to_two_thirds": -2, "over_two_thirds": -3, "hidden": None}
MODE = {"single": 0, "automatic": 1, "guided": 2, "smart": 3, "rotary": 3}
SIZES = (0, 2, 4)


def by_hand(case: dict[str, Any]) -> tuple[str, dict[str, int]]:
    """The same ruling, as a programmer would write it for this one table."""
    hidden = HIDDEN[case["concealment"]]
    if hidden is None:
        return "no_shot", {"need": 0, "total": 0}
    total = (
        10
        + RANGE[case["range"]]
        + ATTACKER[case["attacker_movement"]]
        + TARGET[case["target_movement"]]
        + hidden
        + MODE[case["mode"]]
        + case["size"]
    )
    if total <= 0:
        return "no_shot", {"need": 0, "total": total}
    need = min(total, 9)
    return ("hit" if case["die"] <= need else "miss"), {"need": need, "total": total}


def inputs() -> Iterator[dict[str, Any]]:
    """All 36,000 of them."""
    names = ("range", "attacker_movement", "target_movement", "concealment", "mode", "size", "die")
    for values in itertools.product(RANGE, ATTACKER, TARGET, HIDDEN, MODE, SIZES, range(1, 11)):
        yield dict(zip(names, values, strict=True))


def best(work: Callable[[], object], repeats: int = 9) -> float:
    """Median seconds of one call."""
    work()
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def decision() -> None:
    """Decisions of hit-or-miss against the hand-written function, on the same inputs in the same order."""
    fast = compiled(Library([ROOT / "flowcharts"]).load("laser-grenadiers/hit-or-miss"))
    assert fast is not None
    cases = list(inputs())
    random.Random(1).shuffle(cases)
    answers = [{name: value for name, value in case.items() if name != "die"} for case in cases]
    pairs = [(given, {"die": case["die"]}) for given, case in zip(answers, cases, strict=True)]
    for case, (given, rolls) in zip(cases, pairs, strict=True):
        assert fast.decide(given, rolls) == by_hand(case), case
        ruling = fast.ruling(given, rolls, trail=True)
        assert ruling is not None
        assert (ruling["outcome"], ruling["gives"]) == by_hand(case)

    def hand_written() -> None:
        for case in cases:
            by_hand(case)

    def compiled_plain() -> None:
        decide = fast.decide
        for given, rolls in pairs:
            decide(given, rolls)

    def compiled_trail() -> None:
        ruling = fast.ruling
        for given, rolls in pairs:
            ruling(given, rolls, trail=True)

    hand, plain, trail = best(hand_written), best(compiled_plain), best(compiled_trail)
    print(f"hit-or-miss, {len(cases):,} inputs: by hand {len(cases) / hand:,.0f}/s,"
          f" refcli {len(cases) / plain:,.0f}/s, with trail {len(cases) / trail:,.0f}/s")  # fmt: skip
    ROWS.append(("a decision, hand-written = 1", plain, hand, 4))
    ROWS.append(("a ruling with its trail, hand-written decision = 1", trail, hand, 30))


# -- loading --------------------------------------------------------------------------------------------------------
def long_chart(lines: int) -> str:
    """A chart of about so many lines, with every kind of line a real one has."""
    text = ["title: Long", "summary: A long chart.", "facts:", "  size: {ask: 'How large?', number: 0..9}"]
    text += ["  ground:", "    ask: What ground?", "    choices:", "      open: {label: Open, tem: 0}"]
    text += ["      wood: {label: Wood, tem: -1}", "  wet: 'Is it wet?'", "nodes:"]
    index = 0
    while len(text) < lines - 12:
        text += [
            f"  test{index}: {{label: 'Large?', decide: size > {index % 8}, yes: sum{index}, no: throw{index}}}",
            f"  sum{index}:",
            f"    tally: total{index}",
            "    start: size",
            "    modifiers:",
            "      - {by: ground, add: {wood: +2}}",
            "      - {when: wet and size > 3, add: -1, label: Wet}",
            "      - {add: ground.tem, label: Ground}",
            f"    cases: {{..2: throw{index}, 3..: test{index + 1}}}",
            f"  throw{index}: {{roll: d10, as: die{index}, next: test{index + 1}}}",
        ]
        index += 1
    text += [f"  test{index}: {{decide: wet, yes: good, no: bad}}", "outcomes:"]
    text += ["  good: {title: Good, tone: good, says: 'Size <size>.'}", "  bad: {title: Bad, tone: bad}"]
    return "\n".join(text) + "\n"


def load() -> None:
    """Loading and checking a 500-line chart against libyaml's bare load of the same text."""
    from refcli.load.library import Library

    text = long_chart(500)
    with tempfile.TemporaryDirectory() as folder:
        book = Path(folder) / "made"
        book.mkdir()
        (book / "book.yaml").write_text("title: Made\nsource: Nowhere\n")
        (book / "long.yaml").write_text(text)
        chart = Library([Path(folder)]).load("made/long")
        assert len(chart.nodes) > 100
        bare = best(lambda: yaml.load(text, Loader=yaml.CSafeLoader), 25)
        ours = best(lambda: Library([Path(folder)]).load("made/long"), 25)
    ROWS.append((f"load a chart of {text.count(chr(10))} lines, yaml.load = 1", ours, bare, 5))


# -- starting -------------------------------------------------------------------------------------------------------
TYPER = """
import typer
app = typer.Typer()
@app.command()
def walk(chart: str, seed: int = 1):
    "Walk one chart."
    print(chart, seed)
@app.command()
def batch(file: str):
    "Adjudicate a batch."
    print(file)
app()
"""
SELECT = "import questionary; questionary.select('Who is it?', choices=['one', 'two', 'three']).unsafe_ask()"
CASE = (
    '{"id": 1, "chart": "battlefront/bog-down",'
    ' "given": {"mover": "tracked", "card_rating": 0, "bogged": false}, "rolls": {"die": 4}}\n'
)


def process(command: list[str], stdin: str = "", runs: int = 15) -> float:
    """Median seconds of a whole process."""
    return best(lambda: subprocess.run(command, input=stdin, capture_output=True, text=True, check=True), runs)


def prompt(command: list[str], expect: str, runs: int = 11) -> float:
    """Median seconds from start to the first question on a terminal."""
    env = {**os.environ, "PROMPT_TOOLKIT_NO_CPR": "1", "TERM": "xterm-256color"}

    def once() -> None:
        child = pexpect.spawn(command[0], command[1:], env=env, encoding="utf-8", timeout=20, dimensions=(40, 100))
        child.expect(expect)
        child.close(force=True)

    return best(once, runs)


def start() -> None:
    """Whole processes against bare ones; compiled first, as an installed program is."""
    compileall.compile_dir(ROOT / "refcli", quiet=1)
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder) / "bare.py"
        bare.write_text(TYPER)
        python, refcli = sys.executable, str(BIN / "refcli")
        help_bare = process([python, str(bare), "--help"])
        help_ours = process([refcli, "--help"])
        ROWS.append(("refcli --help, bare typer --help = 1", help_ours, help_bare, 1.3))
        run_bare = process([python, str(bare), "batch", "x"])
        run_ours = process([refcli, "batch", "-"], CASE)
        ROWS.append(("refcli batch, one row, bare typer run = 1", run_ours, run_bare, 1.3))
        ask_bare = prompt([python, "-c", SELECT], "Who is it")
        ask_ours = prompt([refcli, "play", "battlefront/bog-down"], "Who is crossing")
        ROWS.append(("first question of play, bare questionary = 1", ask_ours, ask_bare, 1.5))


def main(names: list[str]) -> int:
    """Run the parts named (all without names) and print the table."""
    parts = {"decision": decision, "load": load, "start": start, **batches.PARTS}
    for name in names or parts:
        ROWS.extend(parts[name]() or ())
    worse = 0
    for what, ours, plain, limit in ROWS:
        ratio = ours / plain
        worse += ratio > limit
        unit = 1 if what.startswith("memory") else 1e3
        print(f"{what:<64} {ours * unit:10.3f} {plain * unit:10.3f}   x{ratio:5.2f}   (at most {limit:.2g})")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
