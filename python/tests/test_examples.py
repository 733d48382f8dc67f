# SPDX-License-Identifier: Apache-2.0
"""The worked examples print what stands beside them."""

import pathlib
import subprocess
import sys
import unittest

FOLDER = pathlib.Path(__file__).parents[1] / "examples"


class Examples(unittest.TestCase):
    maxDiff = None

    def test_each_prints_what_is_written(self):
        examples = sorted(FOLDER.glob("*.py"))
        self.assertGreaterEqual(len(examples), 10)
        for example in examples:
            with self.subTest(example.name):
                run = subprocess.run([sys.executable, str(example)], capture_output=True, text=True, timeout=120)
                self.assertEqual(run.stderr, "")
                self.assertEqual(run.stdout, example.with_suffix(".txt").read_text())


if __name__ == "__main__":
    unittest.main()
