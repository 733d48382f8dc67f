# SPDX-License-Identifier: Apache-2.0
"""A graph of one's own becomes a network; what NetworkX knows of it stands beside what the routes do."""

import networkx

import unknot

graph = networkx.barbell_graph(4, 2)
network = unknot.from_networkx(graph, description="two rooms and a corridor")
print(network)
routing = unknot.route(network, "updn")
load = unknot.channel_load(routing)
between = networkx.edge_betweenness_centrality(unknot.to_networkx(network, terminals=False), normalized=False)
for (source, target, channel), paths in sorted(between.items(), key=lambda item: -item[1])[:6]:
    print("%d -> %d: %.0f shortest paths, %d routes" % (source, target, paths, load[channel]))
