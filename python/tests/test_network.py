# SPDX-License-Identifier: Apache-2.0
"""Networks: every topology's own examples, arrays that are views, files."""

import decimal
import fractions
import gc
import os
import tempfile
import unittest

import command_line
import numpy
import unknot

NONE = 4294967295
MOST_ROUTERS = 300


class Networks(unittest.TestCase):
    def test_every_topology_gives_consistent_arrays(self):
        looked_at = 0
        for row in unknot.topologies():
            for spec in row["examples"]:
                with self.subTest(spec):
                    self.look_at(unknot.network(spec))
                    looked_at += 1
        self.assertGreater(looked_at, 40)

    def look_at(self, network):
        if network.router_count > MOST_ROUTERS:
            return
        self.assertEqual(len(network.sources), network.channel_count)
        self.assertEqual(len(network.targets), network.channel_count)
        self.assertEqual(len(network.terminal_routers), network.terminal_count)
        two_way = numpy.flatnonzero(network.reverses != NONE)
        back = network.reverses[two_way]
        self.assertTrue((network.reverses[back] == two_way).all())
        self.assertTrue((network.sources[back] == network.targets[two_way]).all())
        for router in range(network.router_count):
            own = list(network.out(router))
            self.assertTrue((network.sources[own] == router).all())
            homes = network.terminal_routers[list(network.terminals_at(router))]
            self.assertTrue((homes == router).all())
        self.assertEqual(sum(len(network.out(r)) for r in range(network.router_count)), network.channel_count)

    def test_catalogues_are_those_of_the_program(self):
        for name in ("topologies", "engines", "solvers", "patterns", "workloads"):
            with self.subTest(name):
                said = command_line.say("list", name)[name]
                own = getattr(unknot, name)()
                self.assertEqual([row["name"] for row in own], [row["name"] for row in said])
                self.assertEqual([row["summary"] for row in own], [row["summary"] for row in said])

    def test_properties_are_those_of_the_program(self):
        for spec in ("torus:4x4,p=2", "slimfly:5", "kautz:b=2,n=3"):
            with self.subTest(spec):
                said, own = command_line.say("info", spec), unknot.network(spec).properties()
                for key in ("routers", "terminals", "channels", "diameter", "bisection_cut", "mean_hops", "degree"):
                    self.assertEqual(own[key], said[key], key)

    def test_arrays_share_the_networks_memory(self):
        network = unknot.network("mesh:3x3")
        self.assertTrue(numpy.shares_memory(network.sources, network.sources))
        with self.assertRaises(ValueError):
            network.sources[0] = 7

    def test_arrays_outlive_the_name_of_their_network(self):
        network = unknot.network("torus:16x16")
        targets, expected = network.targets, network.targets.copy()
        del network
        gc.collect()
        for _ in range(20):
            unknot.network("torus:16x16")
        self.assertTrue((targets == expected).all())

    def test_faults_take_cables_away(self):
        network = unknot.network("torus:4x4")
        cut = network.with_faults("cable-count=3,seed=1")
        self.assertEqual(cut.channel_count, network.channel_count - 6)
        self.assertEqual(unknot.network("torus:4x4", faults="cable-count=3,seed=1"), cut)
        self.assertNotEqual(cut, network)

    def test_files_give_the_same_network_again(self):
        network = unknot.network("dragonfly:a=4,p=2,h=2")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "fabric.json")
            network.write(path)
            again = unknot.network(path)
            self.assertEqual(again.fingerprint, network.fingerprint)
            self.assertTrue((again.targets == network.targets).all())

    def test_builder_makes_what_it_is_told(self):
        builder = unknot.NetworkBuilder()
        builder.add_routers(2)
        third = builder.add_router("edge")
        builder.add_cable(0, 1)
        builder.add_cable(1, third)
        builder.add_terminal(0)
        builder.add_terminal(third, "host")
        network = builder.build("three in a row")
        self.assertEqual((network.router_count, network.terminal_count, network.channel_count), (3, 2, 4))
        self.assertEqual(network.router_name(2), "edge")
        self.assertEqual(network.terminal_name(1), "host")
        self.assertIn("three in a row", repr(network))
        for wrong in (lambda: builder.add_cable(0, 9), lambda: builder.add_terminal(-1)):
            with self.assertRaises((ValueError, IndexError, TypeError)):
                wrong()

    def test_what_cannot_be_built_stays_as_it_is(self):
        builder = unknot.NetworkBuilder()
        builder.add_routers(2)
        builder.add_cable(0, 1)
        builder.add_cable(0, 1, 1, 1)
        for _ in range(2):
            with self.assertRaisesRegex(unknot.InputError, "router 0 uses port 1 twice"):
                builder.build()

    def test_no_array_can_be_changed(self):
        network = unknot.network("torus:4x4,p=2")
        for name in dir(network):
            array = getattr(network, name)
            if isinstance(array, numpy.ndarray):
                self.assertFalse(array.flags.writeable, name)
        self.assertEqual(unknot.network("hypercube:0,p=4").coordinates.shape, (1, 0))

    def test_none_is_no_network(self):
        for wrong in (
            lambda: unknot.route(None),
            lambda: unknot.verify(None),
            lambda: unknot.Live(None),
            lambda: unknot.LiveLanes(None),
            lambda: unknot.collective(None, "AAB"),
            lambda: unknot.read_tables(None, "tables"),
            lambda: unknot.read_schedule(None, "schedule"),
            lambda: unknot.Simulation.of_paths(None, "minimal"),
            lambda: unknot.Routing.from_next_channels(None, [[0]]),
        ):
            with self.assertRaises(TypeError):
                wrong()

    def test_fractions_count_nothing(self):
        network = unknot.network("torus:4x4,p=2")
        self.assertEqual(network.out(numpy.uint8(1)), network.out(1))
        self.assertEqual(unknot.route(network, "dfsssp", virtual_lanes=numpy.uint64(4)).virtual_lanes, 4)
        for lanes in (4.0, numpy.float32(4), numpy.float16(4.5), decimal.Decimal("4.9"), fractions.Fraction(49, 10)):
            with self.assertRaises(TypeError):
                unknot.route(network, "dfsssp", virtual_lanes=lanes)
        with self.assertRaises(TypeError):
            network.out(numpy.float32(1.7))


if __name__ == "__main__":
    unittest.main()
