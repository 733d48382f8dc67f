#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""unknot-certified and files that are none: one sentence, exit code 2, and never 'accepted'.

Usage: bad_input_test.py UNKNOT UNKNOT-CERTIFIED"""
import os
import random
import sys
import tempfile

from agreement_test import Programs, run


def main():
    unknot, certified = sys.argv[1:]
    wrong = []

    def refuses(what, *arguments):
        code, out, err = run(certified, *arguments)
        if code != 2 or out or len(err.splitlines()) != 1 or not err.startswith("unknot-certified: "):
            wrong.append(f"{what}: exit code {code}\n{out}{err}")

    with tempfile.TemporaryDirectory() as folder:
        case = Programs(unknot, certified).make(folder, "torus:3x3,p=2", "dor")
        good = {name: open(name, encoding="utf-8").read() for name in (case.fabric, case.tables, case.certificate)}
        names = list(good)
        damaged = os.path.join(folder, "damaged")

        def judge(what, place, text):
            with open(damaged, "w", encoding="utf-8") as file:
                file.write(text)
            refuses(f"{what} of {os.path.basename(names[place])}", *(damaged if i == place else n for i, n in enumerate(names)))

        for place, name in enumerate(names):
            text = good[name]
            judge("no text", place, "")
            judge("another file", place, good[names[(place + 1) % 3]])
            for cut in range(1, 8):
                judge("a part", place, text[:cut * (len(text) - 8) // 8])
            refuses("no file", *(os.path.join(folder, "none") if i == place else n for i, n in enumerate(names)))
        judge("a router that is not there", 0, good[names[0]].replace('"routers": 9', '"routers": 3'))
        judge("a second table", 1, good[names[1]].replace("0x0002000000000001", "0x0002000000000000"))
        judge("a channel that is not there", 2, good[names[2]].replace("0x0002000000000001 1 ", "0x0002000000000001 99 "))
        # Bytes at random: whatever comes, an answer, no more.
        chance = random.Random(1)
        for _ in range(1000):
            place = chance.randrange(3)
            text = list(good[names[place]])
            for _ in range(3):
                text[chance.randrange(len(text))] = chance.choice('0123456789,[]{}": \n-ae\\')
            with open(damaged, "w", encoding="utf-8") as file:
                file.write("".join(text))
            code, _, err = run(certified, *(damaged if i == place else n for i, n in enumerate(names)))
            if code not in (0, 1, 2) or (code == 2) != (len(err.splitlines()) == 1 and err.startswith("unknot-certified: ")):
                wrong.append(f"bytes at random: exit code {code}\n{err}")
        if run(certified)[0] != 2 or run(certified, "--help")[0] != 0:
            wrong.append("usage")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
