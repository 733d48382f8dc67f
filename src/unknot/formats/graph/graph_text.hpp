// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "unknot/network/network.hpp"

namespace unknot {

/// Graphviz DOT: routers are boxes "r0", "r1", ..., terminals circles "t0", ..., service nodes diamonds "s0",
/// ..., each with its kind and name (label), and where the network has labels with guid, node_guid, lid and
/// ports; edges carry the port numbers at their ends, the rate, latencies and capacities. Undirected, unless
/// the network has one-way links: then each cable is two arcs. Routers of one tree level are put side by
/// side.
std::string write_dot(const Network& network);
/// A graph or digraph with anything DOT has (subgraphs, defaults, chains of edges, strict), seen as
/// assemble() of graph_draft.hpp sees it. Throws InputError.
Network read_dot(std::string_view text, const std::string& name);
/// True when `head` begins as a graph of DOT.
bool looks_like_dot(std::string_view head);

/// GraphML with typed keys: of nodes kind (router, terminal, service), name, guid, lid, and where the network
/// has them node_guid, level and ports (the number of a device's ports); of edges source_port, target_port,
/// rate, directed as in the network, and where the network states any latency, that of a cable from its
/// source, and latency_back where the other direction has another; capacity and capacity_back likewise, in
/// Gb/s. A terminal's guid is its port's. Ids as in DOT.
std::string write_graphml(const Network& network);
/// One graph without hyperedges and graphs inside nodes, seen as assemble() of graph_draft.hpp sees it.
/// Throws InputError.
Network read_graphml(std::string_view text, const std::string& name);
/// True when `head` is XML with an element <graphml>.
bool looks_like_graphml(std::string_view head);

/// BookSim's anynet file: "router 0 node 0 node 1 router 1 router 2", each cable at both of its routers.
/// Service nodes are left out, they take no part in traffic. Throws InputError for parallel cables, which
/// anynet would take for one, and for one-way links. Latencies that the network states are behind their
/// channels.
std::string write_anynet(const Network& network);
/// As BookSim reads it: a link stated at one end is a cable, stating it again changes nothing, and a router's
/// ports are its nodes by number, then its neighbours by number. A latency is that of the channel from the
/// router that its line begins with, or of a node's link both ways, and the last line that states the link
/// has the last word. Throws InputError for a latency of 0, numbers with gaps, a node on two routers, a graph
/// in several parts. O(n log n) time.
Network read_anynet(std::string_view text, const std::string& name);
/// True when the first line that is not empty begins with a router or a node.
bool looks_like_anynet(std::string_view head);

}  // namespace unknot
