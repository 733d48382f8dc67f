// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/orders/wished_paths.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "unknot/routing/orders/order_search.hpp"
#include "unknot/support/random.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kPolishes = 2;
constexpr std::uint32_t kSparings = 3;  // later passes gain next to nothing
constexpr std::uint32_t kUnset = 0xFFFFFFFFU;

/// The tree that a table has for one terminal, as shortest paths without choice.
CoverDag only_tree(const CoverDag& dag, const ForwardingTable& table, TerminalId terminal) {
  CoverDag tree;
  tree.root = dag.root;
  tree.order = dag.order;
  tree.level = dag.level;
  tree.first.push_back(0);
  for (std::uint32_t i = 0; i < dag.positions(); ++i) {
    const std::uint32_t entry = table.get(RouterId(dag.order[i]), terminal);
    std::uint32_t c = dag.first[i];
    while (dag.entry[c] != entry) ++c;
    tree.to.push_back(dag.to[c]);
    tree.turn.push_back(dag.turn[c]);
    tree.entry.push_back(dag.entry[c]);
    tree.first.push_back(static_cast<std::uint32_t>(tree.to.size()));
  }
  return tree;
}

}  // namespace

WishedPaths::WishedPaths(const Network& network, const std::vector<CoverDag>& dags,
                         const std::vector<std::uint16_t>& level, const ForwardingTable& table,
                         std::uint32_t passes, std::uint64_t seed, const Progress& progress)
    : network_(network),
      dags_(dags),
      level_(level),
      seed_(seed),
      order_(network.terminal_count()),
      destination_of_(network.terminal_count()) {
  std::iota(order_.begin(), order_.end(), 0U);
  for (std::uint32_t j = 0; j < dags.size(); ++j) {
    for (const TerminalId t : network.terminals_at(RouterId(dags[j].root))) destination_of_[t.value] = j;
  }
  const LaneOrders any = LaneOrders::unrestricted(network);
  MaskedTrees trees(network, dags, any, table);
  Random random(seed, 7);
  std::vector<std::uint32_t> order = order_;
  for (std::uint32_t pass = 0; pass < passes; ++pass) {
    trees.rebalance(order, progress);
    random.shuffle(order);
  }
  for (std::uint32_t pass = 0; pass < kPolishes; ++pass) trees.polish(order, progress);
  for (std::uint32_t pass = 0; pass < kSparings; ++pass) trees.spare_bottlenecks(order_, progress);
  wished_ = std::move(trees.routing().table());
}

/// Moves the orders until they allow the wished paths, or the work is done.
void WishedPaths::bend(LaneOrders& orders, std::uint64_t most_looks, const Progress& progress) const {
  std::vector<CoverDag> trees;
  std::vector<std::uint16_t> level;
  const auto routers = static_cast<std::ptrdiff_t>(network_.router_count());
  for (const TerminalId t : network_.terminals()) {
    const std::uint32_t j = destination_of_[t.value];
    trees.push_back(only_tree(dags_[j], wished_, t));
    const auto row = level_.begin() + std::ptrdiff_t{j} * routers;
    level.insert(level.end(), row, row + routers);
  }
  OrderSearch search(network_, trees, level, orders, OrderSearch::Tie::first, seed_);
  search.run(most_looks, progress);
}

/// Tables as wished where a lane allows the path, else by the candidate that most lanes allow. A terminal
/// whose tree does not come out so takes that of `fallback`, by destination.
ForwardingTable WishedPaths::table_on(const LaneOrders& orders,
                                      const std::vector<const std::uint16_t*>& fallback) const {
  ForwardingTable table(network_);
  std::vector<LaneOrders::Mask> mask(network_.router_count());
  std::vector<std::uint16_t> entry(network_.router_count());
  for (const TerminalId t : network_.terminals()) {
    const CoverDag& dag = dags_[destination_of_[t.value]];
    bool served = true;
    for (std::uint32_t i = 0; i < dag.positions() && served; ++i) {
      const std::uint32_t router = dag.order[i];
      const std::uint32_t wished = wished_.get(RouterId(router), t);
      std::uint32_t best = kUnset;
      LaneOrders::Mask most = 0;
      for (std::uint32_t c = dag.first[i]; c < dag.first[i + 1]; ++c) {
        const std::uint32_t to = dag.to[c];
        const auto here = static_cast<LaneOrders::Mask>(
            to == dag.root ? orders.all_lanes() : mask[to] & orders.allowed(dag.turn[c] + entry[to]));
        const bool as_wished = here != 0 && dag.entry[c] == wished;
        if (best != kUnset && !as_wished && LaneCount::of(here) <= LaneCount::of(most)) continue;
        most = here;
        best = c;
        if (as_wished) break;
      }
      mask[router] = most;
      entry[router] = dag.entry[best];
      served = most != 0 || network_.terminals_at(RouterId(router)).empty();
    }
    const std::uint16_t* const row = served ? entry.data() : fallback[destination_of_[t.value]];
    for (const std::uint32_t router : dag.order) table.set(RouterId(router), t, row[router]);
  }
  return table;
}

std::optional<MaskedTrees> WishedPaths::trees_on(LaneOrders& orders, std::uint64_t most_looks,
                                                 const Progress& progress) const {
  bend(orders, most_looks, progress);
  OrderSearch search(network_, dags_, level_, orders, OrderSearch::Tie::first, seed_);
  if (search.run(most_looks, progress) > 0) return std::nullopt;
  std::vector<const std::uint16_t*> fallback;
  fallback.reserve(dags_.size());
  for (std::uint32_t j = 0; j < dags_.size(); ++j) fallback.push_back(search.entries(j));
  MaskedTrees trees(network_, dags_, orders, table_on(orders, fallback));
  for (std::uint32_t pass = 0; pass < kSparings; ++pass) trees.spare_bottlenecks(order_, progress);
  return trees;
}

}  // namespace unknot
