// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/covers/safe_trees.hpp"

#include <bit>

#include "unknot/routing/orders/lane_orders.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

using TurnMask = LaneTurns::Mask;
using PathWord = PathSets::Word;

/// One worker's: the trees of one destination after the other.
class TreeChoice {
 public:
  TreeChoice(const Network& network, const PortWords& ports, const LaneTurns& turns)
      : network_(network), ports_(ports), turns_(turns), mask_(network.router_count()) {}

  /// Destination `d` of the block, whose router is `root`. Of the ports of `sets` those stay that a lane
  /// allows, and the one taken. `choose`: entries are to be chosen.
  void build(const DestinationBlock& block, std::uint32_t d, RouterId root, bool choose, std::uint16_t* entry,
             PathWord* sets, std::vector<Unserved>& unserved) {
    for (const std::uint32_t r : block.order[d]) {
      const std::uint32_t first = network_.out(RouterId(r)).first();
      TurnMask most = 0;
      std::uint32_t most_lanes = 0;
      std::uint32_t best = ChannelId::kNone;
      ports_.for_each(sets, r, [&](std::uint32_t position) {
        const std::uint32_t c = first + position;
        const RouterId to = network_.targets()[c];
        const TurnMask mask = to == root
                                  ? turns_.all()
                                  : static_cast<TurnMask>(mask_[to.value] & turns_.of(c)[entry[to.value]]);
        if (mask == 0) {
          sets[ports_.first(r) + position / PathSets::kWordBits] &=
              ~(PathWord{1} << position % PathSets::kWordBits);
        }
        if (!choose) {
          if (position == entry[r]) most = mask;
          return;
        }
        const std::uint32_t lanes = LaneCount::of(mask);
        const auto common = static_cast<TurnMask>(mask & most);
        const bool better = best == ChannelId::kNone || lanes > most_lanes ||
                            (lanes == most_lanes && common != 0 &&
                             turns_.after(static_cast<std::uint32_t>(std::countr_zero(common)), c, best));
        if (!better) return;
        best = c;
        most = mask;
        most_lanes = lanes;
      });
      if (choose) entry[r] = static_cast<std::uint16_t>(best - first);
      mask_[r] = most;
      if (most != 0) continue;
      sets[ports_.first(r) + entry[r] / PathSets::kWordBits] |= PathWord{1} << entry[r] % PathSets::kWordBits;
      if (!network_.terminals_at(RouterId(r)).empty()) unserved.push_back({block.first + d, r});
    }
  }

 private:
  const Network& network_;
  const PortWords& ports_;
  const LaneTurns& turns_;
  std::vector<TurnMask> mask_;  // by router
};

}  // namespace

SafeTrees::SafeTrees(const Network& network, const PathSets& sets, const LaneTurns& turns,
                     std::uint32_t threads)
    : network_(network),
      sets_(sets),
      threads_(threads == 0 ? hardware_threads() : threads),
      routers_(network.router_count()),
      entries_(routers_ * sets.destinations().size()) {
  allowed_.resize(std::size_t{sets.ports().size()} * sets.destinations().size());
  build(turns, true);
}

void SafeTrees::allow(const LaneTurns& turns) {
  build(turns, false);
}

void SafeTrees::build(const LaneTurns& turns, bool choose) {
  std::vector<DestinationBlock> blocks(threads_);
  std::vector<TreeChoice> choices(threads_, TreeChoice(network_, sets_.ports(), turns));
  std::vector<std::vector<Unserved>> unserved(sets_.blocks());
  const std::size_t words = sets_.ports().size();
  parallel_blocks(sets_.blocks(), 1, threads_, [&](std::uint32_t worker, std::uint32_t b, std::uint32_t) {
    DestinationBlock& block = blocks[worker];
    sets_.load(b, block);
    sets_.load_ports(b, allowed_.data() + block.first * words);
    for (std::uint32_t d = 0; d < block.count; ++d) {
      const std::size_t destination = block.first + d;
      choices[worker].build(block, d, sets_.destinations()[destination], choose,
                            entries_.data() + destination * routers_, allowed_.data() + destination * words,
                            unserved[b]);
    }
  });
  unserved_.clear();
  for (const std::vector<Unserved>& some : unserved)
    unserved_.insert(unserved_.end(), some.begin(), some.end());
}

}  // namespace unknot
