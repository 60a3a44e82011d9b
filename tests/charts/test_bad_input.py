"""What players get wrong with cards and groups of men: a clear message each, and no ruling."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

REFCLI = Path(sys.executable).parent / "refcli"
ONE_MAN = {
    "chart": "up-front/fire-resolution",
    "attack": "firepower",
    "ffs": 3,
    "kia": 8,
    "pinned": False,
    "morale": 4,
}
GROUP = {
    "chart": "up-front/firepower",
    "target": "men",
    "terrain": "open",
    "fire_cards": [{"fire_needs": 1, "fire_strength": 1}],
    "firers": [{"does": "fires", "weapon": "small_arm", "fp": 3}],
    "defenders": [{"kia": 8, "pinned": False, "morale": 4}],
}


def rule(base: dict[str, Any], folder: Path, draws: Any = ("b1",), **given: Any) -> dict[str, Any]:
    facts = {name: value for name, value in (base | given).items() if name != "chart"}
    file = folder / "case.jsonl"
    file.write_text(json.dumps({"chart": base["chart"], "given": facts, "draws": list(draws)}) + "\n")
    done = subprocess.run([REFCLI, "batch", file], capture_output=True, text=True, timeout=60)
    found: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == ("error" in found)
    return found


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (
            "b7",
            "draws, card 1: rnc: 'b7' is not a choice; it can be: b0, b1, b2, b3, b4, b5, b6, r0, r1, r2, r3, r4, r5, r6",
        ),
        ("4", "draws, card 1: rnc: '4' is not a choice; did you mean 'r4' or 'b4'?"),
        (
            {"rnc": "b5", "column": {"7": 9}},
            "draws, card 1: column: 9 is out of range in column 7; a number in 1..7 is needed",
        ),
        (
            {"rnc": "b5", "column": {"11": 9}},
            "draws, card 1: columns of 'column' run from 1 to 10, not '11'",
        ),
    ],
    ids=["RNC 7", "colour missing", "position above the column", "column 11"],
)
def test_a_card_that_cannot_be(draw: Any, message: str, tmp_path: Path) -> None:
    assert rule(ONE_MAN, tmp_path, [draw])["error"] == message


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"firers": []}, "firers: a list of 1 to 10 is needed, not of 0"),
        ({"defenders": []}, "defenders: a list of 1 to 10 is needed, not of 0"),
        ({"defenders": [{}] * 11}, "defenders: a list of 1 to 10 is needed, not of 11"),
        (
            {"defenders": [{"name": "Keller", "kia": 8, "panic": 9}]},
            "defenders, Keller: PANIC is never above KIA; look at his card again (panic 9, kia 8, kia_back 0)",
        ),
    ],
    ids=["nobody fires", "0 men", "11 men in a column of 10", "PANIC above KIA"],
)
def test_a_group_that_cannot_be(given: dict[str, Any], message: str, tmp_path: Path) -> None:
    assert rule(GROUP, tmp_path, **given)["error"] == message


def test_a_strength_below_zero_is_legal(tmp_path: Path) -> None:
    assert rule(ONE_MAN, tmp_path, ffs=-3)["outcome"] == "no_effect"


def test_factors_that_pay_for_no_fire_card_make_no_attack(tmp_path: Path) -> None:
    weak = rule(GROUP, tmp_path, fire_cards=[{"fire_needs": 8, "fire_strength": 4}])
    assert (weak["outcome"], weak["effects"]) == (
        "no_attack",
        ["The factors of the group do not pay for these FIRE cards."],
    )
