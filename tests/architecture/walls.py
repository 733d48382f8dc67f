#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds src/ to what docs/architecture.md says of it.

    walls.py HOUSE      says what is not so, and exits 1 where something is not
    walls.py --itself   tries itself on a house of three files

Each module includes exactly the modules that its row of the table names, all of them from rows above its own; support goes without
saying. The folders of src/ form no circle, the folders within a module included. None has more than MOST_FILES files. A module
has one namespace, unknot or unknot::module; notions of a folder or of a few files may lie in one of their name below it. No two
types have one name, those of OpenSM's plug-in included: the linker would take either's functions for both. The
examples of docs/cpp.md and docs/live.md are the programs that are built against an installed package.
"""
import collections
import pathlib
import re
import sys
import tempfile

MOST_FILES = 32
UNSAID = "support"
ROW = re.compile(r"^\| `([a-z]+)/` \|.*\| ([^|]*) \|$", re.MULTILINE)
INCLUDE = re.compile(r'^#include "unknot/((?:[a-z0-9_]+/)+)[a-z0-9_]+\.hpp"', re.MULTILINE)
# One that holds no more than names of classes to come belongs to another module.
NAMESPACE = re.compile(r"^namespace unknot((?:::\w+)*) \{\n(?!(?:(?:class|struct) \w+;\n)+\})", re.MULTILINE)

TYPE = re.compile(r"^(?:class|struct|union|enum class|enum) (\w+)(?: final)?(?: :.*)? \{")


def table(text):
    """What each row says its module uses, in the order of the rows."""
    return {name: {word for word in re.split(r"[, ]+", re.sub(r"\(.*?\)", "", uses)) if word not in ("", "nothing")} for name, uses in ROW.findall(text)}


def includes(source):
    """(folder, folder that it includes): an example of it, for all folders that differ."""
    found = {}
    for path in sorted(source.rglob("*.[ch]pp")):
        folder = str(path.parent.relative_to(source))
        for other in INCLUDE.findall(path.read_text()):
            if other.rstrip("/") != folder:
                found.setdefault((folder, other.rstrip("/")), str(path.relative_to(source)))
    return found


def circle(arcs):
    """Folders each of which includes the next, the last the first; empty where there are none."""
    following = collections.defaultdict(set)
    for tail, head in arcs:
        following[tail].add(head)
    left = set(following)
    while True:
        ends = {folder for folder in left if not following[folder] & left}
        if not ends:
            break
        left -= ends
    if not left:
        return []
    walk = [min(left)]
    while True:
        walk.append(min(following[walk[-1]] & left))
        if walk[-1] in walk[:-1]:
            return walk[walk.index(walk[-1]):]


def namespaces(source, name):
    """What is not so of the namespaces of a module."""
    own = {}
    for path in sorted((source / name).rglob("*.[ch]pp")):
        where = path.relative_to(source)
        for found in NAMESPACE.findall(path.read_text()):
            words = found.split("::")[1:]
            module, below = (words[:1], words[1:]) if words[:1] == [name] else ([], words)
            near = [*where.parts[1:-1], where.stem]
            if len(below) > 1 or below and not any(part.startswith(below[0]) or below[0].startswith(part) for part in near):
                yield f"{where}: namespace unknot{found} is named after neither its module nor its folder nor itself"
            elif not below:
                own.setdefault("::".join(["unknot", *module]), where)
    if len(own) > 1:
        yield f"{name}: namespace " + " and ".join(f"{space} in {where}" for space, where in sorted(own.items()))


def types(path):
    """Names of the types that a file defines where others see them, with their namespaces."""
    spaces = []
    for line in path.read_text().splitlines():
        if line.startswith("namespace ") and line.endswith("{"):
            spaces.append(line[len("namespace "):-1].strip())
        elif line.startswith("}") and "namespace" in line:
            spaces.pop()
        elif spaces and "" not in spaces and (found := TYPE.match(line)):
            yield "::".join([*spaces, found[1]])


def types_of_one_name(house):
    where = {}
    for path in sorted([*house.glob("src/**/*.[ch]pp"), *house.glob("plugins/**/*.[ch]pp")]):
        for name in types(path):
            if name in where:
                yield f"{name} is defined in {where[name]} and in {path.relative_to(house)}"
            where[name] = path.relative_to(house)


def complaints(house):
    source = house / "src/unknot"
    rows = table((house / "docs/architecture.md").read_text())
    arcs = includes(source)
    modules = {path.name for path in source.iterdir() if path.is_dir()}
    for name in sorted(modules ^ set(rows)):
        yield f"{name}: {'has no row in docs/architecture.md' if name in modules else 'has a row in docs/architecture.md and no folder'}"
    used = collections.defaultdict(dict)
    for (folder, other), example in arcs.items():
        tail, head = folder.partition("/")[0], other.partition("/")[0]
        if tail != head and head != UNSAID:
            used[tail].setdefault(head, example)
    above = set()
    for name, said in rows.items():
        for other in sorted(used[name].keys() - said):
            yield f"{name}: {used[name][other]} includes {other}, which its row does not name"
        for other in sorted(said - used[name].keys() - {UNSAID}):
            yield f"{name}: its row names {other}, which nothing in it includes"
        for other in sorted(said - above):
            yield f"{name}: {other} stands below it in the table, or not at all"
        above.add(name)
    for name in sorted(modules):
        yield from namespaces(source, name)
    around = circle(arcs)
    if around:
        yield "folders in a circle: " + " -> ".join(around)
    for folder in sorted(path for path in source.rglob("*") if path.is_dir()):
        count = sum(path.is_file() for path in folder.iterdir())
        if count > MOST_FILES:
            yield f"{folder.relative_to(source)}: {count} files, more than {MOST_FILES}"
    yield from types_of_one_name(house)


def example_differs(house, page, language, name):
    """Whether the page shows another program than the one that is tried."""
    program = (house / name).read_text().split("\n", 2)[2]
    return f"```{language}\n{program}```" not in (house / page).read_text()


def lines_differ(house, page, start, name):
    """Whether an indented piece of the page, from the line that starts like this on, is not in the program."""
    piece = re.search(r"^    " + re.escape(start) + r".*\n(?:    .*\n)*", (house / page).read_text(), re.MULTILINE)
    return piece is None or piece[0] not in (house / name).read_text()


def try_itself():
    with tempfile.TemporaryDirectory() as folder:
        house = pathlib.Path(folder)

        def write(path, text):
            (house / path).parent.mkdir(parents=True, exist_ok=True)
            (house / path).write_text(text)

        def expect(*said):
            found = list(complaints(house))
            assert len(found) == len(said) and all(word in line for word, line in zip(said, found)), (said, found)

        write("docs/architecture.md", "| `low/` | holds | nothing |\n| `high/` | holds | low (a part) |\n")
        write("src/unknot/low/a.hpp", "")
        write("src/unknot/high/b.hpp", '#include "unknot/low/a.hpp"\n')
        expect()
        write("src/unknot/low/c.cpp", '#include "unknot/high/b.hpp"\n')
        expect("low: low/c.cpp includes high", "circle: high -> low -> high")
        write("src/unknot/low/c.cpp", '#include "unknot/low/in/d.hpp"\n')
        write("src/unknot/low/in/d.hpp", '#include "unknot/low/a.hpp"\n')
        expect("circle: low -> low/in -> low")
        (house / "src/unknot/low/in/d.hpp").unlink()
        write("src/unknot/low/c.cpp", "namespace unknot::low {\nclass C;\n}\nnamespace unknot {\n\n")
        write("src/unknot/low/in/d.hpp", "namespace unknot::in {\nint d;\n}\nnamespace unknot::d_parts {\n\n")
        expect()
        write("src/unknot/low/c.cpp", "namespace unknot::low {\nclass C {};\n}\nnamespace unknot {\n\n")
        expect("low: namespace unknot in low/c.cpp and unknot::low in low/c.cpp")
        write("src/unknot/low/c.cpp", "namespace unknot::high {\n\n")
        expect("low/c.cpp: namespace unknot::high is named")
        (house / "src/unknot/low/c.cpp").unlink()
        write("src/unknot/high/b.hpp", "")
        expect("high: its row names low")
        write("src/unknot/other/e.hpp", "")
        expect("other: has no row", "high: its row names low")
        write("src/unknot/high/b.hpp", "namespace unknot {\nnamespace {\nclass C {};\n}  // namespace\nstruct D final : E {\n};\n}  // namespace unknot\n")
        write("src/unknot/low/c.cpp", "namespace unknot {\nclass C {\n};\nclass D;\n}  // namespace unknot\n")
        expect("other: has no row", "high: its row names low")
        write("plugins/f.cpp", "namespace unknot {\nclass D {\n};\n}  // namespace unknot\n")
        expect("other: has no row", "high: its row names low", "unknot::D is defined in plugins/f.cpp and in src/unknot/high/b.hpp")
        (house / "plugins/f.cpp").unlink()
        for i in range(MOST_FILES):
            write(f"src/unknot/other/f{i}.hpp", "")
        expect("other: has no row", "high: its row names low", f"other: {MOST_FILES + 1} files")


if __name__ == "__main__":
    if sys.argv[1:] == ["--itself"]:
        try_itself()
        sys.exit(0)
    root = pathlib.Path(sys.argv[1])
    faults = list(complaints(root))
    for page, language, name in ("docs/cpp.md", "cpp", "tests/install/consumer.cpp"), ("docs/live.md", "c", "tests/install/holder.c"):
        if example_differs(root, page, language, name):
            faults.append(f"{page}: its example is not {name}")
    if lines_differ(root, "docs/live.md", "const unknot_live_lane_options", "tests/live/live_c_program.c"):
        faults.append("docs/live.md: its lines in C are not in tests/live/live_c_program.c")
    print("\n".join(faults))
    sys.exit(1 if faults else 0)
