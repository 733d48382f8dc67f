#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""unknot-mpi under a real mpirun, on the loopback interface: the same bytes as unknot writes, on any number of ranks; and
that all ranks end, whatever happens to one."""

import json
import os
import re
import shlex
import signal
import time

from on_ranks import DOCS, OPTIONS, OnRanks, main

PAGE = os.path.join(DOCS, "collectives.md")
# Takes forever: AAS on 16 nodes in one step fewer than its lower bound.
ENDLESS = ["schedule", "hypercube:4", "--collective", "AAS", "--steps", "7", "--solver",
           "umda:islands=3,generations=1000000000,stall=0"]


class Schedule(OnRanks):
    def on_ranks(self, ranks, *arguments):
        return self.finish(self.command(ranks, "unknot-mpi", *arguments))

    def test_same_bytes_on_any_number_of_ranks(self):
        # The first needs more steps than its bound: the search goes on from one number of steps to the next.
        for problem, all_ranks in (
                (["ring:6", "--collective", "AAB", "--solver", "umda:islands=4,population=8,interval=3,stall=40"], (1, 2, 4)),
                (["hypercube:3", "--collective", "AAS", "--solver", "sga:islands=5,population=12,interval=4"], (3,))):
            arguments = ["schedule", *problem, "--seed", "3", "--threads", "1", "--json", "-o"]
            one = self.unknot(*arguments, "one.json")
            self.assertEqual(one.returncode, 0, one.stderr)
            expected = json.loads(one.stdout)
            for ranks in all_ranks:
                with self.subTest(problem=problem, ranks=ranks):
                    done = self.on_ranks(ranks, *arguments, "many.json")
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertEqual(done.stderr, "unknot: wrote many.json in format json\n")
                    self.assertEqual(self.content("many.json"), self.content("one.json"))
                    report = json.loads(done.stdout)
                    report["seconds"] = expected["seconds"]
                    self.assertEqual(report, expected)
                    os.remove(self.path("many.json"))

    def test_the_page_shows_what_is_printed(self):
        with open(PAGE) as file:
            text = file.read()
        command, shown = re.search(r"^    \$ (mpirun .*)\n((?:    .*\n|\n)+)", text, re.MULTILINE).groups()
        words = [word.replace("mpirun", OPTIONS.mpirun) for word in shlex.split(command)]
        words[words.index("unknot-mpi")] = os.path.join(OPTIONS.build, "unknot-mpi")
        done = self.finish(words)
        self.assertEqual(done.returncode, 0, done.stderr)

        def without_times(printed):
            return re.sub(r"[0-9.]+ s\b", "TIME", re.sub("^ +", "", printed, flags=re.MULTILINE)).strip()

        self.assertEqual(without_times(done.stdout), without_times(shown))

    def test_bad_input_is_one_sentence(self):
        aab = ["schedule", "ring:6", "--collective", "AAB", "--solver", "sga:islands=2"]
        self.assert_one_sentence(
            self.on_ranks(3, *aab), 2,
            "3 processes cannot share 2 islands of the optimiser: ask for islands=3 or more")
        self.assert_one_sentence(self.on_ranks(2, *aab, "-o", "none/file"), 2,
                                 "none/file: cannot write: there is no folder none")
        self.assert_one_sentence(self.on_ranks(2, "route", "ring:6"), 2,
                                 "route runs in one process: start it without mpirun")
        self.assertEqual(os.listdir(self.folder), [])

    def test_an_error_of_one_rank_ends_all(self):
        # Only rank 0 is where the file of the fabric is.
        made = self.unknot("topology", "ring:6", "-o", "fabric.json", "--format", "json")
        self.assertEqual(made.returncode, 0, made.stderr)
        script = ('[ "$OMPI_COMM_WORLD_RANK" = 0 ] || cd /; exec "%s" schedule fabric.json --collective AAB --solver '
                  'sga:islands=2' % os.path.join(OPTIONS.build, "unknot-mpi"))
        done = self.finish([OPTIONS.mpirun, "-n", "2", "sh", "-c", script])
        self.assert_one_sentence(done, 2, "process 1: fabric.json: cannot open: No such file or directory")

    def test_a_limit_ends_all_at_once(self):
        start = time.monotonic()
        done = self.on_ranks(3, *ENDLESS, "--limit", "0.5", "-o", "none")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("NO: no schedule has fewer than 8 steps", done.stdout)
        self.assertLess(time.monotonic() - start, 60)
        self.assertEqual(os.listdir(self.folder), [])

    def running(self, ranks):
        """mpirun with an endless search, and the process ids of its ranks once all are searching."""
        return self.start(self.command(ranks, "unknot-mpi", *ENDLESS), ranks, self.handles_signals)

    @staticmethod
    def handles_signals(process):
        with open("/proc/%s/status" % process) as file:
            caught = next(line for line in file if line.startswith("SigCgt:"))
        return int(caught.split()[1], 16) >> (signal.SIGTERM - 1) & 1 == 1

    def test_a_rank_that_dies_hangs_nobody(self):
        job, ranks = self.running(3)
        os.kill(ranks[1], signal.SIGKILL)
        job.communicate(timeout=240)
        self.assertNotEqual(job.returncode, 0)

    def test_an_interrupt_of_one_rank_ends_all(self):
        job, ranks = self.running(2)
        os.kill(ranks[1], signal.SIGTERM)
        stderr = job.communicate(timeout=240)[1]
        self.assertEqual(job.returncode, 130, stderr)
        self.assertEqual([line for line in stderr.splitlines() if line.startswith("unknot: ")],
                         ["unknot: process 1: interrupted"])

    def test_control_c(self):
        job, _ = self.running(2)
        job.send_signal(signal.SIGINT)
        job.communicate(timeout=240)
        self.assertNotEqual(job.returncode, 0)
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    main()
