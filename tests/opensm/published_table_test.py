#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reproduces a table of loads, hops and effective bisection bandwidths that others computed from OpenSM's own dumps: the
same fabrics, OpenSM run afresh on ibsim, its tables read and measured by `unknot`. Loads and hops must be equal, the
bandwidth within four standard errors (the matchings differ). An extra: skipped (77) where the table, the script that makes
its fabrics, or OpenSM are not at hand.

    published_table_test.py --build BUILD_FOLDER --reference FOLDER [unittest's arguments]
"""

import argparse
import csv
import json
import math
import os
import shutil
import sys
import tempfile
import unittest

import harness
from harness import Simulator, SubnetManager, run

BUILD = None
REFERENCE = None
SAMPLES = 400
TABLE_SAMPLES = 200
# Deterministic engines on every family of the table; seconds each.
ROWS = [("xgft:6:3:64", "minhop"), ("xgft:6:3:64", "ftree"), ("knt:10:3:1024", "ftree"), ("kautz:3:3:1024", "minhop"),
        ("kautz:3:3:1024", "sssp"), ("torus:4x2x2x2:1", "sssp"), ("torus:4x2x2x2:1", "dor"), ("torus:8x8x8:1", "dor"),
        ("random:64:16:128:1", "minhop"), ("random:64:16:128:1", "sssp"), ("random:64:16:128:1", "dfsssp"),
        ("deimos:724", "minhop"), ("deimos:724", "sssp"), ("slimfly:5:4", "lash")]


def table_file():
    return os.path.join(REFERENCE, "reference", "opensm", "table.csv")


def generator():
    return os.path.join(REFERENCE, "recipes", "opensm", "gen_net.py")


class Published(unittest.TestCase):
    def test_rows(self):
        with open(table_file()) as text:
            published = {(row["spec"], row["engine"]): row for row in csv.DictReader(text)}
        for spec, engine in ROWS:
            with self.subTest(spec=spec, engine=engine):
                self.check(published[spec, engine], spec, engine)

    def check(self, row, spec, engine):
        folder = tempfile.mkdtemp(prefix="unknot-published-")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        net = os.path.join(folder, "fabric.net")
        run([sys.executable, generator(), spec, net])
        with Simulator(net, os.path.join(folder, "sim")) as simulator:
            with SubnetManager(simulator, engine, os.path.join(folder, "osm")) as manager:
                self.assertTrue(manager.up, manager.errors())
                tables = manager.dump("opensm-lfts.dump")
                program = os.path.join(BUILD, "unknot")
                sampled = json.loads(run([program, "congestion", net, "--tables", tables, "--pattern", "bisection",
                                          "--samples", SAMPLES, "--json"]))
                verdict = json.loads(run([program, "verify", net, tables, "--json"], accepted=(0, 1)))
        self.assertEqual(verdict["channel_load"]["max"], int(row["maxload"]))
        self.assertEqual(verdict["channel_load"]["min"], int(row["minload"]))
        self.assertAlmostEqual(verdict["hops"]["mean"], float(row["hops"]), places=3)
        self.assertEqual(verdict["unroutable_pairs"], int(row["broken"]))
        if row["cyclic"] in ("0", "1"):
            self.assertEqual(verdict["deadlock_free"], row["cyclic"] == "0")
        error = sampled["standard_error"] * math.sqrt(1 + SAMPLES / TABLE_SAMPLES)
        self.assertAlmostEqual(sampled["effective_bisection_bandwidth"], float(row["ebb"]), delta=4 * error + 5e-5)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--reference", required=True)
    arguments, rest = parser.parse_known_args()
    BUILD, REFERENCE = os.path.abspath(arguments.build), os.path.abspath(arguments.reference)
    missing = harness.missing_tools() + [f for f in (table_file(), generator()) if not os.path.exists(f)]
    if missing:
        print("skipped: not at hand: " + ", ".join(missing))
        sys.exit(77)
    unittest.main(argv=[sys.argv[0]] + rest)
