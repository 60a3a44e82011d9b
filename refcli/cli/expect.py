"""What a case expects: a worked case says how it must come out, and proves it each time it is run."""

from collections.abc import Mapping
from typing import Any

from refcli.core.chart import Chart
from refcli.core.errors import RefcliError, ReplyError
from refcli.core.problem import did_you_mean
from refcli.core.ruling import means
from refcli.core.struct import Struct
from refcli.core.values import EMPTY

KEYS = ("outcome", "gives", "changes", "says")


class ExpectError(RefcliError):
    """A case came out otherwise than it says."""


class Expected(Struct):
    """How a case must come out; what is empty is not looked at. `says` need only be part of the words."""

    outcome: str = ""
    gives: Mapping[str, Any] = EMPTY
    changes: Mapping[str, Any] = EMPTY
    says: str = ""


def read_expected(raw: object, chart: Chart) -> Expected:
    """What a case says under `expect`: an outcome, or a mapping.

    Raises:
        ReplyError: it is neither, or names what the chart does not have.
    """
    if raw is None:
        return Expected()
    parts: Mapping[Any, Any] = {"outcome": raw} if isinstance(raw, str) else raw if isinstance(raw, Mapping) else {}
    if not parts:
        raise ReplyError("'expect' is an outcome, or a mapping of outcome, gives, changes and says")
    for key, value in parts.items():
        if key not in KEYS:
            raise ReplyError(f"'expect' has no '{key}'; {did_you_mean(str(key), KEYS)}".removesuffix("; "))
        kind = "a mapping" if key in ("gives", "changes") else "a text"
        if not isinstance(value, Mapping if kind == "a mapping" else str):
            raise ReplyError(f"'{key}' in 'expect' must be {kind}")
    outcome = str(parts.get("outcome", ""))
    if outcome and outcome not in chart.outcomes:
        hint = did_you_mean(outcome, chart.outcomes, 20)
        raise ReplyError(f"'expect': {chart.title} has no outcome '{outcome}'; {hint}".removesuffix("; "))
    return Expected(outcome, parts.get("gives", {}), parts.get("changes", {}), str(parts.get("says", "")))


def check_expected(expected: Expected, found: Mapping[str, Any]) -> None:
    """See that a ruling is as expected.

    Raises:
        ExpectError: it is not; tells every difference.
    """
    wrong = []
    if expected.outcome and expected.outcome != found["outcome"]:
        wrong.append(f"outcome {found['outcome']}, not {expected.outcome}")
    given = {**found["gives"], **found["changes"]}
    for wanted, values in ((expected.gives, given), (expected.changes, found["changes"])):
        for name, value in wanted.items():
            if name not in values:
                wrong.append(f"no {name} is given")
            elif not means(value, values[name]):
                wrong.append(f"{name} {_shown(values[name])}, not {_shown(value)}")
    if expected.says and expected.says not in found["says"]:
        wrong.append(f"it says '{found['says']}', not '{expected.says}'")
    if wrong:
        raise ExpectError(f"not as expected: {'; '.join(wrong)}")


def _shown(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
