// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/source_routed/order_annealing.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint64_t kAnnealingStream = 0x616e6e65;  // of random numbers
constexpr std::uint16_t kNoPath = 0xFFFF;
constexpr std::size_t kSetBits = 64;
constexpr double kHot = 1.0 / 16;  // temperatures, in pairs, for each destination
constexpr double kCool = 1.0 / 250;
constexpr std::uint64_t kMovesADegree = 64;  // between two temperatures
constexpr int kTries = 256;                  // of pairs at random, before one is looked for
constexpr std::int64_t kNotReached = std::numeric_limits<std::int64_t>::max();

/// Words of a set: of few the compiler is to know how many.
std::size_t set_words(std::size_t destinations) {
  constexpr std::size_t kKnown = 8;
  const std::size_t words = (destinations + kSetBits - 1) / kSetBits;
  return words > kKnown ? words : std::bit_ceil(words);
}

/// Where a route goes, by router, from the last channel to the first: those that it goes on by have been
/// looked at. `kWords` 0: not known.
template <std::size_t kWords>
void union_along(const OrderSteps& order, const std::uint64_t* towards, std::uint64_t* reached,
                 std::size_t words) {
  const std::size_t size = kWords == 0 ? words : kWords;
  for (std::size_t i = order.size(); i-- > 0;) {
    const OrderStep& step = order[i];
    const std::uint64_t* __restrict const nearer = towards + step.channel * size;
    const std::uint64_t* __restrict const next = reached + step.to * size;
    std::uint64_t* __restrict const here = reached + step.from * size;
    for (std::size_t w = 0; w < size; ++w) here[w] |= next[w] & nearer[w];
  }
}

}  // namespace

OrderAnnealing::OrderAnnealing(const Network& network, const std::vector<std::uint16_t>& level,
                               LaneOrders& orders, std::uint64_t seed)
    : network_(network),
      level_(level),
      orders_(orders),
      random_(seed, kAnnealingStream),
      routers_(network.router_count()),
      lanes_(orders.lanes()),
      first_(routers_),
      last_(routers_),
      seen_(routers_, 0) {
  for (const RouterId r : network.endpoint_routers()) destinations_.push_back(r.value);
  words_ = set_words(destinations_.size());
  towards_.assign(network.channel_count() * words_, 0);
  joined_.assign(routers_ * words_, 0);
  for (std::size_t d = 0; d < destinations_.size(); ++d) {
    const std::uint16_t* const hops = level.data() + d * routers_;
    const Word bit = Word{1} << (d % kSetBits);
    for (const ChannelId c : network.channels()) {
      const std::uint16_t from = hops[network.source(c).value];
      if (from != kNoPath && hops[network.target(c).value] + 1 == from)
        towards_[c.value * words_ + d / kSetBits] |= bit;
    }
    for (const std::uint32_t r : destinations_) {
      if (hops[r] != kNoPath) joined_[r * words_ + d / kSetBits] |= bit;
    }
  }
  place_.assign(lanes_, std::vector<std::uint32_t>(network.channel_count()));
  reached_.assign(lanes_, std::vector<Word>(joined_.size()));
  tried_.resize(joined_.size());
  for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
    order_.push_back(order_steps(network, orders, lane));
    for (std::uint32_t i = 0; i < order_[lane].size(); ++i) place_[lane][order_[lane][i].channel] = i;
    pass(order_[lane], reached_[lane]);
  }
  for (std::size_t at = 0; at < joined_.size(); ++at)
    detours_ += static_cast<std::uint64_t>(std::popcount(open(at)));
}

void OrderAnnealing::pass(const OrderSteps& order, std::vector<Word>& reached) const {
  std::fill(reached.begin(), reached.end(), Word{0});
  for (std::size_t d = 0; d < destinations_.size(); ++d)
    reached[destinations_[d] * words_ + d / kSetBits] |= Word{1} << (d % kSetBits);
  switch (words_) {
    case 1:
      return union_along<1>(order, towards_.data(), reached.data(), words_);
    case 2:
      return union_along<2>(order, towards_.data(), reached.data(), words_);
    case 4:
      return union_along<4>(order, towards_.data(), reached.data(), words_);
    case 8:
      return union_along<8>(order, towards_.data(), reached.data(), words_);
    default:
      return union_along<0>(order, towards_.data(), reached.data(), words_);
  }
}

/// Pairs without a shortest route, in a word of all rows.
OrderAnnealing::Word OrderAnnealing::open(std::size_t at) const {
  Word pairs = joined_[at];
  for (std::uint32_t lane = 0; lane < lanes_ && pairs != 0; ++lane) pairs &= ~reached_[lane][at];
  return pairs;
}

bool OrderAnnealing::is_open(const Pair& pair) const {
  return (open(pair.from * words_ + pair.to / kSetBits) >> (pair.to % kSetBits) & 1U) != 0;
}

OrderAnnealing::Pair OrderAnnealing::any_detour() {
  const auto count = static_cast<std::uint32_t>(destinations_.size());
  for (int i = 0; i < kTries; ++i) {
    const std::uint32_t from = destinations_[random_.below(count)];
    const Pair pair{from, random_.below(count)};
    if (is_open(pair)) return pair;
  }
  for (std::size_t at = random_.below(count) * words_;; ++at) {
    const std::size_t word = destinations_[at / words_ % count] * words_ + at % words_;
    const Word pairs = open(word);
    if (pairs == 0) continue;
    return {static_cast<std::uint32_t>(word / words_),
            static_cast<std::uint32_t>(at % words_ * kSetBits) +
                static_cast<std::uint32_t>(std::countr_zero(pairs))};
  }
}

/// Routers and channels of all shortest paths of the pair.
void OrderAnnealing::list_paths(const Pair& pair) {
  const std::uint16_t* const hops = level_.data() + std::size_t{pair.to} * routers_;
  ++stamp_;
  on_path_.assign(1, pair.from);
  channels_.clear();
  for (std::size_t i = 0; i < on_path_.size(); ++i) {
    const std::uint32_t router = on_path_[i];
    if (hops[router] == 0) continue;
    for (const ChannelId c : network_.out(RouterId(router))) {
      const std::uint32_t to = network_.target(c).value;
      if (hops[to] + 1 != hops[router]) continue;
      channels_.push_back(c.value);
      if (seen_[to] == stamp_) continue;
      seen_[to] = stamp_;
      on_path_.push_back(to);
    }
  }
}

/// All by which one channel gives the pair a shortest route.
void OrderAnnealing::list_moves(const Pair& pair) {
  list_paths(pair);
  moves_.clear();
  for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
    const std::vector<std::uint32_t>& place = place_[lane];
    for (const std::uint32_t router : on_path_) {
      first_[router] = kNotReached;
      last_[router] = -1;
    }
    first_[pair.from] = -1;
    last_[destinations_[pair.to]] = kNotReached;
    for (const std::uint32_t c : channels_) {
      const std::uint32_t to = network_.target(ChannelId(c)).value;
      const auto at = static_cast<std::int64_t>(place[c]);
      if (at > first_[network_.source(ChannelId(c)).value]) first_[to] = std::min(first_[to], at);
    }
    for (std::size_t i = channels_.size(); i-- > 0;) {
      const std::uint32_t c = channels_[i];
      const std::uint32_t from = network_.source(ChannelId(c)).value;
      const auto at = static_cast<std::int64_t>(place[c]);
      if (at < last_[network_.target(ChannelId(c)).value]) last_[from] = std::max(last_[from], at);
    }
    for (const std::uint32_t c : channels_) {
      const std::int64_t behind = first_[network_.source(ChannelId(c)).value];
      const std::int64_t before = last_[network_.target(ChannelId(c)).value];
      if (behind == kNotReached || behind >= before) continue;
      // The pair has no shortest route, so that the channel does not lie between the two.
      const bool later = static_cast<std::int64_t>(place[c]) < behind;
      moves_.push_back({lane, place[c], static_cast<std::uint32_t>(later ? behind : before)});
    }
  }
}

void OrderAnnealing::move(std::uint32_t lane, std::uint32_t from, std::uint32_t to) {
  OrderSteps& order = order_[lane];
  move_step(order, from, to);
  for (std::uint32_t i = std::min(from, to); i <= std::max(from, to); ++i) place_[lane][order[i].channel] = i;
}

/// Pairs won, less those lost, if the lane reaches what was tried.
std::int64_t OrderAnnealing::won(std::uint32_t lane) const {
  std::int64_t sum = 0;
  for (const std::uint32_t r : destinations_) {
    for (std::size_t at = r * words_; at < (r + std::size_t{1}) * words_; ++at) {
      Word changed = reached_[lane][at] ^ tried_[at];
      if (changed == 0) continue;
      for (std::uint32_t other = 0; other < lanes_; ++other) {
        if (other != lane) changed &= ~reached_[other][at];
      }
      sum += std::popcount(changed & tried_[at]) - std::popcount(changed & ~tried_[at]);
    }
  }
  return sum;
}

std::uint64_t OrderAnnealing::run(std::uint64_t moves, const Progress& progress) {
  const double hot = kHot * static_cast<double>(destinations_.size());
  double temperature = hot;
  for (std::uint64_t i = 0; i < moves && detours_ > 0; ++i) {
    if (i % kMovesADegree == 0) {
      if (progress.interrupted()) throw Interrupted();
      temperature = hot * std::pow(kCool / kHot, static_cast<double>(i) / static_cast<double>(moves));
    }
    list_moves(any_detour());
    if (moves_.empty()) continue;
    const OrderMove chosen = moves_[random_.below(static_cast<std::uint32_t>(moves_.size()))];
    move(chosen.lane, chosen.from, chosen.to);
    pass(order_[chosen.lane], tried_);
    const std::int64_t won = this->won(chosen.lane);
    if (won < 0 && random_.unit() >= std::exp(static_cast<double>(won) / temperature)) {
      move(chosen.lane, chosen.to, chosen.from);
      continue;
    }
    detours_ = static_cast<std::uint64_t>(static_cast<std::int64_t>(detours_) - won);
    reached_[chosen.lane].swap(tried_);
  }
  for (std::uint32_t lane = 0; lane < lanes_; ++lane) set_order(orders_, lane, order_[lane]);
  return detours_;
}

}  // namespace unknot
