# SPDX-License-Identifier: Apache-2.0
# A recipe for Spack: copy it to a repository of yours, packages/unknot/package.py, and say below where the sources are. Written
# after Spack's documentation and compiled as Python (ctest `architecture.Recipes`); it has not been run, as Spack cannot be had where
# this is developed.
from spack.package import *


class Unknot(CMakePackage):
    """Routing tables, proofs of freedom of deadlock, simulation and collective schedules for interconnection networks."""

    # git = ...            # the repository that you have
    license("Apache-2.0")

    version("main", branch="main")

    variant("mpi", default=True, description="unknot-mpi and unknot-play")
    variant("python", default=False, description="import unknot")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    for library in (
        "fmt", "intel-tbb", "cli11", "nlohmann-json", "pugixml", "tomlplusplus", "random123", "xxhash", "cadical", "clp", "flint",
        "metis", "nauty", "scotch", "eigen", "spectra", "libyaml", "sqlite",
    ):
        depends_on(library)
    depends_on("mpi", when="+mpi")
    depends_on("python@3.9:", when="+python", type=("build", "run"))
    depends_on("py-numpy", when="+python", type=("build", "run"))
    depends_on("py-pybind11@2.10:", when="+python", type="build")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define("UNKNOT_TESTS", False),
            self.define("UNKNOT_BENCH", False),
            self.define("UNKNOT_OPENSM", False),
            self.define("UNKNOT_CERTIFIED", False),
            self.define_from_variant("UNKNOT_MPI", "mpi"),
            self.define_from_variant("UNKNOT_PYTHON", "python"),
        ]
