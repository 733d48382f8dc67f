// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/rules/forwarding_rule.hpp"

namespace unknot {

/// What the checker finds of a rule, over all ordered pairs of distinct terminals.
struct RuleVerdict {
  std::uint64_t pairs = 0;  ///< terminals * (terminals - 1)
  std::uint64_t unroutable_pairs = 0;
  std::uint64_t looping_pairs = 0;  ///< part of the above
  std::uint32_t max_hops = 0;       ///< channels between routers on a path
  std::uint64_t total_hops = 0;     ///< over delivered pairs
  std::uint64_t dependencies = 0;   ///< arcs of the channel dependency graph, all lanes
  std::uint32_t lanes_used = 0;
  /// Every pair is delivered and the channel dependency graph has no cycle; without delivery nothing is said.
  bool deadlock_free = false;
  std::vector<ChannelId> cycle;     ///< channels of a cycle, where there is one
  std::vector<std::uint64_t> load;  ///< by channel: ordered pairs of terminals whose path takes it
  std::uint64_t columns = 0;        ///< that were followed
  std::uint64_t mark_bytes = 0;     ///< of the set of dependencies
  std::uint64_t graph_bytes = 0;    ///< of the graph made of it

  [[nodiscard]] bool usable() const { return unroutable_pairs == 0 && deadlock_free; }
};

/// Follows every packet of a rule, as verify() does the tables of a routing: column by column, each computed,
/// followed from all routers with terminals and forgotten. The rule is asked for positions and levels and
/// believed in nothing. The same verdict at any number of threads. O(columns * routers) time; memory for the
/// set of dependencies, a bit or a byte for each pair of channels that meet, and 4 bytes for each that
/// occurs. InputError where a rule has more than eight lanes.
RuleVerdict verify_rule(const Network& network, const ForwardingRule& rule, std::uint32_t threads,
                        Progress& progress);

}  // namespace unknot
