"""No test ever writes into the home of whoever runs it."""

import atexit
import os
import tempfile

# at import, so that every process that a test starts has it too
_home = tempfile.TemporaryDirectory(prefix="refcli-tests-")
atexit.register(_home.cleanup)
os.environ["REFCLI_HOME"] = _home.name
os.environ.pop("REFCLI_JOURNAL", None)
