# SPDX-License-Identifier: Apache-2.0
"""A fabric that changes, held in this process."""

import json
import os
import random
import tempfile
import threading
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


def walk_lanes(live, source, destination):
    """Channels from one terminal to the other, and the lane of them; None: the packet is lost."""
    network = live.network
    homes = {t: r for r in range(network.router_count) for t in network.terminals_at(r)}
    at, path = homes[source], []
    lane = live.level(at, destination)
    while at != homes[destination]:
        out = [c for c in network.out(at) if network.source_ports[c] == live.port(at, destination)]
        if not out or not live.channel_alive(out[0]) or len(path) > network.router_count:
            return None
        path.append(out[0])
        at = int(network.targets[out[0]])
    return path, lane


def acyclic(arcs):
    """Kahn's algorithm: channels that nothing comes before go first."""
    following, missing = {}, {}
    for a, b in arcs:
        following.setdefault(a, []).append(b)
        missing[b] = missing.get(b, 0) + 1
    free = [a for a in following if a not in missing]
    left = len(set(following) | set(missing))
    while free:
        left -= 1
        for b in following.get(free.pop(), []):
            missing[b] -= 1
            if missing[b] == 0:
                free.append(b)
    return left == 0


class LiveLanes(unittest.TestCase):
    def test_events_are_proven_and_packets_arrive_on_lanes_without_circles(self):
        network = unknot.network("torus:4x4")
        live = unknot.LiveLanes(network, engine="dfsssp", lanes=5)
        self.assertTrue(live)
        choice = random.Random(5)
        dead, relevelled = [], 0
        for step in range(30):
            rows = {r: live.row(r) for r in range(network.router_count)}
            levels = {r: live.levels(r) for r in range(network.router_count)}
            if dead and step % 3 == 2:
                changed = live.apply(back_channels=[dead.pop(choice.randrange(len(dead)))])
            else:
                dead.append(choice.randrange(network.channel_count))
                changed = live.apply(dead_channels=[dead[-1]])
            self.assertTrue(live.proven, live.why)
            for kept, new, now in (rows, changed, live.row), (levels, live.changed_levels(), live.levels):
                for router, terminal, before, after in new:
                    self.assertEqual(kept[router][terminal], before)
                    kept[router][terminal] = after
                for r, row in kept.items():
                    self.assertTrue((row == now(r)).all())
            relevelled += len(live.changed_levels())
            if step % 5 == 0:
                arcs, lost = {}, 0
                for s in range(network.terminal_count):
                    for d in range(network.terminal_count):
                        walked = walk_lanes(live, s, d) if s != d else ([], 0)
                        if walked is None:
                            lost += 1
                            continue
                        path, lane = walked
                        self.assertLess(lane, live.lanes)
                        arcs.setdefault(lane, set()).update(zip(path, path[1:]))
                self.assertEqual(lost, live.disconnected_pairs)
                self.assertEqual(sum(map(len, arcs.values())), live.dependencies)
                self.assertTrue(all(map(acyclic, arcs.values())))
                verdict = unknot.verify(live.routing())
                self.assertEqual((verdict.deadlock_free, verdict.unroutable_pairs), (True, lost))
        self.assertGreater(relevelled, 0)

    def test_lines_files_and_tables_by_anyone(self):
        network = unknot.network("dragonfly:a=4,h=2,p=2")
        routing = unknot.route(network, "dfsssp", virtual_lanes=7)
        live = unknot.LiveLanes.from_routing(routing)
        self.assertEqual(live.lanes, routing.virtual_lanes + 1)
        for router in range(1, network.router_count):
            self.assertEqual(live.level(router, 0), routing.service_level(network.terminals_at(router)[0], 0))
        guid = live.cable_list().splitlines()[0]
        changed = live.apply_events(f"dead {guid}")
        self.assertFalse(live.router_alive(0))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "steps.json")
            live.write_difference(path)
            with open(path) as file:
                step = json.load(file)["steps"][0]
        self.assertEqual((len(step["entries"]), len(step["levels"])), (len(changed), len(live.changed_levels())))
        other = unknot.LiveLanes(network, faults="routers=0")
        self.assertEqual(other.cable_list(), live.cable_list())
        self.assertTrue(other)
        live.make_anew()
        self.assertTrue(live.anew and live)
        self.assertIn(f"deadlock-free on {live.lanes} lanes", repr(live))

    def test_what_it_does_not_take(self):
        network = unknot.network("torus:4x4")
        for refused in {"engine": "nosuch"}, {"lanes": 1}, {"lanes": 16}, {"engine": "angara-bfs"}, {"faults": "channels=0"}:
            with self.subTest(refused), self.assertRaises(unknot.InputError):
                unknot.LiveLanes(network, **refused)
        with self.assertRaisesRegex(unknot.RoutingFailure, "deadlock"):
            unknot.LiveLanes(network, engine="sssp")
        with self.assertRaisesRegex(unknot.RoutingFailure, "of 2 lanes one is kept"):
            unknot.LiveLanes(network, engine="dfsssp", lanes=2)
        live = unknot.LiveLanes(network)
        before = live.cable_list()
        with self.assertRaisesRegex(unknot.InputError, "events:1"):
            live.apply_events("dead 0xffffffffff")
        with self.assertRaises(IndexError):
            live.level(16, 0)
        self.assertEqual(live.cable_list(), before)
        self.assertTrue(live)


class Threads(unittest.TestCase):
    def test_one_at_a_time(self):
        """Cables go and come in several threads, others look on."""
        network = unknot.network("torus:4x4,p=2")
        for live in (unknot.LiveLanes(network, "dfsssp"), unknot.Live(unknot.network("xgft:m=4x3,w=2x2"))):
            failures = []

            def change(channel):
                try:
                    for _ in range(6):
                        live.apply(dead_channels=[channel])
                        live.apply(back_channels=[channel])
                except Exception as error:  # told by the test, not by its thread
                    failures.append(error)

            def look():
                for _ in range(100):
                    live.row(0), live.difference(), live.cable_list(), bool(live), repr(live)

            threads = [threading.Thread(target=change, args=(channel,)) for channel in (0, 8)] + [threading.Thread(target=look)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(failures, [])
            self.assertTrue(live)
            self.assertEqual(live.lost_pairs, 0)


if __name__ == "__main__":
    unittest.main()
