import json
from pathlib import Path

import pytest

from refcli.core.errors import RefcliError, UsageError
from refcli.drivers.batch.blocks import Mark
from refcli.drivers.batch.checkpoint import Checkpoint, State

COUNTS = {"errors": 1, "told": [[3, "bad"]], "outcomes": {"a/b": {"x": 2}}}


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    file = tmp_path / "cases.jsonl"
    file.write_bytes(b'{"id": 1}\n' * 20_000)
    return file


def made(cases: Path, **terms: object) -> Checkpoint:
    return Checkpoint(str(cases.with_name("check")), cases, {"--seed": 7, "--trail": False, **terms})


def saved(cases: Path) -> Checkpoint:
    checkpoint = made(cases)
    checkpoint.save(Mark(150_000, 15_000, 14_990), COUNTS, lambda: (500, 60))
    return checkpoint


def test_what_was_noted_is_found_again(cases: Path) -> None:
    assert made(cases).load() is None
    saved(cases)
    found = made(cases).load()
    assert found is not None
    assert (found.mark, found.sizes, found.counts) == (Mark(150_000, 15_000, 14_990), (500, 60), COUNTS)
    assert isinstance(found, State)
    made(cases).remove()
    assert made(cases).load() is None
    made(cases).remove()


def test_all_output_is_kept_before_it_is_noted(cases: Path) -> None:
    def keep() -> tuple[int, ...]:
        raise RefcliError("the disk is full")

    saved(cases)
    with pytest.raises(RefcliError, match="the disk is full"):
        made(cases).save(Mark(160_000, 16_000, 16_000), COUNTS, keep)
    found = made(cases).load()
    assert found is not None
    assert found.mark.offset == 150_000


def test_another_batch_is_not_gone_on_with(cases: Path) -> None:
    saved(cases)
    for terms, told in (
        ({"--seed": 8}, "--seed was 7, is 8"),
        ({"--seed": None}, "--seed was 7, is not given"),
        ({"--trail": True}, "--trail was not given, is given"),
        ({"--deck": ("a",)}, "--deck was not given, is ['a']"),
    ):
        with pytest.raises(UsageError) as raised:
            made(cases, **terms).load()
        file = cases.with_name("check")
        assert str(raised.value) == f"'{file}' is the checkpoint of another batch: {told}; remove it to begin anew"


def test_cases_may_change_behind_the_place_that_was_reached(cases: Path) -> None:
    saved(cases)
    data = bytearray(cases.read_bytes())
    cases.write_bytes(data + b"{}\n")
    assert made(cases).load() is not None
    data[150_001:150_003] = b"xx"
    cases.write_bytes(data)
    assert made(cases).load() is not None


@pytest.mark.parametrize("place", [0, 149_999])
def test_cases_that_changed_before_it_are_noticed(cases: Path, place: int) -> None:
    saved(cases)
    data = bytearray(cases.read_bytes())
    data[place] = 0
    cases.write_bytes(data)
    with pytest.raises(UsageError) as raised:
        made(cases).load()
    assert str(raised.value) == f"'{cases}' has changed since '{cases.with_name('check')}'; remove that to begin anew"
    cases.write_bytes(data[:1000])
    with pytest.raises(UsageError, match="has changed since"):
        made(cases).load()


@pytest.mark.parametrize("text", ["", "[]", '{"mark": 3}', "\x00", json.dumps({"mark": [1, 2, 3], "state": {}})])
def test_a_file_that_is_no_checkpoint_is_left_alone(cases: Path, text: str) -> None:
    file = cases.with_name("check")
    file.write_text(text)
    with pytest.raises(UsageError) as raised:
        made(cases).load()
    assert str(raised.value) == f"'{file}' is no checkpoint; name a file that is yet to be made"
    assert file.read_text() == text


def test_a_checkpoint_that_cannot_be_written_is_told(cases: Path, tmp_path: Path) -> None:
    checkpoint = Checkpoint(str(tmp_path / "none" / "check"), cases, {})
    with pytest.raises(RefcliError) as raised:
        checkpoint.save(Mark(), COUNTS, lambda: (0, 0))
    assert str(raised.value) == f"cannot write '{tmp_path / 'none' / 'check'}': No such file or directory"


def test_the_first_is_due_at_once(cases: Path) -> None:
    assert made(cases).due()
