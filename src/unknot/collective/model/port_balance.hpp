// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "unknot/collective/model/problem.hpp"

namespace unknot {

/// How many messages each node sends or receives in each step, beside how many it can: the utilisation
/// histogram of the port heuristic. Nodes of an orbit count as one. [Jaros 2010, section 6.5.1]
class PortBalance {
 public:
  /// `orbit` has a node for each node, as of Symmetry::node_orbits().
  PortBalance(const Problem& problem, const std::vector<NodeId>& orbit, bool sending, std::uint32_t steps)
      : steps_(steps), orbit_(orbit) {
    for (const NodeId n : problem.graph->nodes()) {
      most_.push_back(sending ? problem.send_limit(n) : problem.receive_limit(n));
      if (orbit[n.value] == n) all_room_ += std::uint64_t{most_.back()} * steps;
    }
    used_.assign(most_.size() * steps, 0);
    room_ = all_room_;
  }
  void clear() {
    std::fill(used_.begin(), used_.end(), 0U);
    excess_ = 0;
    room_ = all_room_;
  }
  void add(NodeId n, std::uint32_t step) {
    const std::uint32_t over = used_[at(n, step)]++ >= most_[n.value] ? 1 : 0;
    excess_ += over;
    room_ -= 1 - over;
  }
  void remove(NodeId n, std::uint32_t step) {
    const std::uint32_t over = --used_[at(n, step)] >= most_[n.value] ? 1 : 0;
    excess_ -= over;
    room_ += 1 - over;
  }
  [[nodiscard]] std::uint32_t used(NodeId n, std::uint32_t step) const { return used_[at(n, step)]; }
  /// Messages beyond what nodes can, over all nodes and steps, can go elsewhere, as far as numbers tell.
  [[nodiscard]] bool can_improve() const { return excess_ > 0 && room_ > 0; }
  /// More than the node can.
  [[nodiscard]] bool overloaded(NodeId n, std::uint32_t step) const { return used(n, step) > most_[n.value]; }
  /// A message more can be sent.
  [[nodiscard]] bool free(NodeId n, std::uint32_t step) const { return used(n, step) < most_[n.value]; }

 private:
  [[nodiscard]] std::size_t at(NodeId n, std::uint32_t step) const {
    return std::size_t{orbit_[n.value].value} * steps_ + step;
  }
  std::uint32_t steps_;
  std::vector<NodeId> orbit_;              // by node
  std::uint32_t excess_ = 0;               // messages beyond what their nodes can
  std::uint64_t room_ = 0, all_room_ = 0;  // messages more that nodes can; where there is none
  std::vector<std::uint32_t> most_;        // by node
  std::vector<std::uint32_t> used_;        // by node and step
};

}  // namespace unknot
