// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/covers/lane_growth.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <span>
#include <utility>

#include "unknot/routing/covers/common_bits.hpp"
#include "unknot/routing/dealing/bit_transpose.hpp"
#include "unknot/routing/orders/lane_orders.hpp"
#include "unknot/routing/orders/start_orders.hpp"
#include "unknot/routing/up_down/level_order.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/support/random.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kGrowthRounds = 3;
constexpr std::uint32_t kGrowthSweeps = 2;      // of moves, by one weighing
constexpr std::uint32_t kMovedTogether = 1024;  // channels, of all over the network: few are neighbours
constexpr std::uint32_t kMovedByOne = 128;      // of these by one worker
constexpr std::uint32_t kTurnedAtOnce = 16;     // routers whose turns are weighed

}  // namespace

LaneGrowth::LaneGrowth(const Network& network, const PathSets& sets, std::uint64_t seed,
                       std::uint32_t threads)
    : network_(network),
      sets_(sets),
      seed_(seed),
      threads_(threads == 0 ? hardware_threads() : threads),
      words_(sets.words()),
      left_(sets.destinations().size() * words_, 0),
      left_towards_(left_.size()),
      reached_(std::size_t{network.router_count()} * words_),
      first_turn_(first_turns(network)),
      weight_(first_turn_.back()),
      weight_before_(weight_.size()),
      place_(network.channel_count()) {
  first_before_.reserve(network.channel_count());
  std::uint32_t turns = 0;
  for (const ChannelId c : network.channels()) {
    first_before_.push_back(turns);
    turns += static_cast<std::uint32_t>(network.in(network.source(c)).size());
  }
  behind_.resize(std::size_t{network.channel_count()} * words_);
  ahead_.resize(behind_.size());
  std::vector<Word> pairs(left_.size(), 0);
  for (std::uint32_t s = 0; s < sets.destinations().size(); ++s) {
    Word* const row = pairs.data() + std::size_t{s} * words_;
    for (const ChannelId c : network.out(sets.destinations()[s])) {
      const Word* const towards = sets.towards(c.value);
      for (std::uint32_t w = 0; w < words_; ++w) row[w] |= towards[w];
    }
  }
  leave(std::move(pairs));
}

void LaneGrowth::leave(std::vector<Word> pairs) {
  left_ = std::move(pairs);
  left_count_ = 0;
  for (const Word word : left_) left_count_ += static_cast<std::uint32_t>(std::popcount(word));
}

/// By destinations of one cache line at a time: what a worker looks at fits its cache.
void LaneGrowth::find_behind(const std::vector<std::uint32_t>& order) {
  constexpr std::uint32_t kLine = PathSets::kLine;
  std::vector<std::vector<Word>> scratch(threads_);
  parallel_blocks(words_ / kLine, 1, threads_, [&](std::uint32_t worker, std::uint32_t line, std::uint32_t) {
    std::vector<Word>& reached = scratch[worker];
    reached.assign(std::size_t{network_.router_count()} * kLine, 0);
    const std::uint32_t from_word = line * kLine;
    for (std::uint32_t d = from_word * PathSets::kWordBits;
         d < std::min<std::size_t>(sets_.destinations().size(), (from_word + kLine) * PathSets::kWordBits);
         ++d) {
      reached[std::size_t{sets_.destinations()[d].value} * kLine + d / PathSets::kWordBits - from_word] |=
          Word{1} << d % PathSets::kWordBits;
    }
    for (std::size_t i = order.size(); i-- > 0;) {
      const std::uint32_t c = order[i];
      const Word* const towards = sets_.towards(c) + from_word;
      const Word* const next = reached.data() + std::size_t{network_.targets()[c].value} * kLine;
      Word* const here = reached.data() + std::size_t{network_.sources()[c].value} * kLine;
      Word* const behind = behind_.data() + std::size_t{c} * words_ + from_word;
      for (std::uint32_t w = 0; w < kLine; ++w) {
        behind[w] = towards[w] & next[w];
        here[w] |= behind[w];
      }
    }
    for (std::uint32_t r = 0; r < network_.router_count(); ++r) {
      std::copy_n(reached.data() + std::size_t{r} * kLine, kLine,
                  reached_.data() + std::size_t{r} * words_ + from_word);
    }
  });
}

/// A path comes by the channel on the shortest way from its source where the reverse leads there.
void LaneGrowth::find_ahead(const std::vector<std::uint32_t>& order) {
  constexpr std::uint32_t kLine = PathSets::kLine;
  std::vector<std::vector<Word>> scratch(threads_);
  parallel_blocks(words_ / kLine, 1, threads_, [&](std::uint32_t worker, std::uint32_t line, std::uint32_t) {
    std::vector<Word>& come = scratch[worker];
    come.assign(std::size_t{network_.router_count()} * kLine, 0);
    const std::uint32_t from_word = line * kLine;
    for (std::uint32_t d = from_word * PathSets::kWordBits;
         d < std::min<std::size_t>(sets_.destinations().size(), (from_word + kLine) * PathSets::kWordBits);
         ++d) {
      come[std::size_t{sets_.destinations()[d].value} * kLine + d / PathSets::kWordBits - from_word] |=
          Word{1} << d % PathSets::kWordBits;
    }
    for (const std::uint32_t c : order) {
      const Word* const towards = sets_.towards(network_.reverses()[c].value) + from_word;
      const Word* const before = come.data() + std::size_t{network_.sources()[c].value} * kLine;
      Word* const next = come.data() + std::size_t{network_.targets()[c].value} * kLine;
      Word* const ahead = ahead_.data() + std::size_t{c} * words_ + from_word;
      for (std::uint32_t w = 0; w < kLine; ++w) {
        ahead[w] = towards[w] & before[w];
        next[w] |= ahead[w];
      }
    }
  });
}

std::uint64_t LaneGrowth::served() const {
  std::uint64_t served = 0;
  for (std::uint32_t s = 0; s < sets_.destinations().size(); ++s) {
    const Word* const reached = reached_.data() + std::size_t{sets_.destinations()[s].value} * words_;
    const Word* const left = left_.data() + std::size_t{s} * words_;
    for (std::uint32_t w = 0; w < words_; ++w)
      served += static_cast<std::uint32_t>(std::popcount(reached[w] & left[w]));
  }
  return served;
}

void LaneGrowth::turn_left() {
  constexpr std::uint32_t kBits = PathSets::kWordBits;
  const auto count = static_cast<std::uint32_t>(sets_.destinations().size());
  parallel_blocks((count + kBits - 1) / kBits, 1, threads_,
                  [&](std::uint32_t, std::uint32_t begin, std::uint32_t) {
                    std::array<Word, kBits> block;
                    for (std::uint32_t w = 0; w * kBits < count; ++w) {
                      for (std::uint32_t i = 0; i < kBits; ++i) {
                        const std::uint32_t source = w * kBits + i;
                        block[i] = source < count ? left_[std::size_t{source} * words_ + begin] : 0;
                      }
                      transpose(block);
                      for (std::uint32_t i = 0; i < kBits && begin * kBits + i < count; ++i)
                        left_towards_[std::size_t{begin * kBits + i} * words_ + w] = block[i];
                    }
                  });
}

/// A turn counts for pairs whose source it leaves and whose rest is in order, and for those whose destination
/// it ends at and whose way there is in order: all there are on paths of up to three channels.
void LaneGrowth::weigh_turns() {
  turn_left();
  std::fill(weight_.begin(), weight_.end(), 0);
  std::vector<std::vector<Word>> scratch(threads_);
  parallel_blocks(
      network_.router_count(), kTurnedAtOnce, threads_,
      [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
        std::vector<Word>& scratch_rows = scratch[worker];
        scratch_rows.resize(std::size_t{network_.max_out_degree() + 1} * words_);
        Word* const set = scratch_rows.data();
        Word* const ends = set + words_;
        for (RouterId r(begin); r.value < end; ++r.value) {
          const IdRange<ChannelId> out = network_.out(r);
          if (out.empty()) continue;
          for (const ChannelId b : out) {
            Word* const row = ends + std::size_t{b.value - out.first()} * words_;
            const std::uint32_t d = sets_.index(network_.target(b));
            const Word* const back = sets_.towards(network_.reverse(b).value);
            for (std::uint32_t w = 0; w < words_; ++w)
              row[w] = d == PathSets::kNone ? 0 : left_towards_[std::size_t{d} * words_ + w] & back[w];
          }
          for (const ChannelId a : network_.in(r)) {
            std::uint32_t* const weights = weight_.data() + first_turn_[a.value];
            const std::uint32_t s = sets_.index(network_.source(a));
            if (s != PathSets::kNone) {
              const Word* const towards = sets_.towards(a.value);
              for (std::uint32_t w = 0; w < words_; ++w)
                set[w] = left_[std::size_t{s} * words_ + w] & towards[w];
              add_common_bits(set, behind_.data() + std::size_t{out.first()} * words_, out.size(), words_,
                              weights);
            }
            add_common_bits(ahead_.data() + std::size_t{a.value} * words_, ends, out.size(), words_, weights);
          }
          const std::span<const ChannelId> in = network_.in(r);
          for (std::uint32_t i = 0; i < in.size(); ++i) {
            const std::uint32_t* const weights = weight_.data() + first_turn_[in[i].value];
            for (std::uint32_t j = 0; j < out.size(); ++j)
              weight_before_[first_before_[out.first() + j] + i] = weights[j];
          }
        }
      });
}

/// Where the channel should be for the turns around it; where it is, if nothing is better. `around` is
/// scratch.
std::uint32_t LaneGrowth::place_for(std::uint32_t channel, OrderNeighbours& around) const {
  const std::uint32_t place = place_[channel];
  around.clear();
  std::uint64_t broken = 0;
  const auto add = [&](std::uint32_t other, std::uint32_t weight, bool leaves) {
    if (weight == 0) return;
    const auto worth = static_cast<std::int32_t>(weight);
    around.add(place_[other], leaves ? -worth : worth);
    broken += (leaves ? place_[other] <= place : place_[other] >= place) ? weight : 0;
  };
  const IdRange<ChannelId> out = network_.out(network_.targets()[channel]);
  for (const ChannelId next : out)
    add(next.value, weight_[first_turn_[channel] + next.value - out.first()], true);
  const std::span<const ChannelId> in = network_.in(network_.sources()[channel]);
  const std::uint32_t* const before = weight_before_.data() + first_before_[channel];
  for (std::size_t i = 0; i < in.size(); ++i) add(in[i].value, before[i], false);
  return broken == 0 ? place : better_place(place, around);
}

/// Channels that move together see each other where they were: that their number is fixed makes the result
/// the same at any number of threads.
void LaneGrowth::move_channels() {
  const std::uint32_t channels = network_.channel_count();
  const std::uint32_t groups = (channels + kMovedTogether - 1) / kMovedTogether;
  std::vector<OrderNeighbours> scratch(threads_);
  std::vector<std::uint32_t> to(kMovedTogether);
  for (std::uint32_t group = 0; group < groups; ++group) {
    const std::uint32_t count = (channels - group + groups - 1) / groups;
    parallel_blocks(count, kMovedByOne, threads_,
                    [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                      for (std::uint32_t i = begin; i < end; ++i)
                        to[i] = place_for(group + i * groups, scratch[worker]);
                    });
    for (std::uint32_t i = 0; i < count; ++i) place_[group + i * groups] = to[i];
  }
}

std::vector<std::uint32_t> LaneGrowth::order_by_place() const {
  std::vector<std::uint64_t> keys(place_.size());
  for (std::uint32_t c = 0; c < place_.size(); ++c) keys[c] = std::uint64_t{place_[c]} << 32 | c;
  std::sort(keys.begin(), keys.end());
  std::vector<std::uint32_t> order(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) order[i] = static_cast<std::uint32_t>(keys[i]);
  return order;
}

void LaneGrowth::take_places(const std::vector<std::uint32_t>& order) {
  const auto gap = static_cast<std::uint32_t>((std::uint64_t{1} << 32) / (order.size() + 2));
  for (std::uint32_t i = 0; i < order.size(); ++i) place_[order[i]] = (i + 1) * gap;
}

/// Up*/Down* from the heights above the terminals, along the numbers of the routers, both ways, and along an
/// arrangement by lot: the one of these that serves most of the pairs left.
std::vector<std::uint32_t> LaneGrowth::best_start() {
  constexpr std::uint32_t kWays = 4;
  std::vector<std::uint32_t> rank(network_.router_count());
  std::vector<std::uint32_t> best;
  std::uint64_t most = 0;
  // In a tree no other start serves more, elsewhere all routers have the same height.
  const bool tree = sets_.destinations().size() < network_.router_count();
  for (std::uint32_t way = tree ? 0 : 1; way < kWays; ++way) {
    std::iota(rank.begin(), rank.end(), 0U);
    if (way == 0) rank = order_by_height(heights_above_terminals(network_)).place;
    if (way == 2) std::reverse(rank.begin(), rank.end());
    if (way == 3) Random(seed_, lanes_).shuffle(rank);
    std::vector<std::uint32_t> order = up_then_down(network_, rank);
    find_behind(order);
    const std::uint64_t serves = served();
    if (!best.empty() && serves <= most) continue;
    most = serves;
    best = std::move(order);
    if (serves == left_count_) break;
  }
  return best;
}

std::vector<std::uint32_t> LaneGrowth::next() {
  std::vector<std::uint32_t> order = best_start();
  for (std::uint32_t round = 0;; ++round) {
    find_behind(order);
    if (round == kGrowthRounds || served() == left_count_) break;
    find_ahead(order);
    weigh_turns();
    take_places(order);
    for (std::uint32_t sweep = 0; sweep < kGrowthSweeps; ++sweep) move_channels();
    order = order_by_place();
  }
  for (std::uint32_t s = 0; s < sets_.destinations().size(); ++s) {
    const Word* const reached = reached_.data() + std::size_t{sets_.destinations()[s].value} * words_;
    for (std::uint32_t w = 0; w < words_; ++w) left_[std::size_t{s} * words_ + w] &= ~reached[w];
  }
  leave(std::move(left_));
  ++lanes_;
  return order;
}

}  // namespace unknot
