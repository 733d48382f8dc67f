#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The sources that some need: those beside each header that they include, and so on. One path a line, sorted.

    included_sources.py --source src [--source FOLDER]... [--but END]... FILE...

FILE... are counted with. What defines things that a header of another name declares has to be named itself.
"""
import argparse
import pathlib
import re

INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)


def closure(sources, files):
    seen, left = set(), [pathlib.Path(file).resolve() for file in files]
    while left:
        path = left.pop()
        if path in seen or not path.exists():
            continue
        seen.add(path)
        for name in INCLUDE.findall(path.read_text()):
            for source in sources:
                left += [source / name, (source / name).with_suffix(".cpp")]
    return seen


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--source", action="append", type=pathlib.Path, required=True, help="what includes are relative to")
    parser.add_argument("--but", action="append", default=[], help="ends of paths to leave out")
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    for path in sorted(closure([source.resolve() for source in arguments.source], arguments.files)):
        if path.suffix == ".cpp" and not str(path).endswith(tuple(arguments.but)):
            print(path)


if __name__ == "__main__":
    main()
