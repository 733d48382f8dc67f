# SPDX-License-Identifier: Apache-2.0
"""Runs a topology for gem5 as gem5 does, without gem5: makes the objects, writes them as its config.ini, and routes by its rule.

What is known of gem5 is from its sources: configs/topologies, src/mem/ruby/network/Topology.cc and garnet/RoutingUnit.cc.
"""

import os
import sys
import types

INFINITE = 10000


class Thing:
    def __init__(self, **parameters):
        self.__dict__.update(parameters)


class Options:
    link_latency = 1
    router_latency = 1


def make(path, controllers):
    """The network that the class of the file makes for that many controllers."""
    base = types.ModuleType("topologies.BaseTopology")
    base.SimpleTopology = object
    sys.modules["topologies"] = types.ModuleType("topologies")
    sys.modules["topologies.BaseTopology"] = base
    space = {}
    with open(path) as file:
        exec(compile(file.read(), path, "exec"), space)
    name = os.path.splitext(os.path.basename(path))[0]
    network = Thing()
    nodes = [Thing(path=f"system.ruby.l1_cntrl{i}") for i in range(controllers)]
    space[name](nodes).makeTopology(Options(), network, Thing, Thing, Thing)
    return network


def config(network, algorithm=0):
    """The text of config.ini, as much of it as a reader of the topology needs, and some more."""
    lines = ["[root]", "type=Root", "children=system", "full_system=false", ""]

    def paths(kind, items):
        width = len(str(len(items) - 1))
        return [f"system.ruby.network.{kind}{i:0{width}}" if len(items) > 1 else f"system.ruby.network.{kind}" for i in range(len(items))]

    routers = paths("routers", network.routers)
    ext = paths("ext_links", network.ext_links)
    internal = paths("int_links", network.int_links)

    def section(path, **values):
        lines.append(f"[{path}]")
        lines.extend(f"{key}={value}" for key, value in sorted(values.items()))
        lines.append("")

    section("system.ruby.network", type="GarnetNetwork", routing_algorithm=algorithm, routers=" ".join(routers), ext_links=" ".join(ext), int_links=" ".join(internal), number_of_virtual_networks=3)
    at = {id(router): path for router, path in zip(network.routers, routers)}
    for path, link in zip(ext, network.ext_links):
        section(path, type="GarnetExtLink", ext_node=link.ext_node.path, int_node=at[id(link.int_node)], latency=link.latency, link_id=link.link_id, supported_vnets="", weight=getattr(link, "weight", 1))
    for path, link in zip(internal, network.int_links):
        section(path, type="GarnetIntLink", src_node=at[id(link.src_node)], dst_node=at[id(link.dst_node)], latency=link.latency, link_id=link.link_id, src_outport="", dst_inport="", supported_vnets="", weight=link.weight)
    for path, router in zip(routers, network.routers):
        section(path, type="GarnetRouter", router_id=router.router_id, latency=router.latency, vcs_per_vnet=4)
    return "\n".join(lines)


def tables(network):
    """By router and controller, the set of routers that table routing may take next; empty at the router of the controller."""
    size = len(network.routers)
    weight = [[INFINITE] * size for _ in range(size)]
    for i in range(size):
        weight[i][i] = 0
    for link in network.int_links:
        a, b = link.src_node.router_id, link.dst_node.router_id
        assert weight[a][b] == INFINITE, "two links between the same routers"
        assert 0 < link.weight < INFINITE
        weight[a][b] = link.weight
    far = [row[:] for row in weight]
    for k in range(size):
        for i in range(size):
            for j in range(size):
                far[i][j] = min(far[i][j], far[i][k] + far[k][j])
    result = []
    for r in range(size):
        row = []
        for link in network.ext_links:
            to = link.int_node.router_id
            assert far[r][to] + getattr(link, "weight", 1) < INFINITE
            begin = [n for n in range(size) if n != r and weight[r][n] < INFINITE and weight[r][n] + far[n][to] == far[r][to]] if r != to else []
            least = min((weight[r][n] for n in begin), default=0)
            row.append({n for n in begin if weight[r][n] == least})
        result.append(row)
    return result
