# SPDX-License-Identifier: Apache-2.0
"""Builds the extension module by CMake. UNKNOT_BUILD=FOLDER takes a build folder that there is, in place of one made for pip."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent
WANTED = {"CMAKE_BUILD_TYPE": "Release", "UNKNOT_QUICK_BUILD": "ON", "UNKNOT_UNITY_BUILD": "ON"}
LEFT_OUT = ("TESTS", "BENCH", "CERTIFIED", "OPENSM", "MPI")


def version():
    return re.search(r"project\(unknot VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def configure(folder):
    options = {**WANTED, **{f"UNKNOT_{part}": "OFF" for part in LEFT_OUT}, "Python_EXECUTABLE": sys.executable}
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    subprocess.run(["cmake", "-S", str(ROOT), "-B", folder, *generator, *(f"-D{k}={v}" for k, v in options.items())], check=True)


class CMakeBuild(build_ext):
    def build_extension(self, ext):
        target = pathlib.Path(self.get_ext_fullpath(ext.name)).resolve()
        folder = os.environ.get("UNKNOT_BUILD")
        if folder is None:
            folder = str(pathlib.Path(self.build_temp).resolve())
            configure(folder)
        jobs = ["--parallel", str(self.parallel or os.cpu_count() or 1)]
        subprocess.run(["cmake", "--build", folder, "--target", "unknot_python", *jobs], check=True)
        (module,) = pathlib.Path(folder, "python", "unknot").glob("_unknot.*.so")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(module, target)


if __name__ == "__main__":
    setup(version=version(), ext_modules=[Extension("unknot._unknot", sources=[])], cmdclass={"build_ext": CMakeBuild})
