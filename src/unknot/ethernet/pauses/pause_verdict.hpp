// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/deadlock/dependency_graph.hpp"
#include "unknot/ethernet/pauses/waits.hpp"

namespace unknot::ethernet {

/// A packet for a destination fills a buffer and waits for room in that of the next step.
struct PauseWait {
  std::uint32_t channel = 0;
  std::uint8_t priority = 0;
  WaitReason reason;
};

struct PauseVerdict {
  bool deadlock_free = false;
  /// Lossless priorities, ascending; whether some buffers of each wait for each other in a circle, maybe
  /// with those of others.
  std::vector<std::pair<std::uint8_t, bool>> free_of_priority;
  std::vector<PauseWait> witness;  ///< where not free: a shortest cycle, the last waits for the first
  std::uint64_t dependencies = 0;
  std::uint64_t buffers = 0;  ///< that some packet fills or waits for
  /// Where free, by Waits::buffer(): rises along every wait; TopologicalNumbers::kNone for buffers of none.
  std::vector<std::uint32_t> number;
};

/// The graph of `pairs`, which are Waits::all(). O(buffers + pairs).
DependencyGraph wait_graph(const Waits& waits, const std::vector<std::uint64_t>& pairs);

/// Whether pauses can lock the fabric: buffers of lossless priorities that wait for each other in a circle.
/// A graph of waits without a cycle is sufficient for freedom (Dally and Seitz 1987; for priority flow
/// control: Hu et al. 2016, "Deadlocks in datacenter networks"). `graph` is wait_graph().
/// O(buffers + waits) where there is no deadlock.
PauseVerdict pause_verdict(const Waits& waits, const Queues& queues, const DependencyGraph& graph);

/// Lines for people, a step of a cycle each.
std::string describe(const Forwarding& forwarding, const std::vector<PauseWait>& witness);
/// "leaf1 Ethernet4 -> spine2 Ethernet0".
std::string channel_text(const Fabric& fabric, std::uint32_t channel);

}  // namespace unknot::ethernet
