#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says which patterns of tests/*_tests.txt name no test any more.

    scripts/listed_tests.py PROGRAM...

PROGRAM: all test programs of a build. Fails where a pattern matches none of their tests.
"""

import fnmatch
import pathlib
import subprocess
import sys


def tests_of(program):
    """Full names, as GoogleTest matches them against filters."""
    suite = ""
    for line in subprocess.run([program, "--gtest_list_tests"], check=True, capture_output=True, text=True).stdout.splitlines():
        name = line.split("#")[0].strip()
        if line.startswith(" "):
            yield suite + name
        elif name.endswith("."):
            suite = name


def main():
    tests = [test for program in sys.argv[1:] for test in tests_of(program)]
    stale = []
    for file in sorted((pathlib.Path(__file__).resolve().parent.parent / "tests").glob("*_tests.txt")):
        for number, line in enumerate(file.read_text().splitlines(), 1):
            pattern = line.split("#")[0].strip()
            if pattern and not fnmatch.filter(tests, pattern):
                stale.append(f"{file}:{number}: no test is called {pattern}")
    print("\n".join(stale), end="\n" if stale else "")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
