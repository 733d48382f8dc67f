#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What docs/certified.md says is proven is proven: each theorem of its table is there, rests on no axiom, and no proof is left
out.

Usage: proofs_test.py SOURCES BUILD COQ [--again]: SOURCES of the project, the folder that certified/build filled, and coqc.
--again: coqchk reads all proofs once more (a minute)."""
import argparse
import os
import re
import subprocess
import sys

# Words that let a proof be missing. "Variable" and "Hypothesis" belong to sections, which end with the file.
HOLES = re.compile(r"\b(Admitted|admit|Axioms?|Parameters?|Conjectures?|Primitive|bypass_check|Unset)\b")


def comments_left_out(text):
    depth, kept, at = 0, [], 0
    while at < len(text):
        if text.startswith("(*", at):
            depth, at = depth + 1, at + 2
        elif text.startswith("*)", at) and depth > 0:
            depth, at = depth - 1, at + 2
        else:
            if depth == 0:
                kept.append(text[at])
            at += 1
    return "".join(kept)


def holes(folder):
    found = []
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".v"):
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            text = comments_left_out(file.read())
        found += [f"{name}: {hole.group()}" for hole in HOLES.finditer(text)]
        opened, closed = len(re.findall(r"^\s*Section \w+\.", text, re.M)), len(re.findall(r"^\s*End \w+\.", text, re.M))
        if opened != closed:
            found.append(f"{name}: a section without an end")
        outside = re.split(r"^Section \w+\.|^End \w+\.", text, flags=re.M)[0::2]
        found += [f"{name}: {w}" for part in outside for w in re.findall(r"^\s*(?:Variables?|Hypothes[ie]s|Context)\b", part, re.M)]
    return found


def theorems(page):
    """Rows of the table of theorems: | `name` | `File.v` | ..."""
    with open(page, encoding="utf-8") as file:
        return re.findall(r"^\| `(\w+)` \| `(\w+)\.v` \|", file.read(), re.M)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sources")
    parser.add_argument("build")
    parser.add_argument("coqc")
    parser.add_argument("--again", action="store_true")
    options = parser.parse_args()
    found = holes(os.path.join(options.sources, "certified", "theories"))
    if found:
        sys.exit("\n".join(found))
    names = theorems(os.path.join(options.sources, "docs", "certified.md"))
    if len(names) < 8:
        sys.exit("docs/certified.md lists too few theorems")
    theories = os.path.join(options.build, "theories")
    here = ["-Q", theories, "Unknot"]
    if options.again:
        coqchk = os.path.join(os.path.dirname(options.coqc), "coqchk")
        said = subprocess.run([coqchk, "-silent", "-o", *here, "Unknot.Extract"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=False)
        if said.returncode != 0 or said.stdout.count("<none>") != 4 or "Axioms: <none>" not in said.stdout:
            sys.exit(said.stdout)
        return
    script = os.path.join(options.build, "assumptions.v")
    with open(script, "w", encoding="utf-8") as file:
        file.write(f"From Unknot Require {' '.join(sorted({f for _, f in names}))}.\n")
        for name, module in names:
            file.write(f"Print Assumptions {module}.{name}.\n")
    said = subprocess.run([options.coqc, "-q", *here, script], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    closed = said.stdout.count("Closed under the global context")
    if said.returncode != 0 or closed != len(names) or len(said.stdout.splitlines()) != closed:
        sys.exit(f"{closed} of {len(names)} theorems are closed\n{said.stdout}")
    print(f"{closed} theorems, each closed under the global context")


if __name__ == "__main__":
    main()
