# SPDX-License-Identifier: Apache-2.0
"""The notebook says what it says when its cells are run."""

import copy
import os
import pathlib
import unittest

os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")

try:
    import nbformat
    from nbclient import NotebookClient
except ImportError:
    nbformat = None

NOTEBOOKS = sorted((pathlib.Path(__file__).parents[1] / "examples").glob("*.ipynb"))


def said(cell):
    """What people read below a cell: printed text, and the value."""
    return "".join(output.get("text", "") or output.get("data", {}).get("text/plain", "") for output in cell.get("outputs", []))


@unittest.skipIf(nbformat is None, "needs nbclient and ipykernel")
class Notebooks(unittest.TestCase):
    def test_cells_say_what_is_written_below_them(self):
        self.assertTrue(NOTEBOOKS)
        for path in NOTEBOOKS:
            written = nbformat.read(path, as_version=4)
            run = copy.deepcopy(written)
            for cell in run.cells:
                cell.pop("outputs", None) if cell.cell_type != "code" else cell.update(outputs=[])
            NotebookClient(run, timeout=300, kernel_name="python3").execute()
            told = 0
            for one, other in zip(written.cells, run.cells):
                with self.subTest(path.name, source=one.source[:60]):
                    self.assertEqual(said(one), said(other))
                told += bool(said(one))
            self.assertGreater(told, 3)


if __name__ == "__main__":
    unittest.main()
