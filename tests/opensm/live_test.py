#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Option live=trees of the plug-in under a real OpenSM on ibsim: cables, hosts and switches of a fat tree fail and come
back at random, no file is written for it, and after each event `unknot verify` proves what the switches hold. Exit code
77, skipped, where OpenSM, ibsim or their tools are not installed.

    live_test.py --build BUILD_FOLDER [unittest's arguments]
"""

import json
import os
import random
import shutil
import sys
import tempfile
import time
import unittest

import harness
from day_test import Fabric
from harness import Simulator, SubnetManager, read_lfts, run

BUILD = None
EVENTS = 12


class Live(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="unknot-opensm-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def net(self, spec):
        run([os.path.join(BUILD, "unknot"), "topology", spec, "-o", self.path("net"), "--format", "ibsim"])
        return self.path("net")

    def manager(self, simulator, words, name="osm"):
        return SubnetManager(simulator, "unknot", self.path(name), plugins=["unknot_opensm"], plugin_folder=BUILD,
                             plugin_options=words)

    def client(self, simulator, name, *arguments):
        with open(self.path(name), "w") as out:
            out.write(simulator.client(list(arguments)))
        return self.path(name)

    def proven(self, simulator, what):
        """The fabric as it is discovered now, with the tables that its switches hold now."""
        fabric = self.client(simulator, "fabric", "ibnetdiscover")
        tables = self.client(simulator, "held", "dump_lfts")
        said = json.loads(run([os.path.join(BUILD, "unknot"), "verify", fabric, tables, "--json"], accepted=(0, 1)))
        self.assertTrue(said["deadlock_free"], what)
        self.assertTrue(said["complete"], "%s: %s" % (what, said))
        return read_lfts(tables)

    def sweep(self, manager):
        before = manager.ups()
        manager.sweep()
        self.assertTrue(manager.wait_for("SUBNET UP", harness.NO_ENGINE, before + 2), manager.errors())
        time.sleep(0.2)

    def check(self, spec, seed):
        net = self.net(spec)
        with Simulator(net, self.path("sim"), console=True) as simulator:
            fabric = Fabric(net, simulator, random.Random(seed))
            with self.manager(simulator, "live=trees") as manager:
                self.assertTrue(manager.up, manager.errors())
                first = self.proven(simulator, "the first sweep")
                for number in range(EVENTS):
                    what = "event %d, %s" % (number, fabric.event())
                    time.sleep(0.05)  # the console has no answer to wait for
                    self.sweep(manager)
                    self.proven(simulator, what)
                fabric.change(sorted(fabric.down), "ReLink")
                time.sleep(0.05)
                self.sweep(manager)
                self.assertEqual(self.proven(simulator, "all is back").keys(), first.keys())
                self.said = manager.log_text()
            self.assertEqual(manager.exit_code, 0, "OpenSM did not end well with the plug-in loaded")
        said = [line.split("tables fit: live: ", 1)[1] for line in self.said.splitlines() if "tables fit: live: " in line]
        self.assertEqual(sum(line.startswith("made") for line in said), 1, said)
        self.assertGreater(sum("entries changed" in line for line in said), EVENTS // 2, said)

    def test_tree_of_two_levels(self):
        self.check("xgft:m=6x6,w=3x3", 1)

    def test_tree_of_three_levels(self):
        self.check("kary-ntree:k=3,n=3", 2)

    def test_one_switch_short(self):
        self.check("xgft:m=4x8,w=2x4", 3)

    def test_other_networks_go_up_and_down(self):
        self.check("torus:4x4", 4)

    def test_words_that_it_does_not_go_with(self):
        net = self.net("xgft:m=2x2,w=2x2")
        for name, words, why in (("file", "live=trees tables=x", "option live=trees makes tables and trees by itself"),
                                 ("word", "live=maybe", "live")):
            with Simulator(net, self.path("sim")) as simulator:
                with self.manager(simulator, words, name) as manager:
                    self.assertFalse(manager.up)
                    refusal = [line for line in manager.errors() if "ERR UK01" in line]
                    self.assertIn(why, refusal[0].split("unknot: ")[1])


if __name__ == "__main__":
    BUILD, rest = harness.build_folder(__doc__)
    unittest.main(argv=[sys.argv[0]] + rest)
