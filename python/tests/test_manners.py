# SPDX-License-Identifier: Apache-2.0
"""Errors, progress, Ctrl-C and threads."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import unknot

LONG = """
import signal, sys, unknot
from concurrent import futures
network = unknot.network("torus:12x12")
collective = unknot.collective(network, "AAS")
print("ready", flush=True)
%s
"""


class Errors(unittest.TestCase):
    def test_a_wrong_spec(self):
        with self.assertRaisesRegex(unknot.InputError, "torus") as caught:
            unknot.network("torus:4x")
        self.assertIsInstance(caught.exception, ValueError)
        self.assertIsNone(caught.exception.file)

    def test_a_wrong_file_says_where(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "fabric.txt")
            with open(path, "w") as file:
                file.write('Switch 4 "S-0001"\n[1] nonsense\n')
            with self.assertRaises(unknot.InputError) as caught:
                unknot.network(path)
        self.assertEqual((caught.exception.file, caught.exception.line), (path, 2))

    def test_an_engines_no(self):
        with self.assertRaises(unknot.RoutingFailure) as caught:
            unknot.route(unknot.network("torus:4x4,p=2"), "dfsssp", virtual_lanes=1)
        self.assertGreater(caught.exception.lanes_needed, 1)

    def test_numbers_out_of_range(self):
        network = unknot.network("mesh:3x3")
        for wrong in (lambda: network.out(9), lambda: network.out(-1), lambda: network.channel_name(10**12)):
            with self.assertRaises((IndexError, ValueError)):
                wrong()


class LongWork(unittest.TestCase):
    def test_progress_is_told(self):
        told = []
        unknot.route(unknot.network("torus:8x8,p=2"), "unknot", progress=lambda *words: told.append(words))
        self.assertTrue(told)
        for phase, done, total in told:
            self.assertIsInstance(phase, str)
            self.assertLessEqual(done, total)

    def test_what_progress_raises_arrives(self):
        def stop(phase, done, total):
            raise LookupError("enough")

        with self.assertRaisesRegex(LookupError, "enough"):
            unknot.route(unknot.network("torus:8x8,p=2"), "unknot", progress=stop)

    def interrupted(self, call):
        process = subprocess.Popen([sys.executable, "-c", LONG % call], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(process.stdout.readline(), "ready\n")
        time.sleep(0.3)
        self.assertIsNone(process.poll(), "the call is too short for this test")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertIn("KeyboardInterrupt", errors)

    def test_ctrl_c_ends_a_search(self):
        self.interrupted('unknot.design_schedule(collective, "umda", steps=216)')

    def test_ctrl_c_ends_a_simulation(self):
        self.interrupted('unknot.Simulation(unknot.route(network, "unknot"), settings={"measure": 10**9}).run([0.1])')

    def test_ctrl_c_ends_a_call_where_nobody_raises(self):
        """The program's own handler raises nothing, and other threads hear no signals: no result that is none."""
        for call in (
            'unknot.design_schedule(collective, "umda", steps=216)',
            'futures.ThreadPoolExecutor(1).submit(unknot.design_schedule, collective, "umda", steps=216).result()',
            'unknot.Simulation(unknot.route(network, "unknot"), settings={"measure": 10**9}).run([0.1])',
        ):
            self.interrupted("(signal.signal(signal.SIGINT, lambda *_: None), " + call + ")")

    def test_other_threads_go_on(self):
        network = unknot.network("torus:10x10,p=2")
        ended = threading.Event()

        def work():
            unknot.route(network, "unknot", threads=1)
            ended.set()

        worker = threading.Thread(target=work)
        worker.start()
        turns = 0
        while not ended.is_set():
            turns += 1
            time.sleep(0.0005)
        worker.join()
        self.assertGreater(turns, 3)


if __name__ == "__main__":
    unittest.main()
