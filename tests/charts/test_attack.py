"""A whole firepower attack, four men on five: by keys, through a pipe and in a batch it is one and the same."""

import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from refcli.core.fact import Kind
from refcli.load.library import Library
from tests.drivers.screen import Screen
from tests.typist import ENTER, case_of, typed_for, typist_for

ROOT = Path(__file__).parents[2]
REFCLI = Path(sys.executable).parent / "refcli"
CASE = case_of("up-front/firepower", "X-four-on-five")
"""Smoke, a Breeze on the second card and a red 6 on the third."""


Typed = list[tuple[str, Kind, str]]


@pytest.fixture(scope="module")
def typed() -> Typed:
    return typed_for(Library([ROOT / "flowcharts"]).load("up-front/firepower"), CASE)


def told(text: str) -> str:
    """A ruling as one line, without what only tells how it was answered."""
    return " ".join(re.split(r"Defaults? used", text)[0].split())


@pytest.fixture(scope="module")
def piped(typed: Typed) -> str:
    lines = "".join(f"{text}\n" for _, _, text in typed)
    done = subprocess.run(
        [REFCLI, "play", "up-front/firepower"], input=lines, capture_output=True, text=True, timeout=60, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_ruling_gives_every_man_his_own_strength(piped: str) -> None:
    assert [line.strip() for line in piped.splitlines() if re.match(r" +(Adler|Braun|Clemens|Dorn|Eck)", line)] == [
        "Adler: Black 1 · 4 → Pinned",  # strength 3
        "Braun: Black 0 · 3 → No effect",  # strength 3, and his card blows the Smoke away
        "Clemens: Red 6 · −2 → No effect",  # strength 4, and a weapon breaks
        "Dorn: Black 2 · 4 → Pinned",  # strength 2
        "Eck: Black 0 · 2 → No effect",  # strength 2
    ]
    assert piped.startswith("RESOLVED\nFinal fire strength 3.\n")


def test_a_batch_gives_the_same_ruling(piped: str, tmp_path: Path) -> None:
    file = tmp_path / "case.jsonl"
    file.write_text(json.dumps(CASE) + "\n", encoding="utf-8")
    done = subprocess.run([REFCLI, "batch", file], capture_output=True, text=True, timeout=60, cwd=ROOT)
    assert done.returncode == 0, done.stdout
    ruling = json.loads(done.stdout)
    assert (ruling["outcome"], ruling["says"]) == ("resolved", "Final fire strength 3.")
    marks = [" ".join(line.removeprefix("[ ]").split()) for line in ruling["effects"]]
    shown = " ".join(piped.split())
    assert all(mark in shown for mark in marks)


def test_lines_on_a_terminal_give_the_same_ruling(piped: str, typed: Typed) -> None:
    screen = Screen(ROOT / "flowcharts", "--plain", chart="up-front/firepower")
    for prompt, _, text in typed:
        screen.wait(" ".join(prompt.split())[:30])
        screen.keys(text, "\r")
    code, seen = screen.finish()
    assert code == 0
    assert told(piped) in " ".join(seen.replace("\r", "").split())


def test_keys_on_a_small_terminal_give_the_same_ruling(piped: str) -> None:
    """A whole attack by single keys; each prompt stands on a screen of 60 columns and 20 lines."""
    typist = typist_for(Library([ROOT / "flowcharts"]).load("up-front/firepower"), CASE)
    screen = Screen(ROOT / "flowcharts", chart="up-front/firepower", columns=60, rows=20)
    for prompt, keys in typist.strokes:
        screen.awaits(prompt)
        if keys[0] == ENTER:
            time.sleep(0.25)  # until Enter is no longer taken for the end of an answer that needed none
        screen.keys(*keys)
    ruled = screen.shows("What now?")
    assert ruled.index(" RESOLVED\nFinal fire strength 3.\n") < ruled.index("(w tells the rest)\n? What now?")
    screen.keys("w")
    screen.shows("pages 1, 3, 6\n? What now?")
    code, seen = screen.finish()
    assert code == 0
    ruled = "".join(seen.split())
    assert "".join(told(piped).split("Why")[0].split()) in ruled
    for man in ("Adler: Black 1 · 4 → Pinned", "Clemens: Red 6 · −2 → No effect", "Eck: Black 0 · 2 → No effect"):
        assert "".join(man.split()) in ruled


def test_the_keys_for_each_man_are_few() -> None:
    """Counted as on a terminal, where Enter is needed only behind what could go on, with all the rest of the attack."""
    typist = typist_for(Library([ROOT / "flowcharts"]).load("up-front/firepower"), CASE)
    names = sum(len(record["name"]) + 1 for group in ("firers", "defenders") for record in CASE["given"][group])
    assert (len(typist.typed), sum(typist.keys), names) == (80, 147, 50)
    assert (sum(typist.keys) - names) / 9 < 11  # for each of the nine men, but for his name
