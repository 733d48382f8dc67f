# SPDX-License-Identifier: Apache-2.0
"""Which sources can be compiled, or checked, as one text: those that do not declare the same name.

    joined_sources.py --most N FILE...

prints GROUP:FILE for each file, separated by semicolons: no group has more than N files.
"""

import argparse
import functools
import pathlib
import re

# Sources are formatted: what a file declares outside classes and functions begins in the first column. Members that are defined there
# have the name of their class before them, which is another's only where the class is.
DECLARATION = re.compile(r"^(?:#define\s+(\w+)|(?:TEST|INSTANTIATE)\w*\((\w+, \w+)|"
                         r"(?=[A-Za-z])(?!using \S+;|using namespace|namespace|static_assert|BENCHMARK\()[\w:<>,&*\s]*?((?:\w+::)*\w+)\s*(?:[({=;[]| : |$))")


TYPE = re.compile(r"^(?:class|struct|union|enum(?: class)?|using) (\w+)\b(?!::|.*;$)", re.MULTILINE)
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
FOLDERS = [pathlib.Path(__file__).resolve().parent.parent / folder for folder in ("src", "tests")]


@functools.cache
def read_header(header):
    """The types that a header of the project declares, and what it includes."""
    for folder in FOLDERS:
        if (folder / header).exists():
            text = (folder / header).read_text()
            return frozenset(TYPE.findall(text)), INCLUDE.findall(text)
    return frozenset(), []


def types_seen(text):
    """All types of headers that a source includes, whichever way."""
    seen, types, ahead = set(), set(), INCLUDE.findall(text)
    while ahead:
        header = ahead.pop()
        if header not in seen:
            seen.add(header)
            declared, includes = read_header(header)
            types |= declared
            ahead += includes
    return types


class Source:
    """A file's text, the names it declares, and the types inside them."""

    def __init__(self, path):
        self.path = path
        with open(path) as file:
            self.text = file.read()
        found = [DECLARATION.match(line) for line in self.text.splitlines()]
        self.declared = {name for m in found if m for name in m.groups() if name}
        # "class Name final : public Base {", of which the above sees "final"
        self.declared.discard("final")
        self.declared.update(re.findall(r"^(?:class|struct) (\w+) final\b", self.text, re.MULTILINE))
        # What an enumeration without a scope of its own lists is declared beside it.
        for listed in re.findall(r"^enum (?!class)[^{;]*{([^}]*)}", self.text, re.MULTILINE):
            self.declared.update(re.findall(r"(\w+)\s*(?:=[^,]*)?(?:,|$)", re.sub(r"//.*", "", listed), re.MULTILINE))
        # A type or a constant inside a function hides one of the same name that another source declares, and compilers warn of it.
        self.inner = set(re.findall(r"^\s+(?:struct|class|union|enum(?: class)?|using(?= \w+ =)) (\w+)", self.text, re.MULTILINE))
        self.inner.update(re.findall(r"^\s+constexpr [^=({]*?(\w+) *[={]", self.text, re.MULTILINE))
        # A type of the headers of one and a type of the same name in the other leave open which is meant.
        self.types = set(TYPE.findall(self.text))
        self.seen = types_seen(self.text)

    def goes_with(self, other):
        return (self.types.isdisjoint(other.seen) and other.types.isdisjoint(self.seen)
                and self.declared.isdisjoint(other.declared)
                and self.declared.isdisjoint(other.inner) and self.inner.isdisjoint(other.declared))


def add_to(lists, source, most):
    """Whether a list took the source: the first with room that declares none of its names."""
    for own in lists:
        if len(own) < most and all(source.goes_with(other) for other in own):
            own.append(source)
            return True
    return False


def joined(sources, most):
    """Divides the sources into lists without a name declared twice; neighbours, which include much the same, stay together. What
    would be left in short lists, at a price for each, makes others a quarter longer."""
    lists = []
    for source in sources:
        if not add_to(lists, source, most):
            lists.append([source])
    for short in [own for own in lists if len(own) < most // 2]:
        others = [own for own in lists if own is not short]
        short[:] = [source for source in short if not add_to(others, source, most + most // 4)]
        lists = [own for own in lists if own]
    return lists


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--most", type=int, required=True)
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    groups = joined([Source(f) for f in arguments.files], arguments.most)
    print(";".join("%d:%s" % (number, source.path) for number, group in enumerate(groups) for source in group))


if __name__ == "__main__":
    main()
