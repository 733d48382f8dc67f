// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "unknot/collective/model/problem.hpp"
#include "unknot/collective/model/schedule.hpp"
#include "unknot/network/network_change.hpp"

namespace unknot {

/// How each message of a problem was sent before something failed, in the numbers of the network that is
/// left: the step, and the path where all of its channels are still there. By message.
class FormerTransfers {
 public:
  FormerTransfers(std::uint32_t messages, std::uint32_t steps) : steps_(steps), of_(messages) {}

  [[nodiscard]] std::uint32_t steps() const { return steps_; }
  [[nodiscard]] std::uint32_t messages() const { return static_cast<std::uint32_t>(of_.size()); }
  [[nodiscard]] std::uint32_t step(std::uint32_t message) const { return of_[message].step; }
  /// Empty where a part of it has failed.
  [[nodiscard]] std::span<const NodeId> path(std::uint32_t message) const {
    return {nodes_.data() + of_[message].first, of_[message].length};
  }
  [[nodiscard]] bool intact(std::uint32_t message) const { return of_[message].length > 0; }
  void set(std::uint32_t message, std::uint32_t step, std::span<const NodeId> path);

  /// Those that are intact, each step in the order in which they were set. O(n log n).
  [[nodiscard]] Schedule intact_schedule(const Problem& problem) const;

  /// Those of time_reversed(problem) for a reduction or the broadcast that it reverses, in which messages
  /// have the same numbers.
  [[nodiscard]] FormerTransfers reversed() const;

 private:
  struct Transfer {
    std::uint32_t step = 0, length = 0;  // length: nodes of the path
    std::size_t first = 0;
  };
  std::uint32_t steps_;
  std::vector<Transfer> of_;   // by message
  std::vector<NodeId> nodes_;  // of all paths
};

/// What a fault leaves of a collective and of a schedule for it.
struct FaultImpact {
  Problem problem;
  FormerTransfers former;
  std::uint32_t dropped = 0;  ///< messages to or from what has failed: they are not sent any more
};

/// By node of the graph before: its number after; invalid for what is gone. `change` is from the network of
/// one graph to that of the other; nodes are the same things in both (routers, or terminals too).
std::vector<NodeId> node_numbers(const NodeGraph& before, const NodeGraph& after,
                                 const NetworkChange& change);

/// `schedule` is valid for `before`, whose rules hold on; or, with `routes`, those on the routes in force
/// after: a former transfer is as it was where it went by its route. A node that has lost its terminal takes
/// part no more. InputError where no message has both its ends left, or where no path leads from one to the
/// other. O(problem + schedule * log degree).
FaultImpact fault_impact(const Problem& before, const Schedule& schedule,
                         std::shared_ptr<const NodeGraph> after, std::span<const NodeId> numbers,
                         std::shared_ptr<const PairRoutes> routes = nullptr);

/// How a schedule differs from what was sent before.
struct ScheduleChange {
  std::uint32_t kept = 0;      ///< transfers along their former paths in their former steps
  std::uint32_t rerouted = 0;  ///< along another path, or from another node, in the same step
  std::uint32_t moved = 0;     ///< in another step
};

/// `schedule` is valid for the problem of `former`. Steps count from the first; those of a reduction, which
/// is a broadcast in reversed time, from the last. O(schedule * log messages).
ScheduleChange change_of(const Problem& problem, const FormerTransfers& former, const Schedule& schedule);

}  // namespace unknot
