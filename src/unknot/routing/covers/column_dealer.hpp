// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "unknot/routing/covers/dealt_trees.hpp"
#include "unknot/routing/covers/lane_choice.hpp"
#include "unknot/routing/orders/lane_orders.hpp"

namespace unknot {

/// One worker's: the columns of the terminals of one destination router, all at once. Router by router, the
/// terminals side by side, each on a place.
template <class Entry>
class ColumnDealer {
 public:
  explicit ColumnDealer(const DealingPlan& plan)
      : plan_(plan),
        routers_(plan.network.router_count()),
        weight_(routers_),
        alike_(routers_),
        pinned_(routers_),
        changed_(routers_) {}

  /// Destination `d` of the block. `entry` and `lane` have room for all routers and places; lanes of routers
  /// without terminals get no value.
  void deal(const DestinationBlock& block, std::uint32_t d, Entry* entry, std::uint8_t* lane) {
    destination_ = block.first + d;
    root_ = plan_.sets.destinations()[destination_];
    allowed_ = plan_.safe.allowed(destination_);
    set_places(plan_.network.terminals_at(root_).size());
    entry_ = entry;
    lane_ = lane;
    mask_.resize(std::size_t{routers_} * places_);
    bad_.assign(places_, 0);
    std::fill_n(entry_ + at(root_.value, 0), places_, ForwardingTable::here<Entry>);
    std::fill_n(mask_.data() + at(root_.value, 0), places_, plan_.turns.all());
    std::fill_n(lane_ + at(root_.value, 0), places_, std::uint8_t{0});
    alike_[root_.value] = 1;
    weight_[root_.value] = 1;
    std::uint32_t i = 0;
    for (std::uint32_t hops = 1; hops < block.up_to.size(); ++hops) {
      for (; i < block.up_to[hops][d]; ++i) choose(block.order[d][i], hops);
    }
    for (std::uint32_t place = 0; place < places_; ++place) {
      if (bad_[place] != 0) deal_again(block, d, place);
    }
  }

 private:
  using Mask = LaneTurns::Mask;
  static constexpr std::uint8_t kNewlyPinned = 1;
  static constexpr std::uint8_t kPinned = 2;
  struct Way {
    std::uint32_t position;  // of the channel
    std::uint32_t to;        // router
    const Mask* turns;       // of the channel
    double weight;
    Mask mask;  // lanes that allow the path, where it is the same for all places
  };

  [[nodiscard]] std::size_t at(std::uint32_t router, std::uint32_t place) const {
    return std::size_t{router} * places_ + place;
  }

  static std::uint32_t mixed(std::uint32_t a, std::uint32_t b) {
    std::uint32_t h = a * 0x9E3779B1U ^ b * 0x85EBCA77U;
    h = (h ^ h >> 15) * 0x2C1B3C6DU;
    return h ^ h >> 13;
  }

  /// Routers at odd and at even distances go through the places at another stride: what one of them gets
  /// together, the next does not send the same way.
  void set_places(std::uint32_t places) {
    if (places == places_) return;
    places_ = places;
    stride_ = std::max(1U, static_cast<std::uint32_t>(0.4142 * places));
    while (std::gcd(stride_, places) != 1) ++stride_;
    from_.resize(places);
  }

  void list_ways(std::uint32_t router) {
    ways_.clear();
    const std::uint32_t first = plan_.network.out(RouterId(router)).first();
    plan_.sets.ports().for_each(allowed_, router, [&](std::uint32_t position) {
      const std::uint32_t c = first + position;
      const std::uint32_t to = plan_.network.targets()[c].value;
      ways_.push_back({position, to, plan_.turns.of(c), plan_.prices.factor(c) * weight_[to], Mask{0}});
    });
    weight_[router] = 0;
    for (const Way& way : ways_) weight_[router] += way.weight;
  }

  [[nodiscard]] Mask mask_by(const Way& way, std::uint32_t place) const {
    if (way.to == root_.value) return plan_.turns.all();
    const std::size_t behind = at(way.to, place);
    return static_cast<Mask>(mask_[behind] & way.turns[entry_[behind]]);
  }

  [[nodiscard]] bool sends(std::uint32_t router) const {
    return !plan_.network.terminals_at(RouterId(router)).empty();
  }

  void choose(std::uint32_t router, std::uint32_t hops) {
    list_ways(router);
    alike_[router] = 0;
    const std::uint32_t lot = mixed(router, destination_);
    if (!std::all_of(ways_.begin(), ways_.end(), [&](const Way& way) { return alike_[way.to] != 0; })) {
      share_places(lot, hops);
      for (std::uint32_t place = 0; place < places_; ++place) take_for(router, from_[place], place);
      if (sends(router)) {
        for (std::uint32_t place = 0; place < places_; ++place) take_lane(router, place);
      }
      return;
    }
    std::size_t kept = 0;
    for (Way& way : ways_) {
      way.mask = mask_by(way, 0);
      if (way.mask != 0) ways_[kept++] = way;
    }
    if (kept <= 1) {
      alike_[router] = 1;
      if (kept == 0 && sends(router)) std::fill(bad_.begin(), bad_.end(), 1);
    }
    ways_.resize(std::max<std::size_t>(1, kept));
    if (ways_.size() == 1) {
      std::fill_n(entry_ + at(router, 0), places_, static_cast<Entry>(ways_[0].position));
      std::fill_n(mask_.data() + at(router, 0), places_, ways_[0].mask);
      take_lanes_in_turn(router, lot);
      return;
    }
    share_places(lot, hops);
    take_alike(router, lot);
  }

  /// Which of the ways each place prefers: by weight, in stretches of places.
  void share_places(std::uint32_t lot, std::uint32_t hops) {
    if (ways_.size() == 1) {
      std::fill(from_.begin(), from_.end(), 0);
      return;
    }
    double sum = 0;
    for (const Way& way : ways_) sum += way.weight;
    const double share = places_ / sum;
    const double dither = (lot & 0xFFFFU) * 0x1p-16;
    const std::uint32_t stride = hops % 2 == 0 ? stride_ : 1;
    std::uint32_t place = static_cast<std::uint32_t>(std::uint64_t{lot >> 16} * places_ >> 16);
    std::uint32_t dealt = 0;
    double end = dither;
    for (std::uint32_t i = 0; i < ways_.size(); ++i) {
      end += ways_[i].weight * share;
      const std::uint32_t last =
          i + 1 == ways_.size() ? places_ : std::min(places_, static_cast<std::uint32_t>(end));
      for (; dealt < last; ++dealt) {
        from_[place] = i;
        place += stride;
        if (place >= places_) place -= places_;
      }
    }
  }

  /// Each way has the same lanes for all places: places that prefer it take them in turn.
  void take_alike(std::uint32_t router, std::uint32_t lot) {
    Entry* const entry = entry_ + at(router, 0);
    Mask* const mask = mask_.data() + at(router, 0);
    for (std::uint32_t place = 0; place < places_; ++place) {
      const Way& way = ways_[from_[place]];
      entry[place] = static_cast<Entry>(way.position);
      mask[place] = way.mask;
    }
    take_lanes_in_turn(router, lot);
  }

  void take_lanes_in_turn(std::uint32_t router, std::uint32_t lot) {
    if (!sends(router)) return;
    const Mask* const mask = mask_.data() + at(router, 0);
    std::uint8_t* const lane = lane_ + at(router, 0);
    if (plan_.turns.lanes() == 1) {
      std::fill_n(lane, places_, std::uint8_t{0});
      return;
    }
    std::uint32_t left = ways_[0].mask;
    for (std::uint32_t skip = (lot >> 8 & 0xFFU) * LaneCount::of(ways_[0].mask) >> 8; skip > 0; --skip)
      left &= left - 1;
    for (std::uint32_t place = 0; place < places_; ++place) {
      left &= mask[place];
      if (left == 0) left = mask[place];
      lane[place] = left == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(std::countr_zero(left));
      left &= left - 1;
    }
  }

  /// The way it prefers, or the next that a lane allows.
  void take_for(std::uint32_t router, std::uint32_t first, std::uint32_t place) {
    const auto count = static_cast<std::uint32_t>(ways_.size());
    std::uint32_t best = first;
    Mask mask = 0;
    for (std::uint32_t i = 0; i < count && mask == 0; ++i) {
      best = first + i < count ? first + i : first + i - count;
      mask = mask_by(ways_[best], place);
    }
    entry_[at(router, place)] = static_cast<Entry>(ways_[best].position);
    mask_[at(router, place)] = mask;
    if (mask == 0 && sends(router)) bad_[place] = 1;
  }

  /// One of the lanes of the place's path, by lot.
  void take_lane(std::uint32_t router, std::uint32_t place) {
    const Mask lanes = mask_[at(router, place)];
    const std::uint32_t lot = (mixed(destination_, router) + place * 0x9E3779B9U) >> 24;
    lane_[at(router, place)] = LaneOfMask::at(lanes, lot * LaneCount::of(lanes) >> 8);
  }

  /// One terminal's tree again, with the paths of the safe tree for the routers that are left without; only
  /// what lies behind a change is looked at.
  void deal_again(const DestinationBlock& block, std::uint32_t d, std::uint32_t place) {
    std::fill(pinned_.begin(), pinned_.end(), 0);
    do {
      bad_[place] = 0;
      pin(block, d, place);
      std::fill(changed_.begin(), changed_.end(), 0);
      std::uint32_t i = 0;
      for (std::uint32_t hops = 1; hops < block.up_to.size(); ++hops) {
        for (; i < block.up_to[hops][d]; ++i) choose_again(block.order[d][i], hops, place);
      }
    } while (bad_[place] != 0);
    for (const std::uint32_t router : block.order[d]) {
      if (sends(router)) take_lane(router, place);
    }
  }

  void choose_again(std::uint32_t router, std::uint32_t hops, std::uint32_t place) {
    const Entry entry = entry_[at(router, place)];
    const Mask mask = mask_[at(router, place)];
    const ChannelId out(plan_.network.out(RouterId(router)).first() + entry);
    if (pinned_[router] != kNewlyPinned && changed_[plan_.network.target(out).value] == 0) return;
    list_ways(router);
    if (pinned_[router] != 0) {
      pinned_[router] = kPinned;
      const std::uint16_t safe = plan_.safe.entry(destination_, router);
      std::erase_if(ways_, [&](const Way& way) { return way.position != safe; });
    }
    share_places(mixed(router, destination_), hops);
    take_for(router, from_[place], place);
    changed_[router] = entry_[at(router, place)] != entry || mask_[at(router, place)] != mask ? 1 : 0;
  }

  /// Pins the safe paths of the routers that are left without a lane.
  void pin(const DestinationBlock& block, std::uint32_t d, std::uint32_t place) {
    for (const std::uint32_t router : block.order[d]) {
      if (mask_[at(router, place)] != 0 || !sends(router)) continue;
      for (RouterId r(router); r != root_ && pinned_[r.value] == 0;
           r = plan_.network.target(plan_.network.out(r)[plan_.safe.entry(destination_, r.value)]))
        pinned_[r.value] = kNewlyPinned;
    }
  }

  const DealingPlan& plan_;
  std::uint32_t routers_;
  std::uint32_t destination_ = 0;
  RouterId root_;
  const PathSets::Word* allowed_ = nullptr;
  std::uint32_t places_ = 0;  // terminals of the destination
  std::uint32_t stride_ = 1;
  Entry* entry_ = nullptr;             // by router and place
  std::uint8_t* lane_ = nullptr;       // by router and place
  std::vector<Mask> mask_;             // by router and place: lanes that allow the path
  std::vector<double> weight_;         // by router: of all its paths
  std::vector<std::uint8_t> alike_;    // by router: all places have the same path
  std::vector<std::uint8_t> pinned_;   // by router
  std::vector<std::uint8_t> changed_;  // by router
  std::vector<std::uint8_t> bad_;      // by place: some router has no lane
  std::vector<std::uint32_t> from_;    // by place: the way it prefers
  std::vector<Way> ways_;
};

}  // namespace unknot
