// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/orders/cover_dag.hpp"
#include "unknot/routing/orders/lane_orders.hpp"
#include "unknot/routing/orders/masked_trees.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/forwarding_table.hpp"

namespace unknot {

/// Lanes made for paths, in place of paths for lanes: trees are balanced as if there were no deadlock, then
/// the orders of a covering are moved until the lanes allow nearly all of these paths. What is balanced
/// inside lanes that were found without a thought for it pays for each lane that it lacks.
class WishedPaths {
 public:
  /// Balances trees without lanes, from those of `table`. `dags` and `level` as cover_dags() gives them; they
  /// must outlive the object. Throws Interrupted.
  WishedPaths(const Network& network, const std::vector<CoverDag>& dags,
              const std::vector<std::uint16_t>& level, const ForwardingTable& table, std::uint32_t passes,
              std::uint64_t seed, const Progress& progress);

  /// Moves `orders`, under which every pair has a shortest path on one lane, for the wished paths' sake:
  /// OrderSearch on trees without choice, then on all shortest paths until every pair is served again.
  /// Returns trees that are as wished where they can be, the busiest channels spared; nothing where some pair
  /// stayed without a lane. Takes `most_looks` for either search. `orders` must outlive the trees. Memory: 22
  /// bytes for each router and terminal while it searches. Throws Interrupted.
  std::optional<MaskedTrees> trees_on(LaneOrders& orders, std::uint64_t most_looks,
                                      const Progress& progress) const;

 private:
  void bend(LaneOrders& orders, std::uint64_t most_looks, const Progress& progress) const;
  [[nodiscard]] ForwardingTable table_on(const LaneOrders& orders,
                                         const std::vector<const std::uint16_t*>& fallback) const;

  const Network& network_;
  const std::vector<CoverDag>& dags_;
  const std::vector<std::uint16_t>& level_;
  std::uint64_t seed_;
  std::vector<std::uint32_t> order_;           // of terminals
  std::vector<std::uint32_t> destination_of_;  // by terminal: index in dags_
  ForwardingTable wished_;
};

}  // namespace unknot
