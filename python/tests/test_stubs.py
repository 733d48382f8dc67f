# SPDX-License-Identifier: Apache-2.0
"""The type stubs name what the module has, with the same parameters, and nothing else."""

import ast
import inspect
import os
import unittest

import unknot
from unknot import _unknot

STUBS = os.path.join(os.path.dirname(unknot.__file__), "_unknot.pyi")


def written_parameters(function):
    named = function.args.posonlyargs + function.args.args + function.args.kwonlyargs
    rest = [function.args.kwarg.arg] if function.args.kwarg else []
    return [a.arg for a in named] + rest


def real_parameters(function):
    return list(inspect.signature(function).parameters)


def public(names):
    return {name for name in names if not name.startswith("_")}


class Stubs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with open(STUBS) as file:
            tree = ast.parse(file.read())
        cls.classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
        cls.functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}

    def test_names_are_the_modules(self):
        real = public(dir(_unknot))
        self.assertEqual(real, set(self.classes) | set(self.functions))
        self.assertEqual({n for n in real if inspect.isclass(getattr(_unknot, n))}, set(self.classes))

    def test_parameters_are_the_functions(self):
        for name, node in self.functions.items():
            with self.subTest(name):
                self.assertEqual(written_parameters(node), real_parameters(getattr(_unknot, name)))

    def test_members_are_the_classes(self):
        for name, node in self.classes.items():
            own = getattr(_unknot, name)
            if issubclass(own, Exception):
                continue
            methods = {m.name: m for m in node.body if isinstance(m, ast.FunctionDef)}
            with self.subTest(name):
                self.assertEqual(public(vars(own)), public(methods))
            for member, written in methods.items():
                words = [d.id for d in written.decorator_list]
                real = vars(own)[member]
                with self.subTest(name + "." + member):
                    self.assertEqual("property" in words, isinstance(real, property))
                    self.assertEqual("staticmethod" in words, isinstance(real, staticmethod))
                    if member not in ("__eq__", "__hash__") and not isinstance(real, property):
                        self.assertEqual(written_parameters(written), real_parameters(getattr(own, member)))

    def test_everything_is_explained(self):
        self.assertTrue(unknot.__doc__)
        for name in public(dir(_unknot)):
            text = inspect.getdoc(getattr(_unknot, name)) or ""
            with self.subTest(name):
                self.assertGreater(len(text.split("\n", 1)[-1].strip()), 10)


if __name__ == "__main__":
    unittest.main()
