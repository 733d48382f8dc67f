# SPDX-License-Identifier: Apache-2.0
"""Schedules: bounds, solvers, the checker, files."""

import copy
import os
import pickle
import tempfile
import unittest

import command_line
import unknot


class Schedules(unittest.TestCase):
    def test_designed_schedules_pass_the_checker(self):
        for spec in ("ring:6", "hypercube:3", "kautz:b=2,n=3", "mesh:3x3"):
            network = unknot.network(spec)
            for name in ("OAS", "AAS", "OAB", "AOG", "MNS"):
                with self.subTest(spec=spec, name=name):
                    given = {"transmitters": [0, 1], "receivers": [2, 3, 4]} if name == "MNS" else {}
                    collective = unknot.collective(network, name, **given)
                    bound = unknot.lower_bound(collective)
                    self.assertTrue(bound.check(collective))
                    solution = unknot.design_schedule(collective)
                    verdict = unknot.check_schedule(collective, solution.schedule)
                    self.assertTrue(verdict, verdict.findings)
                    self.assertGreaterEqual(solution.steps, bound.steps)
                    self.assertEqual(len(solution.schedule), solution.steps)

    def test_numbers_are_those_of_the_program(self):
        said = command_line.say("schedule", "torus:4x4", "--collective", "AAB")
        solution = unknot.design_schedule(unknot.collective(unknot.network("torus:4x4"), "AAB"))
        self.assertEqual((solution.steps, solution.optimal), (said["steps"], said["proven_optimal"]))
        self.assertEqual(solution.schedule.transfer_count, said["transfers"])

    def test_capacities_are_those_that_the_fabric_states(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "ring.dot")
            with open(path, "w", encoding="ascii") as file:
                file.write("graph { a -- b [capacity=400]; b -- c [capacity=400]; c -- d [capacity=100] }")
            network = unknot.network(path)
        self.assertEqual(sorted(network.capacities.tolist()), [100_000] * 2 + [400_000] * 4)
        self.assertEqual(network.terminal_capacities.tolist(), [0, 0, 0, 0])
        stated = unknot.collective(network, "AAS", capacity="stated")
        self.assertEqual(stated.unit_megabits, 100_000)
        cables = unknot.collective(network, "AAS")
        self.assertEqual(cables.unit_megabits, 0)
        # Four messages over the cable in the middle; or three over the narrow one at the end.
        self.assertEqual(unknot.lower_bound(cables).steps, 4)
        self.assertEqual(unknot.lower_bound(stated).steps, 3)
        with self.assertRaisesRegex(unknot.InputError, "capacity: cables, rates or stated, not 'tea'"):
            unknot.collective(network, "AAS", capacity="tea")

    def test_copies_and_pickles_are_the_same_problem(self):
        network = unknot.network("ring:3,p=2")
        routing = unknot.route(network, "dfsssp", virtual_lanes=4)
        for given in (
            {"name": "AAB"},
            {"name": "OAS", "root": 5, "ports": 1, "half_duplex": True},
            {"name": "AAS", "terminal_capacity": 2, "extra_hops": 0},
            {"name": "AAS", "routing": routing},
            {"name": "MNS", "transmitters": [3, 4], "receivers": [5, 6]},
        ):
            collective = unknot.collective(network, **given)
            solution = unknot.design_schedule(collective)
            for again in (pickle.loads(pickle.dumps(collective)), copy.copy(collective), copy.deepcopy([collective])[0]):
                with self.subTest(**given):
                    self.assertEqual(again, collective)
                    self.assertEqual(repr(again), repr(collective))
                    self.assertEqual(again.network, network)
                    self.assertEqual(unknot.lower_bound(again).reason, unknot.lower_bound(collective).reason)
                    self.assertTrue(unknot.check_schedule(again, solution.schedule))
                    self.assertEqual(solution.schedule.to_json(again), solution.schedule.to_json(collective))
        self.assertIn("ring:3,p=2", collective._repr_html_())
        self.assertEqual(collective.as_dict()["messages"], 4)

    def test_running_state_is_not_pickled(self):
        builder = unknot.NetworkBuilder()
        simulation = unknot.Simulation(unknot.route(unknot.network("mesh:2x2"), "dor"))
        for one in (builder, simulation):
            with self.assertRaises(TypeError):
                pickle.dumps(one)

    def test_the_checker_sees_what_is_missing(self):
        collective = unknot.collective(unknot.network("hypercube:3"), "OAB")
        schedule = unknot.design_schedule(collective).schedule
        self.assertEqual(unknot.Schedule(schedule.steps), schedule)
        short = unknot.check_schedule(collective, unknot.Schedule(schedule.steps[:-1]))
        self.assertFalse(short)
        self.assertTrue(short.findings)
        self.assertGreater(sum(short.violations.values()), 0)

    def test_files_give_the_same_schedule_again(self):
        network = unknot.network("ring:6")
        collective = unknot.collective(network, "AAS")
        schedule = unknot.design_schedule(collective).schedule
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "schedule.json")
            schedule.write(collective, path)
            again, read = unknot.read_schedule(network, path)
        self.assertEqual(read, schedule)
        self.assertTrue(unknot.check_schedule(again, read))

    def test_routes_of_a_routing(self):
        network = unknot.network("mesh:3x3")
        routing = unknot.route(network, "dor")
        collective = unknot.collective(network, "AAS", routing=routing)
        solution = unknot.design_schedule(collective)
        self.assertTrue(unknot.check_schedule(collective, solution.schedule))

    def test_what_makes_no_sense_is_refused(self):
        network = unknot.network("ring:4")
        for given in ({"root": 99}, {"name": "no"}, {"ports": -1}, {"node_model": "no"}):
            with self.subTest(given=given), self.assertRaises((ValueError, IndexError, TypeError)):
                unknot.collective(network, **{"name": "OAS", **given})


if __name__ == "__main__":
    unittest.main()
