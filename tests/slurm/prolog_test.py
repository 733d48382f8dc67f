#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""End to end with a real Slurm: a slurmctld and 32 slurmd as a torus of 4x2x2x2, whose jobs get their tables from
unknot slurm-prolog. Exit code 77, skipped, where Slurm is not installed or the user is not root."""

import argparse
import filecmp
import os
import shutil
import sys
import tempfile
import time
import unittest

import harness

SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
OPTIONS = argparse.Namespace(build=None)

CLUSTER = """\
dims = [4, 2, 2, 2]
nodes = "node[01-32]"
engine = "angara-opt:time=2"
transit = "own"
directory = "tables"
log = "unknot.log"
time_limit = 60
threads = 1
"""


def write_scripts(folder, unknot, cluster_file):
    """Lines of slurm.conf that name scripts of ours around those that are installed."""
    lines = []
    for key, script in (("PrologSlurmctld", "prolog-slurmctld"), ("EpilogSlurmctld", "epilog-slurmctld")):
        # Slurm gives these scripts no environment but that of the job: an administrator sets these in the scripts.
        # Where slurm.conf is they find out by themselves.
        path = os.path.join(folder, script)
        with open(path, "w") as out:
            out.write("#!/bin/sh\nUNKNOT=%s UNKNOT_CLUSTER=%s exec %s\n"
                      % (unknot, cluster_file, os.path.join(SOURCE, "plugins", "slurm", script)))
        os.chmod(path, 0o755)
        lines.append("%s=%s" % (key, path))
    return lines


class Prolog(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="unknot-slurm-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.unknot = os.path.join(OPTIONS.build, "unknot")
        cls.cluster_file = os.path.join(cls.folder, "cluster.toml")
        with open(cls.cluster_file, "w") as out:
            out.write(CLUSTER)
        cls.machine = os.path.join(cls.folder, "machine.json")
        harness.run([cls.unknot, "slurm-prolog", cls.cluster_file, "--fabric", cls.machine])
        extra = write_scripts(cls.folder, cls.unknot, cls.cluster_file)
        # What a node does at the start of a job: take its table, or fail.
        cls.loaded = os.path.join(cls.folder, "loaded")
        os.mkdir(cls.loaded)
        node_prolog = os.path.join(cls.folder, "prolog")
        with open(node_prolog, "w") as out:
            out.write("#!/bin/sh\nexec cp %s/tables/job-$SLURM_JOB_ID/$SLURMD_NODENAME.routes %s\n"
                      % (cls.folder, cls.loaded))
        os.chmod(node_prolog, 0o755)
        extra += ["Prolog=" + node_prolog, "PrologFlags=Alloc"]
        cls.slurm = harness.Cluster(os.path.join(cls.folder, "slurm"), 32, "\n".join(extra))
        cls.slurm.__enter__()
        cls.addClassCleanup(cls.slurm.stop)

    def tearDown(self):
        self.slurm.slurm("scancel", "--user=root", accepted=(0, 1))
        self.slurm.wait("the nodes are idle again", lambda: self.slurm.idle() >= 31)
        self.slurm.wait("all tables are gone", lambda: self.jobs_with_tables() == [])

    def tables(self, job):
        return os.path.join(self.folder, "tables", "job-%d" % job)

    def jobs_with_tables(self):
        folder = os.path.join(self.folder, "tables")
        names = os.listdir(folder) if os.path.isdir(folder) else []
        return sorted(int(name[4:]) for name in names if name.startswith("job-"))

    def assert_tables(self, job, nodes):
        """A file for each node, and together tables that an independent run of the checker accepts."""
        self.assertEqual(sorted(os.listdir(self.tables(job))), sorted(node + ".routes" for node in nodes))
        joined = os.path.join(self.folder, "joined")
        with open(joined, "w") as out:
            for node in nodes:
                with open(os.path.join(self.tables(job), node + ".routes")) as text:
                    section = text.read()
                self.assertEqual(section.count("\nnode "), 1)
                self.assertIn("\nnode %s at " % node, section)
                out.write(section)
        harness.run([self.unknot, "verify", self.machine, joined, "--nodes", ",".join(nodes)])

    def has_loaded(self, job, node):
        try:
            return filecmp.cmp(os.path.join(self.loaded, node + ".routes"),
                               os.path.join(self.tables(job), node + ".routes"), shallow=False)
        except FileNotFoundError:
            return False

    def log(self):
        with open(os.path.join(self.folder, "unknot.log")) as text:
            return text.read()

    def test_two_jobs_at_once_have_tables_of_their_own(self):
        first = self.slurm.submit("--nodelist=node[01-08]", "-N8")
        second = self.slurm.submit("--nodelist=node[09-32]", "-N24")
        nodes = {job: self.slurm.running(job) for job in (first, second)}
        self.assertEqual(len(nodes[first]), 8)
        self.assertEqual(len(nodes[second]), 24)
        self.assertEqual(self.jobs_with_tables(), [first, second])
        for job in (first, second):
            self.assert_tables(job, nodes[job])
            for node in nodes[job]:
                self.slurm.wait(node + " has loaded its table", lambda: self.has_loaded(job, node))
        self.assertIn("job %d, nodes node[01-08]: 8 tables" % first, self.log())
        self.assertIn("deadlock-free alone and with 1 other job,", self.log())
        self.slurm.slurm("scancel", str(first))
        self.slurm.wait("the first job's tables are gone", lambda: self.jobs_with_tables() == [second])
        self.assert_tables(second, nodes[second])

    def test_a_drained_node_takes_no_part(self):
        self.slurm.slurm("scontrol", "update", "NodeName=node05", "State=DRAIN", "Reason=broken")
        try:
            job = self.slurm.submit("-N31")
            nodes = self.slurm.running(job)
            self.assertEqual(len(nodes), 31)
            self.assertNotIn("node05", nodes)
            self.assert_tables(job, nodes)
            for node in nodes:
                with open(os.path.join(self.tables(job), node + ".routes")) as text:
                    self.assertNotIn("node05", text.read())
        finally:
            self.slurm.slurm("scontrol", "update", "NodeName=node05", "State=RESUME")

    def test_nodes_that_cannot_be_routed_do_not_start_and_the_reason_is_seen(self):
        job = self.slurm.submit("--nodelist=node[01,32]", "-N2")
        reason = "its nodes are not joined by links of their own: 2 of 2 pairs, such as node01 to node32, have no path"
        self.slurm.wait("the job was refused", lambda: self.slurm.job(job).get("Restarts") == "1")
        self.slurm.wait("it waits again", lambda: self.slurm.job(job).get("JobState") == "PENDING")
        shown = self.slurm.slurm("scontrol", "show", "job", str(job)).stdout
        self.assertIn("AdminComment=unknot: nodes node[01,32]: " + reason, shown)
        self.assertIn("prolog_slurmctld JobId=%d prolog exit status 1:0" % job, self.slurm.log())
        self.assertIn("job %d, nodes node[01,32]: FAILED: nodes node[01,32]: %s" % (job, reason), self.log())
        self.assertFalse(os.path.exists(self.tables(job)))
        # The same job on nodes that are neighbours starts, and the reason is gone.
        self.slurm.slurm("scontrol", "update", "JobId=%d" % job, "ReqNodeList=node[01-02]", "StartTime=now")
        self.assert_tables(job, self.slurm.running(job))
        self.assertNotIn(reason, self.slurm.slurm("scontrol", "show", "job", str(job)).stdout)

    def test_a_requeued_job_gets_new_tables(self):
        job = self.slurm.submit("-N4", "--requeue")
        before = self.slurm.running(job)
        self.assert_tables(job, before)
        stamp = os.stat(self.tables(job)).st_ino, os.stat(self.tables(job)).st_mtime_ns
        self.slurm.slurm("scontrol", "requeue", str(job))
        self.slurm.wait("its tables are gone", lambda: self.jobs_with_tables() == [])
        self.slurm.wait("it waits again", lambda: self.slurm.job(job).get("JobState") == "PENDING")
        time.sleep(2)  # its old credential was revoked as of this second: a new one must be younger
        self.slurm.slurm("scontrol", "update", "JobId=%d" % job, "StartTime=now")
        self.assert_tables(job, self.slurm.running(job))
        self.assertNotEqual((os.stat(self.tables(job)).st_ino, os.stat(self.tables(job)).st_mtime_ns), stamp)


class Elsewhere(unittest.TestCase):
    """slurm.conf is where only an option of slurmctld says, and not in its environment, as which Prolog has it."""

    def assert_reason_is_seen(self, option):
        folder = tempfile.mkdtemp(prefix="unknot-slurm-")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        cluster_file = os.path.join(folder, "cluster.toml")
        with open(cluster_file, "w") as out:
            out.write('dims = [2, 2]\nnodes = "node[01-04]"\nfailed_nodes = "node01"\ndirectory = "tables"\n')
        extra = write_scripts(folder, os.path.join(OPTIONS.build, "unknot"), cluster_file)
        with harness.Cluster(os.path.join(folder, "slurm"), 1, "\n".join(extra), option) as slurm:
            job = slurm.submit("-N1")
            slurm.wait("the job was refused", lambda: slurm.job(job).get("Restarts") == "1")
            shown = slurm.slurm("scontrol", "show", "job", str(job)).stdout
            self.assertRegex(shown, "AdminComment=unknot: .*node01.*failed")
            slurm.slurm("scancel", str(job))

    def test_the_reason_is_seen_where_an_option_names_the_configuration(self):
        self.assert_reason_is_seen(lambda configuration: ["-f", configuration])

    def test_the_reason_is_seen_where_the_option_and_the_name_are_one_word(self):
        self.assert_reason_is_seen(lambda configuration: ["-f" + configuration])


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
