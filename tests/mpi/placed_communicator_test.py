#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The communicator of unknot place --format mpi-c, among real processes whose hosts are other names of this machine."""

import json
import os

import on_ranks
from on_ranks import OPTIONS

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "placed_communicator.c")


def two_plain_cores():
    def named(processor, what):
        with open("/sys/devices/system/cpu/cpu%d/topology/%s" % (processor, what)) as file:
            return file.read()

    try:
        return ({0, 1} <= os.sched_getaffinity(0) and named(0, "core_id") != named(1, "core_id") and
                named(0, "physical_package_id") == named(1, "physical_package_id"))
    except OSError:
        return False


class PlacedCommunicator(on_ranks.OnRanks):
    def place(self, *arguments):
        done = self.unknot("place", "ring:3", "--engine", "minhop", "--stencil", "2x3:periodic", "--effort", "0.001", "-o",
                           "placed.c", "--format", "mpi-c", "--json", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        done_c = self.finish([OPTIONS.mpicc, "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-DOMPI_SKIP_MPICXX",
                              "placed.c", SOURCE, "-o", "program"] + (["-lhwloc"] if "--cores" in arguments else []))
        self.assertEqual(done_c.returncode, 0, done_c.stderr)
        return json.loads(done.stdout)

    def play(self, hosts, *before):
        done = self.finish([OPTIONS.mpirun, *before, "-x", "HOSTS=" + ",".join(hosts), "-n", str(len(hosts)),
                            self.path("program")])
        self.assertEqual(done.returncode, 0, done.stderr)
        found = [[int(word) for word in line.split()[1:]] for line in done.stdout.splitlines() if line.startswith("process ")]
        self.assertEqual([line[0] for line in found], list(range(len(hosts))), done.stdout)
        return [line[1] for line in found], {line[2] for line in found}

    def test_ranks_are_on_their_hosts(self):
        wanted = self.place("--per-host", "2")["host_of_rank"]
        self.assertNotEqual(wanted, sorted(wanted), "the ranks stayed in order, which shows nothing")
        for started in (sorted(wanted), sorted(wanted, reverse=True), [host + ".cluster" for host in sorted(wanted)]):
            ranks, sizes = self.play(started)
            self.assertEqual(sorted(ranks), list(range(6)))
            self.assertEqual(sizes, {6})
            for process, rank in enumerate(ranks):
                self.assertEqual(started[process].split(".")[0], wanted[rank])

    def test_other_hosts_are_refused_by_all(self):
        wanted = sorted(self.place("--per-host", "2")["host_of_rank"])
        for started in (["H-1" if host == "H-0" else host for host in wanted], wanted[:-1], wanted + ["H-0"],
                        wanted[:-1] + ["elsewhere"], wanted[:-1] + ["H-22"]):
            ranks, sizes = self.play(started)
            self.assertEqual((set(ranks), sizes), ({-1}, {-1}), started)

    def test_a_process_takes_the_rank_of_its_core(self):
        report = self.place("--per-host", "2", "--cores", "1x2", "--hosts", "H-0,H-1,H-2")
        wanted = list(zip(report["host_of_rank"], report["core_of_rank"]))
        self.assertEqual(sorted(wanted), [("H-%d" % host, core) for host in range(3) for core in range(2)])
        # bound to none: as without cores
        started = sorted(report["host_of_rank"])
        ranks, _ = self.play(started)
        self.assertEqual([wanted[rank][0] for rank in ranks], started)
        if not two_plain_cores():
            self.skipTest("processors 0 and 1 are not the first two cores of one socket")
        # bound to core 1, then core 0, of each host in turn: processes 0, 2, 4 to the one and 1, 3, 5 to the other
        self.write("bind", '#!/bin/sh\nexec taskset -c $(( (OMPI_COMM_WORLD_RANK + 1) % 2 )) "$@"\n')
        os.chmod(self.path("bind"), 0o755)
        done = self.finish([OPTIONS.mpirun, "-x", "HOSTS=" + ",".join(started), "-n", "6", self.path("bind"),
                            self.path("program")])
        self.assertEqual(done.returncode, 0, done.stderr)
        ranks = [int(line.split()[2]) for line in done.stdout.splitlines() if line.startswith("process ")]
        self.assertEqual([wanted[rank] for rank in ranks], [(host, (i + 1) % 2) for i, host in enumerate(started)])


if __name__ == "__main__":
    on_ranks.main()
