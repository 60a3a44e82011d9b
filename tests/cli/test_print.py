import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from refcli.render.draw.dot import dot
from refcli.render.draw.mermaid import mermaid
from refcli.render.draw.sheet import svg_file
from tests.cli.conftest import CHARTS, Run
from tests.editions import book_edition, chart_edition

SUFFIXES = "md, mmd, dot, svg, png, html, pdf"


def files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize(
    ("suffix", "start"),
    [
        ("md", b"# <a "),
        ("MD", b"# <a "),
        ("markdown", b"# <a "),
        ("mmd", b"flowchart TB\n"),
        ("dot", b'digraph "demo/crossing" {\n'),
        ("gv", b'digraph "demo/crossing" {\n'),
        ("svg", b'<?xml version="1.0" encoding="UTF-8"?>\n<svg '),
        ("png", b"\x89PNG\r\n\x1a\n"),
        ("html", b"<!DOCTYPE html>\n"),
        ("htm", b"<!DOCTYPE html>\n"),
        ("pdf", b"%PDF-"),
    ],
)
def test_the_suffix_says_what_is_made(run: Run, tmp_path: Path, suffix: str, start: bytes) -> None:
    ran = run("print", "crossing", "-o", f"new/out.{suffix}")
    made = (tmp_path / "new" / f"out.{suffix}").read_bytes()
    assert made[: len(start)].lower() == start.lower()
    assert (ran.code, ran.out, ran.err) == (0, "", f"new/out.{suffix}: {len(made):,} bytes\n")
    assert files(tmp_path) == [f"new/out.{suffix}"]


def test_without_a_file_it_is_markdown_to_read(run: Run) -> None:
    ran = run("print", "crossing")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("# ")
    assert "Crossing bad ground\n" in ran.out
    assert run("print", "crossing", "-o", "-", "--to", "md").out == ran.out


@pytest.mark.parametrize("form", ["dot", ".dot", "gv", "DOT"])
def test_to_says_what_goes_to_stdout(run: Run, form: str) -> None:
    ran = run("print", "crossing", "--to", form)
    assert (ran.code, ran.out, ran.err) == (0, dot(chart_edition("demo/crossing", demo=True)), "")


def test_what_a_program_reads_is_utf_8_whatever_the_terminal_shows(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "refcli", "print", "demo/crossing", "--charts", str(CHARTS), "--to", "dot"]
    env = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, check=True)
    assert done.stdout == dot(chart_edition("demo/crossing", demo=True)).encode()


def test_a_folder_takes_a_map_and_a_picture_of_each_chart(run: Run, tmp_path: Path) -> None:
    ran = run("print", "-o", "prints/", "--to", "mmd")
    assert (ran.code, ran.out) == (0, "")
    assert files(tmp_path / "prints") == ["demo.mmd", "demo/crossing.mmd", "demo/man-hit.mmd", "demo/volley.mmd"]
    assert (tmp_path / "prints/demo.mmd").read_text("utf-8") == mermaid(book_edition("demo", demo=True))
    assert (tmp_path / "prints/demo/volley.mmd").read_text("utf-8") == mermaid(
        chart_edition("demo/volley", demo=True)
    )


def test_pictures_in_a_folder_are_linked(run: Run, tmp_path: Path) -> None:
    assert run("print", "demo", "-o", "prints/", "--to", "svg").code == 0
    links = {}
    for name in files(tmp_path / "prints"):
        text = (tmp_path / "prints" / name).read_text("utf-8")
        links[name] = re.findall(r'<a href="([^"]*)">', text)
        assert ('role="group"' in text, 'role="img"' in text) == (True, False)
        assert all((tmp_path / "prints" / name).parent.joinpath(link).is_file() for link in links[name])
    assert links == {
        "demo.svg": ["demo/crossing.svg", "demo/volley.svg", "demo/man-hit.svg"],
        "demo/crossing.svg": ["volley.svg"],
        "demo/man-hit.svg": [],
        "demo/volley.svg": ["man-hit.svg"],
    }
    assert run("print", "volley", "-o", "prints/", "--to", "svg").code == 0
    assert "<a " not in (tmp_path / "prints/demo/volley.svg").read_text("utf-8")


def test_a_folder_takes_one_page_or_booklet_of_each_book(run: Run, tmp_path: Path) -> None:
    (tmp_path / "prints").mkdir()
    assert run("print", "demo", "volley", "-o", "prints", "--to", "html").code == 0
    assert files(tmp_path / "prints") == ["demo.html", "demo/volley.html"]


def test_one_picture_of_a_book_is_its_map(run: Run, tmp_path: Path) -> None:
    assert run("print", "demo", "-o", "map.svg").code == 0
    assert (tmp_path / "map.svg").read_text("utf-8") == svg_file(book_edition("demo", demo=True))


def test_what_was_there_is_written_over_through_a_link(run: Run, tmp_path: Path) -> None:
    (tmp_path / "real.svg").write_text("old")
    (tmp_path / "out.svg").symlink_to("real.svg")
    assert run("print", "crossing", "-o", "out.svg").code == 0
    assert (tmp_path / "out.svg").is_symlink()
    assert (tmp_path / "real.svg").read_text("utf-8") == svg_file(chart_edition("demo/crossing", demo=True))


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["crossing", "-o", "x.docx"], f"'x.docx': refcli does not make .docx; it can be: {SUFFIXES}"),
        (["crossing", "-o", "x.pgn"], "'x.pgn': refcli does not make .pgn; did you mean 'png'?"),
        (["crossing", "--to", "pgn"], "--to pgn: refcli does not make .pgn; did you mean 'png'?"),
        (["crossing", "-o", "x"], f"'x' has no suffix; say what to make: --to and one of {SUFFIXES}"),
        (["crossing", "-o", "x/"], f"'x/' is a folder; say what to make: --to and one of {SUFFIXES}"),
        (["crossing", "-o", "here"], f"'here' is a folder; say what to make: --to and one of {SUFFIXES}"),
        (
            ["crossing", "volley", "-o", "x.svg"],
            "one file holds one chart or book; name a folder: -o prints/ --to svg",
        ),
        (["crossing", "--paper", "a5"], "--paper: 'a5' is none of a4, letter"),
        (["crosing", "-o", "x.svg"], "there is no chart 'crosing'; did you mean 'crossing'?"),
    ],
)
def test_what_cannot_be_meant_is_told(run: Run, tmp_path: Path, args: list[str], message: str) -> None:
    (tmp_path / "here").mkdir()
    ran = run("print", *args)
    assert (ran.code, ran.out, ran.err) == (2, "", f"refcli: {message}\n")
    assert files(tmp_path) == []


@pytest.mark.parametrize(
    ("out", "message"),
    [
        ("file/x.svg", "cannot write 'file/x.svg': 'file' is not a folder"),
        ("/dev/full", "cannot write '/dev/full': No space left on device"),
        ("/proc/no/x.svg", "cannot write '/proc/no/x.svg': No such file or directory"),
    ],
)
def test_what_cannot_be_written_is_told(run: Run, tmp_path: Path, out: str, message: str) -> None:
    (tmp_path / "file").write_text("mine")
    ran = run("print", "crossing", "-o", out, "--to", "svg")
    assert (ran.code, ran.out, ran.err) == (1, "", f"refcli: {message}\n")
    assert files(tmp_path) == ["file"]


def test_a_broken_chart_is_left_out_of_its_book_and_told(run: Run, tmp_path: Path) -> None:
    shutil.copytree(CHARTS, tmp_path / "flowcharts")
    (tmp_path / "flowcharts/demo/volley.yaml").write_text("title: Volley\n")
    ran = run("print", "demo", "--charts", "flowcharts", "--to", "dot", "-o", "prints/")
    told = [line for line in ran.err.splitlines() if not line.endswith(" bytes")]
    assert told == ["left out: demo/volley has faults; see: refcli check demo/volley"]
    assert (ran.code, ran.out) == (1, "")
    assert files(tmp_path / "prints") == ["demo.dot", "demo/crossing.dot", "demo/man-hit.dot"]
    assert '"demo/volley"' not in (tmp_path / "prints/demo.dot").read_text("utf-8")


def test_a_broken_chart_alone_shows_its_faults(run: Run, tmp_path: Path) -> None:
    shutil.copytree(CHARTS, tmp_path / "flowcharts")
    (tmp_path / "flowcharts/demo/volley.yaml").write_text("title: Volley\n")
    ran = run("print", "volley", "--charts", "flowcharts", "-o", "x.svg")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("flowcharts/demo/volley.yaml:1:1: error ")
    assert not (tmp_path / "x.svg").exists()


def test_a_book_of_broken_charts_has_nothing_to_print(run: Run, tmp_path: Path) -> None:
    book = tmp_path / "flowcharts" / "poor"
    book.mkdir(parents=True)
    (book / "book.yaml").write_text("title: Poor\nsource: None\n")
    (book / "one.yaml").write_text("title: One\n")
    ran = run("print", "poor", "-o", "x.svg")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "refcli: there are no charts to print in Poor (poor); see: refcli check poor\n"


def test_what_is_no_text_does_not_go_to_a_screen(tmp_path: Path) -> None:
    child = pexpect.spawn(
        sys.executable,
        ["-m", "refcli", "print", "bog-down", "--to", "png"],
        cwd=tmp_path,
        encoding="utf-8",
        timeout=30,
    )
    child.expect(pexpect.EOF)
    child.close()
    assert (child.exitstatus, child.before) == (2, "refcli: png is not for a screen; name a file: -o FILE.png\r\n")


def test_a_png_goes_through_a_pipe(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "refcli", "print", "bog-down", "--to", "png"],
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )
    assert (done.stdout[:8], done.stdout[-8:-4], done.stderr) == (b"\x89PNG\r\n\x1a\n", b"IEND", b"")


def test_a_missing_extra_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    ran = run("print", "crossing", "-o", "x.svg")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "refcli: drawing a flow chart needs graphviz-pure: pip install 'refcli[print]'\n"
