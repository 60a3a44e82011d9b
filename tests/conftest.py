"""No test ever writes into the home of whoever runs it."""

import atexit
import os
import tempfile

from hypothesis import settings

# at import, so that every process that a test starts has it too
_home = tempfile.TemporaryDirectory(prefix="refcli-tests-")
atexit.register(_home.cleanup)
os.environ["REFCLI_HOME"] = _home.name
os.environ.pop("REFCLI_JOURNAL", None)

# `HYPOTHESIS_PROFILE=steady` tries the same examples every time; without it every run tries others
settings.register_profile("steady", derandomize=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
