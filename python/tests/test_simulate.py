# SPDX-License-Identifier: Apache-2.0
"""Simulation: the program's numbers, workloads, many paths."""

import unittest

import command_line
import unknot

SPEC = "torus:4x4,p=2"


class Simulations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.network = unknot.network(SPEC)
        cls.routing = unknot.route(cls.network, "dfsssp", virtual_lanes=4)

    def test_numbers_are_those_of_the_program(self):
        simulation = unknot.Simulation(self.routing, settings={"measure": 2000})
        (point,) = simulation.run([0.2])
        said = command_line.say("simulate", SPEC, "--engine", "dfsssp", "--vls", "4", "--load", "0.2", "--set", "measure=2000")
        (row,) = said["points"]
        self.assertEqual(point.accepted, row["accepted"])
        self.assertEqual(point.latency_mean, row["latency_mean"])

    def test_latency_grows_with_load_and_nothing_is_lost(self):
        simulation = unknot.Simulation(self.routing, settings={"measure": 2000})
        low, high = simulation.run([0.05, 0.3])
        self.assertTrue(simulation.deadlock_free)
        self.assertLess(low.latency_mean, high.latency_mean)
        self.assertAlmostEqual(low.accepted, 0.05, delta=0.01)
        self.assertFalse(low.deadlock)
        self.assertEqual(len(low.utilisation), self.network.channel_count)
        self.assertLess(low.utilisation.mean(), high.utilisation.mean())

    def test_what_has_not_arrived_is_said(self):
        settings = {"measure": 2000, "warmup": 1000, "link_latency": 100, "vc_buffer": 300}
        (done,) = unknot.Simulation(self.routing, settings=settings).run([0.1])
        self.assertEqual((done.state, done.steady, done.all_arrived), ("steady", True, True))
        (given_up,) = unknot.Simulation(self.routing, settings=dict(settings, drain=1)).run([0.1])
        self.assertEqual((given_up.state, given_up.steady, given_up.all_arrived), ("undelivered", False, False))
        self.assertFalse(given_up.saturated)
        self.assertIsNone(given_up.latency_mean)
        self.assertIsNone(given_up.latency_p99)
        self.assertIn("undelivered", repr(given_up))

    def test_a_workload_is_delivered(self):
        report = unknot.Simulation(self.routing).workload("all-to-all:bytes=64")
        self.assertTrue(report.complete)
        self.assertEqual(report.messages, 32 * 31)
        self.assertEqual(report.bytes, 32 * 31 * 64)

    def test_routing_over_many_paths(self):
        network = unknot.network("slimfly:5")
        for paths in ("minimal", "valiant", "ugal"):
            with self.subTest(paths):
                simulation = unknot.Simulation.of_paths(network, paths, settings={"measure": 300})
                (point,) = simulation.run([0.1])
                self.assertTrue(simulation.deadlock_free)
                self.assertAlmostEqual(point.accepted, 0.1, delta=0.02)

    def test_what_can_deadlock_is_said(self):
        simulation = unknot.Simulation(unknot.route(self.network, "minhop"))
        self.assertFalse(simulation.deadlock_free)

    def test_wrong_settings_are_refused(self):
        for settings in ({"vcs": -1}, {"no_such_setting": 1}, {"measure": "many"}):
            with self.subTest(settings=settings), self.assertRaises(unknot.InputError):
                unknot.Simulation(self.routing, settings=settings)
        simulation = unknot.Simulation(self.routing)
        for load in (-0.1, float("nan"), 1e9):
            with self.subTest(load=load), self.assertRaises(unknot.InputError):
                simulation.run([load])
        with self.assertRaises(unknot.InputError):
            simulation.run([0.1], traffic="no-such-pattern")


if __name__ == "__main__":
    unittest.main()
