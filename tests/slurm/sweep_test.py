#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""unknot sweep as an array job of a real Slurm: a task is requeued while it runs, and the table is that of one process."""

import argparse
import os
import shutil
import sys
import tempfile
import time
import unittest

import harness

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "sweep"))
import results  # noqa: E402 (its folder is known only now)

OPTIONS = argparse.Namespace(build=None)
CELLS = 24
TASKS = 6


class Sweep(unittest.TestCase):
    def test_a_requeued_task_runs_what_is_missing(self):
        folder = tempfile.mkdtemp(prefix="unknot-slurm-")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        unknot = os.path.join(OPTIONS.build, "unknot")
        with harness.Cluster(folder, 4, "") as slurm:
            slurm.environment["UNKNOT"] = unknot
            with open(os.path.join(folder, "s.toml"), "w") as file:
                file.write(results.sweep(CELLS, 100000))
            harness.run([unknot, "sweep", "s.toml", "--slurm", "s.sbatch", "--tasks", TASKS, "--threads", 1],
                        cwd=folder)
            job = slurm.slurm("sbatch", "--parsable", "s.sbatch").stdout.split(";")[0].strip()
            shared = os.path.join(folder, "s.results")
            # Other tasks may be at work while this one still waits for its turn.
            slurm.wait("it runs, and some cells are done",
                       lambda: "JobState=RUNNING" in self.task(slurm, job + "_1") and len(results.journal_keys(shared)) >= 2)
            slurm.slurm("scontrol", "requeue", job + "_1")
            self.assertLess(len(results.journal_keys(shared)), CELLS)
            slurm.wait("it waits again", lambda: "JobState=PENDING" in self.task(slurm, job + "_1"))
            self.assertIn("Restarts=1", self.task(slurm, job + "_1"))
            time.sleep(2)  # its old credential was revoked as of this second: a new one must be younger
            slurm.slurm("scontrol", "update", "JobId=%s_1" % job, "StartTime=now")
            slurm.wait("all tasks are done", lambda: self.states(slurm, job) == {"COMPLETED"}, 120)
            harness.run([unknot, "sweep", "s.toml", "-q", "-o", "alone"], cwd=folder)
            results.assert_once_each(self, shared, CELLS)
            results.assert_same_table(self, shared, os.path.join(folder, "alone"))

    @staticmethod
    def task(slurm, name):
        return slurm.slurm("scontrol", "show", "job", name).stdout

    def states(self, slurm, job):
        fields = self.task(slurm, job).split()
        return {field.split("=")[1] for field in fields if field.startswith("JobState=")}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="build folder")
    options, rest = parser.parse_known_args()
    OPTIONS.build = os.path.abspath(options.build)
    skip = harness.reason_to_skip()
    if skip:
        print("skipped: " + skip)
        return 77
    return 0 if unittest.main(argv=[sys.argv[0]] + rest, exit=False, failfast=True).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
