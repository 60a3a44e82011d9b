"""Escape sequences of terminals: whatever a name or a chart holds of them is never printed."""

import re

# whole (CSI, OSC and its kin, then any other), so that no rest of one is left to be read
ESCAPE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b."
)
