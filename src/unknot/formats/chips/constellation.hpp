// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// Parameters for Constellation (ucb-bar), in Scala: a CustomTopology, and a RoutingRelation that looks each
/// hop up in the tables, with its lane as the virtual channel. An ingress and an egress for each terminal, in
/// their order, and a flow for each pair. The name of the file is that of the Scala object. InputError for
/// parallel links, a pair without a way or a lane, source routes, several addresses, bubble flow control, and
/// a file name that is no name of Scala. "-" is standard output.
void write_constellation(const Network& network, const Routing& routing, const std::string& path);

}  // namespace unknot
