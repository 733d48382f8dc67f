#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""unknot sweep on the ranks of a real mpirun: the same table as in one process, also after a rank was killed."""

import json
import os
import signal
import sys

from on_ranks import OnRanks, main

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "sweep"))
import results  # noqa: E402 (its folder is known only now)

CELLS = 64


class Sweep(OnRanks):
    def setUp(self):
        super().setUp()
        self.write("s.toml", results.sweep(CELLS, 3000))

    def on_ranks(self, program="unknot-mpi"):
        return self.command(8, program, "sweep", "s.toml", "--threads", "1", "-q")

    def assert_complete(self):
        alone = self.unknot("sweep", "s.toml", "-q", "-o", "alone")
        self.assertEqual(alone.returncode, 0, alone.stderr)
        results.assert_once_each(self, self.path("s.results"), CELLS)
        results.assert_same_table(self, self.path("s.results"), self.path("alone"))

    def test_ranks_share_the_cells_and_one_prints(self):
        done = self.finish(self.on_ranks() + ["--json"])
        self.assertEqual(done.returncode, 0, done.stderr)
        document = json.loads(done.stdout)
        self.assertEqual((len(document["rows"]), document["missing"]), (CELLS, 0))
        journals = [name for name in os.listdir(self.path("s.results")) if name.endswith(".journal")]
        self.assertGreater(len(journals), 1)
        self.assert_complete()

    def test_a_killed_rank_costs_no_more_than_its_cell(self):
        job, ranks = self.start(self.on_ranks(), 8,
                                lambda _: len(results.journal_keys(self.path("s.results"))) >= 5)
        os.kill(ranks[3], signal.SIGKILL)
        job.communicate(timeout=240)
        self.assertNotEqual(job.returncode, 0)
        done = len(results.journal_keys(self.path("s.results")))
        self.assertLess(done, CELLS)
        again = self.finish(self.on_ranks())
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assert_complete()

    def test_bad_input_is_one_sentence(self):
        self.write("s.toml", 'command = "route"\nfabric = "ring:5"\nload = 1\n')
        done = self.finish(self.on_ranks())
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("s.toml:3: a sweep of route takes no 'load'; ", done.stderr)
        self.assertEqual(done.stderr.count("unknot: "), 1, done.stderr)
        self.assertEqual(os.listdir(self.folder), ["s.toml"])


if __name__ == "__main__":
    main()
