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
#include "unknot/support/bring_near.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/support/random.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kLine = PathSets::kLine;
constexpr std::uint32_t kGrowthSweeps = 2;      // of moves, by one weighing
constexpr std::uint32_t kSampleWords = 16;      // at least: 1,024 destinations
constexpr std::uint32_t kSampledLanes = 2;      // by the sample alone: what they miss the next lanes serve
constexpr std::uint32_t kSampledRounds = 1;     // of the other lanes
constexpr std::uint32_t kMovedTogether = 2048;  // channels, of routers far apart: few are neighbours
constexpr std::uint32_t kMovedByOne = 16;       // of these routers by one worker
constexpr std::uint32_t kTurnedAtOnce = 16;     // routers whose turns are weighed
constexpr std::size_t kAhead = 8;               // channels whose sets are on their way

}  // namespace

LaneGrowth::LaneGrowth(const Network& network, const PathSets& sets, std::uint64_t seed,
                       std::uint32_t threads)
    : network_(network),
      sets_(sets),
      seed_(seed),
      threads_(threads == 0 ? hardware_threads() : threads),
      some_(network, sets, kSampleWords, threads_),
      all_(sets),
      sample_(&all_),
      words_(all_.words()),
      left_towards_(sets.destinations().size() * words_),
      reached_(std::size_t{network.router_count()} * words_),
      first_turn_(first_turns(network)),
      weight_(first_turn_.back()),
      weight_before_(weight_.size()),
      place_(network.channel_count()),
      to_(network.channel_count()) {
  first_before_.reserve(network.channel_count());
  std::uint32_t turns = 0;
  for (const ChannelId c : network.channels()) {
    first_before_.push_back(turns);
    turns += static_cast<std::uint32_t>(network.in(network.source(c)).size());
  }
  behind_.resize(std::size_t{network.channel_count()} * words_);
  ahead_.resize(behind_.size());
  std::vector<Word> pairs(sets.destinations().size() * sets.words(), 0);
  for (std::uint32_t s = 0; s < sets.destinations().size(); ++s) {
    Word* const row = pairs.data() + std::size_t{s} * sets.words();
    for (const ChannelId c : network.out(sets.destinations()[s])) {
      const Word* const towards = sets.towards(c.value);
      for (std::uint32_t w = 0; w < sets.words(); ++w) row[w] |= towards[w];
    }
  }
  leave(std::move(pairs));
}

void LaneGrowth::take(const PathSample& sample) {
  sample_ = &sample;
  words_ = sample.words();
}

void LaneGrowth::leave(std::vector<Word> pairs) {
  left_ = std::move(pairs);
  left_count_ = 0;
  for (const Word word : left_) left_count_ += static_cast<std::uint32_t>(std::popcount(word));
}

/// In each row of one cache line of the sample, from `line` on: every destination reaches itself.
void LaneGrowth::begin_at_destinations(std::uint32_t line, std::vector<Word>& rows) const {
  rows.assign(std::size_t{network_.router_count()} * kLine, 0);
  for (std::uint32_t i = 0; i < kLine; ++i) {
    const std::uint32_t first = sample_->word(line * kLine + i) * PathSets::kWordBits;
    for (std::uint32_t bit = 0; bit < PathSets::kWordBits && first + bit < sets_.destinations().size(); ++bit)
      rows[std::size_t{sets_.destinations()[first + bit].value} * kLine + i] |= Word{1} << bit;
  }
}

/// From the last channel to the first, for the destinations of one cache line: calls found(channel, those it
/// leads to in order). `reached` is by router.
template <class Found>
void LaneGrowth::reach_back(const std::vector<std::uint32_t>& order, std::uint32_t line,
                            std::vector<Word>& reached, const Found& found) const {
  begin_at_destinations(line, reached);
  for (std::size_t i = order.size(); i-- > 0;) {
    if (i >= kAhead) bring_near(sample_->towards(order[i - kAhead]) + line * kLine);
    const std::uint32_t c = order[i];
    const Word* const towards = sample_->towards(c) + line * kLine;
    const Word* const next = reached.data() + std::size_t{network_.targets()[c].value} * kLine;
    Word* const here = reached.data() + std::size_t{network_.sources()[c].value} * kLine;
    std::array<Word, kLine> behind;
    for (std::uint32_t w = 0; w < kLine; ++w) {
      behind[w] = towards[w] & next[w];
      here[w] |= behind[w];
    }
    found(c, behind);
  }
}

/// By destinations of one cache line at a time: what a worker looks at fits its cache.
void LaneGrowth::find_behind(const std::vector<std::uint32_t>& order) {
  std::vector<std::vector<Word>> scratch(threads_);
  parallel_blocks(words_ / kLine, 1, threads_, [&](std::uint32_t worker, std::uint32_t line, std::uint32_t) {
    std::vector<Word>& reached = scratch[worker];
    reach_back(order, line, reached, [&](std::uint32_t c, const std::array<Word, kLine>& behind) {
      std::copy(behind.begin(), behind.end(), behind_.data() + std::size_t{c} * words_ + line * kLine);
    });
    for (std::uint32_t r = 0; r < network_.router_count(); ++r) {
      std::copy_n(reached.data() + std::size_t{r} * kLine, kLine,
                  reached_.data() + std::size_t{r} * words_ + line * kLine);
    }
  });
}

/// A path comes by the channel on the shortest way from its source where the reverse leads there.
void LaneGrowth::find_ahead(const std::vector<std::uint32_t>& order) {
  std::vector<std::vector<Word>> scratch(threads_);
  parallel_blocks(words_ / kLine, 1, threads_, [&](std::uint32_t worker, std::uint32_t line, std::uint32_t) {
    std::vector<Word>& come = scratch[worker];
    begin_at_destinations(line, come);
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i + kAhead < order.size())
        bring_near(sample_->towards(network_.reverses()[order[i + kAhead]].value) + line * kLine);
      const std::uint32_t c = order[i];
      const Word* const towards = sample_->towards(network_.reverses()[c].value) + line * kLine;
      const Word* const before = come.data() + std::size_t{network_.sources()[c].value} * kLine;
      Word* const next = come.data() + std::size_t{network_.targets()[c].value} * kLine;
      Word* const ahead = ahead_.data() + std::size_t{c} * words_ + line * kLine;
      for (std::uint32_t w = 0; w < kLine; ++w) {
        ahead[w] = towards[w] & before[w];
        next[w] |= ahead[w];
      }
    }
  });
}

/// Of the pairs left whose destination is in the sample: how many the latest order serves, and whether all.
LaneGrowth::Served LaneGrowth::served() const {
  Served served;
  for (std::uint32_t s = 0; s < sets_.destinations().size(); ++s) {
    const Word* const reached = reached_.data() + std::size_t{sets_.destinations()[s].value} * words_;
    const Word* const left = left_.data() + std::size_t{s} * sets_.words();
    for (std::uint32_t w = 0; w < words_ && sample_->word(w) < sets_.words(); ++w) {
      served.pairs += static_cast<std::uint32_t>(std::popcount(reached[w] & left[sample_->word(w)]));
      served.all = served.all && (left[sample_->word(w)] & ~reached[w]) == 0;
    }
  }
  return served;
}

/// Takes all pairs that the order serves from those left.
void LaneGrowth::serve(const std::vector<std::uint32_t>& order) {
  take(all_);
  std::vector<std::vector<Word>> scratch(threads_);
  parallel_blocks(words_ / kLine, 1, threads_, [&](std::uint32_t worker, std::uint32_t line, std::uint32_t) {
    std::vector<Word>& reached = scratch[worker];
    reach_back(order, line, reached, [](std::uint32_t, const std::array<Word, kLine>&) {});
    for (std::uint32_t s = 0; s < sets_.destinations().size(); ++s) {
      Word* const left = left_.data() + std::size_t{s} * words_ + line * kLine;
      const Word* const row = reached.data() + std::size_t{sets_.destinations()[s].value} * kLine;
      for (std::uint32_t w = 0; w < kLine; ++w) left[w] &= ~row[w];
    }
  });
  leave(std::move(left_));
}

/// By destination, all of them: the sources of the sample from which pairs are left.
void LaneGrowth::turn_left() {
  constexpr std::uint32_t kBits = PathSets::kWordBits;
  const auto count = static_cast<std::uint32_t>(sets_.destinations().size());
  std::fill(left_towards_.begin(), left_towards_.end(), Word{0});
  parallel_blocks((count + kBits - 1) / kBits, 1, threads_,
                  [&](std::uint32_t, std::uint32_t begin, std::uint32_t) {
                    std::array<Word, kBits> block;
                    for (std::uint32_t w = 0; w < words_ && sample_->word(w) * kBits < count; ++w) {
                      for (std::uint32_t i = 0; i < kBits; ++i) {
                        const std::uint32_t source = sample_->word(w) * kBits + i;
                        block[i] = source < count ? left_[std::size_t{source} * sets_.words() + begin] : 0;
                      }
                      transpose(block);
                      for (std::uint32_t i = 0; i < kBits && begin * kBits + i < count; ++i)
                        left_towards_[std::size_t{begin * kBits + i} * words_ + w] = block[i];
                    }
                  });
}

/// One worker's: weighs the turns at a router.
class LaneGrowth::TurnScale {
 public:
  explicit TurnScale(LaneGrowth& growth) : growth_(growth), words_(growth.words_), left_(growth.words_) {}

  /// A turn counts for pairs whose source it leaves and whose rest is in order, and for those whose
  /// destination it ends at and whose way there is in order: all there are on paths of up to three channels.
  void weigh(RouterId router) {
    const IdRange<ChannelId> out = growth_.network_.out(router);
    const std::span<const ChannelId> in = growth_.network_.in(router);
    if (out.empty()) return;
    rows_.clear();
    for (const ChannelId b : out) rows_.push_back(growth_.behind_.data() + std::size_t{b.value} * words_);
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (i + 1 < in.size()) bring_rows_near(in[i + 1]);
      take_left_from(in[i]);
      count_common_bits(left_lines_, rows_, after(in[i]));
    }
    rows_.clear();
    for (const ChannelId a : in) rows_.push_back(growth_.ahead_.data() + std::size_t{a.value} * words_);
    for (const ChannelId b : out) {
      take_left_to(b);
      std::uint32_t* const before = growth_.weight_before_.data() + growth_.first_before_[b.value];
      count_common_bits(left_lines_, rows_, before);
      for (std::size_t i = 0; i < in.size(); ++i)
        after(in[i])[b.value - out.first()] = before[i] += after(in[i])[b.value - out.first()];
    }
  }

 private:
  /// Weights of the turns from the channel.
  [[nodiscard]] std::uint32_t* after(ChannelId a) const {
    return growth_.weight_.data() + growth_.first_turn_[a.value];
  }

  /// What is looked at for the channel and for its reverse.
  void bring_rows_near(ChannelId a) const {
    const auto row_near = [&](const Word* row, std::size_t words) { bring_near(row, row + words); };
    row_near(growth_.sample_->towards(a.value), words_);
    row_near(growth_.ahead_.data() + std::size_t{a.value} * words_, words_);
    const std::uint32_t source = growth_.sets_.index(growth_.network_.source(a));
    if (source == PathSets::kNone) return;
    row_near(growth_.left_.data() + std::size_t{source} * growth_.sets_.words(), growth_.sets_.words());
    row_near(growth_.left_towards_.data() + std::size_t{source} * words_, words_);
  }

  /// Pairs that are left from the source of the channel, on paths over it.
  void take_left_from(ChannelId a) {
    const std::uint32_t source = growth_.sets_.index(growth_.network_.source(a));
    std::fill(left_.begin(), left_.end(), 0);
    if (source != PathSets::kNone) {
      const Word* const towards = growth_.sample_->towards(a.value);
      const Word* const left = growth_.left_.data() + std::size_t{source} * growth_.sets_.words();
      for (std::uint32_t w = 0; w < words_ && growth_.sample_->word(w) < growth_.sets_.words(); ++w)
        left_[w] = left[growth_.sample_->word(w)] & towards[w];
    }
    left_lines_.take(left_.data(), words_);
  }
  /// Pairs that are left to its target.
  void take_left_to(ChannelId b) {
    const std::uint32_t destination = growth_.sets_.index(growth_.network_.target(b));
    std::fill(left_.begin(), left_.end(), 0);
    if (destination != PathSets::kNone) {
      const Word* const back = growth_.sample_->towards(growth_.network_.reverse(b).value);
      const Word* const left = growth_.left_towards_.data() + std::size_t{destination} * words_;
      for (std::uint32_t w = 0; w < words_; ++w) left_[w] = left[w] & back[w];
    }
    left_lines_.take(left_.data(), words_);
  }

  LaneGrowth& growth_;
  std::uint32_t words_;
  std::vector<Word> left_;
  BitLines left_lines_;  // late lanes look for the last pairs: few lines have any
  std::vector<const Word*> rows_;
};

void LaneGrowth::weigh_turns() {
  turn_left();
  std::vector<TurnScale> scales(threads_, TurnScale(*this));
  parallel_blocks(network_.router_count(), kTurnedAtOnce, threads_,
                  [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                    for (RouterId r(begin); r.value < end; ++r.value) scales[worker].weigh(r);
                  });
}

/// Where the channel should be for the turns around it; where it is, if nothing is better. `around` is
/// scratch.
std::uint32_t LaneGrowth::place_for(std::uint32_t channel, OrderNeighbours& around) const {
  const std::uint32_t place = place_[channel];
  const IdRange<ChannelId> out = network_.out(network_.targets()[channel]);
  const std::span<const ChannelId> in = network_.in(network_.sources()[channel]);
  around.clear(static_cast<std::uint32_t>(out.size() + in.size()));
  std::uint64_t broken = 0;
  const std::uint32_t* const after = weight_.data() + first_turn_[channel];
  for (std::uint32_t i = 0; i < out.size(); ++i) {
    const std::uint32_t there = place_[out.first() + i];
    around.add(there, -static_cast<std::int32_t>(after[i]));
    broken += there <= place ? after[i] : 0;
  }
  const std::uint32_t* const before = weight_before_.data() + first_before_[channel];
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::uint32_t there = place_[in[i].value];
    around.add(there, static_cast<std::int32_t>(before[i]));
    broken += there >= place ? before[i] : 0;
  }
  return broken == 0 ? place : better_place(place, around);
}

/// Channels that move together see each other where they were: that their number is fixed makes the result
/// the same at any number of threads. Those that leave one router share no turn, and come before the same.
void LaneGrowth::move_channels() {
  const std::uint32_t routers = network_.router_count();
  const std::uint32_t groups =
      std::min(routers, (network_.channel_count() + kMovedTogether - 1) / kMovedTogether);
  std::vector<OrderNeighbours> scratch(threads_);
  for (std::uint32_t group = 0; group < groups; ++group) {
    const std::uint32_t count = (routers - group + groups - 1) / groups;
    parallel_blocks(count, kMovedByOne, threads_,
                    [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                      for (std::uint32_t i = begin; i < end; ++i) {
                        for (const ChannelId c : network_.out(RouterId(group + i * groups)))
                          to_[c.value] = place_for(c.value, scratch[worker]);
                      }
                    });
    for (std::uint32_t r = group; r < routers; r += groups) {
      for (const ChannelId c : network_.out(RouterId(r))) place_[c.value] = to_[c.value];
    }
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
    const Served serves = served();
    if (!best.empty() && serves.pairs <= most) continue;
    most = serves.pairs;
    best = std::move(order);
    if (serves.all) break;
  }
  return best;
}

std::vector<std::uint32_t> LaneGrowth::next(std::uint32_t rounds) {
  take(some_);
  std::vector<std::uint32_t> order = best_start();
  const std::uint32_t sampled = lanes_ < kSampledLanes ? rounds : kSampledRounds;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    take(round < sampled ? some_ : all_);
    find_behind(order);
    if (served().all) break;
    find_ahead(order);
    weigh_turns();
    take_places(order);
    for (std::uint32_t sweep = 0; sweep < kGrowthSweeps; ++sweep) move_channels();
    order = order_by_place();
  }
  serve(order);
  ++lanes_;
  return order;
}

}  // namespace unknot
