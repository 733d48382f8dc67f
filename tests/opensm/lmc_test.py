#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Several LIDs of a host (LMC above 0) in a real OpenSM: the plug-in and the stock file engine install what `unknot route
--lmc` has written, to every LID, and what OpenSM says of it is proven. Exit code 77, skipped, where OpenSM, ibsim or their
tools are not installed.

    lmc_test.py --build BUILD_FOLDER [unittest's arguments]
"""

import collections
import json
import os
import re
import shutil
import sys
import tempfile
import unittest

import harness
from harness import Simulator, SubnetManager, run

BUILD = None


def rows(path, adapters):
    """{(switch GUID, GUID of an adapter's port, rank of its LID): port} of an LFT dump, and {LID: (GUID, rank)}."""
    ports, lids, switch = {}, collections.defaultdict(set), None
    with open(path) as text:
        for line in text:
            head = re.match(r"Unicast lids .* guid (0x[0-9a-f]+)", line)
            row = re.match(r"(0x[0-9a-f]+) (\d+) .*?portguid (0x[0-9a-f]+)", line)
            if head:
                switch = int(head.group(1), 16)
            elif row and int(row.group(3), 16) in adapters:
                ports[switch, int(row.group(1), 16)] = int(row.group(2))
                lids[int(row.group(3), 16)].add(int(row.group(1), 16))
    place = {lid: (guid, rank) for guid, own in lids.items() for rank, lid in enumerate(sorted(own))}
    return {(switch, *place[lid]): port for (switch, lid), port in ports.items()}, place


def levels(path, place):
    """{(source node GUID, GUID of the destination's port, rank of its LID): level}."""
    found = {}
    with open(path) as text:
        for line in text:
            if line.strip() and not line.startswith("#"):
                source, lid, level = line.split()
                if int(lid) in place:
                    found[int(source, 16), *place[int(lid)]] = int(level)
    return found


class Lmc(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="unknot-lmc-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def unknot(self, *arguments):
        return run([os.path.join(BUILD, "unknot"), *arguments], cwd=self.folder)

    def prepare(self, fabric, engine, lmc, *more):
        self.unknot("topology", fabric, "-o", "fabric.net", "--format", "ibsim")
        made = json.loads(self.unknot("route", "fabric.net", "--engine", engine, "--lmc", str(lmc), "-o", "lfts", "--lanes",
                                      "lanes", "--json", *more))
        self.assertEqual(made["addresses"], 1 << lmc)
        self.adapters = set(harness.read_cables(self.path("fabric.net"))[1])
        self.ours, self.place = rows(self.path("lfts"), self.adapters)
        self.assertEqual(len(self.place), len(self.adapters) << lmc)

    def judge(self, manager, lmc):
        """What OpenSM has in force is what was written, and is proven."""
        self.assertTrue(manager.up, manager.errors())
        theirs, place = rows(manager.dump("opensm-lfts.dump"), self.adapters)
        self.assertEqual(theirs, self.ours)
        self.assertEqual(len(place), len(self.adapters) << lmc)
        return place

    def deploy(self, fabric, engine, lmc, by_ports=False):
        """`by_ports`: the lanes are those of SL-to-VL tables, which the plug-in has OpenSM write."""
        self.prepare(fabric, engine, lmc, *(["--vls", "4", "--sl2vl", "sl2vl"] if by_ports else []))
        with Simulator(self.path("fabric.net"), self.path("sim")) as simulator:
            words = "tables=%s lanes=%s" % (self.path("lfts"), self.path("lanes"))
            words += " sl2vl_file=" + self.path("sl2vl") if by_ports else ""
            with SubnetManager(simulator, "unknot", self.path("osm"), plugins=["unknot_opensm"], plugin_folder=BUILD,
                               plugin_options=words, levels=self.path("held"), options=["-l", str(lmc)]) as manager:
                place = self.judge(manager, lmc)
                ours = levels(self.path("lanes"), self.place)
                hosts = {source for source, _, _ in levels(self.path("held"), place)}
                self.assertEqual(levels(self.path("held"), place), {k: v for k, v in ours.items() if k[0] in hosts})
                lanes = ["--sl2vl", manager.dump("opensm-sl2vl.dump")] if by_ports else []
                said = json.loads(self.unknot("verify", "fabric.net", manager.dump("opensm-lfts.dump"), "--lanes",
                                              self.path("held"), *lanes, "--traffic", "data", "--json"))
                self.assertTrue(said["deadlock_free"] and said["complete"], said)
                self.assertEqual(said["addresses"], 1 << lmc)

    def test_plug_in_on_a_torus(self):
        self.deploy("torus:4x4,p=2", "dfsssp", 2)

    def test_plug_in_on_a_fat_tree(self):
        self.deploy("xgft:m=4x3,w=2x3", "ftree", 1)

    def test_plug_in_on_a_random_network(self):
        self.deploy("random:switches=14,links=30,terminals=30,seed=4", "unknot:effort=0.1", 3)

    def test_plug_in_with_layers_on_a_slim_fly(self):
        self.deploy("slimfly:q=5,p=3", "layers", 3, by_ports=True)

    def test_plug_in_with_layers_on_a_hyperx(self):
        self.deploy("hyperx:4x4,p=2", "layers:effort=0.05", 2, by_ports=True)

    def test_stock_engine_with_the_lids_of_the_tables(self):
        """It goes by the LIDs of the file, which OpenSM gives out where its cache has them."""
        self.prepare("xgft:m=4x3,w=2x3", "updn", 2)
        os.makedirs(self.path("osm"))
        shutil.copy(self.path("guid2lid"), self.path("osm", "guid2lid"))
        with Simulator(self.path("fabric.net"), self.path("sim")) as simulator:
            with SubnetManager(simulator, "file", self.path("osm"), options=["-l", "2", "-U", self.path("lfts")]) as manager:
                self.judge(manager, 2)


def main():
    global BUILD
    BUILD, rest = harness.build_folder(__doc__.split("\n\n")[0])
    BUILD = os.path.abspath(BUILD)
    unittest.main(argv=[sys.argv[0]] + rest)
    return 0


if __name__ == "__main__":
    sys.exit(main())
