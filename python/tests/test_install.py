# SPDX-License-Identifier: Apache-2.0
"""A wheel and an archive of sources are made as pip makes them, and the wheel works where nothing else of the project is."""

import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ["UNKNOT"]).parent

SESSION = """
import pickle, unknot
from unknot import commands
routing = unknot.route(unknot.network("torus:4x4"), "dfsssp", virtual_lanes=2)
assert unknot.verify(pickle.loads(pickle.dumps(routing)))
assert commands.info("torus:4x4")["routers"] == 16
print(unknot.__version__, unknot.__file__)
"""


def run(*words, **more):
    made = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, text=True, **more)
    if made.returncode != 0:
        raise AssertionError(f"{words}: exit code {made.returncode}\n{made.stdout}")
    return made.stdout


def hook(name, folder, source):
    """What a PEP 517 front end calls. The extension module is the one that is built already."""
    code = f"from setuptools import build_meta as b; print(b.{name}({str(folder)!r}))"
    environment = {**os.environ, "UNKNOT_BUILD": str(BUILD)}
    return folder / run(sys.executable, "-c", code, cwd=source, env=environment).splitlines()[-1]


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout.decode().split("\0")
        # setuptools leaves folders of its own beside the sources: those of a copy.
        cls.source = cls.path / "source"
        cls.kept = [name for name in files if name.split("/")[0] in ("src", "cmake", "plugins", "web", "python", "scripts") or "/" not in name]
        for name in cls.kept:
            if name and (ROOT / name).is_file():
                (cls.source / name).parent.mkdir(parents=True, exist_ok=True)
                (cls.source / name).symlink_to(ROOT / name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_the_wheel_works_in_a_new_environment(self):
        wheel = hook("build_wheel", self.path, self.source)
        with zipfile.ZipFile(wheel) as archive:
            names = archive.namelist()
        for part in ("unknot/__init__.py", "unknot/commands.py", "unknot/_unknot.pyi", "unknot/py.typed"):
            self.assertIn(part, names)
        environment = self.path / "environment"
        run(sys.executable, "-m", "venv", "--system-site-packages", environment)
        run(environment / "bin/pip", "install", "--quiet", "--no-index", "--no-deps", wheel, cwd=self.path)
        clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        version, where = run(environment / "bin/python3", "-c", SESSION, cwd=self.path, env=clean).split()
        self.assertTrue(pathlib.Path(where).is_relative_to(environment), where)
        for program in ([environment / "bin/unknot"], [environment / "bin/python3", "-m", "unknot"]):
            self.assertEqual(run(*program, "--version", cwd=self.path, env=clean).strip(), f"unknot {version}")
            text = run(*program, "bound", "torus:4x4", "--pattern", "tornado", cwd=self.path, env=clean)
            self.assertIn("torus:4x4", text)

    def test_the_archive_has_what_is_built_from(self):
        archive = hook("build_sdist", self.path, self.source)
        with tarfile.open(archive) as packed:
            names = {name.split("/", 1)[1] for name in packed.getnames() if "/" in name}
        needed = [n for n in self.kept if n.split("/")[0] in ("src", "cmake", "plugins", "web") or n.startswith(("python/src/", "python/unknot/"))]
        self.assertEqual([n for n in needed if n not in names], [])
        self.assertLessEqual({"CMakeLists.txt", "LICENSE", "README.md", "pyproject.toml", "setup.py", "python/CMakeLists.txt"}, names)
        # CMake takes it as pip has it taken, up to where compiling begins.
        with tarfile.open(archive) as packed:
            packed.extractall(self.path)
        unpacked = self.path / archive.name.removesuffix(".tar.gz")
        run(sys.executable, "-c", f"import setup; setup.configure({str(self.path / 'build')!r})", cwd=unpacked)
        self.assertTrue((self.path / "build/build.ninja").exists() or (self.path / "build/Makefile").exists())


if __name__ == "__main__":
    unittest.main()
