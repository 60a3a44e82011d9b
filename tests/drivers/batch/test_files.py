"""What is read from and written to."""

import gzip
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from refcli.core.errors import RefcliError, UsageError
from refcli.drivers.batch.sink import Sink, check_apart
from refcli.drivers.batch.source import LEAST, SIZE, Source

TEXT = b'{"id": 1}\n'


def all_of(source: Source) -> bytes:
    data = source.begin()
    while more := source.read():
        data += more
    source.close()
    return data


@contextmanager
def closing_source(name: str) -> Iterator[Source]:
    source = Source(name)
    try:
        yield source
    finally:
        source.close()


def test_a_file_is_read_in_blocks_that_depend_on_its_length(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    for size, step in ((10, LEAST), (SIZE * 4, SIZE // 8), (SIZE * 40, SIZE)):
        file.write_bytes(b"x" * size)
        source = Source(str(file))
        assert (source.path, source.size, source.step) == (file, size, step)
        assert all_of(source) == b"x" * size


def test_a_mark_of_utf_8_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\xef\xbb\xbf" + TEXT)
    source = Source(str(tmp_path / "a"))
    assert source.skipped == 3
    assert all_of(source) == TEXT
    source = Source(str(tmp_path / "a"))
    assert (source.first_line(), all_of(source)) == (TEXT, b"")


def test_a_packed_file_is_unpacked(tmp_path: Path) -> None:
    data = TEXT * 100_000
    (tmp_path / "a.JSONL.GZ").write_bytes(gzip.compress(data[:50]) + gzip.compress(data[50:]))
    source = Source(str(tmp_path / "a.JSONL.GZ"))
    assert source.path is None
    assert 0 < source.at() <= source.size
    assert all_of(source) == data
    source = Source(str(tmp_path / "a.JSONL.GZ"))
    source.skip_to(len(TEXT) * 1000)
    assert all_of(source) == data[len(TEXT) * 1000 :]


def test_a_file_goes_on_anywhere(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(TEXT * 3)
    source = Source(str(tmp_path / "a"))
    source.skip_to(len(TEXT))
    assert all_of(source) == TEXT * 2
    (tmp_path / "a").write_bytes(b"x" * 256_000)
    source = Source(str(tmp_path / "a"))
    source.skip_to(source.step * 2 + 7)
    assert [len(source.read()) for _ in range(3)] == [source.step - 7, source.step, source.step]
    source.close()


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (TEXT.decode().encode("utf-16"), "{} is UTF-16 text; save it as UTF-8"),
        (TEXT.decode().encode("utf-16-be"), "{} is no text, or one that is not UTF-8; save it as UTF-8"),
        (gzip.compress(TEXT), "{} is packed: unpack it (gunzip -c FILE | refcli batch -), or name it .gz"),
        (b"PK\x03\x04....", "{} is a spreadsheet or an archive; save the sheet as CSV (UTF-8)"),
    ],
    ids=["utf-16", "utf-16 without a mark", "gzip", "xlsx"],
)
def test_what_is_no_text_is_named(tmp_path: Path, data: bytes, error: str) -> None:
    (tmp_path / "a").write_bytes(data)
    with pytest.raises(UsageError) as raised:
        Source(str(tmp_path / "a"))
    assert str(raised.value) == error.format(tmp_path / "a")


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (
            gzip.compress(random.Random(1).randbytes(SIZE).hex().encode())[:-9000],
            "{} ends in the middle: it was not packed or copied whole",
        ),
        (gzip.compress(b"x" * SIZE)[:-8] + b"12345678", "cannot read '{}': its packing is damaged"),
        (gzip.compress(b"x" * SIZE) + b"something else", "cannot read '{}': its packing is damaged"),
        (TEXT, "cannot read '{}': it is not packed by gzip"),
    ],
    ids=["cut", "damaged", "more", "plain"],
)
def test_a_damaged_packed_file_is_told(tmp_path: Path, data: bytes, error: str) -> None:
    (tmp_path / "a.gz").write_bytes(data)
    with pytest.raises(RefcliError) as raised, closing_source(str(tmp_path / "a.gz")) as source:
        all_of(source)
    assert str(raised.value) == error.format(tmp_path / "a.gz")


@pytest.mark.parametrize(("name", "error"), [("none", "No such file or directory"), (".", "Is a directory")])
def test_what_cannot_be_opened_is_wrong_usage(tmp_path: Path, name: str, error: str) -> None:
    with pytest.raises(UsageError) as raised:
        Source(str(tmp_path / name))
    assert str(raised.value) == f"cannot read '{tmp_path / name}': {error}"


def test_a_file_is_written_anew_or_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "out"
    file.write_bytes(b"old and long")
    sink = Sink(str(file), "")
    sink.write(b"new\nmore\n")
    sink.keep()
    assert (sink.size, file.read_bytes()) == (9, b"new\nmore\n")
    sink.close()
    sink = Sink(str(file), "", 4)
    assert (sink.size, file.read_bytes()) == (4, b"new\n")
    sink.write(b"other\n")
    sink.close()
    assert file.read_bytes() == b"new\nother\n"


def test_a_file_that_lost_something_is_not_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "out"
    file.write_bytes(b"new\n")
    with pytest.raises(RefcliError) as raised:
        Sink(str(file), "", 5)
    assert str(raised.value) == (
        f"'{file}' has 4 bytes, the checkpoint knows of 5: it was changed; remove that to begin anew"
    )
    file.unlink()
    with pytest.raises(RefcliError) as raised:
        Sink(str(file), "", 5)
    assert str(raised.value) == f"'{file}' is gone, and the checkpoint goes on with it; remove that to begin anew"


def test_what_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as raised:
        Sink(str(tmp_path / "none" / "out"), "")
    assert str(raised.value) == f"cannot write '{tmp_path / 'none' / 'out'}': No such file or directory"
    sink = Sink("/dev/full", "")
    with pytest.raises(RefcliError, match=r"^cannot write '/dev/full': No space left on device$"):
        sink.write(b"x")
    sink.close()


def test_two_processes_do_not_write_one_file(tmp_path: Path) -> None:
    code = "import sys; from refcli.drivers.batch.sink import Sink; s = Sink(sys.argv[1], ''); s.write(b'x'); input()"
    first = [sys.executable, "-c", code, str(tmp_path / "out")]
    with subprocess.Popen(first, stdin=subprocess.PIPE, text=True) as other:
        while not (tmp_path / "out").exists() or not (tmp_path / "out").read_bytes():
            pass
        with pytest.raises(RefcliError, match=r"^another process is writing '.*out'$"):
            Sink(str(tmp_path / "out"), "")
        assert (tmp_path / "out").read_bytes() == b"x"
        other.communicate("\n")
    Sink(str(tmp_path / "out"), "").close()


def test_no_file_is_read_and_written(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "a")
    (tmp_path / "a").touch()
    (tmp_path / "hard").hardlink_to(tmp_path / "a")
    named = {"--out": str(tmp_path / "b"), "--rejects": str(tmp_path / "c"), "--checkpoint": os.devnull}
    check_apart(tmp_path / "a", named, to_stdout=True)
    for name in ("link", "hard"):
        with pytest.raises(UsageError) as raised:
            check_apart(tmp_path / "a", {"--out": str(tmp_path / name)}, to_stdout=False)
        assert str(raised.value) == f"--out: '{tmp_path / name}' is the file of cases too; name another file"
    with pytest.raises(UsageError) as raised:
        check_apart(None, {"--out": "b", "--rejects": "./b"}, to_stdout=False)
    assert str(raised.value) == "--rejects: './b' is --out's file too; name another file"
