// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// Paths that share a service level: from each of the sources to each of the destinations.
struct LevelBlock {
  std::vector<TerminalId> sources;  ///< empty: any
  std::vector<TerminalId> destinations;
  std::uint8_t level = 0;
};

/// The service levels of all paths as few blocks: those of `rest` are in no block.
struct LevelBlocks {
  std::vector<LevelBlock> blocks;
  std::uint8_t rest = 0;  ///< the level of most paths
};

/// Groups destinations to which every source sends with the same level, and of those with the same levels one
/// block for each level; or sources likewise, where that gives fewer blocks. Levels between terminals of one
/// router do not count, no packet between them needs a lane. Per-destination lanes give one block for each
/// level but one. O(pairs).
LevelBlocks group_levels(const Network& network, const ServiceLevels& levels);

/// OpenSM searches the rules of a policy one after the other for each path that is asked for.
inline constexpr std::size_t kMaxPolicyRules = 1000;

/// A QoS policy for OpenSM (`-Q -Y FILE`, qos_policy_file), which gives the levels to path queries while its
/// stock `file` engine takes the tables: lanes without the plug-in. SL-to-VL tables must be the default ones.
/// Throws InputError for more than kMaxPolicyRules rules, levels above 7 (the default tables have eight
/// lanes), SL-to-VL tables, and paths without a level.
std::string qos_policy_text(const Network& network, const Routing& routing);
void write_qos_policy(const Network& network, const Routing& routing, const std::string& path);

}  // namespace unknot
