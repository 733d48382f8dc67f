# SPDX-License-Identifier: Apache-2.0
"""Cables fail one after the other: what is left of the bandwidth, and is it still deadlock-free?"""

import unknot

whole = unknot.network("torus:5x5,p=1")
for cables in (0, 2, 5, 10):
    network = whole.with_faults("cable-count=%d,seed=3" % cables) if cables else whole
    routing = unknot.route(network, "unknot")
    verdict = unknot.verify(routing)
    share = unknot.congestion(routing, samples=100).effective_bisection_bandwidth
    print("%2d cables cut: %s, %d lanes, bisection bandwidth %.3f" %
          (cables, "safe" if verdict else "NOT SAFE", verdict.lanes_used, share))
