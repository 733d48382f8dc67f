# SPDX-License-Identifier: Apache-2.0
"""Shortest paths on a torus can deadlock: the circle of channels, and who holds them."""

import unknot

network = unknot.network("torus:6x6,p=2")
verdict = unknot.verify(unknot.route(network, "minhop"))
print("deadlock-free:", verdict.deadlock_free)
print(verdict.witness_text)
for hold in verdict.witness:
    print(network.channel_name(hold["channel"]), "is held by", network.terminal_name(hold["source"]))
safe = unknot.verify(unknot.route(network, "unknot"), certificate=True)
print("with unknot:", safe.deadlock_free, "on", safe.lanes_used, "lanes, proof of shape", safe.certificate.shape)
