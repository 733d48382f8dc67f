// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "unknot/collective/bandwidth/bandwidth_problem.hpp"
#include "unknot/collective/priced/tree_search.hpp"

namespace unknot {

/// Cheapest trees of one group, by prices of arcs. Without branches at nodes that take no part the cheapest
/// there are: branchings of the shortest ways between members. With them good ones, not always the cheapest
/// (Steiner's problem).
class CheapestTrees {
 public:
  explicit CheapestTrees(const BandwidthProblem& problem);

  /// Prices by arc, positive; they must outlive what is found by them.
  void set_prices(std::span<const double> price, std::uint32_t threads = 1);

  struct Found {
    PricedTree tree;
    double cost = 0;
  };
  /// The tree of a root that owns something; of an all-reduce the best way in and out, over all nodes where
  /// sums may come together.
  [[nodiscard]] Found from(NodeId root) const;
  [[nodiscard]] Found there_and_back() const;

 private:
  [[nodiscard]] std::uint32_t place_of(NodeId member) const;
  void add_ways(NodeId root, bool inward, Found& found) const;
  void find_meeting_places();

  const BandwidthProblem& problem_;
  std::optional<MemberDistances> distances_;  // where either way does not branch
  CostMatrix turned_;                         // distances from head to tail: of ways in
  std::vector<NodeId> meeting_places_;        // of an all-reduce: where sums may come together
  std::span<const double> price_;
};

}  // namespace unknot
