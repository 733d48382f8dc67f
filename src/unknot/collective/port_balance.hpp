// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/collective/problem.hpp"

namespace unknot {

/// How many messages each node sends or receives in each step, beside how many it can: the utilisation
/// histogram of the port heuristic. [Jaros 2010, section 6.5.1]
class PortBalance {
 public:
  PortBalance(const Problem& problem, bool sending, std::uint32_t steps) : steps_(steps) {
    for (const NodeId n : problem.graph->nodes()) {
      most_.push_back(sending ? problem.send_limit(n) : problem.receive_limit(n));
    }
    used_.assign(most_.size() * steps, 0);
  }
  void clear() { used_.assign(used_.size(), 0); }
  void add(NodeId n, std::uint32_t step) { ++used_[n.value * steps_ + step]; }
  void remove(NodeId n, std::uint32_t step) { --used_[n.value * steps_ + step]; }
  [[nodiscard]] std::uint32_t used(NodeId n, std::uint32_t step) const {
    return used_[n.value * steps_ + step];
  }
  /// More than the node can.
  [[nodiscard]] bool overloaded(NodeId n, std::uint32_t step) const { return used(n, step) > most_[n.value]; }
  /// A message more can be sent.
  [[nodiscard]] bool free(NodeId n, std::uint32_t step) const { return used(n, step) < most_[n.value]; }

 private:
  std::uint32_t steps_;
  std::vector<std::uint32_t> most_;  // by node
  std::vector<std::uint32_t> used_;  // by node and step
};

}  // namespace unknot
