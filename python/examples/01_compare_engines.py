# SPDX-License-Identifier: Apache-2.0
"""Which engine for the fabric that a dump of ibnetdiscover describes?"""

import pathlib

import unknot

DUMP = pathlib.Path(__file__).parents[2] / "data" / "leafspine600.ibnetdiscover"

network = unknot.network(str(DUMP))
print(network.router_count, "switches,", network.terminal_count, "hosts")
print("%-8s %5s %10s %6s" % ("engine", "lanes", "max. load", "safe"))
for name in ("minhop", "updn", "sssp", "dfsssp", "unknot"):
    routing = unknot.route(network, name)
    load = unknot.load_statistics(unknot.channel_load(routing))
    verdict = unknot.verify(routing)
    print("%-8s %5d %10d %6s" % (name, verdict.lanes_used, load.max, "yes" if verdict else "NO"))
