# SPDX-License-Identifier: Apache-2.0
"""Every command of the command line is a function with its options, and says what the command line says."""

import inspect
import json
import os
import pathlib
import pickle
import re
import subprocess
import tempfile
import unittest

import unknot
from unknot import commands


def command_line(*words):
    run = subprocess.run([os.environ["UNKNOT"], *words, "--json", "--quiet"], stdout=subprocess.PIPE, check=False)
    return run.returncode, json.loads(run.stdout)


def without_times(value):
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items() if "seconds" not in k and "mib" not in k}
    return [without_times(v) for v in value] if isinstance(value, list) else value


class Commands(unittest.TestCase):
    def same(self, answer, *words):
        code, document = command_line(*words)
        self.assertEqual(answer.exit_code, code)
        self.assertEqual(bool(answer), code == 0)
        self.assertEqual(without_times(dict(answer)), without_times(document))

    def test_each_command_is_a_function_with_its_options(self):
        text = subprocess.run([os.environ["UNKNOT"], "--help"], stdout=subprocess.PIPE, check=True).stdout.decode()
        names = [line.split()[0] for line in text.split("Subcommands:")[1].split("Exit code")[0].splitlines() if line.startswith("  ") and line[2] != " "]
        self.assertGreater(len(names), 20)
        for name in names:
            function = getattr(commands, name.replace("-", "_"))
            with self.subTest(name):
                parameters = inspect.signature(function).parameters
                self.assertIn("seed", parameters)
                self.assertGreater(len(inspect.getdoc(function)), 100)
                shown = subprocess.run([os.environ["UNKNOT"], name, "--help"], stdout=subprocess.PIPE, check=True).stdout.decode()
                for option in parameters:
                    if option not in ("operands", "output"):
                        self.assertIn("--" + option.strip("_").replace("_", "-"), shown)
                self.assertEqual("output" in parameters, re.search(r"^  -o[, ]", shown, re.MULTILINE) is not None)

    def test_answers_are_those_of_the_command_line(self):
        self.same(commands.bound("torus:4x4", pattern="tornado"), "bound", "torus:4x4", "--pattern", "tornado")
        self.same(commands.design(radix=8), "design", "--radix", "8")
        self.same(commands.place("torus:4x4", engine="updn", stencil="4x4"), "place", "torus:4x4", "--engine", "updn", "--stencil", "4x4")
        self.same(commands.adversary("ring:6", paths="minimal"), "adversary", "ring:6", "--paths", "minimal")
        self.same(commands.route("torus:3x3", engine="minhop"), "route", "torus:3x3", "--engine", "minhop")
        self.same(commands.list("engines"), "list", "engines")

    def test_what_is_given_as_an_object_goes_by_its_own_name(self):
        network = unknot.network("torus:4x4,p=1")
        for answer in (commands.slurm_topology(network), commands.route(network, engine="updn"), commands.info(network)):
            self.assertEqual(answer["fabric"], network.description)

    def test_no_is_an_answer_and_bad_input_an_exception(self):
        with self.assertRaises(unknot.InputError):
            commands.info("torus:4xx")
        with self.assertRaises(TypeError):
            commands.info("torus:4x4", frobnicate=1)
        with self.assertRaises(TypeError):
            commands.info(object())
        for wrong in ("--help", "-h", "torus:4x4\0"):
            with self.assertRaises(unknot.InputError):
                commands.info(wrong)
        self.assertEqual(commands.info(b"torus:4x4"), commands.info("torus:4x4"))
        with self.assertRaises(TypeError):
            commands.route("torus:4x4", engine=True)
        deadlock = unknot.route(unknot.network("torus:4x4"), "minhop")
        verdict = commands.verify(deadlock.network, deadlock)
        self.assertEqual(verdict.exit_code, 1)
        self.assertFalse(verdict)
        self.assertFalse(verdict["deadlock_free"])

    def test_networks_routings_and_paths_stand_for_files(self):
        network = unknot.network("torus:4x4,p=2")
        routing = unknot.route(network, "dfsssp", virtual_lanes=4)
        self.assertTrue(commands.verify(network, routing))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "fabric.json"
            network.write(path)
            self.assertEqual(unknot.network(path), network)
            self.assertEqual(commands.info(path)["terminals"], 32)
            page = pathlib.Path(folder) / "page.html"
            self.assertTrue(commands.report(network, engine="updn", output=page))
            self.assertIn("<html", page.read_text())
            tables = pathlib.Path(folder) / "tables"
            lanes = pathlib.Path(folder) / "lanes"
            routing.write(tables, "opensm", lanes=lanes)
            again = unknot.read_tables(network, tables, lanes=lanes)
            self.assertTrue(unknot.verify(again))

    def test_answers_are_pickled_and_shown(self):
        answer = commands.info("torus:4x4")
        again = pickle.loads(pickle.dumps(answer))
        self.assertEqual((again, again.exit_code), (answer, 0))
        self.assertIn("<th", answer._repr_html_())
        self.assertIn("unknot", commands.completion("bash")["script"])


if __name__ == "__main__":
    unittest.main()
