# SPDX-License-Identifier: Apache-2.0
"""Networks as NetworkX graphs, and the other way round."""

from collections import Counter, defaultdict

from ._unknot import InputError, NetworkBuilder


def to_networkx(network, terminals=True):
    """A MultiDiGraph: routers are nodes 0 to R-1, terminals, where wanted, the nodes after them.

    Nodes have `kind` ("router" or "terminal") and `name`, routers `pos` where the family has coordinates. The edge of a
    channel has its number as key and as `channel`, and `source_port` and `target_port`; the two edges of a terminal have
    `port`, that of its router.
    """
    import networkx

    graph = networkx.MultiDiGraph(name=network.description)
    coordinates = network.coordinates
    for router in range(network.router_count):
        graph.add_node(router, kind="router", name=network.router_name(router))
        if coordinates is not None:
            graph.nodes[router]["pos"] = tuple(int(x) for x in coordinates[router])
    columns = (network.sources, network.targets, network.source_ports, network.target_ports)
    for channel, (source, target, out_port, in_port) in enumerate(zip(*(c.tolist() for c in columns))):
        graph.add_edge(source, target, key=channel, channel=channel, source_port=out_port, target_port=in_port)
    if terminals:
        rows = zip(network.terminal_routers.tolist(), network.terminal_ports.tolist())
        for terminal, (router, port) in enumerate(rows):
            node = network.router_count + terminal
            graph.add_node(node, kind="terminal", name=network.terminal_name(terminal))
            graph.add_edge(router, node, key="out", port=port)
            graph.add_edge(node, router, key="in", port=port)
    return graph


def from_networkx(graph, terminals=1, description=None):
    """A network of any NetworkX graph. Nodes with kind="terminal" become terminals, all others routers, in the graph's
    order; where no node is a terminal, each router gets `terminals` of them. An edge of an undirected graph is a cable; of a
    directed one, edges both ways between two nodes make cables and what is left one-way channels. Parallel edges count.

    Names are the nodes' attribute `name`, or the nodes themselves.
    """
    ends = [node for node, kind in graph.nodes(data="kind") if kind == "terminal"]
    known = set(ends)
    builder = NetworkBuilder()
    number = {}
    for node, name in graph.nodes(data="name"):
        if node not in known:
            number[node] = builder.add_router(str(node if name is None else name))
    for source, target, amount in _cables(graph, number):
        for _ in range(amount):
            builder.add_cable(source, target)
    if graph.is_directed():
        for (source, target), amount in _one_way(graph, number):
            for _ in range(amount):
                builder.add_channel(source, target)
    for router in number.values() if not ends else ():
        for _ in range(terminals):
            builder.add_terminal(router)
    homes = defaultdict(list)
    for node in ends:
        routers = {other for edge in _edges_at(graph, node) for other in edge if other != node}
        if len(routers) != 1 or not routers <= number.keys():
            raise InputError("terminal %r: an edge to one router is expected" % (node,))
        homes[routers.pop()].append(node)
    for router, nodes in homes.items():
        for node in nodes:
            name = graph.nodes[node].get("name")
            builder.add_terminal(number[router], str(node if name is None else name))
    return builder.build(description or graph.name or "networkx graph")


def _edges_at(graph, node):
    yield from graph.edges(node)
    if graph.is_directed():
        yield from graph.in_edges(node)


def _amounts(graph, number):
    """How many edges lead from one router to another; of undirected graphs, each edge once."""
    return Counter((number[a], number[b]) for a, b in graph.edges() if a in number and b in number)


def _cables(graph, number):
    amounts = _amounts(graph, number)
    if not graph.is_directed():
        return [(a, b, amount) for (a, b), amount in amounts.items()]
    return [(a, b, min(amount, amounts[b, a])) for (a, b), amount in amounts.items() if a < b and (b, a) in amounts]


def _one_way(graph, number):
    amounts = _amounts(graph, number)
    left = [(pair, amount - (amounts.get(pair[::-1], 0) if pair[0] != pair[1] else 0)) for pair, amount in amounts.items()]
    return [(pair, amount) for pair, amount in left if amount > 0]
