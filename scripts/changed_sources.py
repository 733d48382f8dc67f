#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a change has touched, for checks that cost too much to be run on everything each time.

    changed_sources.py --since COMMIT sources FILE...
    changed_sources.py --since COMMIT fuzz FILE...
    changed_sources.py --since COMMIT rooms FOLDER...

prints those of the given sources that must be looked at again since COMMIT: "sources" those that have changed and, for each
header that has changed, one source that includes it; "fuzz" the fuzz targets whose reader has changed, with all that it is
made of; "rooms" the folders of tests that have changed, or a folder that something in them is made of. Where COMMIT is unknown
here, or what is common to all has changed (COMMON, for rooms all but READ_BY_NO_TEST), all are printed.
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
# What is no part of a test program and read by none; what may be read, by the rooms whose sources name where such files lie.
READ_BY_NO_TEST = re.compile(r"^(\.ci/checked$|[^/]*\.(md|cff|yml)$|(docs|bench|python|plugins|packaging|web)/|scripts/(?!packages|joined))")
READ_BY_TESTS = re.compile(r"^(tests/)?data/")
# Lists beside the code that one room reads.
READ_BY_ROOM = {"src/unknot/reproduce/places": "tests/reproduce"}
NAMES_WHERE = re.compile(r"UNKNOT_(TEST_DATA|SOURCE_DIR)")
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


def room_sources(room):
    return sorted(p for p in (ROOT / room).rglob("*.[ch]*") if p.is_file())


@functools.cache
def includes_of_folder(folder):
    """The folders of the headers that a folder's files include."""
    files = (p.relative_to(ROOT).as_posix() for p in (ROOT / folder).glob("*.[ch]pp"))
    return frozenset(pathlib.PurePath(header).parent.as_posix() for file in files for header in included(file))


def room_folders(room):
    """All folders that a room is made of, of each header that is included the whole folder: a header's body need not stand
    beside it under the same name."""
    seen, ahead = set(), {p.parent.relative_to(ROOT).as_posix() for p in room_sources(room)}
    while ahead:
        seen |= ahead
        ahead = set().union(*map(includes_of_folder, ahead)) - seen
    return seen


def rooms_to_run(rooms, changed):
    folders, data = set(), False
    for path in changed:
        folder = pathlib.PurePath(path).parent.as_posix()
        if READ_BY_TESTS.match(path):
            data = True
        elif folder in READ_BY_ROOM:
            folders.add(READ_BY_ROOM[folder])
        elif path.endswith((".cpp", ".hpp", ".h", ".c")) and path.startswith(("src/", "tests/")) or re.match(r"^tests/\w+/", path):
            folders.add(folder)
        elif not READ_BY_NO_TEST.match(path) and not re.match(r"^tests/\w+_tests\.txt$", path):
            return rooms
    return [room for room in rooms if not room_folders(room).isdisjoint(folders)
            or data and any(NAMES_WHERE.search(p.read_text()) for p in room_sources(room))]


def select(kind, files, since):
    """The part of `files`, paths from the root, that `kind` must look at again."""
    changed = changed_since(since)
    if changed is None or any(COMMON.match(path) for path in changed):
        return files
    return {"sources": sources_to_check, "fuzz": fuzz_targets_to_run, "rooms": rooms_to_run}[kind](files, changed)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--since", required=True, metavar="COMMIT")
    parser.add_argument("kind", choices=("sources", "fuzz", "rooms"))
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    files = [pathlib.Path(f).resolve().relative_to(ROOT).as_posix() for f in arguments.files]
    print("\n".join(select(arguments.kind, files, arguments.since)), file=sys.stdout)


if __name__ == "__main__":
    main()
