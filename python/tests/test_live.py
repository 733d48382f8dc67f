# SPDX-License-Identifier: Apache-2.0
"""A fabric that changes, held in this process."""

import json
import os
import random
import tempfile
import unittest

import unknot


def walk(live, source, destination):
    """Where a packet ends that the ports of the tables lead, router by router; None: it is lost."""
    network = live.network
    homes = {t: r for r in range(network.router_count) for t in network.terminals_at(r)}
    at = homes[source]
    for _ in range(network.router_count + 1):
        port = live.port(at, destination)
        if at == homes[destination]:
            return destination if port != 0 else None
        out = [c for c in network.out(at) if network.source_ports[c] == port]
        if not out or not live.channel_alive(out[0]):
            return None
        at = int(network.targets[out[0]])
    return None


class Live(unittest.TestCase):
    def test_events_are_proven_and_packets_arrive(self):
        network = unknot.network("xgft:m=4x3,w=2x2")
        live = unknot.Live(network)
        self.assertTrue(live)
        self.assertEqual(live.pairs, live.delivered_pairs)
        choice = random.Random(3)
        dead = []
        for step in range(30):
            before = {r: live.row(r) for r in range(network.router_count)}
            if dead and step % 2:
                changed = live.apply(back_channels=[dead.pop(choice.randrange(len(dead)))])
            else:
                dead.append(choice.randrange(network.channel_count))
                changed = live.apply(dead_channels=[dead[-1]])
            self.assertTrue(live.proven)
            for router, terminal, old, new in changed:
                self.assertEqual(before[router][terminal], old)
                before[router][terminal] = new
            for r, row in before.items():
                self.assertTrue((row == live.row(r)).all())
            if step % 10 == 0:
                lost = sum(walk(live, s, d) is None for s in range(network.terminal_count) for d in range(network.terminal_count) if s != d)
                self.assertEqual(lost, live.pairs - live.delivered_pairs)

    def test_lines_and_files(self):
        network = unknot.network("xgft:m=4x3,w=2x2")
        live = unknot.Live(network, exact=True, faults="cable-count=1")
        whole = unknot.Live(network)
        whole.apply_cable_list(live.cable_list())
        self.assertEqual(whole.cable_list(), live.cable_list())
        guid = live.cable_list().splitlines()[0]
        changed = live.apply_events(f"dead {guid}")
        self.assertFalse(live.router_alive(0))
        self.assertGreater(len(changed), 0)
        self.assertEqual(changed.shape[1], 4)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "steps.json")
            live.write_difference(path)
            with open(path) as file:
                self.assertEqual(len(json.load(file)["steps"][0]["entries"]), len(changed))
        live.apply(back_routers=[0])
        self.assertTrue(live.router_alive(0))
        live.make_anew()
        self.assertIn("deadlock-free", repr(live))

    def test_what_it_does_not_know(self):
        live = unknot.Live(unknot.network("xgft:m=4x3,w=2x2"))
        before = live.cable_list()
        with self.assertRaisesRegex(unknot.InputError, "events:1"):
            live.apply_events("gone 0x1")
        with self.assertRaises(IndexError):
            live.apply(dead_routers=[1000])
        with self.assertRaises(IndexError):
            live.port(0, -1)
        self.assertEqual(live.cable_list(), before)
        self.assertTrue(live)


if __name__ == "__main__":
    unittest.main()
