#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a change has touched, for checks that cost too much to be run on everything each time.

    changed_sources.py --since COMMIT sources FILE...
    changed_sources.py --since COMMIT fuzz FILE...

prints those of the given sources that must be looked at again since COMMIT: "sources" those that have changed and, for each
header that has changed, one source that includes it; "fuzz" the fuzz targets whose reader has changed, with all that it is
made of. Where COMMIT is unknown here, or what is common to all has changed (COMMON), all are printed.
"""

import argparse
import functools
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
FOLDERS = ("src", "tests", "python/src", "bench")
COMMON = re.compile(r"^(.*/)?\.clang-tidy$")
# Values that all readers make; what is wrong there shows in the tests of those rooms.
BELOW_READERS = re.compile(r"^src/unknot/(network|topology|tables|routing|verify|lanes|deadlock|traffic|load|angara|evolve|oblivious|simulate|engines)/")


def git(*words):
    return subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=False)


def changed_since(commit):
    """Paths from the root of what differs from `commit`, new files included; None where that cannot be told."""
    known = git("diff", "--name-only", "--no-renames", commit, "--")
    if known.returncode != 0:
        return None
    new = git("ls-files", "--others", "--exclude-standard")
    return set(known.stdout.split("\n") + new.stdout.split("\n")) - {""}


@functools.cache
def included(path):
    """Paths from the root of the project's own headers that a file includes itself."""
    found = []
    for name in INCLUDE.findall((ROOT / path).read_text()):
        for folder in (str(pathlib.PurePath(path).parent), *FOLDERS):
            if (ROOT / folder / name).is_file():
                found.append((pathlib.PurePath(folder) / name).as_posix())
                break
    return tuple(found)


@functools.cache
def parts(path):
    """A file and all it is made of: the headers it includes, and the source beside each that is above BELOW_READERS."""
    seen, ahead = set(), [path]
    while ahead:
        part = ahead.pop()
        if part in seen or BELOW_READERS.match(part):
            continue
        seen.add(part)
        ahead += included(part)
        beside = part[: -len(".hpp")] + ".cpp"
        if part.endswith(".hpp") and (ROOT / beside).is_file():
            ahead.append(beside)
    return frozenset(seen)


def sources_to_check(sources, changed):
    """The sources of `sources` that have changed, and one for each changed header that none of these includes."""
    chosen = [s for s in sources if s in changed]
    for header in sorted(h for h in changed if h.endswith((".hpp", ".h")) and (ROOT / h).is_file()):
        if any(header in included(s) for s in chosen):
            continue
        users = [s for s in sources if header in included(s)]
        chosen += users[:1]
    return sorted(set(chosen))


def fuzz_targets_to_run(targets, changed):
    return [t for t in targets if not parts(t).isdisjoint(changed) or any(
        c.startswith("tests/fuzz/corpus/%s/" % pathlib.PurePath(t).stem) for c in changed)]


def select(kind, files, since):
    """The part of `files`, paths from the root, that `kind` must look at again."""
    changed = changed_since(since)
    if changed is None or any(COMMON.match(path) for path in changed):
        return files
    return sources_to_check(files, changed) if kind == "sources" else fuzz_targets_to_run(files, changed)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--since", required=True, metavar="COMMIT")
    parser.add_argument("kind", choices=("sources", "fuzz"))
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    files = [pathlib.Path(f).resolve().relative_to(ROOT).as_posix() for f in arguments.files]
    print("\n".join(select(arguments.kind, files, arguments.since)), file=sys.stdout)


if __name__ == "__main__":
    main()
