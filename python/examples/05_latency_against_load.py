# SPDX-License-Identifier: Apache-2.0
"""Latency against load, flit by flit, and where the network saturates."""

import unknot

network = unknot.network("torus:4x4,p=2")
simulation = unknot.Simulation(unknot.route(network, "dfsssp", virtual_lanes=4), settings={"measure": 3000})
print(simulation.proof)
for point in simulation.run([0.05, 0.15, 0.25, 0.4]):
    state = "saturated" if point.saturated else "%.1f cycles" % point.latency_mean
    print("load %.2f: accepted %.3f, %s" % (point.load, point.accepted, state))
