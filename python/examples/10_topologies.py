# SPDX-License-Identifier: Apache-2.0
"""About 200 hosts on networks of diameter two and others: what do they need, and what do they give?"""

import unknot

print("%-32s %5s %7s %6s %5s" % ("network", "hosts", "routers", "cables", "eBB"))
for spec in ("slimfly:q=5,p=4", "dragonfly:a=6,h=3,p=3,groups=11", "hyperx:7x7,p=4", "xgft:m=20,w=10,p=10"):
    network = unknot.network(spec)
    share = unknot.congestion(unknot.route(network, "unknot"), samples=200).effective_bisection_bandwidth
    properties = network.properties()
    print("%-32s %5d %7d %6d %5.2f" % (spec, network.terminal_count, network.router_count, properties["cables"], share))
