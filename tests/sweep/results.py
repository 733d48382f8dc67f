# SPDX-License-Identifier: Apache-2.0
"""What the tests of unknot sweep on real processes share: sweeps, and a look into the folders of their results."""

import os


def sweep(cells, measure):
    """A sweep of this many cells; `measure` cycles say how long one takes."""
    return ('command = "simulate"\nfabric = ["torus:4x4,p=2", "slimfly:q=3,p=2"]\nengine = "dfsssp"\nload = 0.2\n'
            'set = "measure=%d"\nseed = [%s]\n' % (measure, ", ".join(str(1 + i) for i in range(cells // 2))))


def content(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


def journal_keys(folder):
    """The cell of every whole line of every journal."""
    keys = []
    for name in os.listdir(folder) if os.path.isdir(folder) else []:
        if name.endswith(".journal"):
            keys += [line[:16] for line in content(folder, name).split(b"\n")[:-1]]
    return keys


def assert_once_each(test, folder, cells):
    keys = journal_keys(folder)
    test.assertEqual(len(keys), cells)
    test.assertEqual(len(set(keys)), cells)


def assert_same_table(test, folder, other):
    for name in ("table.csv", "table.sqlite"):
        test.assertEqual(os.path.exists(os.path.join(folder, name)), os.path.exists(os.path.join(other, name)))
        if os.path.exists(os.path.join(folder, name)):
            test.assertEqual(content(folder, name), content(other, name), name)
    test.assertEqual([name for name in os.listdir(folder) if name.endswith(".tmp")], [])
