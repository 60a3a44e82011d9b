"""Neither the number of processes, nor the order of the cases, nor how they are cut up changes a ruling."""

import gzip
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import CHARTS, Run

ROWS = 1200


def made_case(number: int, *, named: bool = True) -> str:
    """A case; some have their dice, some a seed of their own, some are bad, and there are lines that are none."""
    chance = random.Random(number)
    found: dict[str, object] = {"id": f"case {number}"} if named else {}
    found["given"] = {
        "crossing": chance.choice(["tracked", "wheeled"]),
        "bogged": chance.choice(["yes", "no", False]),
    }
    match chance.randrange(12):
        case 0:
            found["rolls"] = {"die": chance.randint(1, 10)}
        case 1:
            found["seed"] = chance.randrange(100)
        case 2:
            found["given"] = {"crossing": "tank", "bogged": "no"}
        case 3:
            return chance.choice(["", "# a remark", "nonsense", '{"id": 1, "id": 2}', "  "])
    return json.dumps(found)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Cases with and without ids, as lines and as tables."""
    folder = tmp_path_factory.mktemp("data")
    for named in (True, False):
        text = "".join(made_case(number, named=named) + "\n" for number in range(ROWS))
        (folder / f"{named}.jsonl").write_text(text)
        (folder / f"{named}.jsonl.gz").write_bytes(gzip.compress(text.encode()))
        rows = [json.loads(line) for line in text.splitlines() if line.startswith('{"') and '"id": 1,' not in line]
        table = ["id,crossing,bogged,roll.die,seed"]
        for row in rows:
            die = str(row.get("rolls", {}).get("die", ""))
            cells = [row.get("id", ""), row["given"]["crossing"], str(row["given"]["bogged"]).lower(), die]
            table.append(",".join([*cells, str(row.get("seed", ""))]))
            table += {"1": ['"a', 'b",wheeled,"n""o",,'], "5": [""], "7": [",,,,"]}.get(die, [])
        (folder / f"{named}.csv").write_text("\r\n".join(table) + "\r\n")
    return folder


@pytest.mark.parametrize("named", [True, False], ids=["ids", "no ids"])
@pytest.mark.parametrize("suffix", ["jsonl", "jsonl.gz", "csv"])
@pytest.mark.parametrize("to", ["jsonl", "csv"])
def test_any_number_of_processes_gives_the_same_bytes(
    run: Run, data: Path, named: bool, suffix: str, to: str
) -> None:
    file = data / f"{named}.{suffix}"
    kept = "csv" if suffix == "csv" else "jsonl"
    found = set()
    for jobs in ("1", "2", "3"):
        out, rejects = f"out-{jobs}.{to}", f"bad-{jobs}.{kept}"
        ran = run(
            "batch", file, "--chart", "crossing", "--seed", "7", "-o", out, "--rejects", rejects, "--jobs", jobs
        )
        assert ran.code == 1
        found.add((ran.err.replace(rejects, "bad"), Path(out).read_bytes(), Path(rejects).read_bytes()))
    ((_, rulings, bad),) = found
    assert rulings.count(b"\n") > ROWS * 3 // 4
    assert bad.count(b"\n") > ROWS // 20


def test_packed_output_is_the_same_too(run: Run, data: Path) -> None:
    for jobs in ("1", "3"):
        run("batch", data / "True.jsonl", "--chart", "crossing", "--seed", "7", "-o", f"{jobs}.gz", "-j", jobs)
    run("batch", data / "True.jsonl", "--chart", "crossing", "--seed", "7", "-o", "plain")
    assert Path("1.gz").read_bytes() == Path("3.gz").read_bytes()
    assert gzip.decompress(Path("1.gz").read_bytes()) == Path("plain").read_bytes()


def test_a_slice_of_the_cases_has_the_rulings_of_the_whole(run: Run, data: Path) -> None:
    lines = (data / "True.jsonl").read_text().splitlines()
    rows = [line for line in lines if line.startswith('{"id": "')]
    options = ("--chart", "crossing", "--seed", "7")
    whole = [json.loads(line) for line in run("batch", "-", *options, stdin="\n".join(rows)).out.splitlines()]
    rulings = {found["id"]: found for found in whole if "error" not in found}
    assert len({found["rolls"]["die"] for found in rulings.values()}) == 10
    part = rows[100:200]
    random.Random(1).shuffle(part)
    for line in run("batch", "-", *options, stdin="\n".join(part)).out.splitlines():
        found = json.loads(line)
        assert "error" in found or found == rulings[found["id"]]


def test_a_case_without_an_id_is_named_by_its_number(run: Run, data: Path) -> None:
    options = ("--chart", "crossing", "--seed", "7")
    whole = run("batch", data / "False.jsonl", *options).out.splitlines()
    rulings = [json.loads(line) for line in whole]
    assert [found["id"] for found in rulings] == list(range(1, len(rulings) + 1))
    named = json.loads((data / "False.jsonl").read_text().splitlines()[0])
    again = json.loads(run("batch", "-", *options, stdin=json.dumps({"id": 1, **named})).out)
    assert again == rulings[0]


def test_stopping_at_a_bad_case_is_the_same_in_many_processes(run: Run, data: Path) -> None:
    rows = [line for line in (data / "True.jsonl").read_text().splitlines() if "tank" not in line and '"case' in line]
    rows.insert(len(rows) * 2 // 3, '{"given": {"crossing": "tank", "bogged": "no"}}')
    Path("a.jsonl").write_text("\n".join(rows * 2))
    found = set()
    for jobs in ("1", "2", "3"):
        ran = run(
            "batch", "a.jsonl", "--chart", "crossing", "--seed", "7", "--on-error", "stop", "-o", "o", "-j", jobs
        )
        assert ran.code == 1
        found.add((ran.err, Path("o").read_bytes()))
    ((err, rulings),) = found
    assert rulings.count(b"\n") == len(rows) * 2 // 3
    assert err.splitlines()[-1].startswith(
        f"stopped at line {len(rows) * 2 // 3 + 1}: crossing: 'tank' is not a choice"
    )


def test_no_number_of_processes_means_all_cores(run: Run, data: Path) -> None:
    one = run("batch", data / "True.csv", "--chart", "crossing", "--seed", "7", "-j", "0")
    assert one.out == run("batch", data / "True.csv", "--chart", "crossing", "--seed", "7").out
    ran = run("batch", data / "True.csv", "--jobs", "-1")
    assert (ran.code, ran.err) == (
        2,
        "refcli: --jobs is a number of processes: 1 or more, or 0 for one on every core\n",
    )


def test_the_fast_reader_of_json_is_only_faster(data: Path) -> None:
    env = {**os.environ, "REFCLI_CHARTS": str(CHARTS)}
    options = ["batch", str(data / "True.jsonl"), "--chart", "crossing", "--seed", "7"]
    found = set()
    for without in ("", "sys.modules['orjson'] = None; "):
        code = f"import sys; {without}from refcli.cli.main import main; main({options})"
        ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env)
        assert ran.returncode == 1
        found.add(ran.stdout)
    assert len(found) == 1
