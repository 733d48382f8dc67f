// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "unknot/collective/model/problem.hpp"
#include "unknot/network/network.hpp"

namespace unknot {

/// The messages of a traffic pattern, by its spec ("shift:4"), on the nodes of a graph of the network: one
/// for each flow, whatever its weight; of a pattern with chance those of its first sample. InputError as
/// make_pattern(). O(flows).
std::vector<MessageEnds> pattern_messages(const Network& network, const NodeGraph& graph,
                                          std::string_view pattern, std::uint64_t seed);

}  // namespace unknot
