#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The units of packaging/systemd: systemd takes them without a word, and the program takes their options. Exit code 77,
skipped, where systemd-analyze is not installed.

    units_test.py --build BUILD_FOLDER [unittest's arguments]
"""

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
UNITS = os.path.join(ROOT, "packaging", "systemd")
OPTIONS = argparse.Namespace(build=None)


class Units(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="unknot-units-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def test_systemd_takes_them(self):
        paths = []
        for name in sorted(os.listdir(UNITS)):
            with open(os.path.join(UNITS, name)) as unit:
                # Where systemd looks for programs ours may not be installed.
                text = unit.read().replace("ExecStart=unknot ", "ExecStart=%s " % os.path.join(OPTIONS.build, "unknot"))
            paths.append(os.path.join(self.folder, name))
            with open(paths[-1], "w") as copy:
                copy.write(text)
        self.assertEqual(len(paths), 3)
        done = subprocess.run([shutil.which("systemd-analyze"), "verify", "--man=no", *paths], text=True, timeout=120,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        # Of other units of this machine it may speak as well.
        said = [line for line in done.stdout.splitlines() if "unknot" in line]
        self.assertEqual(said, [])

    def test_the_program_takes_their_options(self):
        """As systemd puts the line together, with a command that answers at once."""
        fabric = os.path.join(self.folder, "fabric")
        subprocess.run([os.path.join(OPTIONS.build, "unknot"), "topology", "torus:4x4", "-o", fabric, "--format",
                        "ibnetdiscover", "-q"], check=True, timeout=120)
        for name in ("unknot-watch.service", "unknot-watch-once.service"):
            with open(os.path.join(UNITS, name)) as unit:
                line = re.search("^ExecStart=unknot (.*)$", unit.read(), re.M).group(1)
            line = line.replace("${UNKNOT_DUMP}", shlex.quote("cat " + fabric)).replace("${STATE_DIRECTORY}", self.folder)
            line = line.replace("$UNKNOT_OPTIONS", "--once --every 60 --reroute %s/tables" % self.folder)
            words = list(dict.fromkeys(shlex.split(line)))  # --once once
            done = subprocess.run([os.path.join(OPTIONS.build, "unknot"), *words], text=True, timeout=120,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertEqual((done.returncode, done.stderr), (0, ""), name)
        with open(os.path.join(self.folder, "watch", "state.json")) as state:
            self.assertEqual(json.load(state)["verdict"], "proven")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    rest = parser.parse_known_args(namespace=OPTIONS)[1]
    OPTIONS.build = os.path.abspath(OPTIONS.build)
    if not shutil.which("systemd-analyze"):
        print("skipped, systemd-analyze is not installed")
        return 77
    unittest.main(argv=sys.argv[:1] + rest)


if __name__ == "__main__":
    sys.exit(main())
