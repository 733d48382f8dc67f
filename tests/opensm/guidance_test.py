#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What administrators set, in the same files for OpenSM and for `unknot route`: an order of destinations and hop weights
give minimum-hop tables that are the same entry for entry, roots the same verdict and reach. Exit code 77, skipped,
where OpenSM, ibsim or their tools are not installed.

    guidance_test.py --build BUILD_FOLDER [unittest's arguments]
"""

import json
import os
import random
import shutil
import sys
import tempfile
import unittest

import harness
from harness import Simulator, SubnetManager, read_cables, read_lfts, run

BUILD = None
FABRICS = ("torus:4x4,p=2", "xgft:m=4x3,w=2x2", "random:switches=20,links=45,terminals=33,seed=9")
TREES = ("xgft:m=4x3,w=2x2", "kary-ntree:k=2,n=3")


class Guidance(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="unknot-guidance-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def program(self, *arguments, **options):
        return run([os.path.join(BUILD, "unknot"), *arguments], **options)

    def write(self, name, lines):
        with open(self.path(name), "w") as out:
            out.write("# for both\n" + "".join(line + "\n" for line in lines) + "0x00000000deadbeef 1 1\n")
        return self.path(name)

    def net_file(self, fabric):
        net = self.path("fabric.net")
        self.program("topology", fabric, "-o", net, "--format", "ibsim")
        return net

    def theirs(self, net, engine, options):
        """OpenSM's dump, or None where its engine gives none."""
        folder = tempfile.mkdtemp(dir=self.folder)
        with Simulator(net, os.path.join(folder, "sim")) as simulator:
            with SubnetManager(simulator, engine, os.path.join(folder, "osm"), options=options) as manager:
                return manager.dump("opensm-lfts.dump") if manager.up else None

    def ours(self, net, engine, options):
        """Our tables, or None where the engine gives none."""
        tables = os.path.join(tempfile.mkdtemp(dir=self.folder), "tables")
        self.program("route", net, "--engine", engine, "--traffic", "data", "-o", tables, *options, accepted=(0, 1))
        return tables if os.path.exists(tables) else None

    def verdict(self, net, tables):
        """(deadlock-free, lost pairs), or None where there are no tables."""
        if tables is None:
            return None
        verdict = json.loads(self.program("verify", net, tables, "--traffic", "data", "--json", accepted=(0, 1)))
        return verdict["deadlock_free"], verdict["unroutable_pairs"]

    def test_order_and_weights_give_the_tables_of_opensm(self):
        for fabric in FABRICS:
            net = self.net_file(fabric)
            cables, hosts = read_cables(net)
            dice = random.Random(fabric)
            order = sorted(hosts)
            dice.shuffle(order)
            order_file = self.write("order", ["0x%016x" % guid for guid in order])
            weights = ["0x%016x %d %d" % (*port, dice.randint(2, 5)) for port in sorted(cables) if dice.random() < 0.3]
            weights_file = self.write("weights", weights)
            seen = []
            for theirs, ours in ((["-X", order_file], ["--guid-routing-order", order_file]),
                                 (["-X", order_file, "-w", weights_file],
                                  ["--guid-routing-order", order_file, "--hop-weights", weights_file]),
                                 (["-X", order_file, "-w", weights_file, "--port-shifting"],
                                  ["--guid-routing-order", order_file, "--hop-weights", weights_file, "--port-shifting"])):
                with self.subTest(fabric=fabric, options=ours):
                    made = read_lfts(self.ours(net, "minhop", ours), adapters_only=True)
                    dumped = read_lfts(self.theirs(net, "minhop", theirs), adapters_only=True)
                    made = {switch: {to: port for to, port in rows.items() if to in hosts}
                            for switch, rows in made.items()}
                    self.assertEqual(made, dumped)
                    seen.append(made)
            self.assertNotEqual(seen[0], seen[1], "the weights changed nothing")
            self.assertNotEqual(seen[1], seen[2], "port shifting changed nothing")

    def test_roots_give_the_verdict_of_opensm(self):
        """Where OpenSM's tables reach all, so do ours; where they lose pairs, which it does not say, ours reach all or there
        are none."""
        compared = 0
        for fabric in sorted({*FABRICS, *TREES}):
            net = self.net_file(fabric)
            cables, hosts = read_cables(net)
            switches = sorted({switch for switch, _ in cables})
            homes = {switch for switch, _ in hosts.values()}
            tops = [switch for switch in switches if switch not in homes]
            for roots in (switches[:1], switches[-2:], tops):
                if not roots:
                    continue
                roots_file = self.write("roots", ["0x%016x" % guid for guid in roots])
                for engine in ("updn", "ftree"):
                    if engine == "ftree" and fabric not in TREES:
                        continue
                    with self.subTest(fabric=fabric, engine=engine, roots=roots):
                        dump = self.theirs(net, engine, ["-a", roots_file])
                        made = self.ours(net, engine, ["--root-guids", roots_file])
                        theirs, ours = self.verdict(net, dump), self.verdict(net, made)
                        if ours:
                            self.assertEqual(ours, (True, 0))
                        if theirs and theirs[1] == 0:
                            self.assertEqual(ours, theirs)
                            compared += 1
        self.assertGreaterEqual(compared, 10)


def main():
    global BUILD
    BUILD, rest = harness.build_folder(__doc__.split("\n\n")[0])
    unittest.main(argv=[sys.argv[0]] + rest)
    return 0


if __name__ == "__main__":
    sys.exit(main())
