#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""With a real Slurm: a slurmctld and 8 slurmd whose topology.conf unknot slurm-topology has written, and a job step whose
ranks go where unknot place has put them. Exit code 77, skipped, where Slurm is not installed or the user is not root."""

import argparse
import os
import shutil
import sys
import tempfile
import unittest

import harness

OPTIONS = argparse.Namespace(build=None)
FABRIC = "xgft:m=2x4,w=2x1,terminals=8"


class Placement(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="unknot-slurm-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.unknot = os.path.join(OPTIONS.build, "unknot")
        cls.fabric = os.path.join(cls.folder, "fabric.net")
        harness.run([cls.unknot, "topology", FABRIC, "-o", cls.fabric, "--format", "ibsim"])
        with open(cls.fabric) as text:
            net = text.read()
        for host in range(8):  # what Slurm calls its nodes
            net = net.replace('"H-%d"' % host, '"node%02d"' % (host + 1))
        with open(cls.fabric, "w") as out:
            out.write(net)
        cls.slurm_folder = os.path.join(cls.folder, "slurm")
        os.mkdir(cls.slurm_folder)
        harness.run([cls.unknot, "slurm-topology", cls.fabric, "-o", os.path.join(cls.slurm_folder, "topology.conf")])
        cls.cluster = harness.Cluster(cls.slurm_folder, 8, "TopologyPlugin=topology/tree")
        cls.cluster.__enter__()
        cls.addClassCleanup(cls.cluster.stop)

    def test_slurm_takes_the_tree(self):
        shown = self.cluster.slurm("scontrol", "show", "topology").stdout
        switches = {}
        for line in shown.splitlines():
            fields = dict(word.split("=", 1) for word in line.split() if "=" in word)
            switches[fields["SwitchName"]] = fields
        leaves = [s for s in switches.values() if s["Level"] == "0"]
        self.assertEqual(len(leaves), 8, shown)  # a router for each host
        self.assertEqual(sorted({s["Level"] for s in switches.values()}), ["0", "1", "2"], shown)
        roots = [s for s in switches.values() if s["Level"] == "2"]
        self.assertEqual(roots[0]["Nodes"], "node[01-08]", shown)
        self.assertNotIn("rror", "\n".join(l for l in self.cluster.log().splitlines() if "TOPOLOGY" in l))

    def test_ranks_go_where_they_were_placed(self):
        hostfile = os.path.join(self.folder, "hosts")
        harness.run([self.unknot, "place", self.fabric, "--engine", "updn", "--pattern", "shift:3", "--effort", "0.001",
                     "--seed", "5", "-o", hostfile, "--format", "slurm-hostfile"])
        with open(hostfile) as text:
            wanted = text.read().split()
        self.assertEqual(sorted(wanted), self.cluster.names)
        self.assertNotEqual(wanted, sorted(wanted), "the ranks stayed in order, which shows nothing")
        self.cluster.environment["SLURM_HOSTFILE"] = hostfile
        done = self.cluster.slurm("srun", "-n", "8", "--distribution=arbitrary", "sh", "-c",
                                  "echo $SLURM_PROCID $SLURMD_NODENAME")
        found = dict(line.split() for line in done.stdout.splitlines())
        self.assertEqual([found[str(rank)] for rank in range(8)], wanted)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    OPTIONS, rest = parser.parse_known_args()
    OPTIONS.build = os.path.abspath(OPTIONS.build)
    reason = harness.reason_to_skip() or (None if harness.tool("srun") else "not installed: srun")
    if reason:
        print("skipped: " + reason)
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + rest)
