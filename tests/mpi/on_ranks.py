# SPDX-License-Identifier: Apache-2.0
"""What the tests under mpirun share: programs started in folders of their own, on the loopback interface."""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

OPTIONS = argparse.Namespace(build=None, mpirun=None, mpicc=None)
DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs")


def environment():
    """Open MPI's: any user, more ranks than cores, nothing beyond this machine, no core of its own for a rank."""
    return {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none",
            "OMPI_MCA_btl": "self,vader", "OMPI_MCA_oob_tcp_if_include": "lo", "OMPI_MCA_mpi_yield_when_idle": "1",
            # mpirun otherwise waits for seconds before it ends a job in which a rank ends with another code than 0
            "OMPI_MCA_odls_base_sigkill_timeout": "0"}


class OnRanks(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="unknot-mpi-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def unknot(self, *arguments):
        return self.finish([os.path.join(OPTIONS.build, "unknot"), *arguments])

    def command(self, ranks, program, *arguments):
        return [OPTIONS.mpirun, "-n", str(ranks), os.path.join(OPTIONS.build, program), *arguments]

    def finish(self, command):
        return subprocess.run(command, cwd=self.folder, env=environment(), text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=240)

    def start(self, command, ranks, ready=lambda process: True):
        """mpirun, and the process ids of its ranks once there are all and `ready` says so of each."""
        job = subprocess.Popen(command, cwd=self.folder, env=environment(), text=True, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(job.communicate)
        self.addCleanup(job.kill)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            children = []
            for thread in os.listdir("/proc/%d/task" % job.pid):
                with open("/proc/%d/task/%s/children" % (job.pid, thread)) as file:
                    children += file.read().split()
            if len(children) == ranks and all(ready(child) for child in children):
                return job, [int(child) for child in children]
            time.sleep(0.05)
        self.fail("the ranks have not started")

    def path(self, name):
        return os.path.join(self.folder, name)

    def content(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)

    def assert_one_sentence(self, done, code, sentence):
        said = [line for line in done.stderr.splitlines() if line.startswith("unknot: ")]
        self.assertEqual(said, ["unknot: " + sentence], done.stderr)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stdout, "")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--mpirun", required=True)
    parser.add_argument("--mpicc")
    _, rest = parser.parse_known_args(namespace=OPTIONS)
    OPTIONS.build = os.path.abspath(OPTIONS.build)  # programs are started in folders of their own
    unittest.main(argv=[sys.argv[0], *rest])
