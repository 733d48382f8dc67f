// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/covers/dealt_trees.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "unknot/routing/covers/column_dealer.hpp"
#include "unknot/routing/covers/lane_choice.hpp"
#include "unknot/support/bring_near.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/support/shared_progress.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kColumns = 64;  // of a group: a cache line of bytes, and rows fit a cache
constexpr std::uint32_t kLots = 16;     // for a lane
constexpr std::uint32_t kAhead = 8;     // routers whose rows of the tables are on their way

/// One of the lanes of a mask, by lot.
class LaneLottery {
 public:
  explicit LaneLottery(std::uint32_t lanes) : lane_(kLots << lanes) {
    for (std::uint32_t mask = 0; mask < 1U << lanes; ++mask) {
      const auto each = static_cast<std::uint16_t>(mask);
      for (std::uint32_t lot = 0; lot < kLots; ++lot)
        lane_[mask * kLots + lot] = LaneOfMask::at(each, lot * LaneCount::of(each) / kLots);
    }
  }
  [[nodiscard]] std::uint8_t draw(std::uint32_t mask, std::uint32_t lot) const {
    return lane_[mask * kLots + lot % kLots];
  }

 private:
  std::vector<std::uint8_t> lane_;
};

/// One worker's: deals a block of destinations and moves them to the tables.
template <class Entry, class Mask>
class BlockDealer {
 public:
  BlockDealer(const DealingPlan& plan, const LaneLottery& lottery)
      : plan_(plan), lottery_(lottery), dealer_(plan) {}

  void deal(std::uint32_t block, ForwardingTable& table, ServiceLevels& levels) {
    const std::uint32_t first = block * PathSets::kWordBits;
    const std::uint32_t count =
        std::min<std::uint32_t>(PathSets::kWordBits, plan_.sets.destinations().size() - first);
    group_.block = block;
    for (std::uint32_t d = 0; d < count;) {
      group_.first = d;
      group_.column.assign(1, 0);
      do {
        group_.column.push_back(group_.columns() + terminals(first + d).size());
        ++d;
      } while (d < count && group_.columns() + terminals(first + d).size() <= kColumns);
      group_.end = d;
      dealer_.deal(group_);
      store(terminals(first + group_.first).first(), table, levels);
    }
  }

 private:
  [[nodiscard]] IdRange<TerminalId> terminals(std::uint32_t destination) const {
    return plan_.network.terminals_at(plan_.sets.destinations()[destination]);
  }

  void store(std::uint32_t first, ForwardingTable& table, ServiceLevels& levels) const {
    Entry* const all = table.entries<Entry>().data() + first;
    const std::size_t row = table.terminal_count();
    const std::uint32_t columns = group_.columns();
    for (const RouterId r : plan_.network.routers()) {
      if (r.value + kAhead < plan_.network.router_count())
        bring_near_to_write(all + (r.value + kAhead) * row);
      std::copy_n(dealer_.entries(r.value), columns, all + r.value * row);
    }
    if (levels.empty()) return;
    std::uint8_t* const all_levels = levels.row(0).data() + first;
    for (std::uint32_t s = 0; s < plan_.sets.destinations().size(); ++s) {
      const std::uint32_t r = plan_.sets.destinations()[s].value;
      if (s + kAhead < plan_.sets.destinations().size()) bring_near_to_write(all_levels + (s + kAhead) * row);
      const Mask* const masks = dealer_.masks(r);
      const std::uint32_t lot = (r + first * 0x9E3779B1U) * 0x85EBCA77U >> 16;
      std::uint8_t* const lanes = all_levels + s * row;
      for (std::uint32_t i = 0; i < columns; ++i) lanes[i] = lottery_.draw(masks[i], lot + i * 7);
    }
  }

  const DealingPlan& plan_;
  const LaneLottery& lottery_;
  ColumnDealer<Entry, Mask> dealer_;
  DealtGroup group_;
};

}  // namespace

Routing dealt_trees(const DealingPlan& plan, std::uint32_t threads, Progress& progress) {
  if (threads == 0) threads = hardware_threads();
  const PathSets& sets = plan.sets;
  Routing routing;
  routing.paths = ForwardingTable::unfilled(plan.network);
  routing.virtual_lanes = routing.lanes_needed = plan.turns.lanes();
  if (plan.turns.lanes() > 1)
    routing.service_levels = ServiceLevels::unfilled(plan.network, ServiceLevels::Rows::by_router);
  SharedProgress shared(progress, "trees", sets.blocks());
  const LaneLottery lottery(plan.turns.lanes());
  const auto deal = [&]<class Entry, class Mask>(Entry, Mask) {
    std::vector<std::unique_ptr<BlockDealer<Entry, Mask>>> dealers(threads);
    parallel_blocks(sets.blocks(), 1, threads, [&](std::uint32_t worker, std::uint32_t b, std::uint32_t) {
      if (!dealers[worker]) dealers[worker] = std::make_unique<BlockDealer<Entry, Mask>>(plan, lottery);
      dealers[worker]->deal(b, routing.table(), routing.service_levels);
      shared.step();
    });
  };
  routing.table().with_entry_type(
      [&](auto entry) { plan.turns.with_mask_type([&](auto mask) { deal(entry, mask); }); });
  return routing;
}

}  // namespace unknot
