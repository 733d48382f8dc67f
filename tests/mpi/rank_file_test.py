#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rank files for Open MPI with a real mpirun: every rank starts on the host that unknot place has given it. The hosts are
this machine under other names: a remote shell that tells its processes the name instead of going there."""

import argparse
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

OPTIONS = argparse.Namespace(build=None, mpirun=None)
# A host has a folder for temporary files of its own: daemons that end take away what others on the same machine still use.
AGENT = """#!/bin/sh
UNKNOT_HOST=$1
TMPDIR={folder}/$1
export UNKNOT_HOST TMPDIR
mkdir -p "$TMPDIR"
shift
exec /bin/sh -c "$*"
"""


class RankFile(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="unknot-ranks-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def run_in_folder(self, arguments, **variables):
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", **variables)
        done = subprocess.run(arguments, cwd=self.folder, env=environment, text=True, capture_output=True, timeout=240,
                              stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_ranks_start_where_they_were_placed(self):
        unknot = os.path.join(OPTIONS.build, "unknot")
        self.run_in_folder([unknot, "place", "ring:3", "--engine", "minhop", "--per-host", "2", "--stencil", "2x3:periodic",
                            "--effort", "0.001", "-o", "ranks"])
        with open(os.path.join(self.folder, "ranks")) as text:
            wanted = [line.split()[1].split("=")[1] for line in text]
        self.assertEqual(sorted(wanted), ["H-0", "H-0", "H-1", "H-1", "H-2", "H-2"])
        self.assertNotEqual(wanted, sorted(wanted), "the ranks stayed in order, which shows nothing")
        agent = os.path.join(self.folder, "agent")
        with open(agent, "w") as out:
            out.write(AGENT.format(folder=self.folder))
        os.chmod(agent, stat.S_IRWXU)
        with open(os.path.join(self.folder, "hosts"), "w") as out:
            out.write("".join("H-%d slots=2\n" % host for host in range(3)))
        said = self.run_in_folder([OPTIONS.mpirun, "--mca", "plm_rsh_agent", agent, "--mca", "plm", "rsh", "--hostfile", "hosts",
                                   "--rankfile", "ranks", "--oversubscribe", "-n", "6", "sh", "-c",
                                   "echo rank $OMPI_COMM_WORLD_RANK $UNKNOT_HOST"])
        found = {int(words[1]): words[2] for words in map(str.split, said.splitlines()) if words[:1] == ["rank"]}
        self.assertEqual([found[rank] for rank in range(6)], wanted)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--mpirun", required=True)
    OPTIONS, rest = parser.parse_known_args()
    OPTIONS.build = os.path.abspath(OPTIONS.build)
    unittest.main(argv=sys.argv[:1] + rest)
