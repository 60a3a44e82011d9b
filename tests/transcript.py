"""The walk that the README shows, played by keys on a terminal and written down: `python tests/transcript.py`.

Every frame is what the keys have changed on the screen: the lines from the first new one on.
"""

import os
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
BEGIN, END = "<!-- made by: python tests/transcript.py -->\n```text\n", "```\n<!-- end -->\n"

STEPS = (
    ("Who is crossing?", "6", "6 is the tracked vehicle"),
    ("Modifier: 2", "2", "2 ticks the second line; the total moves"),
    ("Modifier: 1", "\r", "Enter takes the form"),
    ("Roll to cross", "2", "a 2 on the ten-sided die"),
    ("What now?", "i", "i asks: what if?"),
    ("1 Roll to cross: 2", "1", "the die"),
    ("Instead: Roll to cross", "9", "a 9"),
    ("(Nothing has been changed.)", "q", "q leaves"),
)
"""What stands on the screen, the key pressed then, and why."""


def transcript() -> str:
    """The whole walk, frame by frame."""
    from tests.drivers.screen import Screen

    with tempfile.TemporaryDirectory() as home:
        screen = Screen(ROOT / "flowcharts", chart="bog-down", columns=78, rows=48, REFCLI_HOME=home)
        lines = ["$ refcli play bog-down"]
        before: list[str] = []
        for shown, key, why in STEPS:
            now = screen.shows(shown).splitlines()
            lines += changed(before, now)
            lines.append(f"{'─' * 12} {why} {'─' * max(3, 58 - len(why))}")
            before = now
            screen.keys(key)
        screen.finish()
    return "\n".join(line.rstrip() for line in lines) + "\n"


def changed(before: list[str], now: list[str]) -> list[str]:
    """The lines of a screen from the first one on that was not there before."""
    same = next((place for place, pair in enumerate(zip(before, now, strict=False)) if pair[0] != pair[1]), None)
    return now[min(len(before), len(now)) if same is None else same :]


def shown_in(readme: str) -> str:
    """The transcript that stands in the README."""
    found = re.search(re.escape(BEGIN) + "(.*?)" + re.escape(END), readme, re.DOTALL)
    assert found, "the README has no transcript"
    return found[1]


def main() -> None:
    """Write the transcript into the README."""
    readme = README.read_text(encoding="utf-8")
    old = f"{BEGIN}{shown_in(readme)}{END}"
    README.write_text(readme.replace(old, f"{BEGIN}{transcript()}{END}"), encoding="utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    os.chdir(ROOT)
    main()
