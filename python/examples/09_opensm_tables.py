# SPDX-License-Identifier: Apache-2.0
"""Tables for OpenSM, service levels beside them, read back and checked from the files alone."""

import pathlib
import tempfile

import unknot

network = unknot.network("torus:4x4,p=2")
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    dump = folder / "fabric.ibnetdiscover"
    network.write(str(dump), format="ibnetdiscover")
    fabric = unknot.network(str(dump))
    files = {part: str(folder / part) for part in ("lanes", "sl2vl")}
    unknot.route(fabric, "dfsssp", virtual_lanes=4).write(str(folder / "lfts"), **files)
    print(sorted(path.name for path in folder.iterdir()))
    with_lanes = unknot.read_tables(fabric, str(folder / "lfts"), **files)
    without = unknot.read_tables(fabric, str(folder / "lfts"))
print("with their service levels:", unknot.verify(with_lanes))
print("without:", unknot.verify(without))
