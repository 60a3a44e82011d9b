"""What became of a batch: how many cases, rulings and errors, and how often each outcome."""

import json
from collections.abc import Mapping

Outcomes = Mapping[str, Mapping[str, int]]
"""How often each outcome came up, by chart."""


def counts_text(rows: int, errors: int, outcomes: Outcomes) -> str:
    """The counts in a few lines: the cases, and below them the outcomes of each chart."""
    if not rows:
        return "no cases: the input is empty"
    lines = [f"{many(rows, 'case')}: {many(rows - errors, 'ruling')}, {many(errors, 'error')}"]
    for chart, counts in sorted(outcomes.items()):
        lines.append(f"  {chart}: " + ", ".join(f"{name} {count:,}" for name, count in _by_number(counts)))
    return "\n".join(lines)


def summary(form: str, rows: int, errors: int, outcomes: Outcomes) -> str:
    """The counts alone: `jsonl`, `csv`, or else a table for the screen with shares of each chart's rulings."""
    if form == "jsonl":
        found = {"cases": rows, "rulings": rows - errors, "errors": errors, "outcomes": outcomes}
        return json.dumps(found, sort_keys=True, separators=(",", ":")) + "\n"
    if form == "csv":
        lines = [
            (chart, name, str(count))
            for chart, counts in sorted(outcomes.items())
            for name, count in _by_number(counts)
        ]
        from refcli.core.cells import row_of  # slow to import, and counts are seldom cells

        return "".join(map(row_of, [("chart", "outcome", "count"), *lines, ("", "error", str(errors))]))
    texts = [counts_text(rows, errors, {})]
    for chart, counts in sorted(outcomes.items()):
        every = sum(counts.values())
        wide = max(map(len, counts))
        texts += ["", chart]
        texts += [
            f"  {name:{wide}}  {count:>11,}  {100 * count / every:5.1f} %" for name, count in _by_number(counts)
        ]
    return "\n".join(texts) + "\n"


def _by_number(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """The outcomes that came up most often first."""
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def many(count: int, noun: str) -> str:
    """A number of something, in words."""
    return f"{count:,} {noun}" + ("" if count == 1 else "s")
