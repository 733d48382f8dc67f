// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/dealing/shorter_way.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

using Word = std::uint64_t;

/// Words that are decided together: a cache line.
constexpr std::uint32_t kSlice = 8;
using Slice = std::array<Word, kSlice>;

Slice slice_of(const Word* from, std::uint32_t count) {
  Slice slice{};
  std::copy_n(from, count, slice.begin());
  return slice;
}

/// Some destinations, all routers.
class SliceOfWays {
 public:
  SliceOfWays(const LiveNetwork& network, std::span<const std::uint8_t> up, const ReachRows& down,
              std::uint32_t first, std::uint32_t count)
      : network_(network),
        up_(up),
        down_(down),
        first_(first),
        count_(count),
        bound_(network.router_count()),
        goes_down_(network.router_count()) {
    add_level();
  }

  /// Routers must come from the top down.
  void decide(RouterId r) {
    const Slice here = down_at(0, r);
    Slice left;
    for (std::uint32_t w = 0; w < kSlice; ++w) left[w] = ~here[w];
    levels_[0][r.value] = here;
    goes_down_[r.value] = here;
    for (std::uint32_t hops = 1; hops <= levels_.size() || hops < down_.levels; ++hops) {
      const Slice down = hops < down_.levels ? down_at(hops, r) : Slice{};
      const Slice up = hops <= levels_.size() ? above(r, hops - 1) : Slice{};
      Slice taken;
      Slice goes;
      Word any = 0;
      Word any_down = 0;
      for (std::uint32_t w = 0; w < kSlice; ++w) {
        goes[w] = down[w] & left[w];
        // Who is bound to go down waits for the hops of the way down.
        taken[w] = goes[w] | (up[w] & left[w] & ~bound_[r.value][w]);
        left[w] &= ~taken[w];
        goes_down_[r.value][w] |= goes[w];
        any |= taken[w];
        any_down |= goes[w];
      }
      if (any == 0) continue;
      while (levels_.size() <= hops) add_level();
      levels_[hops][r.value] = taken;
      if (any_down != 0) bind_below(r, hops, goes);
    }
  }

  void store(ShorterWays& ways) const {
    const std::uint32_t routers = network_.router_count();
    for (std::size_t hops = 0; hops < levels_.size(); ++hops) {
      for (std::uint32_t r = 0; r < routers; ++r) {
        std::copy_n(levels_[hops][r].begin(), count_,
                    ways.rows.at.data() + (hops * routers + r) * ways.rows.words + first_);
      }
    }
    for (std::uint32_t r = 0; r < routers; ++r) {
      std::copy_n(goes_down_[r].begin(), count_,
                  ways.goes_down.data() + std::size_t{r} * ways.rows.words + first_);
    }
  }
  [[nodiscard]] std::uint32_t levels() const { return static_cast<std::uint32_t>(levels_.size()); }

 private:
  void add_level() { levels_.emplace_back(network_.router_count()); }
  [[nodiscard]] Slice down_at(std::uint32_t hops, RouterId r) const {
    return slice_of(down_.row(network_.router_count(), hops, r.value) + first_, count_);
  }
  /// What routers above it are `hops` hops from.
  [[nodiscard]] Slice above(RouterId r, std::uint32_t hops) const {
    Slice all{};
    for (const ChannelId c : network_.out(r)) {
      if (up_[c.value] == 0) continue;
      const Slice& from = levels_[hops][network_.target(c).value];
      for (std::uint32_t w = 0; w < kSlice; ++w) all[w] |= from[w];
    }
    return all;
  }
  /// Packets may come down to any router by which the way is as short.
  void bind_below(RouterId r, std::uint32_t hops, const Slice& goes) {
    for (const ChannelId c : network_.out(r)) {
      if (up_[c.value] != 0) continue;
      const RouterId next = network_.target(c);
      const Slice nearer = down_at(hops - 1, next);
      for (std::uint32_t w = 0; w < kSlice; ++w) bound_[next.value][w] |= goes[w] & nearer[w];
    }
  }

  const LiveNetwork& network_;
  std::span<const std::uint8_t> up_;
  const ReachRows& down_;
  std::uint32_t first_, count_;             // words
  std::vector<std::vector<Slice>> levels_;  // by hops of the way that is taken, router
  std::vector<Slice> bound_, goes_down_;    // by router
};

}  // namespace

ShorterWays shorter_ways(const LiveNetwork& network, const UpDownOrder& order,
                         std::span<const std::uint8_t> up, const ReachRows& down, std::uint32_t threads) {
  const std::uint32_t words = down.words;
  std::vector<SliceOfWays> slices;
  slices.reserve((words + kSlice - 1) / kSlice);
  for (std::uint32_t first = 0; first < words; first += kSlice)
    slices.emplace_back(network, up, down, first, std::min(kSlice, words - first));
  const auto count = static_cast<std::uint32_t>(slices.size());
  parallel_blocks(count, 1, threads, [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t i = begin; i < end; ++i) {
      for (const std::uint32_t r : order.top_down) slices[i].decide(RouterId(r));
    }
  });
  ShorterWays ways;
  ways.rows.words = words;
  for (const SliceOfWays& slice : slices) ways.rows.levels = std::max(ways.rows.levels, slice.levels());
  ways.rows.at.resize(std::size_t{ways.rows.levels} * network.router_count() * words, 0);
  ways.goes_down.resize(std::size_t{network.router_count()} * words, 0);
  for (const SliceOfWays& slice : slices) slice.store(ways);
  return ways;
}

}  // namespace unknot
