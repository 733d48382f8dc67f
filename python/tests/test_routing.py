# SPDX-License-Identifier: Apache-2.0
"""Routing and its proofs: every engine, tables of one's own, files, loads."""

import os
import tempfile
import unittest

import command_line
import numpy
import unknot

NETWORKS = ("torus:4x4,p=2", "xgft:m=4x4,w=1x2", "kautz:b=2,n=3", "mesh:3x3")


def routed():
    """Every engine on every network that it accepts."""
    for spec in NETWORKS:
        network = unknot.network(spec)
        for engine in unknot.engines():
            try:
                yield engine, unknot.route(network, engine["name"])
            except (unknot.RoutingFailure, unknot.InputError):
                continue


class Routings(unittest.TestCase):
    def test_every_engine_keeps_its_promises(self):
        seen = set()
        for engine, routing in routed():
            with self.subTest(routing=repr(routing)):
                verdict = unknot.verify(routing, certificate=True)
                self.assertTrue(verdict.complete)
                self.assertTrue(verdict.loop_free)
                if engine["deadlock_free"]:
                    self.assertTrue(verdict.deadlock_free)
                if engine["minimal"]:
                    self.assertTrue(verdict.minimal)
                self.assertEqual(bool(verdict), verdict.deadlock_free and verdict.complete and verdict.loop_free)
                if verdict.deadlock_free:
                    self.assertIsNone(verdict.witness)
                    self.assertTrue(unknot.check_certificate(routing, verdict.certificate))
                    spoiled = verdict.certificate.copy()
                    spoiled[:] = 0
                    if verdict.dependencies > 0:
                        self.assertFalse(unknot.check_certificate(routing, spoiled))
                else:
                    self.assertGreater(len(verdict.witness), 1)
                seen.add(engine["name"])
        self.assertGreater(len(seen), 8)

    def test_paths_follow_channels_and_make_the_load(self):
        for _, routing in routed():
            with self.subTest(routing=repr(routing)):
                network = routing.network
                load = numpy.zeros(network.channel_count, dtype=numpy.uint64)
                for a in range(network.terminal_count):
                    for b in range(network.terminal_count):
                        if a == b:
                            continue
                        path = routing.path(a, b)
                        at = network.terminal_routers[a]
                        for channel in path:
                            self.assertEqual(network.sources[channel], at)
                            at = network.targets[channel]
                        self.assertEqual(at, network.terminal_routers[b])
                        numpy.add.at(load, path, 1)
                self.assertTrue((load == unknot.channel_load(routing)).all())

    def test_answers_are_those_of_the_program(self):
        spec = "torus:4x4,p=2"
        routing = unknot.route(unknot.network(spec), "dfsssp", virtual_lanes=4)
        verdict = unknot.verify(routing)
        said = command_line.say("route", spec, "--engine", "dfsssp", "--vls", "4")
        self.assertEqual(verdict.deadlock_free, said["deadlock_free"])
        self.assertEqual(verdict.dependencies, said["dependencies"])
        self.assertEqual(verdict.mean_hops, said["hops"]["mean"])
        self.assertEqual(routing.lanes_needed, said["lanes_needed"])
        load = unknot.load_statistics(unknot.channel_load(routing))
        self.assertEqual((load.max, load.min, load.mean), tuple(said["channel_load"][k] for k in ("max", "min", "mean")))
        own = unknot.congestion(routing, samples=20)
        said = command_line.say("congestion", spec, "--engine", "dfsssp", "--vls", "4", "--samples", "20")
        self.assertEqual(own.effective_bisection_bandwidth, said["effective_bisection_bandwidth"])
        self.assertEqual(own.throughput, said["throughput"])

    def test_number_of_threads_does_not_matter(self):
        network = unknot.network("torus:6x6,p=2")
        one, two = (unknot.route(network, "unknot", threads=t) for t in (1, 2))
        self.assertTrue((one.table == two.table).all())
        self.assertTrue((one.service_levels() == two.service_levels()).all())

    def test_tables_of_ones_own(self):
        network = unknot.network("torus:4x4,p=2")
        made = unknot.route(network, "dfsssp", virtual_lanes=4)
        again = unknot.Routing.from_next_channels(network, made.next_channels(), made.virtual_lanes, made.service_levels())
        self.assertTrue((again.table == made.table).all())
        self.assertTrue(unknot.verify(again))
        alone = unknot.Routing.from_next_channels(network, made.next_channels())
        self.assertFalse(unknot.verify(alone), "one lane closes rings of a torus")
        with self.assertRaises(ValueError):
            unknot.Routing.from_next_channels(network, made.next_channels()[:3])
        for wrong, said in (
            (made.next_channels() + 0.5, "next_channels: expected an array of whole numbers, not of float64"),
            (made.next_channels().astype("uint64"), "next_channels: 18446744073709551614 is out of range"),
        ):
            with self.assertRaisesRegex(ValueError, said):
                unknot.Routing.from_next_channels(network, wrong)
        with self.assertRaisesRegex(ValueError, "service_levels: expected an array of whole numbers"):
            unknot.Routing.from_next_channels(network, made.next_channels(), 4, made.service_levels() * 1.0)

    def test_files_give_the_same_tables_again(self):
        network = unknot.network("torus:4x4,p=2")
        made = unknot.route(network, "dfsssp", virtual_lanes=4)
        with tempfile.TemporaryDirectory() as folder:
            files = {name: os.path.join(folder, name) for name in ("tables", "lanes", "sl2vl")}
            made.write(files["tables"], lanes=files["lanes"], sl2vl=files["sl2vl"])
            again = unknot.read_tables(network, files["tables"], lanes=files["lanes"], sl2vl=files["sl2vl"])
        self.assertTrue((again.next_channels() == made.next_channels()).all())
        self.assertTrue(unknot.verify(again))

    def test_lanes_that_a_file_drops_are_asked_for(self):
        network = unknot.network("torus:4x4,p=2")
        made = unknot.route(network, "dfsssp")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "tables")
            with self.assertRaisesRegex(unknot.InputError, "can deadlock without their"):
                made.write(path)
            self.assertFalse(os.path.exists(path))
            made.write(path, force=True)
            self.assertFalse(unknot.verify(unknot.read_tables(network, path)))
            made.write(path, "json")
            self.assertTrue(unknot.verify(unknot.read_tables(network, path)))

    def test_table_is_a_view(self):
        routing = unknot.route(unknot.network("mesh:3x3"), "updn")
        table = routing.table
        expected = table.copy()
        with self.assertRaises(ValueError):
            table[0, 0] = 1
        del routing
        self.assertTrue((table == expected).all())


if __name__ == "__main__":
    unittest.main()
