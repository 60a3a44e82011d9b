"""How fast batches are, as ratios to something plain measured in the same run; a part of `ratios.py`.

`engines` needs what nothing else does: pip install zen-engine datalogic-py. Rows without them say so.
"""

import itertools
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import by_hand

from refcli.core.fast import compiled
from refcli.load.library import Library

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
REFCLI = [sys.executable, "-m", "refcli", "batch"]
ROWS = 400_000
Row = tuple[str, float, float, float]
"""What is timed, its seconds, the seconds it is compared with, and the ratio to stay below."""


def case(chart: str, chance: random.Random) -> dict[str, Any]:
    """A random case with its die."""
    if chart == "hit-or-miss":
        names = ("range", "attacker_movement", "target_movement", "concealment", "mode")
        tables = (by_hand.RANGE, by_hand.ATTACKER, by_hand.TARGET, by_hand.CONCEALMENT, by_hand.MODE)
        given = {name: chance.choice(list(table)) for name, table in zip(names, tables, strict=True)}
        given |= {"size": chance.randrange(13)}
    else:
        given = {"mover": chance.choice(list(by_hand.MOVER)), "card_rating": chance.randint(-9, 9)}
        given |= {"bogged": chance.random() < 0.5, "way_out": "bog"}
    return {"given": given, "rolls": {"die": chance.randint(1, 10)}}


def cases(file: Path, chart: str, rows: int, *, first: bool = True) -> None:
    """Write random cases; with their id first, as one writes it, refcli knows those that say the same."""
    chance = random.Random(7)
    with file.open("w") as out:
        for row in range(rows):
            made = case(chart, chance)
            out.write(json.dumps({"id": row, **made} if first else {**made, "id": row}) + "\n")


def seconds(works: dict[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """Median seconds of each, taken in turn so that all meet the same machine."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            begin = time.perf_counter()
            work()
            times[name].append(time.perf_counter() - begin)
    return {name: statistics.median(found) for name, found in times.items()}


def run(folder: Path, *command: str) -> Callable[[], None]:
    """A whole process."""
    return lambda: subprocess.run(command, cwd=folder, capture_output=True, check=True) and None  # type: ignore[func-returns-value]


def batch() -> Iterator[Row]:
    """A whole batch against a loop written by hand for that chart, which gives the same bytes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for chart, first in itertools.product(by_hand.RULES, (True, False)):
            cases(folder / "cases.jsonl", chart, ROWS, first=first)
            ours = [*REFCLI, "cases.jsonl", "--chart", chart, "-o"]
            found = seconds(
                {
                    "hand": run(folder, sys.executable, str(HERE / "by_hand.py"), chart, "cases.jsonl", "hand.jsonl"),
                    "ours": run(folder, *ours, "ours.jsonl"),
                },
                5,
            )
            assert (folder / "ours.jsonl").read_bytes() == (folder / "hand.jsonl").read_bytes()
            told = f"{chart}, {ROWS:,} rows" + ("" if first else ", none remembered")
            yield f"{told}; by hand = 1", found["ours"], found["hand"], 2


def jobs() -> Iterator[Row]:
    """Two processes against one, the rulings to a file."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for chart, first in (("hit-or-miss", True), ("hit-or-miss", False)):
            cases(folder / "cases.jsonl", chart, 4 * ROWS, first=first)
            ours = [*REFCLI, "cases.jsonl", "--chart", chart]
            works = {jobs: run(folder, *ours, "--jobs", jobs, "-o", f"{jobs}.jsonl") for jobs in ("1", "2")}
            found = seconds(works, 5)
            assert (folder / "1.jsonl").read_bytes() == (folder / "2.jsonl").read_bytes()
            told = f"{chart}, {4 * ROWS:,} rows" + ("" if first else ", none remembered")
            yield f"{told}, --jobs 2; --jobs 1 = 1", found["2"], found["1"], 1 / 1.7


def memory() -> Iterator[Row]:
    """The most memory of a million rows over that of ten thousand, in MB: told as it is, not as a ratio."""
    status = Path("/proc/self/status")
    own = f"open('{status}').read().partition('VmHWM:')[2].split()[0]"
    own = own if status.exists() else "resource.getrusage(resource.RUSAGE_SELF).ru_maxrss"
    code = (
        "import resource, sys\nfrom refcli.cli.main import main\n"
        "try:\n    main(['batch', 'cases.jsonl', '--chart', 'hit-or-miss', '-o', 'out.jsonl', *sys.argv[1:]])\n"
        f"finally:\n    print(max(int({own}), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))"
    )
    # on Linux a process's `ru_maxrss` begins with that of the process that started it, which is this one
    unit = 2**20 if sys.platform == "darwin" else 2**10
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for jobs in ("1", "2"):
            peaks = []
            for rows in (10_000, 1_000_000):
                cases(folder / "cases.jsonl", "hit-or-miss", rows)
                args = [sys.executable, "-c", code, "--jobs", jobs]
                ran = subprocess.run(args, cwd=folder, capture_output=True, text=True, check=True)
                peaks.append(int(ran.stdout) / unit)
            few, many = peaks
            print(f"hit-or-miss, --jobs {jobs}: {few:.0f} MB for 10,000 rows, {many:.0f} MB for 1,000,000")
            yield f"memory of 1,000,000 rows, --jobs {jobs}; 10,000 rows + 50 MB = 1", many, few + 50, 1


DECISION = {
    "range": {"short": 0, "medium": -2, "long": -4},
    "attacker_move": {"still": 0, "slow": -1, "fast": -3, "bounding": -5},
    "target_move": {"still": 1, "slow": 0, "fast": -1, "evading": -3},
    "concealment": {"open": 2, "light": 0, "partial": -1, "heavy": -3, "fortified": -5},
    "mode": {"aimed": 2, "single": 0, "burst": 1, "auto": -1, "snap": -2},
    "size": {"small": -1, "normal": 0, "large": 2},
}
"""Ten plus six modifiers, at most nine; a hit if the die is no more."""


def decision_chart(folder: Path) -> Any:
    """The decision as a chart, compiled."""
    facts = "".join(
        f"  {name}:\n    ask: {name}\n    choices: {{{', '.join(f'{key}: {key}' for key in keys)}}}\n"
        for name, keys in DECISION.items()
    )
    lines = "".join(
        f"      - {{by: {name}, add: {{{', '.join(f'{key}: {value}' for key, value in keys.items())}}}}}\n"
        for name, keys in DECISION.items()
    )
    book = folder / "made"
    book.mkdir()
    (book / "book.yaml").write_text("title: Made\nsource: Nowhere\n")
    (book / "shot.yaml").write_text(
        f"title: Shot\nsummary: A shot.\nfacts:\n{facts}nodes:\n  score:\n    tally: total\n    start: 10\n"
        f"    modifiers:\n{lines}    cap: ..9\n    next: throw\n"
        "  throw: {roll: d10, as: die, next: look}\n  look: {decide: die <= total, yes: hit, no: miss}\n"
        "gives: {total: total}\noutcomes: {hit: {title: Hit}, miss: {title: Miss}}\n"
    )
    fast = compiled(Library([folder]).load("made/shot"))
    assert fast is not None
    return fast


def engines() -> Iterator[Row]:
    """The compiled path in memory against other engines, on the same decision: rows as dicts in, results out."""
    chance = random.Random(20240613)
    inputs = [{name: chance.choice(list(keys)) for name, keys in DECISION.items()} | {"die": chance.randint(1, 10)}
              for _ in range(20_000)]  # fmt: skip
    want = [min(10 + sum(DECISION[name][one[name]] for name in DECISION), 9) for one in inputs]
    hits = [one["die"] <= total for one, total in zip(inputs, want, strict=True)]
    with tempfile.TemporaryDirectory() as name:
        run_one = decision_chart(Path(name)).function("decide")

    def ours() -> list[tuple[int, bool]]:
        found = (run_one(None, one, one, (), None) for one in inputs)
        return [(gives["total"], outcome == "hit") for outcome, gives in found]

    def plain() -> list[bool]:
        return [run_one(None, one, one, (), None)[0] == "hit" for one in inputs]

    assert ours() == list(zip(want, hits, strict=True))
    works: dict[str, Callable[[], object]] = {"ours": ours, "plain": plain}
    try:
        works["datalogic"] = datalogic(inputs, hits)
    except ImportError:
        print("datalogic-py is not installed: pip install datalogic-py")
    try:
        works["zen"], works["zen tables"] = zen(inputs, want, "expression"), zen(inputs, want, "tables")
    except ImportError:
        print("zen-engine is not installed: pip install zen-engine")
    found = seconds(works, 9)
    told = f"{len(inputs):,} decisions in memory"
    if "datalogic" in found:
        yield f"{told}, hit or not; datalogic-py = 1", found["plain"], found["datalogic"], 1
    if "zen" in found:
        yield f"{told}; zen evaluate_batch, one expression = 1", found["ours"], found["zen"], 1 / 7
        yield f"{told}; zen evaluate_batch, six tables = 1", found["ours"], found["zen tables"], 1 / 7


def datalogic(inputs: list[dict[str, Any]], hits: list[bool]) -> Callable[[], object]:
    """JsonLogic in Rust, compiled once."""
    import datalogic_py  # type: ignore[import-not-found]

    amounts = []
    for name, keys in DECISION.items():
        chain: list[Any] = []
        for key, value in keys.items():
            chain += [{"==": [{"var": name}, key]}, value]
        amounts.append({"if": [*chain, 0]})
    rule = {"<=": [{"var": "die"}, {"min": [9, {"+": [10, *amounts]}]}]}
    made = datalogic_py.Engine().compile(rule)
    assert [made.evaluate(one) for one in inputs] == hits
    return lambda: [made.evaluate(one) for one in inputs]


def zen(inputs: list[dict[str, Any]], want: list[int], style: str) -> Callable[[], object]:
    """GoRules' decision graphs in Rust, called for many at once: six tables, or all in one expression."""
    from zen import ZenEngine  # type: ignore[import-not-found]

    at = {"x": 0, "y": 0}
    nodes: list[Any] = []
    terms = []
    for name, keys in DECISION.items():
        if style == "tables":
            rules = [{"_id": f"{name}{key}", "i": json.dumps(key), "o": str(value)} for key, value in keys.items()]
            content = {
                "hitPolicy": "first", "passThrough": True, "rules": rules,
                "inputs": [{"id": "i", "field": name, "name": name, "type": "expression"}],
                "outputs": [{"id": "o", "field": f"m_{name}", "name": name, "type": "expression"}],
            }  # fmt: skip
            nodes.append({"id": name, "type": "decisionTableNode", "name": name, "position": at, "content": content})
            terms.append(f"m_{name}")
            continue
        chain = "0"
        for key, value in keys.items():
            chain = f"({name} == {json.dumps(key)} ? {value} : {chain})"
        terms.append(chain)
    total = f"min([10 + {' + '.join(terms)}, 9])"
    made = [{"id": "1", "key": "total", "value": total}, {"id": "2", "key": "hit", "value": "die <= $.total"}]
    nodes.append(
        {"id": "calc", "type": "expressionNode", "name": "calc", "position": at, "content": {"expressions": made}}
    )
    ends = [{"id": "in", "type": "inputNode", "name": "in", "position": at}]
    ends.append({"id": "out", "type": "outputNode", "name": "out", "position": at})
    names = ["in", *(node["id"] for node in nodes), "out"]
    edges = [
        {"id": f"e{i}", "sourceId": a, "targetId": b, "type": "edge"}
        for i, (a, b) in enumerate(itertools.pairwise(names))
    ]
    graph = {"nodes": [*ends, *nodes], "edges": edges}
    engine = ZenEngine({"loader": {"type": "static", "content": {"k": graph}}})

    def many() -> list[tuple[int, bool]]:
        found: list[tuple[int, bool]] = []
        for at in range(0, len(inputs), 2000):
            out = engine.evaluate_batch([{"key": "k", "context": one} for one in inputs[at : at + 2000]])
            found += [(int(one["data"]["result"]["total"]), one["data"]["result"]["hit"]) for one in out]
        return found

    assert [total for total, _ in many()] == want
    return many


PARTS = {"batch": batch, "jobs": jobs, "memory": memory, "engines": engines}
