"""`refcli play` read without typer, for an early first question, means what typer would make of it."""

import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from refcli.cli import app
from refcli.cli import main as cli
from refcli.cli.sitdown import play_walk

VALUES = {
    "--set": ["mover=gun", "a=b=c", "x"],
    "-s": ["stuck=no", "-x=1"],
    "--given": ["case.json", "a b/c.yaml"],
    "--dice": ["ask", "auto", "none"],
    "--seed": ["7", "-3", "x", "1_0", "99999999999999999999"],
    "--save": ["later.json"],
    "--roster": ["sample", "ours.yaml"],
    "--deck": ["mine.yaml"],
    "--charts": ["flowcharts", "-"],
}
WORDS = st.one_of(
    st.sampled_from(list(cli.PLAY_FLAGS)).map(lambda word: [word]),
    st.sampled_from([[name, value] for name, values in VALUES.items() for value in values]),
    st.sampled_from([["bog-down"], ["bog"], ["-"], ["--"], ["--seed"], ["--seed=7"], ["--help"], ["--what"]]),
)
DEFAULTS = {name: one.default for name, one in inspect.signature(play_walk).parameters.items() if name != "name"}


def plainly(options: dict[str, Any]) -> dict[str, Any]:
    return {name: list(one) if isinstance(one, tuple) else one for name, one in {**DEFAULTS, **options}.items()}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(parts=st.lists(WORDS, max_size=6))
def test_both_ways_mean_the_same(parts: list[list[str]]) -> None:
    args = ["play", *(word for part in parts for word in part)]
    plain = cli.plain_play(args)
    if plain is None:
        return
    taken: list[dict[str, Any]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("refcli.cli.sitdown.play_walk", lambda name, **options: taken.append({"name": name, **options}))
        assert app.run(args) == 0
    assert plainly(plain) == plainly(taken[0])


def test_every_option_is_read() -> None:
    assert set(cli.PLAY_FLAGS.values()) | set(cli.PLAY_VALUES.values()) == DEFAULTS.keys()


@pytest.mark.parametrize(
    "line", ["play", "play --help", "play a b", "play a --seed", "play a --seed x", "play a --dice no"]
)
def test_what_is_not_plain_is_left_to_typer(line: str) -> None:
    assert cli.plain_play(line.split()) is None


def test_the_first_question_comes_without_what_is_slow(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom refcli.cli.main import main\n"
        "try:\n    main(['play', 'bog-down', '--no-journal'])\n"
        "finally:\n    heavy = ('typer', 'rich', 'questionary', 'asyncio', 'json.decoder', 'dataclasses', 'difflib')\n"
        "    print([m for m in heavy if m in sys.modules])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, input="tracked\n\n", cwd=tmp_path
    )
    assert "Roll to cross" in ran.stderr
    assert "'typer'" not in ran.stdout
    assert "'rich'" not in ran.stdout
    assert "'questionary'" not in ran.stdout
