#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The second checker itself, on fabrics small enough to see the answer."""

import json
import os
import tempfile
import unittest
from itertools import product

import making
import making_changes
import transition
import writing
from change import Difference, carried
from definitions import DELIVERED, Verdict, dependencies, has_cycle, way
from fabric import read_fabric
from random import Random
from tables import Refused, read_tables

TRIANGLE = {"format": "unknot-network", "version": 1, "routers": 3, "cables": [[0, 1, 1, 2], [1, 1, 2, 2], [2, 1, 0, 2]],
            "terminals": [[0, 3], [1, 3], [2, 3]]}
ROUND = [[3, 1, 1], [1, 3, 1], [1, 1, 3]]  # rows of each switch to hosts 0, 1, 2: port 1 leads on in the ring, port 3 to the host
SWITCH, HOST = "0x000200000000000{}", "0x000100000000000{}"


class Hand(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, content):
        path = os.path.join(self.folder, name)
        writing.write(path, content if isinstance(content, str) else json.dumps(content))
        return path

    def triangle(self, rows, name="fabric", **more):
        fabric = read_fabric(self.write(name, TRIANGLE))
        tables = {"format": "unknot-tables", "version": 1,
                  "terminals": [{"guid": HOST.format(2 * i + 1)} for i in range(3)],
                  "routers": [{"guid": SWITCH.format(i), "ports": rows[i]} for i in range(3)]}
        return fabric, read_tables(fabric, self.write("tables", tables | more))

    def test_ring_deadlocks_on_one_lane_and_not_on_two(self):
        verdict = Verdict(*self.triangle(ROUND))
        self.assertTrue(verdict.complete)
        self.assertEqual((verdict.loops, verdict.longer, max(verdict.hops)), (0, 3, 2))
        self.assertFalse(verdict.deadlock_free)
        levels = [{"terminal": HOST.format(2 * i + 1), "levels": [0, 0, 0]} for i in range(3)]
        levels[0]["levels"] = [0, 1, 1]  # host 0's packet over two hops leaves the others alone
        verdict = Verdict(*self.triangle(ROUND, service_levels=levels))
        self.assertTrue(verdict.complete and verdict.deadlock_free)
        # one lane declared: host 0's packets are dropped at once
        verdict = Verdict(*self.triangle(ROUND, service_levels=levels, virtual_lanes=1))
        self.assertEqual((verdict.lost, verdict.deadlock_free), (2, True))

    def test_loop_holds_its_channels_and_a_drop_ends_it(self):
        rows = [[3, 1, 1], [1, 3, 1], [1, 1, 1]]  # nobody hands packets out to host 2
        verdict = Verdict(*self.triangle(rows))
        self.assertEqual((verdict.lost, verdict.loops, verdict.deadlock_free), (2, 2, False))
        drop = [{"router": SWITCH.format(i), "in": 2, "out": 1, "lanes": [15] * 16} for i in range(3)]
        verdict = Verdict(*self.triangle(rows, sl_to_vl=drop))
        self.assertTrue(verdict.deadlock_free)
        self.assertEqual(verdict.lost, 4)  # and the pairs of two hops

    def test_pair_on_one_switch_needs_a_lane(self):
        fabric = read_fabric(self.write("fabric", {"format": "unknot-network", "version": 1, "routers": 1, "cables": [],
                                                   "terminals": [[0, 1], [0, 2]]}))
        rows = f"Unicast lids guid {SWITCH.format(0)} \n0x0001 001 # portguid {HOST.format(1)}\n0x0002 002\n"
        tables = self.write("lfts", rows)
        lines = f"{SWITCH.format(0)} 1 2" + " 0x0f" * 8 + f"\n{SWITCH.format(0)} 2 1" + " 0x00" * 8 + "\n"
        sl2vl = self.write("sl2vl", lines)
        lanes = self.write("lanes", f"{HOST.format(0)} 2 1\n{HOST.format(2)} 1 1\n")
        self.assertEqual(Verdict(fabric, read_tables(fabric, tables, lanes, sl2vl)).lost, 1)
        self.assertEqual(Verdict(fabric, read_tables(fabric, tables, None, sl2vl)).lost, 0)
        with self.assertRaises(Refused):
            read_tables(fabric, tables, self.write("lanes", f"{HOST.format(0)} 2 1\n"), sl2vl)

    def test_packets_of_an_earlier_step(self):
        fabric, tables = self.triangle([[3, 1, 1], [1, 3, 1], [1, 2, 3]])
        steps = [{"entries": [{"router": SWITCH.format(0), "lid": 3, "port": 2}]},
                 {"entries": [{"router": SWITCH.format(2), "lid": 2, "port": 1}]}]

        def free(carry):
            return transition.check(fabric, tables, transition.read_steps(fabric, {"steps": steps}), carry)[0]

        self.assertEqual(free(False), [True, True])
        self.assertEqual(free(True), [True, False])
        steps[1]["wait"] = True
        self.assertEqual(free(True), [True, True])
        del steps[1]["wait"]
        steps[0]["entries"] += steps.pop()["entries"]
        self.assertEqual(free(False), [False])

    def test_swapped_lids_lose_pairs(self):
        fabric, tables = self.triangle(ROUND)
        other = dict(TRIANGLE, terminal_lid=[2, 1, 3], router_lid=[4, 5, 6])
        fabric.lids_stated = True
        after = read_fabric(self.write("after", other))
        self.assertEqual(Difference(fabric, after).hosts_moved, set(fabric.hosts[:2]))
        self.assertEqual(Verdict(after, carried(fabric, tables, after)).lost, 4)

    def test_growing_equals_all_mixtures_one_by_one(self):
        """One step's closure against the definition: every assignment of old and new entries, each packet walked."""
        unsafe = 0
        for seed in range(120):
            rng = Random(seed)
            fabric = making.fabric(rng)
            now = making.tables(rng, fabric, 0)
            document = making_changes.plan(rng, fabric, now, True)
            step = transition.read_steps(fabric, {"steps": [{"entries": [
                entry for i, entry in enumerate(document["steps"][0]["entries"]) if i < 7]}]})[0] \
                if len({(e["router"], e["lid"]) for e in document["steps"][0]["entries"]}) == \
                len(document["steps"][0]["entries"]) else None
            if not step or not step.rows:
                continue
            edges, lost = set(), set()
            for chosen in product((False, True), repeat=len(step.rows)):
                mixture = now.copy()
                for use, (key, port) in zip(chosen, step.rows.items()):
                    if use:
                        mixture.rows[key] = port
                for source in fabric.hosts:
                    for lid, host in mixture.owner.items():
                        if host in fabric.at and host != source:
                            found = way(fabric, mixture, source, lid, 0)
                            edges |= dependencies(found.held)
                            if found.end != DELIVERED:
                                lost.add((source, lid))
            free, undelivered, _ = transition.check(fabric, now, [step], True)
            self.assertEqual(free, [not has_cycle(edges)], seed)
            self.assertEqual(undelivered, [len(lost)], seed)
            unsafe += not free[0]
        self.assertGreater(unsafe, 10)


if __name__ == "__main__":
    unittest.main()
