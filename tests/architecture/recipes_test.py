#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What neither podman nor Spack can run here is at least well formed: packaging/Containerfile and packaging/spack.

    recipes_test.py PROJECT     checks both; prints what is wrong and ends with 1
    recipes_test.py --itself    checks that it finds what is wrong
"""
import ast
import json
import pathlib
import re
import subprocess
import sys

INSTRUCTIONS = {
    "ADD", "ARG", "CMD", "COPY", "ENTRYPOINT", "ENV", "EXPOSE", "FROM", "HEALTHCHECK", "LABEL", "ONBUILD", "RUN", "SHELL",
    "STOPSIGNAL", "USER", "VOLUME", "WORKDIR",
}
OPTION = re.compile(r"\bUNKNOT_[A-Z_]+\b")


def instructions(text):
    """(line, instruction, the rest in one line) of a container file; ValueError for lines that cannot be such."""
    found, begun = [], None
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("#"):
            continue
        if not line.strip():
            if begun:
                raise ValueError(f"line {number}: empty, but line {number - 1} goes on here")
            continue
        if line != line.rstrip():
            raise ValueError(f"line {number}: blanks at its end")
        begun = (begun[0], begun[1] + " " + line.strip()) if begun else (number, line)
        if line.endswith("\\"):
            begun = (begun[0], begun[1][:-1].rstrip())
            continue
        word, _, rest = begun[1].partition(" ")
        found.append((begun[0], word, rest.strip()))
        begun = None
    if begun:
        raise ValueError(f"line {begun[0]}: nothing follows its last backslash")
    return found


def wrong_with(word, rest, stages):
    """What is wrong with an instruction, or None. `stages` are the names that earlier FROM lines gave."""
    if word not in INSTRUCTIONS:
        return f"no instruction '{word}'"
    if not rest:
        return f"{word} of nothing"
    if not stages and word not in ("FROM", "ARG"):
        return f"{word} before the first FROM"
    if word == "FROM" and not re.fullmatch(r"(--platform=\S+ )?[a-z0-9][\w./:@-]*( AS [a-z][a-z0-9_.-]*)?", rest):
        return f"FROM of '{rest}'"
    words = [part for part in rest.split() if not part.startswith("--")]
    if word in ("COPY", "ADD") and not rest.startswith("[") and len(words) < 2:
        return f"{word} needs what and where to"
    origin = re.search(r"--from=(\S+)", rest) if word == "COPY" else None
    if origin and origin[1] not in stages[:-1]:
        return f"COPY from '{origin[1]}', which no stage before is called"
    if word in ("RUN", "CMD", "ENTRYPOINT"):
        if rest.startswith("["):
            try:
                listed = json.loads(rest)
            except json.JSONDecodeError as error:
                return f"{word}: {error}"
            if not listed or not all(isinstance(part, str) for part in listed):
                return f"{word} takes words in quotes"
        else:
            said = subprocess.run(["sh", "-n", "-c", rest], capture_output=True, text=True, check=False)
            if said.returncode != 0:
                return f"{word}: {said.stderr.strip()}"
    return None


def container_findings(text):
    try:
        lines = instructions(text)
    except ValueError as error:
        return [str(error)]
    findings, stages = [], []
    for number, word, rest in lines:
        if word == "FROM":
            stages.append(rest.partition(" AS ")[2] or None)
        wrong = wrong_with(word, rest, stages)
        if wrong:
            findings.append(f"line {number}: {wrong}")
    return findings + ([] if stages else ["no FROM"])


def recipe_findings(text):
    """compile() and not an import: nothing is run, and nothing written beside the file."""
    try:
        compile(text, "package.py", "exec")
    except (SyntaxError, ValueError) as error:
        return [str(error)]
    classes = [node for node in ast.parse(text).body if isinstance(node, ast.ClassDef)]
    if [(node.name, [ast.unparse(base) for base in node.bases]) for node in classes] != [("Unknot", ["CMakePackage"])]:
        return ["it is to have one class, Unknot(CMakePackage)"]
    return [] if any(isinstance(node, ast.FunctionDef) and node.name == "cmake_args" for node in classes[0].body) else ["no cmake_args"]


def unknown_options(text, project):
    """Options of cmake that a recipe sets and the project does not have."""
    known = set(re.findall(r"^option\((UNKNOT_[A-Z_]+) ", (project / "CMakeLists.txt").read_text(), re.MULTILINE))
    return [f"no option {name} in CMakeLists.txt" for name in sorted(set(OPTION.findall(text)) - known)]


def check(project):
    findings = []
    for name, finds in (("packaging/Containerfile", container_findings), ("packaging/spack/package.py", recipe_findings)):
        text = (project / name).read_text()
        findings += [f"{name}: {finding}" for finding in finds(text) + unknown_options(text, project)]
    container = (project / "packaging/Containerfile").read_text()
    for script in sorted(set(re.findall(r"(?<![\w./-])scripts/[\w-]+", container))):
        if not (project / script).is_file():
            findings.append(f"packaging/Containerfile: there is no {script}")
    print(*findings, sep="\n", end="\n" if findings else "")
    return 1 if findings else 0


def check_itself():
    good = 'ARG V=1\nFROM debian:12 AS build\n# words\nRUN a \\\n # inside\n && b\n\nFROM debian:12\nCOPY --from=build /a /b\nENTRYPOINT ["/b"]\n'
    assert container_findings(good) == [], container_findings(good)
    for wrong, reason in (
        ("", "no FROM"),
        ("RUN a\nFROM debian:12\n", "line 1: RUN before the first FROM"),
        ("FROM debian:12\nRUM a\n", "line 2: no instruction 'RUM'"),
        ("FROM debian:12\nrun a\n", "line 2: no instruction 'run'"),
        ("FROM debian:12\nRUN\n", "line 2: RUN of nothing"),
        ("FROM debian:12\nRUN \\\n\n", "line 3: empty, but line 2 goes on here"),
        ("FROM debian:12\nRUN a \\\n", "line 2: nothing follows its last backslash"),
        ("FROM debian:12\nRUN a \\ \n && b\n", "line 2: blanks at its end"),
        ("FROM debian:12\nRUN a \\\n && && b\n", "line 2: RUN: "),
        ("FROM debian:12\nRUN (a\n", "line 2: RUN: "),
        ("FROM debian:12\nCOPY /a\n", "line 2: COPY needs what and where to"),
        ("FROM debian:12 AS a\nFROM debian:12\nCOPY --from=b /a /b\n", "line 3: COPY from 'b', which no stage before is called"),
        ("FROM debian:12 AS a\nCOPY --from=a /a /b\n", "line 2: COPY from 'a', which no stage before is called"),
        ("FROM debian:12\nENTRYPOINT [/b]\n", "line 2: ENTRYPOINT: "),
        ("FROM debian:12 as build stage\n", "line 1: FROM of 'debian:12 as build stage'"),
    ):
        found = container_findings(wrong)
        assert len(found) == 1 and found[0].startswith(reason), (wrong, found)
    recipe = "class Unknot(CMakePackage):\n    def cmake_args(self):\n        return []\n"
    assert recipe_findings(recipe) == []
    for wrong in (recipe.replace("[]", "["), recipe.replace("Unknot", "Other"), recipe.replace("cmake_args", "cmake_arg")):
        assert len(recipe_findings(wrong)) == 1, wrong
    return 0


sys.exit(check_itself() if sys.argv[1:] == ["--itself"] else check(pathlib.Path(sys.argv[1])))
