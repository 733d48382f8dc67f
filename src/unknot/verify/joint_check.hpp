// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/deadlock/dependency_graph.hpp"
#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {

/// All the channels that are used, and all the arcs, of graphs that number their vertices alike: lane *
/// channels + channel. O(arcs log arcs).
DependencyGraph united(const Network& network, std::span<const DependencyGraph> graphs);

/// What several routings in force at once do to each other.
struct JointVerdict {
  bool deadlock_free = false;
  /// Where not: channels that wait for each other in a circle, each for the next.
  std::vector<LaneChannel> cycle;
};

/// Checks that routings of one network (of several jobs, say) cannot deadlock together: the union of their
/// channel dependency graphs, those of their multicast groups included, under the flow control that they
/// share. Each being sound by itself is not enough. Pairs without a route are passed over. Throws InputError
/// where their flow control differs. Time and memory as verify() for each, and O(arcs log arcs) for the
/// union.
JointVerdict verify_together(const Network& network, std::span<const Routing> routings, std::uint32_t threads,
                             Progress& progress);

}  // namespace unknot
