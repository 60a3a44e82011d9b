"""From chart text to a resolved chart; every fault is collected before anything fails."""

import sys
from types import ModuleType
from typing import Any


class _Load(ModuleType):
    """The package; it can be called because `refcli.load` is a function until this is imported."""

    def __call__(self, chart: str) -> Any:
        import refcli

        return refcli.open_chart(chart)


sys.modules[__name__].__class__ = _Load
