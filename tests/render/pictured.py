"""What a drawing of a chart must say, taken from its outline; knows nothing of the code that draws."""

import re
from typing import Any

Data = dict[str, Any]


def squeezed(text: str) -> str:
    """The text without any space, so that it does not matter where lines were broken."""
    return "".join(text.split())


def ways(data: Data) -> list[tuple[str, Data]]:
    """The ways on, each with the step it leaves; those of a table stand in its cells and need no words."""
    found = [(step["id"], edge) for step in data["steps"] for edge in step.get("edges", ())]
    tables = [(step["id"], step["table"].get("ways", {})) for step in data["steps"] if "table" in step]
    return found + [(step, {"on": "next", "to": target}) for step, targets in tables for target in targets]


def says(words: str, edge: Data) -> bool:
    """Whether the words on an arrow hold what a way is on; a band of numbers may be part of a wider one."""
    if edge["on"] == "next":
        return True
    if "band" in edge:
        low, high = (float("-inf") if edge["band"][0] is None else edge["band"][0], edge["band"][1])
        high = float("inf") if high is None else high
        return any(band[0] <= low and high <= band[1] for band in map(_band, words.split(";")))
    return squeezed(edge["words"]) in squeezed(words)


def _band(words: str) -> tuple[float, float]:
    numbers = [int(found.replace("−", "-")) for found in re.findall(r"[−-]?\d+", words)]
    if words.strip() == "any number":
        return float("-inf"), float("inf")
    if not numbers:
        return 1, 0
    if "less" in words:
        return float("-inf"), numbers[0]
    if "more" in words:
        return numbers[0], float("inf")
    return numbers[0], numbers[-1]


def modifiers(data: Data) -> list[tuple[str, list[str]]]:
    """The modifiers by their steps, each as the texts that must be told."""
    return [
        (step["id"], [modifier["label"], *(part for pair in modifier["amounts"].items() for part in pair)])
        for step in data["steps"]
        for modifier in step.get("modifiers", ())
    ]


def cells(data: Data) -> list[tuple[str, str]]:
    """The rows and cells of the tables by their steps."""
    return [
        (step["id"], text)
        for step in data["steps"]
        for row in step.get("table", {}).get("rows", ())
        for text in (row["on"], *row["cells"])
    ]
