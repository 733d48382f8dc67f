# SPDX-License-Identifier: Apache-2.0
"""What the program itself says, for comparison: the environment variable UNKNOT names it."""

import json
import os
import subprocess
import unittest


def say(*words):
    """The JSON that `unknot WORDS --json` prints."""
    program = os.environ.get("UNKNOT")
    if not program:
        raise unittest.SkipTest("UNKNOT names no program")
    run = subprocess.run([program, *words, "--json"], capture_output=True, text=True, timeout=120)
    if run.returncode not in (0, 1):
        raise AssertionError("unknot %s: %s" % (" ".join(words), run.stderr))
    return json.loads(run.stdout)
