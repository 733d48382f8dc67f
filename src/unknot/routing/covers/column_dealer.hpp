// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "unknot/routing/covers/dealt_trees.hpp"
#include "unknot/routing/covers/level_scale.hpp"
#include "unknot/support/bring_near.hpp"

namespace unknot {

/// Some destinations of a block, dealt together: their terminals are columns side by side.
struct DealtGroup {
  std::uint32_t block = 0;
  std::uint32_t first = 0, end = 0;        ///< in the block
  std::vector<std::uint32_t> column = {};  ///< by destination of the group; one more
  [[nodiscard]] std::uint32_t columns() const { return column.back(); }
};

/// One worker's: the columns of the terminals of a group of destination routers, all at once. Router by
/// router, the terminals side by side, each on a place.
template <class Entry, class Mask>
class ColumnDealer {
 public:
  explicit ColumnDealer(const DealingPlan& plan)
      : plan_(plan),
        routers_(plan.network.router_count()),
        pinned_(routers_),
        queued_(routers_),
        queue_(plan.sets.levels()),
        scale_(plan.sets.levels()) {}

  /// What entries() and masks() say until the next call. The group must outlive that.
  void deal(const DealtGroup& group) {
    group_ = &group;
    allowed_ = plan_.safe.allowed(group.block);
    count_ = group.end - group.first;
    columns_ = group.columns();
    entry_.resize(std::size_t{routers_} * columns_);
    mask_.resize(entry_.size());
    weight_.resize(std::size_t{routers_} * count_);
    alike_.resize(weight_.size());
    stuck_.resize(std::max<std::size_t>(stuck_.size(), columns_));
    most_ways_ = plan_.network.max_out_degree();
    ways_.resize(std::size_t{count_} * most_ways_);
    share_.resize(count_);
    begin();
    const Word some = (count_ == PathSets::kWordBits ? 0 : Word{1} << count_) - 1;
    for (std::uint32_t hops = 1; hops < plan_.sets.levels(); ++hops) {
      const Word* const here = plan_.sets.at(group.block, hops);
      for (std::uint32_t r = 0; r < routers_; ++r) {
        if (r + kAhead < routers_ && here[r + kAhead] != 0) prefetch_turns(r + kAhead);
        const Word word = here[r] >> group.first & some;
        if (word == 0) continue;
        list_ways(r, word);
        weigh(r, hops, word);
        for (Word left = word; left != 0; left &= left - 1)
          choose(r, static_cast<std::uint32_t>(std::countr_zero(left)), hops);
      }
      scale_.end(hops);
    }
    for (std::uint32_t d = 0; d < count_; ++d) {
      for (std::uint32_t place = 0; place < share_[d].places; ++place) deal_again(d, place);
    }
  }

  /// Of all columns: position of the channel that the router takes.
  [[nodiscard]] const Entry* entries(std::uint32_t router) const {
    return entry_.data() + std::size_t{router} * columns_;
  }
  /// Lanes that allow the path; where it has no channel, the first.
  [[nodiscard]] const Mask* masks(std::uint32_t router) const {
    return mask_.data() + std::size_t{router} * columns_;
  }

 private:
  using Word = PathSets::Word;
  static constexpr std::uint32_t kAhead = 2;  // routers whose turns are on their way
  static constexpr std::uint32_t kLineBytes = 64;
  struct Way {
    std::uint32_t position;  // of the channel
    std::uint32_t to;        // router
    const Mask* turns;       // of the channel
    float weight;
    Mask mask;  // lanes that allow the path, where it is the same for all places
  };
  struct Stuck {
    std::uint32_t router, hops;
  };
  /// How the places of a destination are gone through.
  struct Share {
    std::uint32_t destination;  // index
    RouterId root;
    std::uint32_t column;
    std::uint32_t places;
    std::uint32_t stride;
    std::uint32_t ways;  // of the router that is looked at
  };

  [[nodiscard]] std::size_t at(std::uint32_t router, std::uint32_t column) const {
    return std::size_t{router} * columns_ + column;
  }

  static std::uint32_t mixed(std::uint32_t a, std::uint32_t b) {
    std::uint32_t h = a * 0x9E3779B1U ^ b * 0x85EBCA77U;
    h = (h ^ h >> 15) * 0x2C1B3C6DU;
    return h ^ h >> 13;
  }

  /// Routers at odd and at even distances go through the places at another stride: what one of them gets
  /// together, the next does not send the same way.
  void begin() {
    for (std::uint32_t d = 0; d < count_; ++d) {
      Share& share = share_[d];
      share.destination = group_->block * PathSets::kWordBits + group_->first + d;
      share.root = plan_.sets.destinations()[share.destination];
      share.column = group_->column[d];
      share.places = group_->column[d + 1] - share.column;
      share.stride = std::max(1U, static_cast<std::uint32_t>(0.4142 * share.places));
      while (std::gcd(share.stride, share.places) != 1) ++share.stride;
      std::fill_n(entry_.data() + at(share.root.value, share.column), share.places,
                  ForwardingTable::here<Entry>);
      std::fill_n(mask_.data() + at(share.root.value, share.column), share.places, Mask{1});
      alike_[std::size_t{share.root.value} * count_ + d] = 1;
      weight_[std::size_t{share.root.value} * count_ + d] = 1;
    }
  }

  /// Of all destinations of the word.
  void list_ways(std::uint32_t router, Word word) {
    for (Share& share : share_) share.ways = 0;
    const IdRange<ChannelId> out = plan_.network.out(RouterId(router));
    for (const ChannelId c : out) {
      Word left = allowed_[c.value] >> group_->first & word;
      if (left == 0) continue;
      const std::uint32_t to = plan_.network.target(c).value;
      const Mask* const turns = plan_.turns.template of<Mask>(c.value);
      const float factor = plan_.prices.factor(c.value);
      for (; left != 0; left &= left - 1) {
        const auto d = static_cast<std::uint32_t>(std::countr_zero(left));
        ways_[std::size_t{d} * most_ways_ + share_[d].ways++] = {
            c.value - out.first(), to, turns, factor * weight_[std::size_t{to} * count_ + d], Mask{0}};
      }
    }
  }

  void weigh(std::uint32_t router, std::uint32_t hops, Word word) {
    for (Word left = word; left != 0; left &= left - 1) {
      const auto d = static_cast<std::uint32_t>(std::countr_zero(left));
      float sum = 0;
      for (const Way& way : ways(d)) sum += way.weight;
      weight_[std::size_t{router} * count_ + d] = scale_.scaled(hops, d, sum);
    }
  }

  [[nodiscard]] std::span<Way> ways(std::uint32_t d) {
    return {ways_.data() + std::size_t{d} * most_ways_, share_[d].ways};
  }

  [[nodiscard]] Mask mask_by(const Way& way, const Share& share, std::uint32_t place) const {
    if (way.to == share.root.value) return static_cast<Mask>(plan_.turns.all());
    const std::size_t behind = at(way.to, share.column + place);
    return static_cast<Mask>(mask_[behind] & way.turns[entry_[behind]]);
  }

  [[nodiscard]] bool sends(std::uint32_t router) const {
    return !plan_.network.terminals_at(RouterId(router)).empty();
  }

  void prefetch_turns(std::uint32_t router) const {
    const IdRange<ChannelId> out = plan_.network.out(RouterId(router));
    const Mask* const end = plan_.turns.template of<Mask>(out.first() + out.size());
    for (const Mask* line = plan_.turns.template of<Mask>(out.first()); line < end;
         line += kLineBytes / sizeof(Mask))
      bring_near(line);
  }

  void choose(std::uint32_t router, std::uint32_t d, std::uint32_t hops) {
    const Share& share = share_[d];
    std::span<Way> ways = this->ways(d);
    std::uint8_t& alike = alike_[std::size_t{router} * count_ + d];
    alike = 0;
    Entry* const entry = entry_.data() + at(router, share.column);
    Mask* const mask = mask_.data() + at(router, share.column);
    const std::uint32_t lot = mixed(router, share.destination);
    if (!std::all_of(ways.begin(), ways.end(),
                     [&](const Way& way) { return alike_[std::size_t{way.to} * count_ + d] != 0; })) {
      share_places(ways, share, lot, hops, [&](std::uint32_t i, std::uint32_t place) {
        take_for({router, hops}, ways, share, i, place);
      });
      return;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < ways.size(); ++i) {
      ways[i].mask = mask_by(ways[i], share, 0);
      if (ways[i].mask == 0) continue;
      if (kept != i) ways[kept] = ways[i];
      ++kept;
    }
    if (kept <= 1) {
      alike = 1;
      for (std::uint32_t place = 0; kept == 0 && sends(router) && place < share.places; ++place)
        stuck_[share.column + place].push_back({router, hops});
    }
    ways = ways.first(std::max<std::size_t>(1, kept));
    if (ways.size() == 1) {
      std::fill_n(entry, share.places, static_cast<Entry>(ways[0].position));
      std::fill_n(mask, share.places, ways[0].mask);
      return;
    }
    share_places(ways, share, lot, hops, [&](std::uint32_t i, std::uint32_t place) {
      entry[place] = static_cast<Entry>(ways[i].position);
      mask[place] = ways[i].mask;
    });
  }

  /// Calls take(way, place) with the number of the way that each place prefers: by weight, in stretches of
  /// places.
  template <class Take>
  void share_places(std::span<const Way> ways, const Share& share, std::uint32_t lot, std::uint32_t hops,
                    const Take& take) const {
    const std::uint32_t places = share.places;
    float sum = 0;
    for (const Way& way : ways) sum += way.weight;
    const float each = static_cast<float>(places) / sum;
    const std::uint32_t stride = hops % 2 == 0 ? share.stride : 1;
    std::uint32_t place = static_cast<std::uint32_t>(std::uint64_t{lot >> 16} * places >> 16);
    std::uint32_t dealt = 0;
    float end = static_cast<float>(lot & 0xFFFFU) * 0x1p-16F;
    for (std::uint32_t i = 0; i < ways.size(); ++i) {
      end += ways[i].weight * each;
      const std::uint32_t last =
          i + 1 == ways.size() ? places : std::min(places, static_cast<std::uint32_t>(end));
      for (; dealt < last; ++dealt) {
        take(i, place);
        place += stride;
        if (place >= places) place -= places;
      }
    }
  }

  /// The way it prefers, or the next that a lane allows.
  void take_for(Stuck at_router, std::span<const Way> ways, const Share& share, std::uint32_t first,
                std::uint32_t place) {
    const auto count = static_cast<std::uint32_t>(ways.size());
    std::uint32_t best = first;
    Mask mask = 0;
    for (std::uint32_t i = 0; i < count && mask == 0; ++i) {
      best = first + i < count ? first + i : first + i - count;
      mask = mask_by(ways[best], share, place);
    }
    const std::size_t here = at(at_router.router, share.column + place);
    entry_[here] = static_cast<Entry>(ways[best].position);
    mask_[here] = mask;
    if (mask == 0 && sends(at_router.router)) stuck_[share.column + place].push_back(at_router);
  }

  /// One terminal's tree again, with the paths of the safe tree for the routers that are left without; only
  /// what lies behind a change is looked at.
  void deal_again(std::uint32_t d, std::uint32_t place) {
    const Share& share = share_[d];
    const std::uint32_t column = share.column + place;
    std::vector<Stuck>& stuck = stuck_[column];
    if (stuck.empty()) return;
    while (!stuck.empty()) {
      pin(share, stuck);
      for (std::uint32_t hops = 1; hops < queue_.size(); ++hops) {
        for (const std::uint32_t router : queue_[hops]) {
          queued_[router] = 0;
          if (choose_again(router, d, hops, place)) queue_behind(router, column, hops + 1);
        }
        queue_[hops].clear();
      }
      std::erase_if(stuck, [&](const Stuck& each) { return mask_[at(each.router, column)] != 0; });
    }
    for (const std::uint32_t router : pinned_list_) pinned_[router] = 0;
    pinned_list_.clear();
  }

  /// Pins the safe paths of the routers that are left without a lane.
  void pin(const Share& share, std::vector<Stuck>& stuck) {
    for (const Stuck& each : stuck) {
      RouterId r(each.router);
      for (std::uint32_t hops = each.hops; r != share.root && pinned_[r.value] == 0; --hops) {
        pinned_[r.value] = 1;
        pinned_list_.push_back(r.value);
        queue(r.value, hops);
        r = plan_.network.target(plan_.network.out(r)[plan_.safe.entry(share.destination, r.value)]);
      }
    }
    stuck.clear();
  }

  void queue(std::uint32_t router, std::uint32_t hops) {
    if (queued_[router] != 0) return;
    queued_[router] = 1;
    queue_[hops].push_back(router);
  }

  /// Those whose path leads over the router.
  void queue_behind(std::uint32_t router, std::uint32_t column, std::uint32_t hops) {
    for (const ChannelId c : plan_.network.in(RouterId(router))) {
      const RouterId from = plan_.network.source(c);
      if (entry_[at(from.value, column)] == c.value - plan_.network.out(from).first())
        queue(from.value, hops);
    }
  }

  /// Whether anything changed.
  bool choose_again(std::uint32_t router, std::uint32_t d, std::uint32_t hops, std::uint32_t place) {
    const Share& share = share_[d];
    const std::size_t here = at(router, share.column + place);
    const Entry entry = entry_[here];
    const Mask mask = mask_[here];
    list_ways(router, Word{1} << d);
    std::span<Way> ways = this->ways(d);
    if (pinned_[router] != 0) {
      const std::uint16_t safe = plan_.safe.entry(share.destination, router);
      const auto its =
          std::find_if(ways.begin(), ways.end(), [&](const Way& way) { return way.position == safe; });
      ways = ways.subspan(static_cast<std::size_t>(its - ways.begin()), 1);
    }
    share_places(ways, share, mixed(router, share.destination), hops,
                 [&](std::uint32_t first, std::uint32_t each) {
                   if (each == place) take_for({router, hops}, ways, share, first, place);
                 });
    return entry_[here] != entry || mask_[here] != mask;
  }

  const DealingPlan& plan_;
  std::uint32_t routers_;
  const DealtGroup* group_ = nullptr;
  std::uint32_t count_ = 0;    // of destinations
  std::uint32_t columns_ = 0;  // of all their terminals
  const Word* allowed_ = nullptr;
  std::vector<Entry> entry_;               // by router and column
  std::vector<Mask> mask_;                 // by router and column: lanes that allow the path
  std::vector<float> weight_;              // by router and destination: of all its paths
  std::vector<std::uint8_t> alike_;        // by router and destination: all places have the same path
  std::vector<std::vector<Stuck>> stuck_;  // by column: routers that have no lane
  std::vector<Share> share_;               // by destination
  std::uint32_t most_ways_ = 0;
  std::vector<Way> ways_;                      // by destination, room for most_ways_ each
  std::vector<std::uint8_t> pinned_, queued_;  // by router
  std::vector<std::uint32_t> pinned_list_;
  std::vector<std::vector<std::uint32_t>> queue_;  // by hops: routers
  LevelScale scale_;
};

}  // namespace unknot
