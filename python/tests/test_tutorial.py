# SPDX-License-Identifier: Apache-2.0
"""The sessions of docs/python.md print what is written there."""

import doctest
import os
import pathlib
import tempfile
import unittest

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "python.md"


class Tutorial(unittest.TestCase):
    def test_sessions(self):
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                # What closes a block is no output.
                text = PAGE.read_text().replace("```\n", "\n")
                test = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
                self.assertGreater(len(test.examples), 20)
                printed = []
                runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
                failed = runner.run(test, out=printed.append).failed
            finally:
                os.chdir(here)
        self.assertEqual(failed, 0, "".join(printed))


if __name__ == "__main__":
    unittest.main()
