// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/collective/model/problem.hpp"

namespace unknot {

/// What is sent in each step: transfers, one after the other in flat arrays. A transfer moves the message of
/// an origin along a path of nodes, from the distributor path[0] to the last node. Scatter: the distributor
/// is the origin. Broadcast: the origin is the owner of the message, the distributor has got it before.
/// Reduction: the origin is the owner of the result, and the distributor sends what it has combined.
///
///     Schedule schedule;
///     schedule.add_step();
///     schedule.add(NodeId(0), path);
class Schedule {
 public:
  void add_step() { step_first_.push_back(transfer_count()); }
  /// To the last step; there must be one. The path has a node or more.
  void add(NodeId origin, std::span<const NodeId> path) {
    origin_.push_back(origin);
    nodes_.insert(nodes_.end(), path.begin(), path.end());
    path_first_.push_back(static_cast<std::uint32_t>(nodes_.size()));
    step_first_.back() = transfer_count();
  }

  [[nodiscard]] std::uint32_t step_count() const {
    return static_cast<std::uint32_t>(step_first_.size()) - 1;
  }
  [[nodiscard]] std::uint32_t transfer_count() const { return static_cast<std::uint32_t>(origin_.size()); }
  /// Transfers of a step, counted from 0: [step_begin, step_end).
  [[nodiscard]] std::uint32_t step_begin(std::uint32_t step) const { return step_first_[step]; }
  [[nodiscard]] std::uint32_t step_end(std::uint32_t step) const { return step_first_[step + 1]; }
  [[nodiscard]] NodeId origin(std::uint32_t transfer) const { return origin_[transfer]; }
  [[nodiscard]] std::span<const NodeId> path(std::uint32_t transfer) const {
    return {nodes_.data() + path_first_[transfer], nodes_.data() + path_first_[transfer + 1]};
  }
  [[nodiscard]] NodeId distributor(std::uint32_t transfer) const { return path(transfer).front(); }
  [[nodiscard]] NodeId receiver(std::uint32_t transfer) const { return path(transfer).back(); }

  bool operator==(const Schedule&) const = default;

 private:
  std::vector<std::uint32_t> step_first_{0};  // steps + 1
  std::vector<NodeId> origin_;                // by transfer
  std::vector<std::uint32_t> path_first_{0};  // transfers + 1
  std::vector<NodeId> nodes_;
};

/// Last step first, every path backwards: a schedule of time_reversed(problem). `delivery` is that of either
/// problem: only scatters change origins, to where the paths begin now. Twice is the same again, where
/// origins of scatters are where their paths begin. O(schedule).
Schedule time_reversed(const Schedule& schedule, Delivery delivery);

}  // namespace unknot
