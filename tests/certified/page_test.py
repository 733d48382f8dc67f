#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What docs/certified.md shows is what the programs print.

Usage: page_test.py PAGE UNKNOT UNKNOT-CERTIFIED"""
import os
import subprocess
import sys
import tempfile


def sessions(page):
    """Commands and what is shown after them."""
    shown = []
    with open(page, encoding="utf-8") as file:
        for line in file:
            if not line.startswith("    "):
                continue
            text = line[4:].rstrip("\n")
            if text.startswith("$ "):
                shown.append((text[2:], []))
            elif shown:
                shown[-1][1].append(text)
    return shown


def main():
    page, unknot, certified = sys.argv[1:]
    wrong = []
    commands = sessions(page)
    if len(commands) < 5:
        sys.exit("the page shows too little")
    with tempfile.TemporaryDirectory() as folder:
        path = os.pathsep.join([os.path.dirname(unknot), os.path.dirname(certified), os.environ["PATH"]])
        for command, expected in commands:
            done = subprocess.run(["sh", "-c", command], cwd=folder, env={**os.environ, "PATH": path}, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True, check=False)
            if done.stdout.splitlines() != expected:
                wrong.append(f"$ {command}\n{done.stdout}expected\n" + "\n".join(expected))
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
