import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from refcli.cli.main import main

CHARTS = Path(__file__).parents[1] / "data" / "charts"


@dataclass(frozen=True)
class Ran:
    code: object
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs the command line in this process, in an empty folder, with nothing but the demo charts within reach."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REFCLI_CHARTS", str(CHARTS))
    monkeypatch.setattr("refcli.cli.common.shipped", lambda: tmp_path / "none")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("REFCLI_DEBUG", raising=False)

    def runs(*args: str | Path, stdin: bytes | str = b"", encoding: str = "utf-8") -> Ran:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        out, err = io.BytesIO(), io.BytesIO()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(out, encoding, write_through=True))
        monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(err, encoding, write_through=True))
        with pytest.raises(SystemExit) as ended:
            main([str(arg) for arg in args])
        sys.stdout.flush()
        sys.stderr.flush()
        return Ran(ended.value.code, out.getvalue().decode(encoding), err.getvalue().decode(encoding))

    return runs
