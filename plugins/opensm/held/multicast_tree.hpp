// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "multicast.hpp"
#include "unknot/network/live/live_network.hpp"

namespace unknot::opensm {

/// One tree for all groups, which joins every switch that has hosts; no trees where none was found.
///
/// At each switch of it every channel in comes before every other channel out, in an order in which those of
/// each path of data come, too: no cycle, whichever hosts are members. Roots are tried from the last one,
/// then from the top. O(channels log channels) for each.
MulticastTrees common_tree(const LiveNetwork& live, std::span<const std::uint32_t> order,
                           RouterId& last_root);

}  // namespace unknot::opensm
