"""A whole turn of two units, from the gas to the close combat, on a terminal and in a batch."""

import json
import subprocess
import sys
from pathlib import Path

from refcli.load.library import Library
from tests.drivers.screen import Screen
from tests.typist import case_of, typed_for

ROOT = Path(__file__).parents[2]
REFCLI = Path(sys.executable).parent / "refcli"
CASE = case_of("battlefront/turn-sequence", "B1-whole-turn")


def test_a_turn_walked_by_keys_rules_as_the_batch_does(tmp_path: Path) -> None:
    typed = typed_for(Library([ROOT / "flowcharts"]).load("battlefront/turn-sequence"), CASE)
    screen = Screen(ROOT / "flowcharts", "--plain", "--json", chart="battlefront/turn-sequence")
    for prompt, _, text in typed:
        screen.wait(" ".join(prompt.split())[:30])
        screen.keys(text, "\r")
    code, seen = screen.finish()
    assert code == 0
    ruling = json.loads(seen[seen.index('{"chart"') :].replace("\r\n", ""))
    file = tmp_path / "case.jsonl"
    file.write_text(json.dumps(CASE) + "\n", encoding="utf-8")
    done = subprocess.run([REFCLI, "batch", "--trail", file], capture_output=True, text=True, timeout=60, cwd=ROOT)
    assert done.returncode == 0, done.stdout
    batch = json.loads(done.stdout)
    assert (ruling["outcome"], ruling["effects"]) == (batch["outcome"], batch["effects"])
    assert ruling["trail"] == batch["trail"]
    phases = [step["value"] for step in ruling["trail"] if step["kind"] == "do" and step["value"].startswith("Phase")]
    assert [phase.split(",")[0].removeprefix("Phase ") for phase in phases] == [
        "1", "2a", "2b", "2c", "2d", "2e", "3", "4a", "4b", "5",
    ]  # fmt: skip
    rulings = [(step["chart"], step["node"]) for step in ruling["trail"] if step["kind"] == "outcome"]
    assert len(rulings) > 10
    assert rulings[-1] == ("battlefront/turn-sequence", "turn_over")
