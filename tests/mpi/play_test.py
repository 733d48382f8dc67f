#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""unknot-play and the C functions that unknot writes, among real ranks: every collective on several networks, beside
MPI's own operations; and that nothing hangs, whatever is wrong."""

import json
import os
import re
import shlex
import signal
import time

from on_ranks import DOCS, OPTIONS, OnRanks, main

STRICT = ["-std=c99", "-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Wmissing-prototypes", "-Werror", "-O1"]
OWN = {"OAS": "MPI_Scatter", "AAS": "MPI_Alltoall", "OAB": "MPI_Bcast", "AAB": "MPI_Allgather", "AOG": "MPI_Gather",
       "AOR": "MPI_Reduce", "AAG": "MPI_Alltoall", "AAR": "MPI_Reduce_scatter_block", "MNS": "MPI_Alltoall",
       "MNB": "MPI_Allgather", "permutation": "MPI_Alltoallv", "scan": "MPI_Alltoallv"}
NETWORKS = [("hypercube:3", 8), ("ring:9", 9), ("torus:4x4", 16), ("mesh:3x3", 9), ("kautz:b=2,n=3", 12),
            ("fat:2,ring:4", 8)]
COMBINED = {"all-reduce": "MPI_Allreduce", "scan": "MPI_Scan"}
SOME = ["--transmitters", "0-4", "--receivers", "2-7"]
# Between some of the nodes of hypercube:3: what MPI calls it, and how many take part.
PARTS = [("MNS", SOME, "MPI_Alltoallv", 8), ("MNB", SOME, "MPI_Alltoallv", 8), ("AAR", SOME, None, 8),
         ("MNB", ["--transmitters", "1-3", "--receivers", "0-7"], "MPI_Allgatherv", 8),
         ("MNS", ["--messages", "list"], "MPI_Alltoallv", 5),
         ("MNB", ["--messages", "list"], "MPI_Alltoallv", 5)]
LIST = "0 1 2\n7 2 0 4\n4 1\n"


class Play(OnRanks):
    def setUp(self):
        super().setUp()
        self.write("list", LIST)

    def schedule(self, fabric, *arguments):
        done = self.unknot("schedule", fabric, *arguments, "-q")
        self.assertEqual(done.returncode, 0, done.stderr)

    def play(self, ranks, *arguments):
        return self.finish(self.command(ranks, "unknot-play", *arguments))

    def assert_right(self, ranks, fabric, *arguments, own, sizes):
        done = self.play(ranks, fabric, "made.json", "--json", "--repetitions", "3", "--warm-up", "1", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual((report["valid"], report["wrong_bytes"], report["first_wrong"]), (True, 0, None))
        self.assertEqual((report["ranks"], report["mpi"]), (ranks, own))
        self.assertEqual([size["bytes"] for size in report["sizes"]], sizes)
        for size in report["sizes"]:
            self.assertEqual(size["wrong_bytes"], 0)
            for spread in (size["schedule"], size["barrier"], *([size["mpi"]] if own else [])):
                self.assertGreater(spread["least"], 0)
                self.assertLessEqual(spread["least"], spread["median"])
                self.assertLessEqual(spread["median"], spread["greatest"])

    def test_every_collective(self):
        listed = json.loads(self.unknot("list", "collectives", "--json").stdout)["collectives"]
        self.assertEqual([row["name"] for row in listed if not row.get("takes")], list(OWN))
        self.assertEqual(set(COMBINED) - set(OWN), {row["name"] for row in listed if row.get("takes")})
        waits = ["nothing", "pairs", "barrier"]
        operations = ["sum", "sum-double", "xor", "max"]
        for i, (collective, own) in enumerate(OWN.items()):
            reduces = collective in ("AOR", "AAR")
            for k in (2 * i, 2 * i + 1) if reduces or i % 2 == 0 else (2 * i,):
                fabric = NETWORKS[k % len(NETWORKS)][0]
                with self.subTest(collective=collective, fabric=fabric):
                    self.schedule(fabric, "--collective", collective, "-o", "made.json")
                    # A permutation may leave a node where it is.
                    ranks = len(json.loads(self.content("made.json"))["terminals"])
                    more = ["--operation", operations[(k - i) % 4]] if reduces else []
                    sizes, listed_sizes = ([8, 8192], "8,8K") if reduces else ([1, 2, 8191], "1:3,8191")
                    self.assert_right(ranks, fabric, "--between", waits[k % 3], "--bytes", listed_sizes, *more, own=own,
                                      sizes=sizes)

    def test_every_collective_of_combined_messages(self):
        waits = ["nothing", "pairs", "barrier"]
        played = [(name, "--bytes 64K", own) for name, own in COMBINED.items()]
        # Divided messages, and messages of several blocks that do not lie together.
        played += [("all-reduce", "--bytes 1M --algorithm", "reduce-scatter + all-gather: ring", "MPI_Allreduce"),
                   ("all-reduce", "--bytes 8 --algorithm", "recursive-doubling", "MPI_Allreduce"),
                   ("AAB", "--bytes 64 --algorithm", "bruck", "MPI_Allgather"),
                   ("AAS", "--bytes 64 --algorithm", "bruck", "MPI_Alltoall"),
                   ("OAB", "--bytes 1M --algorithm", "scatter + all-gather: ring", "MPI_Bcast")]
        for k, (collective, options, *named, own) in enumerate(played):
            with self.subTest(collective=collective, options=options, named=named):
                self.schedule("torus:2x4", "--collective", collective, *options.split(), *named, "-o", "made.json")
                reduces = collective in COMBINED
                sizes, listed_sizes = ([8, 72, 8192], "8,72,8K") if reduces else ([1, 7, 8191], "1,7,8191")
                self.assert_right(8, "torus:2x4", "--between", waits[k % 3], "--bytes", listed_sizes, own=own, sizes=sizes)

    def test_trees_in_chunks(self):
        for k, (collective, own) in enumerate([("AAB", "MPI_Allgather"), ("AAR", "MPI_Reduce_scatter_block"), ("OAB", "MPI_Bcast"),
                                               ("AOR", "MPI_Reduce"), ("all-reduce", "MPI_Allreduce")]):
            with self.subTest(collective=collective):
                self.schedule("mesh:2x3", "--collective", collective, "--goal", "bandwidth", "-o", "made.json")
                for chunks in ("1", "3"):
                    self.assert_right(6, "mesh:2x3", "--chunks", chunks, "--between", ["nothing", "pairs"][k % 2], "--bytes", "8,800",
                                      own=own, sizes=[8, 800])

    def test_thirty_two_ranks(self):
        for collective, between in (("AAB", "pairs"), ("AAR", "nothing")):
            with self.subTest(collective=collective):
                self.schedule("hypercube:5", "--collective", collective, "-o", "made.json")
                self.assert_right(32, "hypercube:5", "--between", between, own=OWN[collective], sizes=[1024])

    def test_parts_of_a_network(self):
        for k, (collective, part, own, ranks) in enumerate(PARTS):
            with self.subTest(collective=collective, part=part):
                self.schedule("hypercube:3", "--collective", collective, *part, "-o", "made.json")
                told = part if "--messages" in part else []  # the file of the schedule does not hold the list
                self.assert_right(ranks, "hypercube:3", *told, "--between", ["nothing", "pairs"][k % 2], "--bytes", "40",
                                  own=own, sizes=[40])

    def test_messages_beyond_what_is_sent_eagerly(self):
        for collective, between in (("AAS", "nothing"), ("AOR", "pairs")):
            self.schedule("hypercube:3", "--collective", collective, "-o", "made.json")
            self.assert_right(8, "hypercube:3", "--between", between, "--bytes", "128K", own=OWN[collective], sizes=[131072])

    def test_ranks_in_another_order(self):
        self.schedule("hypercube:3", "--collective", "OAS", "--root", "5", "-o", "made.json")
        self.assert_right(8, "hypercube:3", "--order", "7,6,3,2,0,1,4,5", own="MPI_Scatter", sizes=[1024])

    def test_bad_input_is_one_sentence(self):
        self.schedule("hypercube:3", "--collective", "AAS", "-o", "aas.json")
        self.schedule("hypercube:3", "--collective", "AOR", "-o", "aor.json")
        self.write("bad.json", '{"collective": "AAS",\n"steps": 3}')
        for ranks, arguments, sentence in (
                (3, ["aas.json"], "aas.json: 8 nodes take part, and there are 3 ranks: start it with mpirun -n 8"),
                (2, ["none.json"], "none.json: cannot open: No such file or directory"),
                (2, ["aas.json", "--bites", "3"], "there is no option '--bites'; did you mean '--bytes'?"),
                (2, ["aas.json", "--between", "steps"],
                 "--between: expected one of nothing, pairs, barrier, found 'steps'"),
                (8, ["aas.json", "--order", "0-6"], "--order: expected all 8 nodes that take part, found 7"),
                (8, ["aas.json", "--operation", "sum"], "--operation: AAS combines nothing"),
                (8, ["aor.json", "--chunks", "2"], "--chunks: aor.json holds no trees"),
                (8, ["aor.json", "--bytes", "12"],
                 "--bytes: aor.json combines words of 8 bytes, and 12 is no multiple of that")):
            with self.subTest(sentence=sentence):
                self.assert_one_sentence(self.play(ranks, "hypercube:3", *arguments), 2, sentence)
        done = self.play(2, "hypercube:3", "bad.json")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(len(re.findall("unknot: bad.json:2: ", done.stderr)), 1, done.stderr)

    def test_a_schedule_that_is_not_valid_is_refused(self):
        self.schedule("hypercube:3", "--collective", "AAB", "-o", "aab.json")
        document = json.loads(self.content("aab.json"))
        document["steps"][-1].pop()
        self.write("less.json", json.dumps(document))
        done = self.play(2, "hypercube:3", "less.json")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(len(re.findall("unknot: less.json: the schedule is not valid: node . never gets the message of .",
                                        done.stderr)), 1, done.stderr)
        document["steps"].insert(0, document["steps"].pop())
        self.write("early.json", json.dumps(document))
        done = self.play(2, "hypercube:3", "early.json", "--json")
        self.assertEqual(done.returncode, 1, done.stderr)
        report = json.loads(done.stdout)
        self.assertFalse(report["valid"])
        self.assertIn("step 1: ", report["first"])

    def test_a_wrong_bit_on_the_way_is_found(self):
        here = os.path.dirname(os.path.abspath(__file__))
        made = self.finish([OPTIONS.mpicc, *STRICT, "-shared", "-fPIC", os.path.join(here, "damage.c"), "-o", "damage.so"])
        self.assertEqual(made.returncode, 0, made.stderr)
        self.schedule("ring:4", "--collective", "AAB", "-o", "aab.json")
        player = os.path.join(OPTIONS.build, "unknot-play")
        sent = sum(transfer["path"][0] == 2 for step in json.loads(self.content("aab.json"))["steps"] for transfer in step)
        found = r"rank \d \(node \d\): byte 5 of block \d of the receive buffer is 0x.. and not 0x.., left by the schedule, "
        for between in ("nothing", "pairs"):
            done = self.finish([OPTIONS.mpirun, "-n", "4", "-x", "LD_PRELOAD=" + self.path("damage.so"), player, "ring:4",
                                "aab.json", "--bytes", "4,8", "--repetitions", "1", "--warm-up", "0", "--between", between,
                                "--json"])
            self.assertEqual(done.returncode, 1, done.stderr)
            report = json.loads(done.stdout)
            self.assertTrue(report["valid"])
            self.assertRegex(report["first_wrong"], found + "blocks of 8 bytes")
            self.assertEqual(report["sizes"][0]["wrong_bytes"], 0)
            # what is passed on is wrong, too
            self.assertGreaterEqual(report["sizes"][1]["wrong_bytes"], sent)
            self.assertEqual(report["wrong_bytes"], report["sizes"][1]["wrong_bytes"])

    def test_a_rank_that_dies_hangs_nobody(self):
        self.schedule("ring:4", "--collective", "AAB", "-o", "aab.json")
        job, ranks = self.start(
            self.command(4, "unknot-play", "ring:4", "aab.json", "--repetitions", "1000000", "--bytes", "1M"), 4)
        time.sleep(1)
        os.kill(ranks[2], signal.SIGKILL)
        job.communicate(timeout=240)
        self.assertNotEqual(job.returncode, 0)

    def test_help_is_printed_once(self):
        done = self.play(2, "--help")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("Usage: unknot-play"), 1)

    def test_the_page_shows_what_is_printed(self):
        with open(os.path.join(DOCS, "playing.md")) as file:
            text = file.read()
        programs = {"mpirun": [OPTIONS.mpirun], "mpicc": [OPTIONS.mpicc], "unknot": [os.path.join(OPTIONS.build, "unknot")]}
        sessions = re.findall(r"^    \$ (.*)\n((?:    (?!\$ ).*\n|\n(?=    (?!\$ )))*)", text, re.MULTILINE)
        self.assertGreaterEqual(len(sessions), 4)
        for command, shown in sessions:
            words = shlex.split(command)
            words = programs[words[0]] + [word.replace("unknot-play", os.path.join(OPTIONS.build, "unknot-play"))
                                          for word in words[1:]]
            done = self.finish(words)
            self.assertEqual(done.returncode, 0, done.stderr)

            def without_times(printed):
                printed = re.sub(r"Open MPI v[0-9.]+", "Open MPI", printed)
                printed = re.sub(r"([0-9.]+ to )?[0-9.]+ (us|s)\b", "TIME", printed)
                return re.sub(" +", " ", re.sub(r"TIME +[0-9]+\.[0-9][0-9]\b", "TIME RATIO", printed)).split("\n")

            def lines(printed):
                return [line.strip() for line in without_times(printed) if line.strip()]

            self.assertEqual(lines(done.stdout), lines(shown), command)


class Function(OnRanks):
    def setUp(self):
        super().setUp()
        self.write("list", LIST)

    def compile(self, *arguments):
        done = self.finish([OPTIONS.mpicc, *STRICT, *arguments])
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def run_function(self, ranks, *words):
        return self.finish([OPTIONS.mpirun, "-q", "-n", str(ranks), self.path("made"), *words])

    def make(self, fabric, *arguments):
        done = self.unknot("schedule", fabric, *arguments, "-o", "made.c", "--format", "c", "-q")
        self.assertEqual(done.returncode, 0, done.stderr)

    def assert_agrees(self, ranks, name, own, *words):
        done = self.run_function(ranks, *words)
        self.assertEqual((done.returncode, done.stdout.split(":")[0]), (0, "%s and %s agree" % (name, own)), done.stderr)

    def test_every_collective(self):
        for k, (collective, own) in enumerate(OWN.items()):
            fabric, ranks = NETWORKS[k % len(NETWORKS)]
            with self.subTest(collective=collective, fabric=fabric):
                self.make(fabric, "--collective", collective)
                self.compile("-c", "made.c", "-o", "made.o")
                self.compile("-DUNKNOT_MAIN", "made.c", "-o", "made")
                self.assert_agrees(ranks, "unknot_%s_%d" % (collective.lower(), ranks), own)

    def test_every_collective_of_combined_messages(self):
        for collective, own in [*COMBINED.items(), ("AAB", "MPI_Allgather"), ("OAB", "MPI_Bcast"), ("AAS", "MPI_Alltoall")]:
            for size in ("8", "1M"):
                with self.subTest(collective=collective, size=size):
                    self.make("mesh:2x3", "--collective", collective, "--bytes", size)
                    self.compile("-c", "made.c", "-o", "made.o")
                    self.compile("-DUNKNOT_MAIN", "made.c", "-o", "made")
                    for words in ("1", "1000"):
                        self.assert_agrees(6, "unknot_%s_6" % collective.lower().replace("-", "_"), own, words)

    def test_trees_in_chunks(self):
        for collective, own in (("AAB", "MPI_Allgather"), ("AOR", "MPI_Reduce"), ("all-reduce", "MPI_Allreduce")):
            with self.subTest(collective=collective):
                self.make("mesh:2x3", "--collective", collective, "--goal", "bandwidth", "--bytes", "64K")
                self.compile("-DUNKNOT_MAIN", "made.c", "-o", "made")
                for words in ("1", "1000"):
                    self.assert_agrees(6, "unknot_%s_6" % collective.lower().replace("-", "_"), own, words)

    def test_parts_of_a_network(self):
        for collective, part, own, ranks in PARTS:
            with self.subTest(collective=collective, part=part):
                self.make("hypercube:3", "--collective", collective, *part)
                self.compile("-DUNKNOT_MAIN", "made.c", "-o", "made")
                self.assert_agrees(ranks, "unknot_%s_%d" % (collective.lower(), ranks), own or "MPI_Alltoallv with sums", "3")

    def test_gaps_operations_and_errors(self):
        self.make("hypercube:3", "--collective", "AOR")
        here = os.path.dirname(os.path.abspath(__file__))
        self.compile("made.c", os.path.join(here, "function_test.c"), "-o", "made")
        done = self.run_function(8)
        self.assertEqual((done.returncode, done.stdout), (0, "right\n"), done.stderr)
        self.make("hypercube:3", "--collective", "all-reduce", "--bytes", "1M")
        self.assertIn(b"PIECES = 8", self.content("made.c"))
        self.compile("-DFUNCTION=unknot_all_reduce_8", "-DRECEIVES(rank)=((rank)>=0)", "made.c",
                     os.path.join(here, "function_test.c"), "-o", "made")
        done = self.run_function(8)
        self.assertEqual((done.returncode, done.stdout), (0, "right\n"), done.stderr)

    def test_its_own_test_can_fail(self):
        self.make("ring:4", "--collective", "AAB")
        text = self.content("made.c").decode()
        self.compile("-DUNKNOT_MAIN", "made.c", "-o", "made")
        self.assertEqual(self.run_function(3).returncode, 2)  # another number of ranks
        # rank 0 sends its receive buffer's first block, its own message, in place of what it is to pass on
        damaged = re.sub(r"\{SEND, (\d+), [2-9]\}", r"{SEND, \1, 1}", text, count=1)
        self.assertNotEqual(damaged, text)
        self.write("made.c", damaged)
        self.compile("-DUNKNOT_MAIN", "made.c", "-o", "made")
        done = self.run_function(4)
        self.assertEqual(done.returncode, 1)
        self.assertIn("unknot_aab_4 and MPI_Allgather DIFFER", done.stdout)


if __name__ == "__main__":
    main()
