// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "unknot/network/network.hpp"

namespace unknot {

/// The topology graph of NVIDIA NetQ (topologyGraph.json: what its API answers to
/// topologygraph/fetch-topology with "subgroupNestingDepth": 2). A device of type "switch", or of a tier, is
/// a router; another one (tier -1) is a host, each of its interfaces a terminal. The graph has names of
/// interfaces alone: ports are numbered from 1 in the order of these names (swp2 before swp10), GUIDs and
/// LIDs are systematic, rates are not known. Throws InputError, with the member, for what is malformed, a
/// device or an interface given twice, a device that no list has, a link between two hosts or of a device
/// with itself, a host without a link, and as assemble() does. O(n log n) time for n interfaces.
Network read_netq_graph(std::string_view text, const std::string& name);

bool looks_like_netq_graph(std::string_view head);

}  // namespace unknot
