// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/collective/model/problem.hpp"
#include "unknot/support/random.hpp"

namespace unknot {

/// Spreads receivers over networks whose terminals are nodes below routers: each next one goes where those
/// that have the message are farthest, and among places as far where they are fewest. So a tree is filled
/// evenly: first its large parts, then the routers, then the terminals of each.
class TerminalCentres {
 public:
  /// Of a broadcast on a graph with terminal nodes, which must outlive this. A search from each router with
  /// terminals.
  explicit TerminalCentres(const Problem& problem);
  /// Beyond this many routers with terminals their distances take too much room.
  static constexpr std::uint32_t kMostRouters = 2048;
  static bool takes(const Problem& problem);

  /// As many receivers as the informed can send to, or as there are. O(receivers * routers).
  std::span<const NodeId> choose(std::span<const NodeId> informed, Random& random);
  /// Distances looked at since the beginning.
  [[nodiscard]] std::uint64_t work() const { return work_; }

 private:
  [[nodiscard]] std::uint32_t place(NodeId terminal) const {
    return place_[problem_.graph->head(problem_.graph->out(terminal)[0]).value];
  }
  void crowd(std::uint32_t place);

  const Problem& problem_;
  std::vector<std::uint32_t> place_;          // by router: its number among those with terminals
  std::vector<std::vector<NodeId>> waiting_;  // by place: receivers without the message
  std::vector<float> near_;                   // by two places: weight of one for the other
  std::vector<double> crowd_;                 // by place: weights of all that have the message
  std::vector<std::uint32_t> order_;          // places, shuffled
  std::vector<std::uint8_t> informed_;        // by node
  std::vector<NodeId> chosen_;
  std::uint64_t work_ = 0;
};

}  // namespace unknot
