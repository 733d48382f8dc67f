// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/covers/dealt_trees.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "unknot/routing/covers/column_dealer.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/support/shared_progress.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kTreesStored = 16;   // destinations whose columns are moved to the tables together
constexpr std::uint32_t kColumnsApart = 64;  // between them, so that they do not share cache sets

/// One worker's: deals a block of destinations and moves them to the tables.
template <class Entry>
class BlockDealer {
 public:
  explicit BlockDealer(const DealingPlan& plan) : plan_(plan), dealer_(plan) {}

  void deal(std::uint32_t number, ForwardingTable& table, ServiceLevels& levels) {
    plan_.sets.load(number, block_);
    for (std::uint32_t begin = 0; begin < block_.count; begin += kTreesStored) {
      const std::uint32_t end = std::min(block_.count, begin + kTreesStored);
      first_.assign(1, 0);
      for (std::uint32_t d = begin; d < end; ++d) {
        first_.push_back(first_.back() + std::size_t{plan_.network.router_count()} * terminals(d).size() +
                         kColumnsApart);
      }
      entries_.resize(first_.back());
      lanes_.resize(first_.back());
      for (std::uint32_t d = begin; d < end; ++d)
        dealer_.deal(block_, d, entries_.data() + first_[d - begin], lanes_.data() + first_[d - begin]);
      store(begin, end, table, levels);
    }
  }

 private:
  [[nodiscard]] IdRange<TerminalId> terminals(std::uint32_t d) const {
    return plan_.network.terminals_at(plan_.sets.destinations()[block_.first + d]);
  }

  void store(std::uint32_t begin, std::uint32_t end, ForwardingTable& table, ServiceLevels& levels) const {
    Entry* const all = table.entries<Entry>().data();
    for (const RouterId r : plan_.network.routers()) {
      Entry* const row = all + std::size_t{r.value} * table.terminal_count();
      std::uint8_t* row_of_levels = nullptr;
      if (!levels.empty() && !plan_.network.terminals_at(r).empty())
        row_of_levels = levels.row(levels.row_of(plan_.network.terminals_at(r)[0])).data();
      for (std::uint32_t d = begin; d < end; ++d) {
        const IdRange<TerminalId> here = terminals(d);
        const std::size_t at = first_[d - begin] + std::size_t{r.value} * here.size();
        std::copy_n(entries_.data() + at, here.size(), row + here.first());
        if (row_of_levels != nullptr)
          std::copy_n(lanes_.data() + at, here.size(), row_of_levels + here.first());
      }
    }
  }

  const DealingPlan& plan_;
  ColumnDealer<Entry> dealer_;
  DestinationBlock block_;
  std::vector<std::size_t> first_;  // by destination of those stored together
  std::vector<Entry> entries_;
  std::vector<std::uint8_t> lanes_;
};

}  // namespace

Routing dealt_trees(const DealingPlan& plan, std::uint32_t threads, Progress& progress) {
  if (threads == 0) threads = hardware_threads();
  const PathSets& sets = plan.sets;
  Routing routing;
  routing.paths = ForwardingTable::unfilled(plan.network);
  routing.virtual_lanes = routing.lanes_needed = plan.turns.lanes();
  if (plan.turns.lanes() > 1)
    routing.service_levels = ServiceLevels(plan.network, ServiceLevels::Rows::by_router);
  SharedProgress shared(progress, "trees", sets.blocks());
  routing.table().with_entry_type([&]<class Entry>(Entry) {
    std::vector<std::unique_ptr<BlockDealer<Entry>>> dealers(threads);
    parallel_blocks(sets.blocks(), 1, threads, [&](std::uint32_t worker, std::uint32_t b, std::uint32_t) {
      if (!dealers[worker]) dealers[worker] = std::make_unique<BlockDealer<Entry>>(plan);
      dealers[worker]->deal(b, routing.table(), routing.service_levels);
      shared.step();
    });
  });
  return routing;
}

}  // namespace unknot
