# SPDX-License-Identifier: Apache-2.0
"""The sessions of docs/python.md and docs/live.md print what is written there."""

import doctest
import os
import pathlib
import tempfile
import unittest

DOCS = pathlib.Path(__file__).parents[2] / "docs"


class Tutorial(unittest.TestCase):
    def test_python(self):
        self.expect_printed(DOCS / "python.md", 20)

    def test_live(self):
        self.expect_printed(DOCS / "live.md", 5)

    def expect_printed(self, page, fewest):
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                # What closes a block is no output.
                text = page.read_text().replace("```\n", "\n")
                test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
                self.assertGreater(len(test.examples), fewest)
                printed = []
                runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
                failed = runner.run(test, out=printed.append).failed
            finally:
                os.chdir(here)
        self.assertEqual(failed, 0, "".join(printed))


if __name__ == "__main__":
    unittest.main()
