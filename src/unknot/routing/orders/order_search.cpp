// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/orders/order_search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr float kBreakout = 0.05F;    // what a refusal adds to the weight of the pair
constexpr double kTemperature = 0.2;  // of the rule that accepts a worsening, in pairs
constexpr std::uint64_t kMovesBetweenChecks = 256;
constexpr std::uint32_t kStride = 4;       // marks looked at in one go
constexpr std::uint64_t kLooksAMove = 16;  // a move that touches nothing is work as well

/// marked[j] != 0 where near_entry[j] == entry, mask[j] has the bit, and far_level[j] == near_level[j] + 1
/// > 1. All of one width, no branches: the compiler makes vector code of it.
void mark(const std::uint16_t* __restrict near_entry, std::uint16_t entry,
          const std::uint16_t* __restrict near_level, const std::uint16_t* __restrict far_level,
          const std::uint16_t* __restrict mask, std::uint16_t bit, std::uint32_t size,
          std::uint16_t* __restrict marked) {
  for (std::uint32_t j = 0; j < size; ++j) {
    const auto nearer = static_cast<std::uint16_t>(near_level[j] + 1);
    auto result = static_cast<std::uint16_t>(mask[j] & bit);
    result = near_entry[j] == entry ? result : std::uint16_t{0};
    result = far_level[j] == nearer ? result : std::uint16_t{0};
    marked[j] = near_level[j] != 0 ? result : std::uint16_t{0};
  }
}

}  // namespace

OrderSearch::OrderSearch(const Network& network, const std::vector<CoverDag>& dags,
                         const std::vector<std::uint16_t>& level, LaneOrders& orders, Tie tie,
                         std::uint64_t seed)
    : network_(network),
      dags_(dags),
      level_(level),
      orders_(orders),
      tie_(tie),
      random_(seed),
      routers_(network.router_count()),
      destinations_(static_cast<std::uint32_t>(dags.size())),
      all_(orders.all_lanes()) {
  for (const ChannelId c : network.channels()) {
    source_.push_back(network.source(c).value);
    target_.push_back(network.target(c).value);
    entry_of_.push_back(c.value - network.out(network.source(c)).first());
  }
  for (const RouterId r : network.routers())
    has_terminals_.push_back(network.terminals_at(r).empty() ? 0 : 1);
  const std::size_t pairs = std::size_t{destinations_} * routers_;
  mask_.assign(pairs, 0);
  entry_.assign(pairs, 0);
  mask_across_.assign(pairs, 0);
  entry_across_.assign(pairs, 0);
  level_across_.resize(pairs);
  weight_.assign(pairs, 1.0F);
  place_.assign(pairs, kNone);
  incoming_first_.push_back(0);
  for (const RouterId r : network.routers()) {
    for (const ChannelId c : network.in(r)) incoming_.push_back(source_[c.value]);
    incoming_first_.push_back(static_cast<std::uint32_t>(incoming_.size()));
  }
  for (std::uint32_t j = 0; j < destinations_; ++j) {
    for (std::uint32_t r = 0; r < routers_; ++r) {
      level_across_[std::size_t{r} * destinations_ + j] = level[std::size_t{j} * routers_ + r];
    }
  }
  position_.resize(pairs);
  marked_.assign(destinations_ + kStride, 0);
  stamp_of_.assign(routers_, 0);
  for (std::uint32_t j = 0; j < destinations_; ++j) {
    const CoverDag& dag = dags_[j];
    const std::size_t row = std::size_t{j} * routers_;
    mask_[row + dag.root] = all_;
    mask_across_[std::size_t{dag.root} * destinations_ + j] = all_;
    for (std::uint32_t i = 0; i < dag.positions(); ++i) {
      const std::uint32_t router = dag.order[i];
      position_[row + router] = i;
      choose(j, i);
      const std::size_t across = std::size_t{router} * destinations_ + j;
      mask_across_[across] = mask_[row + router];
      entry_across_[across] = entry_[row + router];
      if (mask_[row + router] == 0 && has_terminals_[router] != 0) {
        uncover(static_cast<std::uint32_t>(row + router));
      }
    }
  }
}

/// The greedy choice at a position. True if it changes what the rows hold.
bool OrderSearch::choose(std::uint32_t destination, std::uint32_t position) {
  const CoverDag& dag = dags_[destination];
  const std::size_t row = std::size_t{destination} * routers_;
  const std::uint32_t router = dag.order[position];
  const auto [mask, candidate] = greedy_choice(dag, position, network_.out(RouterId(router)).first(), orders_,
                                               tie_, mask_.data() + row, entry_.data() + row);
  looks_ += dag.first[position + 1] - dag.first[position];
  const std::size_t at = row + router;
  const bool changes = mask_[at] != mask || entry_[at] != dag.entry[candidate];
  mask_[at] = mask;
  entry_[at] = dag.entry[candidate];
  return changes;
}

void OrderSearch::uncover(std::uint32_t pair) {
  place_[pair] = static_cast<std::uint32_t>(uncovered_.size());
  uncovered_.push_back(pair);
}

void OrderSearch::cover(std::uint32_t pair) {
  const std::uint32_t last = uncovered_.back();
  uncovered_[place_[pair]] = last;
  place_[last] = place_[pair];
  uncovered_.pop_back();
  place_[pair] = kNone;
}

std::uint64_t OrderSearch::run(std::uint64_t most_looks, const Progress& progress) {
  const std::uint64_t stop = looks_ + most_looks;
  for (std::uint64_t moves = 0; !uncovered_.empty() && looks_ < stop; ++moves) {
    if (moves % kMovesBetweenChecks == 0 && progress.interrupted()) throw Interrupted();
    looks_ += kLooksAMove;
    try_cover();
  }
  return uncovered_.size();
}

std::uint64_t OrderSearch::widen(std::uint64_t most_looks, const Progress& progress) {
  const std::uint64_t stop = looks_ + most_looks;
  count_blocked_ = true;
  blocked_.assign(mask_.size(), 0);
  for (std::uint32_t j = 0; j < destinations_; ++j) {
    const CoverDag& dag = dags_[j];
    for (std::uint32_t i = 0; i < dag.positions(); ++i) {
      const std::uint32_t blocked = blocked_at(dag, i, masks(j), entries(j));
      blocked_[std::size_t{j} * routers_ + dag.order[i]] = static_cast<std::uint16_t>(blocked);
    }
  }
  for (std::uint64_t moves = 0; looks_ < stop; ++moves) {
    if (moves % kMovesBetweenChecks == 0 && progress.interrupted()) throw Interrupted();
    looks_ += kLooksAMove;
    try_unblock();
  }
  count_blocked_ = false;
  return std::accumulate(blocked_.begin(), blocked_.end(), std::uint64_t{0});
}

/// Candidates of a position whose path no lane allows.
std::uint32_t OrderSearch::blocked_at(const CoverDag& dag, std::uint32_t position, const Mask* mask,
                                      const std::uint16_t* entry) const {
  if (has_terminals_[dag.order[position]] == 0) return 0;
  std::uint32_t blocked = 0;
  for (std::uint32_t c = dag.first[position]; c < dag.first[position + 1]; ++c) {
    const std::uint32_t to = dag.to[c];
    if (to == dag.root) return 0;
    blocked += (mask[to] & orders_.allowed(dag.turn[c] + entry[to])) == 0 ? 1 : 0;
  }
  return blocked;
}

void OrderSearch::try_cover() {
  const std::uint32_t pair = uncovered_[random_.below(static_cast<std::uint32_t>(uncovered_.size()))];
  const std::uint32_t destination = pair / routers_;
  const std::size_t row = std::size_t{destination} * routers_;
  // Where the path has its last lane: `router` has none, the next on the path some.
  std::uint32_t router = pair % routers_;
  for (;;) {
    const std::uint32_t next = target_[network_.out(RouterId(router)).first() + entry_[row + router]];
    if (mask_[row + next] != 0) break;
    router = next;
  }
  // A candidate and a lane of its target, at random.
  const std::uint16_t distance = level_across_[std::size_t{router} * destinations_ + destination];
  std::uint32_t seen = 0;
  std::uint32_t channel = kNone;
  for (const ChannelId c : network_.out(RouterId(router))) {
    const std::uint32_t next = target_[c.value];
    if (level_across_[std::size_t{next} * destinations_ + destination] + 1 != distance) continue;
    if (mask_[row + next] == 0) continue;
    if (random_.below(++seen) == 0) channel = c.value;
  }
  const double change = try_move(destination, channel, false).uncovered;
  const bool accept = change <= 0 || random_.unit() < std::exp(-change / kTemperature);
  settle(accept);
  if (!accept) weight_[pair] += kBreakout;
}

void OrderSearch::try_unblock() {
  const std::uint32_t destination = random_.below(destinations_);
  const CoverDag& dag = dags_[destination];
  if (dag.level.size() < 3) return;
  const std::uint32_t adjacent = dag.level[2];
  if (adjacent == dag.positions()) return;
  const std::uint32_t position = adjacent + random_.below(dag.positions() - adjacent);
  const std::uint32_t router = dag.order[position];
  if (has_terminals_[router] == 0) return;
  const std::size_t row = std::size_t{destination} * routers_;
  std::uint32_t seen = 0;
  std::uint32_t blocked = kNone;
  for (std::uint32_t c = dag.first[position]; c < dag.first[position + 1]; ++c) {
    const std::uint32_t to = dag.to[c];
    const Mask there = mask_[row + to];
    if (there == 0 || (there & orders_.allowed(dag.turn[c] + entry_[row + to])) != 0) continue;
    if (random_.below(++seen) == 0) blocked = c;
  }
  if (blocked == kNone) return;
  const Change change =
      try_move(destination, network_.out(RouterId(router)).first() + dag.entry[blocked], true);
  settle(change.uncovered <= 0 && change.blocked <= 0);
}

/// Moves one of the two channels of the turn by which `channel` takes up the destination's tree, on a lane of
/// that path, so that the turn is allowed; looks what becomes of the trees.
OrderSearch::Change OrderSearch::try_move(std::uint32_t destination, std::uint32_t channel, bool widening) {
  const std::size_t row = std::size_t{destination} * routers_;
  const std::uint32_t next = target_[channel];
  const std::uint32_t onward = network_.out(RouterId(next)).first() + entry_[row + next];
  Mask lanes = mask_[row + next];
  for (std::uint32_t skip = random_.below(LaneCount::of(lanes)); skip > 0; --skip) {
    lanes &= static_cast<Mask>(lanes - 1);
  }
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
  move_ = random_.below(2) == 0 ? orders_.move(lane, channel, onward, true, flips_)
                                : orders_.move(lane, onward, channel, false, flips_);
  list_affected(lane, widening);
  Change sum;
  for (const Affected& each : affected_) spread(each, sum);
  return sum;
}

void OrderSearch::settle(bool accept) {
  if (!accept) {
    for (std::size_t i = log_.size(); i-- > 0;) {
      mask_[log_[i].pair] = log_[i].mask;
      entry_[log_[i].pair] = log_[i].entry;
      if (count_blocked_) blocked_[log_[i].pair] = log_[i].blocked;
    }
    orders_.undo(move_, flips_);
    return;
  }
  for (const Before& before : log_) {
    const std::uint32_t router = before.pair % routers_;
    const std::size_t across = std::size_t{router} * destinations_ + before.pair / routers_;
    mask_across_[across] = mask_[before.pair];
    entry_across_[across] = entry_[before.pair];
    if (has_terminals_[router] == 0) continue;
    const bool listed = place_[before.pair] != kNone;
    if (listed && mask_[before.pair] != 0) cover(before.pair);
    if (!listed && mask_[before.pair] == 0) uncover(before.pair);
  }
}

/// Destinations whose trees the flips may change, and the router where that begins.
void OrderSearch::list_affected(std::uint32_t lane, bool widening) {
  affected_.clear();
  log_.clear();
  const auto bit = static_cast<Mask>(1U << lane);
  for (const LaneOrders::Flip& flip : flips_) {
    const std::uint32_t far = source_[flip.from];
    const std::uint32_t near = target_[flip.from];
    const std::uint32_t entry_far = entry_of_[flip.from];
    const std::uint32_t entry_near = entry_of_[flip.to];
    const std::size_t far_row = std::size_t{far} * destinations_;
    const std::size_t near_row = std::size_t{near} * destinations_;
    // The tree must go on by the turn's second channel, on the lane, and the first channel lead nearer. Few
    // do.
    mark(entry_across_.data() + near_row, static_cast<std::uint16_t>(entry_near),
         level_across_.data() + near_row, level_across_.data() + far_row, mask_across_.data() + near_row, bit,
         destinations_, marked_.data());
    for (std::uint32_t first = 0; first < destinations_; first += kStride) {
      std::uint64_t any = 0;
      std::memcpy(&any, marked_.data() + first, sizeof(any));
      if (any == 0) continue;
      for (std::uint32_t j = first; j < std::min(first + kStride, destinations_); ++j) {
        if (marked_[j] == 0) continue;
        // A turn lost matters to the trees that take it; a turn won, to all that have lanes to win.
        const bool matters =
            flip.allowed ? mask_across_[far_row + j] != all_ : entry_across_[far_row + j] == entry_far;
        if (matters || widening) affected_.push_back({j, far});
      }
    }
  }
}

/// Chooses anew at the router and, as far as choices change, behind it.
void OrderSearch::spread(const Affected& affected, Change& change) {
  const CoverDag& dag = dags_[affected.destination];
  const std::size_t row = std::size_t{affected.destination} * routers_;
  front_.assign(1, affected.router);
  while (!front_.empty()) {
    next_front_.clear();
    ++stamp_;
    for (const std::uint32_t router : front_) {
      const std::size_t pair = row + router;
      const Before before{static_cast<std::uint32_t>(pair), mask_[pair], entry_[pair],
                          count_blocked_ ? blocked_[pair] : std::uint16_t{0}};
      const std::uint32_t position = position_[pair];
      const bool changed = choose(affected.destination, position);
      if (count_blocked_) {
        const std::uint32_t blocked = blocked_at(dag, position, mask_.data() + row, entry_.data() + row);
        blocked_[pair] = static_cast<std::uint16_t>(blocked);
        change.blocked += static_cast<std::int64_t>(blocked) - before.blocked;
      }
      if (changed || (count_blocked_ && blocked_[pair] != before.blocked)) log_.push_back(before);
      if (!changed) continue;
      const int more = static_cast<int>(mask_[pair] == 0) - static_cast<int>(before.mask == 0);
      if (more != 0 && has_terminals_[router] != 0) {
        change.uncovered += more * static_cast<double>(weight_[pair]);
      }
      for (std::uint32_t i = incoming_first_[router]; i < incoming_first_[router + 1]; ++i) {
        const std::uint32_t behind = incoming_[i];
        if (stamp_of_[behind] == stamp_ || level_[row + behind] != level_[row + router] + 1) continue;
        stamp_of_[behind] = stamp_;
        next_front_.push_back(behind);
      }
    }
    front_.swap(next_front_);
  }
}

}  // namespace unknot
