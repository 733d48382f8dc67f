// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/network/network.hpp"

namespace unknot {

/// Graphviz DOT: routers are boxes "r0", "r1", ..., terminals circles "t0", ..., service nodes diamonds "s0",
/// ...; edges carry the port numbers at their ends. Undirected, unless the network has one-way links: then
/// each cable is two arcs. Routers of one tree level are put side by side.
std::string write_dot(const Network& network);

/// GraphML with typed keys: of nodes kind (router, terminal, service), name, guid, lid, level; of edges
/// source_port, target_port, rate, directed as in the network. Ids as in DOT.
std::string write_graphml(const Network& network);

/// BookSim's anynet file: "router 0 node 0 node 1 router 1 router 2", each cable at both of its routers.
/// Service nodes are left out, they take no part in traffic. Throws InputError for parallel cables, which
/// anynet would take for one, and for one-way links.
std::string write_anynet(const Network& network);

}  // namespace unknot
