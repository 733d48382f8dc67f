// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "unknot/collective/model/problem.hpp"

namespace unknot {

/// How many messages each node sends or receives in each step, beside how many it can: the utilisation
/// histogram of the port heuristic. Nodes of an orbit count as one: they have one row. [Jaros 2010, section
/// 6.5.1]
class PortBalance {
 public:
  /// `orbit` has a node for each node, as of Symmetry::node_orbits().
  PortBalance(const Problem& problem, const std::vector<NodeId>& orbit, bool sending, std::uint32_t steps)
      : steps_(steps), orbit_(orbit) {
    for (const NodeId n : problem.graph->nodes()) {
      const std::uint32_t most = sending ? problem.send_limit(n) : problem.receive_limit(n);
      most_.insert(most_.end(), steps, most);
      if (orbit[n.value] == n) all_room_ += std::uint64_t{most} * steps;
    }
    used_.assign(most_.size(), 0);
    if (steps <= 64) free_.assign(most_.size(), 0);
    room_ = all_room_;
  }
  /// What the other members call a node: to be looked up once.
  [[nodiscard]] std::uint32_t row(NodeId n) const { return orbit_[n.value].value * steps_; }
  void clear() {
    std::fill(used_.begin(), used_.end(), 0U);
    excess_ = 0;
    room_ = all_room_;
  }
  void add(std::uint32_t row, std::uint32_t step) {
    const std::uint32_t over = used_[row + step]++ >= most_[row + step] ? 1 : 0;
    excess_ += over;
    room_ -= 1 - over;
  }
  void remove(std::uint32_t row, std::uint32_t step) {
    const std::uint32_t over = --used_[row + step] >= most_[row + step] ? 1 : 0;
    excess_ -= over;
    room_ += 1 - over;
  }
  /// By row and step.
  [[nodiscard]] const std::vector<std::uint32_t>& used() const { return used_; }
  /// Messages beyond what nodes can, over all nodes and steps, can go elsewhere, as far as numbers tell.
  [[nodiscard]] bool can_improve() const { return excess_ > 0 && room_ > 0; }
  /// 1 where it is more than the node can.
  [[nodiscard]] std::uint32_t overloaded(std::uint32_t row, std::uint32_t step) const {
    return used_[row + step] > most_[row + step] ? 1 : 0;
  }
  /// 1 where a message more can be sent.
  [[nodiscard]] std::uint32_t free(std::uint32_t row, std::uint32_t step) const {
    return used_[row + step] < most_[row + step] ? 1 : 0;
  }
  /// Up to 64 steps: those in which a message more can be sent, a bit for each. Made by find_free() for all
  /// rows, and kept by see_free() for one of them after a change in a step.
  [[nodiscard]] std::uint64_t free_steps(std::uint32_t row) const { return free_[row]; }
  void find_free() {
    for (std::uint32_t row = 0; row < used_.size(); row += steps_) {
      std::uint64_t bits = 0;
      for (std::uint32_t s = 0; s < steps_; ++s) bits |= std::uint64_t{free(row, s)} << s;
      free_[row] = bits;
    }
  }
  void see_free(std::uint32_t row, std::uint32_t step) {
    free_[row] = (free_[row] & ~(std::uint64_t{1} << step)) | std::uint64_t{free(row, step)} << step;
  }

 private:
  std::uint32_t steps_;
  std::vector<NodeId> orbit_;              // by node
  std::uint32_t excess_ = 0;               // messages beyond what their nodes can
  std::uint64_t room_ = 0, all_room_ = 0;  // messages more that nodes can; where there is none
  std::vector<std::uint32_t> most_;        // by row and step: what the node can
  std::vector<std::uint32_t> used_;        // by row and step
  std::vector<std::uint64_t> free_;        // by row: see free_steps()
};

}  // namespace unknot
