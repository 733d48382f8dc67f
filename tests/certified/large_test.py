#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""unknot-certified on an orthogonal fat tree of 63,552 terminals, from its files: within 60 s on a quiet core, which is said and
not tested. Usage: large_test.py UNKNOT UNKNOT-CERTIFIED [FABRIC]"""
import os
import subprocess
import sys
import tempfile
import time


def main():
    unknot, certified, fabric = sys.argv[1], sys.argv[2], (sys.argv[3:] or ["oft:32"])[0]
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.join(folder, name) for name in ("fabric.json", "tables", "certificate")]
        subprocess.run([unknot, "topology", fabric, "-o", files[0], "--format", "json", "-q"], stdout=subprocess.DEVNULL, check=True)
        subprocess.run([unknot, "route", files[0], "-E", "minhop:paths=dealt", "-q", "--traffic", "data", "-o", files[1], "--format",
                        "binary", "--certificate", files[2]], stdout=subprocess.DEVNULL, check=True)
        begin = time.monotonic()
        done = subprocess.run([certified, *files], stdout=subprocess.PIPE, text=True, check=False)
        print(f"{done.stdout.strip()}: {time.monotonic() - begin:.1f} s")
        if done.returncode != 0 or not done.stdout.startswith("accepted: 63552 terminals"):
            sys.exit(1)
        # One entry is another port: byte 8 + ... of the first router's row. Something must not fit any more.
        with open(files[1], "r+b") as file:
            file.seek(-8 - 4096, os.SEEK_END)
            old = file.read(4096)
            file.seek(-8 - 4096, os.SEEK_END)
            file.write(bytes(b ^ 1 if b < 250 else b for b in old))
        done = subprocess.run([certified, *files], stdout=subprocess.PIPE, text=True, check=False)
        print(done.stdout.strip())
        if done.returncode != 1:
            sys.exit("changed tables were accepted")


if __name__ == "__main__":
    main()
