#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""unknot sweep ended by SIGKILL at fifty random moments, and by Ctrl-C: nothing is lost, nothing is done twice, and the
table is that of an undisturbed run, byte for byte."""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import results

OPTIONS = argparse.Namespace(build=None)
CELLS = 240


class Kill(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="unknot-sweep-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        with open(self.path("s.toml"), "w") as file:
            file.write(results.sweep(CELLS, 1500))

    def path(self, name):
        return os.path.join(self.folder, name)

    def start(self, *arguments):
        process = subprocess.Popen([os.path.join(OPTIONS.build, "unknot"), "sweep", "s.toml", *arguments],
                                   cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def finish(self, *arguments):
        process = self.start(*arguments)
        out, err = process.communicate(timeout=240)
        self.assertEqual(process.returncode, 0, err)
        return out

    def test_fifty_kills(self):
        chance = random.Random(7)
        killed = 0
        for _ in range(25):
            # Two at a time, each killed at a moment of its own.
            pair = [self.start("-q", "--threads", "2", "--part", "%d/2" % part) for part in range(2)]
            for process in pair:
                time.sleep(chance.uniform(0.0, 0.06))
                process.kill()
                process.communicate()
                killed += process.returncode == -signal.SIGKILL
        self.assertGreater(killed, 40)
        self.finish("-q")
        self.finish("-q", "--threads", "1", "-o", "alone")
        results.assert_once_each(self, self.path("s.results"), CELLS)
        results.assert_same_table(self, self.path("s.results"), self.path("alone"))

    def test_control_c_keeps_what_is_done(self):
        process = self.start("--threads", "2")
        deadline = time.monotonic() + 60
        while len(results.journal_keys(self.path("s.results"))) < 5 and time.monotonic() < deadline:
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=240)
        self.assertEqual((process.returncode, out, err), (130, "", "unknot: interrupted\n"))
        done = len(results.journal_keys(self.path("s.results")))
        self.assertLess(done, CELLS)
        # The table has what is done, below its heading.
        self.assertEqual(results.content(self.path("s.results"), "table.csv").count(b"\n"), done + 1)
        self.finish("-q")
        results.assert_once_each(self, self.path("s.results"), CELLS)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="build folder")
    options, rest = parser.parse_known_args()
    OPTIONS.build = os.path.abspath(options.build)
    unittest.main(argv=[sys.argv[0]] + rest)


if __name__ == "__main__":
    main()
