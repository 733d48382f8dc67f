# SPDX-License-Identifier: Apache-2.0
"""How evenly do routes use the channels? The load as an array, and its histogram."""

import numpy

import unknot

network = unknot.network("dragonfly:a=6,h=3,p=3")
for name in ("minhop", "unknot"):
    load = unknot.channel_load(unknot.route(network, name))
    counts, edges = numpy.histogram(load, bins=6)
    print("%s: mean %.1f, most %d" % (name, load.mean(), load.max()))
    for count, low, high in zip(counts, edges, edges[1:]):
        print("  %6.1f to %6.1f %s" % (low, high, "#" * int(numpy.ceil(count / 8))))
