// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/source_routed/order_repair.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint64_t kRepairStream = 0x72657061;  // of random numbers
constexpr double kCold = 0.2;                        // temperature, in pairs, after moves that win
constexpr double kWarming = 0.3;                     // of each move that does not
constexpr std::uint64_t kWarmMoves = 300;            // before it is cold again
constexpr std::uint32_t kMovesAPath = 8;             // of which one lays a whole path
constexpr std::uint32_t kNever = 0xFFFFFFFFU;
constexpr std::size_t kWordBits = 64;
constexpr std::uint64_t kMovesBetweenLooks = 64;  // for an interruption

}  // namespace

OrderRepair::OrderRepair(const Network& network, LaneOrders& orders, std::uint64_t seed)
    : network_(network),
      orders_(orders),
      random_(seed, kRepairStream),
      routers_(network.router_count()),
      lanes_(orders.lanes()),
      order_(lanes_),
      first_(routers_),
      last_(routers_) {
  for (const RouterId r : network.endpoint_routers()) terminals_.push_back(r.value);
  words_ = (terminals_.size() + kWordBits - 1) / kWordBits;
  joined_.resize(routers_ * words_);
  reach_.assign(lanes_, joined_);
  tried_reach_ = joined_;
  lacks_.resize(terminals_.size() * words_);
  tried_lacks_ = lacks_;
  for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
    order_[lane] = order_steps(network, orders, lane);
    set_own(reach_[lane]);
    (void)pass(order_[lane], reach_[lane]);
  }
  set_own(joined_);
  while (pass(order_[0], joined_)) {
    // Paths that do not rise go on where they began to fall.
  }
  missing_ = count(0, reach_[0], lacks_);
}

/// Each router with terminals reaches itself.
void OrderRepair::set_own(std::vector<Word>& reach) const {
  std::fill(reach.begin(), reach.end(), Word{0});
  for (std::size_t i = 0; i < terminals_.size(); ++i)
    reach[terminals_[i] * words_ + i / kWordBits] |= Word{1} << (i % kWordBits);
}

/// What reaches a channel's source reaches its target, in the order's turn. True where something was new.
bool OrderRepair::pass(const OrderSteps& order, std::vector<Word>& reach) const {
  Word fresh = 0;
  for (const OrderStep& step : order) {
    const Word* const from = reach.data() + step.from * words_;
    Word* const to = reach.data() + step.to * words_;
    for (std::size_t w = 0; w < words_; ++w) {
      const Word both = to[w] | from[w];
      fresh |= both ^ to[w];
      to[w] = both;
    }
  }
  return fresh != 0;
}

/// Pairs that are missing where `lane` reaches what `reach` says.
std::uint64_t OrderRepair::count(std::uint32_t lane, const std::vector<Word>& reach,
                                 std::vector<Word>& lacks) const {
  std::uint64_t pairs = 0;
  for (std::size_t i = 0; i < terminals_.size(); ++i) {
    const std::size_t row = terminals_[i] * words_;
    for (std::size_t w = 0; w < words_; ++w) {
      Word open = joined_[row + w] & ~reach[row + w];
      for (std::uint32_t other = 0; other < lanes_ && open != 0; ++other) {
        if (other != lane) open &= ~reach_[other][row + w];
      }
      lacks[i * words_ + w] = open;
      if (open != 0) pairs += static_cast<std::uint64_t>(std::popcount(open));
    }
  }
  return pairs;
}

OrderRepair::Pair OrderRepair::any_missing() {
  auto skip = random_.below(static_cast<std::uint32_t>(std::min<std::uint64_t>(missing_, kNever)));
  std::size_t at = 0;
  for (;; ++at) {
    const auto here = static_cast<std::uint32_t>(std::popcount(lacks_[at]));
    if (skip < here) break;
    skip -= here;
  }
  Word word = lacks_[at];
  for (; skip > 0; --skip) word &= word - 1;
  const std::size_t from = at % words_ * kWordBits + static_cast<std::size_t>(std::countr_zero(word));
  return {terminals_[from], terminals_[at / words_]};
}

/// Places are counted from 1 here: 0 is before all channels.
void OrderRepair::list_moves(const Pair& pair) {
  moves_.clear();
  for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
    const OrderSteps& order = order_[lane];
    const auto end = static_cast<std::uint32_t>(order.size()) + 1;
    std::fill(first_.begin(), first_.end(), kNever);
    std::fill(last_.begin(), last_.end(), 0U);
    first_[pair.from] = 0;
    last_[pair.to] = end;
    for (std::uint32_t place = 1; place < end; ++place) {
      const OrderStep& step = order[place - 1];
      if (first_[step.from] != kNever && first_[step.to] == kNever) first_[step.to] = place;
    }
    for (std::uint32_t place = end - 1; place > 0; --place) {
      const OrderStep& step = order[place - 1];
      if (last_[step.to] != 0 && last_[step.from] == 0) last_[step.from] = place;
    }
    for (std::uint32_t place = 1; place < end; ++place) {
      const std::uint32_t behind = first_[order[place - 1].from];
      const std::uint32_t before = last_[order[place - 1].to];
      if (behind == kNever || behind >= before) continue;
      // The pair is missing, so that the channel does not lie between the two.
      moves_.push_back({lane, place - 1, (place <= behind ? behind : before) - 1});
    }
  }
}

/// Changes the order that is tried; which lane's.
std::uint32_t OrderRepair::try_move(const Pair& pair) {
  list_moves(pair);
  if (moves_.empty() || random_.below(kMovesAPath) == 0) return lay_path(pair);
  const OrderMove& move = moves_[random_.below(static_cast<std::uint32_t>(moves_.size()))];
  tried_ = order_[move.lane];
  move_step(tried_, move.from, move.to);
  return move.lane;
}

/// A shortest path of the pair at random, each channel of which that comes too early moves behind the one
/// before it.
std::uint32_t OrderRepair::lay_path(const Pair& pair) {
  std::vector<std::uint32_t>& hops = first_;  // to the destination
  std::fill(hops.begin(), hops.end(), kNever);
  std::vector<std::uint32_t> queue{pair.to};
  hops[pair.to] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (const ChannelId c : network_.in(RouterId(queue[head]))) {
      const std::uint32_t from = network_.source(c).value;
      if (hops[from] != kNever) continue;
      hops[from] = hops[queue[head]] + 1;
      queue.push_back(from);
    }
  }
  const std::uint32_t lane = random_.below(lanes_);
  tried_ = order_[lane];
  std::size_t last = 0;  // place behind that of the channel before
  for (std::uint32_t router = pair.from; router != pair.to;) {
    std::uint32_t seen = 0;
    std::uint32_t channel = kNever;
    for (const ChannelId c : network_.out(RouterId(router))) {
      if (hops[network_.target(c).value] + 1 == hops[router] && random_.below(++seen) == 0) channel = c.value;
    }
    const auto is_it = [channel](const OrderStep& step) { return step.channel == channel; };
    const auto at = std::find_if(tried_.begin(), tried_.end(), is_it);
    const auto place = static_cast<std::size_t>(at - tried_.begin());
    router = at->to;
    if (place < last) {
      move_step(tried_, place, last - 1);
    } else {
      last = place + 1;
    }
  }
  return lane;
}

std::uint64_t OrderRepair::run(std::uint64_t most_moves, const Progress& progress) {
  if (missing_ == 0) return 0;
  best_ = order_;
  std::uint64_t fewest = missing_;
  std::uint64_t since = 0;  // the latest win
  for (std::uint64_t move = 0; move < most_moves && fewest > 0; ++move) {
    if (move % kMovesBetweenLooks == 0 && progress.interrupted()) throw Interrupted();
    const std::uint32_t lane = try_move(any_missing());
    set_own(tried_reach_);
    (void)pass(tried_, tried_reach_);
    const std::uint64_t missing = count(lane, tried_reach_, tried_lacks_);
    const double temperature = kCold + kWarming * static_cast<double>(since % kWarmMoves);
    ++since;
    if (missing > missing_) {
      const auto more = static_cast<double>(missing - missing_);
      if (random_.unit() >= std::exp(-more / temperature)) continue;
    }
    missing_ = missing;
    order_[lane].swap(tried_);
    reach_[lane].swap(tried_reach_);
    lacks_.swap(tried_lacks_);
    if (missing_ >= fewest) continue;
    fewest = missing_;
    best_ = order_;
    since = 0;
  }
  put_back();
  return missing_;
}

/// The best orders, wherever the search has gone since.
void OrderRepair::put_back() {
  order_.swap(best_);
  for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
    set_order(orders_, lane, order_[lane]);
    set_own(reach_[lane]);
    (void)pass(order_[lane], reach_[lane]);
  }
  missing_ = count(0, reach_[0], lacks_);
}

}  // namespace unknot
