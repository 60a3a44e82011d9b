"""Batches as somebody would write them by hand for one chart: the same lines of JSON as refcli's, to the byte.

python by_hand.py hit-or-miss|bog-down CASES OUT
"""

import sys
from typing import Any

import orjson

RANGE = {"short": 0, "medium": -3, "long": -6}
ATTACKER = {"still": 0, "slow": -1, "moderate": -3, "fast": -5}
TARGET = {"still": 0, "slow": -1, "moderate": -2, "fast": -3}
CONCEALMENT = {"none": 0, "under_third": -1, "one_to_two_thirds": -2, "over_two_thirds": -3}
MODE = {"single": 0, "automatic": 1, "guided": 2, "smart": 3, "rotary": 3}
MOVER = {"in_wire": -1, "pushed_gun": -1, "half_track": 1, "high_mobility": 1, "troops": 2, "tracked": 2, "other": 0}
VEHICLES = {"half_track", "high_mobility", "tracked", "other"}
LONG = "Reading Q43: long range counts −6."
SIZES = "Reading Q45: sizes by the cube law, size n up to (n + 1)³ cubic inches."
STUCK = "Mark it bogged down. It rolls again when it next tries to move."


def hit_or_miss(case: dict[str, Any]) -> dict[str, Any]:
    """Laser Grenadiers, for a shot that can be taken."""
    given = case["given"]
    total = (
        10
        + RANGE[given["range"]]
        + ATTACKER[given["attacker_movement"]]
        + TARGET[given["target_movement"]]
        + CONCEALMENT[given["concealment"]]
        + MODE[given["mode"]]
        + given["size"]
    )
    found = {"id": case["id"], "chart": "laser-grenadiers/hit-or-miss"}
    readings = [LONG] if given["range"] == "long" else []
    if given["size"]:
        readings.append(SIZES)
    defaults = ["morale", "detection", "under_fire", "targeting_damage"]
    if total <= 0:
        return found | {
            "outcome": "no_shot",
            "title": "No shot",
            "says": "The shot may not be taken. No die is rolled, and no effect area lands anywhere.",
            "effects": [f"The factors leave a total of {total}, and nothing hits on 0 or less."],
            "gives": {"need": 0, "total": total},
            "changes": {},
            "rolls": {},
            "draws": [],
            "defaults": defaults,
            "readings": readings,
            "unused": ["rolls.die"],
        }
    need = min(total, 9)
    die = case["rolls"]["die"]
    if die <= need:
        found |= {"outcome": "hit", "title": "Hit"}
        effects = ["Go on to penetration and damage."]
    else:
        found |= {"outcome": "miss", "title": "Miss"}
        effects = ["Nothing else happens."]
    return found | {
        "says": f"Rolled {die}, needed {need} or less.",
        "effects": effects,
        "gives": {"need": need, "total": total},
        "changes": {},
        "rolls": {"die": die},
        "draws": [],
        "defaults": [*defaults, "cap_lifted", "area"],
        "readings": readings,
        "then": "laser-grenadiers/effect-area",
    }


def bog_down(case: dict[str, Any]) -> dict[str, Any]:
    """Battlefront."""
    given, die = case["given"], case["rolls"]["die"]
    mover, bogged = given["mover"], given["bogged"]
    total = die + MOVER[mover] - bogged
    if mover in VEHICLES:
        total += given["card_rating"]
    found = {"id": case["id"], "chart": "battlefront/bog-down"}
    if total >= 6:
        found |= {"outcome": "traverse", "title": "Traverse", "says": "The unit gets across and moves on."}
        effects = ["Take its bogged-down marker off."] if bogged else []
        changes = {"bogged": False}
    elif total >= 4:
        found |= {"outcome": "bogged_or_displace", "title": "Bogged down or displace"}
        found["says"] = "The unit bogs down unless its owner displaces it."
        effects, changes = [STUCK], {"bogged": True}
    else:
        found |= {"outcome": "bogged", "title": "Bogged down", "says": "The unit is stuck where it is."}
        effects, changes = [STUCK], {"bogged": True}
    unused = [] if mover in VEHICLES else ["card_rating"]
    unused += [] if found["outcome"] == "bogged_or_displace" else ["way_out"]
    found |= {
        "effects": effects, "gives": {"total": total}, "changes": changes, "rolls": {"die": die}, "draws": [],
        "defaults": [], "readings": [],
    }  # fmt: skip
    return found | ({"unused": unused} if unused else {})


RULES = {"hit-or-miss": hit_or_miss, "bog-down": bog_down}


def main(chart: str, cases: str, out: str) -> None:
    """Rule on a file of cases."""
    rule = RULES[chart]
    with open(cases, "rb") as lines, open(out, "wb") as rulings:  # noqa: PTH123
        for line in lines:
            rulings.write(orjson.dumps(rule(orjson.loads(line)), option=orjson.OPT_APPEND_NEWLINE))


if __name__ == "__main__":
    main(*sys.argv[1:])
