#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rules that unknot writes for Open MPI, among real ranks: who sends how many messages to whom, as Open MPI itself
counts them, is what the algorithm sends that the rules name for that size."""

import os
import subprocess

from on_ranks import OPTIONS, OnRanks, environment, main

PROGRAM = r"""
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char** argv) {
  int ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int bytes = atoi(argv[2]);
  char* from = calloc(ranks, bytes);
  char* to = calloc(ranks, bytes);
  if (!strcmp(argv[1], "all-reduce")) MPI_Allreduce(from, to, bytes, MPI_CHAR, MPI_SUM, MPI_COMM_WORLD);
  if (!strcmp(argv[1], "AAB")) MPI_Allgather(from, bytes, MPI_CHAR, to, bytes, MPI_CHAR, MPI_COMM_WORLD);
  if (!strcmp(argv[1], "AAS")) MPI_Alltoall(from, bytes, MPI_CHAR, to, bytes, MPI_CHAR, MPI_COMM_WORLD);
  if (!strcmp(argv[1], "OAB")) MPI_Bcast(from, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
  return MPI_Finalize();
}
"""
RANKS = 8
# Messages of rank 0 of 8, by receiver.
SENDS = {("all-reduce", "recursive_doubling"): {1: 1, 2: 1, 4: 1},
         ("all-reduce", "ring"): {1: 14},
         ("all-reduce", "rabenseifner"): {1: 2, 2: 2, 4: 2},
         ("AAB", "bruck"): {7: 1, 6: 1, 4: 1},
         ("AAB", "recursive_doubling"): {1: 1, 2: 1, 4: 1},
         ("AAB", "ring"): {1: 7},
         ("AAS", "modified_bruck"): {1: 1, 2: 1, 4: 1},
         ("AAS", "pairwise"): {peer: 1 for peer in range(1, 8)},
         ("OAB", "binomial"): {1: 1, 2: 1, 4: 1},
         ("OAB", "scatter_allgather"): {1: 2, 2: 2, 4: 2},
         ("OAB", "scatter_allgather_ring"): {4: 1, 2: 1, 1: 8}}
# In bytes of the whole, as rules count.
MESSAGES = {"all-reduce": 1, "OAB": 1, "AAB": RANKS, "AAS": RANKS}


class Rules(OnRanks):
    def setUp(self):
        super().setUp()
        with open(self.path("one.c"), "w") as file:
            file.write(PROGRAM)
        subprocess.run([OPTIONS.mpicc, "one.c", "-o", "one"], cwd=self.folder, check=True, env=environment())

    def sent(self, collective, size):
        done = self.finish([OPTIONS.mpirun, "-n", str(RANKS), "--mca", "coll_tuned_use_dynamic_rules", "1", "--mca",
                            "coll_tuned_dynamic_rules_filename", self.path("rules"), "--mca", "pml_monitoring_enable", "1",
                            "--mca", "pml_monitoring_enable_output", "3", "--mca", "pml_monitoring_filename",
                            self.path("count"), self.path("one"), collective, str(size)])
        self.assertEqual(done.returncode, 0, done.stderr)
        counts = {}
        with open(self.path("count.0.prof")) as file:
            for line in file:
                fields = line.split("\t")
                if fields[0] == "E":
                    counts[int(fields[2])] = counts.get(int(fields[2]), 0) + int(fields[4].split()[0])
        return counts

    def assert_taken(self, collective, fabric, *arguments):
        """Tries each rule at its first size and in its middle; gives back the algorithms."""
        done = self.unknot("schedule", fabric, "--collective", collective, "--bytes", "64K", "--format", "openmpi-rules",
                           "-o", "rules", "-q", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("rules")) as file:
            rules = [line.split() for line in file.read().splitlines()[5:]]
        names = []
        for i, rule in enumerate(rules):
            low = -(-int(rule[0]) // MESSAGES[collective])
            high = int(rules[i + 1][0]) // MESSAGES[collective] - 1 if i + 1 < len(rules) else 4 * low + 4096
            for size in {max(low, RANKS), (low + high) // 2, high}:
                if max(low, RANKS) <= size <= high:
                    self.assertEqual(self.sent(collective, size), SENDS[collective, rule[-1]], (rule, size))
            names.append(rule[-1])
        return names

    def test_the_algorithms_that_rules_name_are_taken(self):
        cost = ["--cost", "alpha=1e-6,beta=5e-10,hop=0"]
        self.assertEqual(self.assert_taken("all-reduce", "hypercube:3", *cost), ["recursive_doubling", "rabenseifner"])
        self.assertEqual(self.assert_taken("AAS", "hypercube:3", *cost), ["modified_bruck", "pairwise"])
        self.assertEqual(self.assert_taken("AAB", "ring:8", *cost)[-1], "ring")
        self.assertEqual(self.assert_taken("OAB", "hypercube:3", *cost)[0], "binomial")
        self.assertEqual(self.assert_taken("all-reduce", "ring:8", *cost)[-1], "ring")

    def test_rules_for_more_ranks_serve_fewer_as_well(self):
        done = self.unknot("schedule", "ring:9", "--collective", "all-reduce", "--bytes", "64K", "--algorithm",
                           "reduce-scatter + all-gather: ring", "--format", "openmpi-rules", "-o", "rules", "-q")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.sent("all-reduce", 64), SENDS["all-reduce", "ring"])


if __name__ == "__main__":
    main()
