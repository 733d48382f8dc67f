# SPDX-License-Identifier: Apache-2.0
"""Objects do what Python expects of them: signatures, copies, pickles, dicts, HTML."""

import copy
import inspect
import pathlib
import pickle
import unittest

import numpy
import unknot
from unknot import _manners, _unknot


def some_of_everything():
    network = unknot.network("torus:4x4,p=2")
    routing = unknot.route(network, "dfsssp", virtual_lanes=4)
    simulation = unknot.Simulation(routing, settings={"measure": 500, "warmup": 200})
    collective = unknot.collective(unknot.network("torus:3x3"), "AAB")
    solution = unknot.design_schedule(collective)
    return [
        network,
        routing,
        unknot.verify(routing, certificate=True),
        unknot.congestion(routing, samples=5),
        unknot.load_statistics(unknot.channel_load(routing)),
        simulation.run([0.1])[0],
        simulation.workload("all-to-all:bytes=64"),
        unknot.lower_bound(collective),
        solution,
        solution.schedule,
        unknot.check_schedule(collective, solution.schedule),
    ]


def same(a, b):
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    return numpy.array_equal(a, b) if hasattr(a, "shape") else a == b


class Objects(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.all = some_of_everything()

    def test_every_kind_of_result_is_tried(self):
        self.assertLessEqual(set(_manners.RESULTS), {type(one) for one in self.all})

    def test_signatures_are_read(self):
        self.assertEqual(
            str(inspect.signature(unknot.route)), "(network, engine='unknot', virtual_lanes=8, seed=1, threads=0, progress=None)"
        )
        self.assertEqual(str(inspect.signature(unknot.Network.out)), "(self, router)")
        self.assertEqual(str(inspect.signature(self.all[0].out)), "(router)")
        self.assertEqual(str(inspect.signature(unknot.NetworkBuilder)), "()")
        self.assertEqual(list(inspect.signature(unknot.Simulation).parameters)[:3], ["routing", "preset", "settings"])
        self.assertEqual(list(inspect.signature(unknot.collective).parameters)[:3], ["network", "name", "root"])
        for name, member in vars(_unknot).items():
            if not name.startswith("_") and callable(member) and not (inspect.isclass(member) and issubclass(member, Exception)):
                with self.subTest(name):
                    if not inspect.isclass(member) or "__init__" in vars(member):
                        inspect.signature(member)

    def test_pickles_keep_what_is_told(self):
        for one in self.all:
            with self.subTest(type(one).__name__):
                again = pickle.loads(pickle.dumps(one))
                if type(one) in _manners.RESULTS:
                    self.assertEqual(repr(again), repr(one))
                    self.assertEqual(bool(again), bool(one))
                    self.assertTrue(same(again.as_dict(), one.as_dict()))
                    for name in one.as_dict():
                        self.assertTrue(hasattr(again, name))
                    with self.assertRaises(AttributeError):
                        again.steps = 1
                    self.assertTrue(same(pickle.loads(pickle.dumps(again)).as_dict(), one.as_dict()))
                elif isinstance(one, unknot.Routing):
                    self.assertEqual(again, one)
                    self.assertEqual(hash(again), hash(one))
                    self.assertEqual(again.network, one.network)
                    self.assertTrue(numpy.array_equal(again.next_channels(), one.next_channels()))
                    self.assertTrue(numpy.array_equal(again.service_levels(), one.service_levels()))
                    self.assertTrue(unknot.verify(again))
                else:
                    self.assertEqual(again, one)

    def test_equal_is_what_is_told_the_same(self):
        network = unknot.network("ring:4")
        self.assertEqual(unknot.route(network, "updn"), unknot.route(unknot.network("ring:4"), "updn"))
        self.assertNotEqual(unknot.route(network, "updn"), unknot.route(network, "minhop"))
        self.assertNotEqual(unknot.route(network, "updn"), unknot.route(unknot.network("ring:5"), "updn"))
        self.assertNotEqual(unknot.route(network, "updn"), 4)
        self.assertEqual(unknot.collective(network, "AAB"), unknot.collective(network, "AAB"))
        self.assertNotEqual(unknot.collective(network, "AAB"), unknot.collective(network, "AAS"))
        self.assertNotEqual(unknot.collective(network, "AAB"), unknot.collective(network, "AAB", ports=1))

    def test_copies_are_equal(self):
        for one in self.all:
            for copied in (copy.copy(one), copy.deepcopy(one), copy.deepcopy([one])[0]):
                with self.subTest(type(one).__name__):
                    self.assertEqual(copied, one)

    def test_coordinates_and_names_survive(self):
        network = pickle.loads(pickle.dumps(self.all[0]))
        self.assertTrue(numpy.array_equal(network.coordinates, self.all[0].coordinates))
        self.assertEqual(network.terminal_name(3), self.all[0].terminal_name(3))

    def test_results_are_shown_and_told_as_dicts(self):
        for one in self.all:
            if hasattr(one, "as_dict"):
                self.assertTrue(one.as_dict())
            if hasattr(one, "_repr_html_"):
                self.assertIn("<table>", one._repr_html_())
        self.assertTrue(all(hasattr(one, "_repr_html_") for one in self.all))
        self.assertTrue(all(hasattr(one, "as_dict") for one in self.all))

    def test_networks_and_routings_are_told_as_dicts(self):
        network, routing = self.all[:2]
        self.assertEqual(network.as_dict()["router_count"], 16)
        self.assertTrue(numpy.array_equal(network.as_dict()["targets"], network.targets))
        told = routing.as_dict()
        self.assertEqual(told["engine"], routing.engine)
        self.assertEqual(told["network"]["fingerprint"], network.fingerprint)
        self.assertTrue(numpy.array_equal(told["table"], routing.table))
        by_source = unknot.route(network, "source-routed", virtual_lanes=4).as_dict()
        self.assertFalse(by_source["has_tables"])
        self.assertNotIn("table", by_source)

    def test_paths_are_taken(self):
        with self.assertRaises(unknot.InputError):
            unknot.network(pathlib.Path("nowhere.json"))
        with self.assertRaises(TypeError):
            unknot.network(3)


if __name__ == "__main__":
    unittest.main()
