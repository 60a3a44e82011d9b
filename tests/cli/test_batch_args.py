"""A batch called plainly is read without typer; it must mean the same."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refcli.cli import main as cli
from refcli.cli.batch_options import Options

WORDS = st.sampled_from(
    ["a.jsonl", "-", "", "x y", "7", "0", "-7", "--chart", "-o", "--trail", "1e3", "+4", "٣", "007"]
)
OPTIONS = [
    *cli.FLAGS,
    *cli.VALUES,
    "--deck",
    "--charts",
    "--chart=a",
    "--seed=4",
    "-j2",
    "-",
    "--",
    "--nope",
    "a.jsonl",
]


@pytest.fixture(scope="module")
def taken() -> Any:
    """What the command gets, however it is called."""
    found: list[dict[str, Any]] = []
    with pytest.MonkeyPatch.context() as patch:

        def run_batch(**options: Any) -> int:
            found.append(options)
            return 0

        patch.setattr("refcli.cli.batch.run_batch", run_batch)
        patch.setattr("refcli.cli.run_batch.run_batch", run_batch)
        yield found


def by_typer(taken: list[dict[str, Any]], args: list[str]) -> Options | None:
    from refcli.cli.app import run

    taken.clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("refcli.cli.app.fail", lambda message, code=1: code)
        code = run(args)
    if code:
        return None
    (options,) = taken
    return Options(**options)


@given(
    st.lists(
        st.tuples(st.sampled_from(OPTIONS), WORDS).map(list) | st.sampled_from(OPTIONS).map(lambda word: [word]),
        max_size=5,
    )
)
def test_the_plain_way_and_typer_s_way_mean_the_same(taken: Any, parts: list[list[str]]) -> None:
    args = ["batch", *(word for part in parts for word in part)]
    plain = cli.plain_batch(args)
    if plain is not None:
        assert Options(**plain) == by_typer(taken, args)


EVERY = [
    "batch", "--chart", "c", "--format", "csv", "--seed", "-3", "--out", "o", "--to", "csv", "--rejects", "r",
    "--on-error", "stop", "--jobs", "2", "--checkpoint", "k", "--roster", "a", "--roster", "b", "--trail",
    "--house-rules", "--summary", "f",
]  # fmt: skip


def test_every_plain_option_arrives(taken: Any) -> None:
    wanted = Options(
        file="f", chart="c", form="csv", seed=-3, out="o", to="csv", rejects="r", on_error="stop", jobs=2,
        checkpoint="k", rosters=["a", "b"], trail=True, house_rules=True, summary=True,
    )  # fmt: skip
    plain = cli.plain_batch(EVERY)
    assert plain is not None
    assert Options(**plain) == wanted == by_typer(taken, EVERY)
    assert {word for word in EVERY if word.startswith("--")} | {"-o", "-j"} == {*cli.FLAGS, *cli.VALUES}


@pytest.mark.parametrize(
    "args", [["batch"], ["batch", "--help"], ["batch", "a", "b"], ["batch", "a", "--seed"], ["batch", "a", "--seed", "x"],
             ["batch", "a", "--chart=x"], ["batch", "--", "a"], ["list"]], ids=" ".join
)  # fmt: skip
def test_what_is_not_plain_is_left_to_typer(args: list[str]) -> None:
    assert cli.plain_batch(args) is None


def test_a_plain_batch_imports_no_typer() -> None:
    import subprocess
    import sys

    code = (
        "import sys\nfrom refcli.cli.main import main\n"
        "try:\n    main(['batch', '-', '--chart', 'bog-down', '--seed', '3', '--jobs', '1'])\n"
        "finally:\n    heavy = ('typer', 'rich', 'multiprocessing', 'orjson', 'csv', 'gzip', 'asyncio', 'dataclasses')\n"
        "    print([m for m in heavy if m in sys.modules])"
    )
    case = '{"given": {"mover": "tracked", "bogged": "no"}, "rolls": {"die": 4}}'
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, input=case)
    assert ran.stdout.splitlines()[-1] == "[]"
