// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// Parameters for Constellation (ucb-bar), in Scala: a CustomTopology, and a RoutingRelation that looks each
/// hop up in the tables, with its lane as the virtual channel. An ingress and an egress for each terminal, in
/// their order, and a flow for each pair. The name of the file is that of the Scala object. InputError for
/// parallel links, a pair without a way or a lane, source routes, several addresses, bubble flow control, and
/// a file name that is no name of Scala. "-" is standard output.
void write_constellation(const Network& network, const Routing& routing, const std::string& path);
/// The same as text, for an object of that name. The network is without parallel links, the routing one of
/// tables.
std::string constellation_text(const Network& network, const Routing& routing, const std::string& object);

/// True when `head` is of Scala that imports Constellation's routing and has an object.
bool looks_like_constellation(std::string_view head);
/// The network of a file that write_constellation() has written: ports are the links of a router in their
/// order, then the terminals. InputError for any other Scala: where a line is not what is written for the
/// numbers of the file.
Network read_constellation(std::string_view text, const std::string& name);
/// The relation of such a file as tables with their lanes, on a network of the same routers and terminals by
/// number.
Routing read_constellation_tables(const Network& network, std::string_view text, const std::string& name);

}  // namespace unknot
