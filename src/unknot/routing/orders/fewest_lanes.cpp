// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/orders/fewest_lanes.hpp"

#include <array>
#include <vector>

#include "unknot/routing/orders/covering.hpp"
#include "unknot/routing/orders/masked_trees.hpp"
#include "unknot/routing/trees/path_dag.hpp"

namespace unknot {

std::optional<Routing> shortest_paths_on(const Network& network, std::uint32_t lanes, std::uint32_t units,
                                         std::uint64_t seed, std::uint32_t threads,
                                         const Progress& progress) {
  static constexpr std::array kAll{StartOrders::up_down, StartOrders::linear, StartOrders::random,
                                   StartOrders::dimension};
  PathDags paths(network);
  std::vector<std::uint16_t> level;
  const std::vector<CoverDag> dags = cover_dags(network, paths, &level);
  CoveringPortfolio portfolio(network, dags, level, seed, threads);
  for (const OrderSearch::Tie tie : {OrderSearch::Tie::first, OrderSearch::Tie::later}) {
    const std::optional<Covering> covering =
        portfolio.find(lanes, kAll, tie, nullptr, units * kLooksAUnit, 0, progress);
    if (!covering) continue;
    std::vector<std::uint16_t> entries;
    entries.reserve(dags.size() * network.router_count());
    for (std::uint32_t j = 0; j < dags.size(); ++j) {
      const std::uint16_t* const row = covering->search->entries(j);
      entries.insert(entries.end(), row, row + network.router_count());
    }
    Routing routing = MaskedTrees(network, dags, *covering->orders, entries).routing();
    routing.engine = "search";
    return routing;
  }
  return std::nullopt;
}

}  // namespace unknot
