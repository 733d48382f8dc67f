// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/live_lanes/live_lanes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "unknot/routing/live_lanes/orders_of_tables.hpp"
#include "unknot/routing/up_down/up_down_table.hpp"
#include "unknot/support/bring_near.hpp"
#include "unknot/support/error.hpp"
#include "unknot/tables/blocks/matching_places.hpp"

namespace unknot {
namespace {

TreeTables fitting_tables(const Network& network, const Routing& routing, std::uint32_t most_lanes) {
  const std::string trouble = one_way_trouble(network);
  if (!trouble.empty()) throw InputError("these tables cannot be followed: " + trouble);
  const std::uint32_t most = std::min(most_lanes, TurnRules::kMostLanes);
  if (routing.virtual_lanes >= most) {
    throw InputError(
        fmt::format("tables on {} lanes need one more to be followed, and there are {}: make them with fewer",
                    routing.virtual_lanes, most));
  }
  return {network, routing};
}

std::vector<RouterId> homes_of(const TreeTables& tables) {
  std::vector<RouterId> homes;
  homes.reserve(tables.blocks());
  for (std::uint32_t block = 0; block < tables.blocks(); ++block) homes.push_back(tables.home(block));
  return homes;
}

constexpr std::size_t kMostFetched = 4096;
constexpr std::size_t kMostRelieved = 8;  // channels at an event
constexpr double kTooBusy = 1.05;         // of the greatest load at the beginning, both of the mean

double mean_load(const LiveNetwork& network, const std::vector<std::uint32_t>& load) {
  const std::uint64_t sum = std::accumulate(load.begin(), load.end(), std::uint64_t{0});
  return static_cast<double>(sum) / std::max(1U, network.live_channel_count());
}

double busiest_of_mean(const LiveNetwork& network, const std::vector<std::uint32_t>& load) {
  const std::uint32_t most = load.empty() ? 0 : *std::max_element(load.begin(), load.end());
  return most == 0 ? 1 : most / mean_load(network, load);
}

/// Blocks are gone through in steps of this: what comes back takes paths to terminals from all over.
std::uint32_t stride_through(std::uint32_t blocks) {
  auto stride = static_cast<std::uint32_t>(0.382 * blocks) + 1;
  while (std::gcd(stride, blocks) != 1) ++stride;
  return stride;
}

}  // namespace

LiveLanes::LiveLanes(const Network& network, const Routing& routing, std::uint32_t most_lanes)
    : network_(network),
      tables_(fitting_tables(network, routing, most_lanes)),
      orders_(orders_of_tables(tables_)),
      escape_(network_),
      rules_(network, orders_, escape_),
      hops_(network_, homes_of(tables_)),
      mender_(network_, tables_, rules_, escape_),
      busiest_of_mean_(busiest_of_mean(network_, mender_.load())) {}

/// Channels that have more than their share: what events have cut must go somewhere, and some of it goes
/// where it should not stay. A few at each event, each in its turn, so that an event
/// costs no more than it must.
void LiveLanes::list_busy() {
  busy_.clear();
  const std::vector<std::uint32_t>& load = mender_.load();
  const double mean = mean_load(network_, load);
  const double share = kTooBusy * busiest_of_mean_ * mean;
  most_ = share < 4e9 ? static_cast<std::uint32_t>(share) : 0xFFFFFFFFU;
  for (const ChannelId c : network_.network().channels()) {
    if (load[c.value] > most_ && network_.alive(c)) busy_.push_back(c);
  }
  const std::size_t count = std::min(kMostRelieved, busy_.size());
  if (count > 0) {
    std::rotate(busy_.begin(), busy_.begin() + static_cast<std::ptrdiff_t>(turn_ % busy_.size()),
                busy_.end());
  }
  turn_ += count;
  busy_.resize(count);
}

void LiveLanes::list_losses(const LiveEvent& event) {
  losses_.clear();
  filled_.clear();
  const auto changed = [&](RouterId r) {
    return std::binary_search(event.routers.begin(), event.routers.end(), r);
  };
  for (const ChannelId c : event.channels) {  // by source
    const RouterId from = network_.source(c);
    if (network_.alive(c)) {
      if (!changed(from)) filled_.push_back(c);
      continue;
    }
    if (losses_.empty() || losses_.back().router != from)
      losses_.push_back({from, !network_.alive(from), {}});
    losses_.back().positions.push_back(static_cast<std::uint8_t>(network_.position(c)));
  }
}

void LiveLanes::add_roots(std::uint32_t block) {
  const std::uint32_t places = tables_.places(block);
  for (const Loss& loss : losses_) {
    if (loss.router == tables_.home(block)) continue;
    const std::uint8_t* const entries = tables_.entries(block) + std::size_t{loss.router.value} * places;
    if (loss.dead) {
      mender_.drop(loss.router);
      continue;
    }
    std::uint64_t lost = 0;
    for (const std::uint8_t position : loss.positions) lost |= matching_places(entries, places, position);
    mender_.add_root(loss.router, lost);
  }
  for (const HopCounts::Nearer& one : nearer_) {
    if (one.was_far) {
      mender_.add_root(
          one.router, matching_places(tables_.entries(block) + std::size_t{one.router.value} * places, places,
                                      TreeTables::kNone));
    }
  }
}

void LiveLanes::follow(std::uint32_t block, const LiveEvent& event, std::span<const RouterId> moved) {
  hops_.update(block, event, nearer_);
  const std::uint8_t* const hops = hops_.towards(block);
  const RouterId home = tables_.home(block);
  mender_.begin(block, hops);
  if (!network_.alive(home)) {
    if (std::binary_search(event.routers.begin(), event.routers.end(), home)) mender_.clear();
  } else {
    if (!moved.empty() && mender_.uses_escape(block)) mender_.add_lost_escapes(moved);
    add_roots(block);
    mender_.mend();
    for (const HopCounts::Nearer& one : nearer_) {
      if (!one.was_far) mender_.come_nearer(one.router);
    }
    fillable_.clear();
    for (const ChannelId c : filled_) {
      const RouterId from = network_.source(c);
      if (from != home && hops[network_.target(c).value] + 1 == hops[from.value]) fillable_.push_back(c);
    }
    mender_.fill(fillable_);
    for (const ChannelId c : busy_) mender_.relieve(c, most_);
  }
  mender_.end(update_);
}

const LaneUpdate& LiveLanes::apply(const LiveChange& change) {
  require_whole_cables(network_.network(), change);
  const LiveEvent event = network_.apply(change);
  update_.entries.clear();
  update_.levels.clear();
  update_.escaped = 0;
  update_.escape_moved = false;
  if (event.empty()) return update_;
  list_losses(event);
  list_busy();
  list_near(event);
  const std::vector<RouterId> moved = escape_.update();
  for (const RouterId r : moved) rules_.update_around(r, escape_);
  update_.escape_moved = !moved.empty();
  const std::uint32_t blocks = tables_.blocks();
  const std::uint32_t stride = stride_through(blocks);
  const double mean = mean_load(network_, mender_.load());
  for (std::uint32_t i = 0, block = 0; i < blocks; ++i) {
    const std::uint32_t next = (block + stride) % blocks;
    fetch_ahead(next);
    // What comes back has no more than its part of what it is to have, so that there is room for what must go
    // there.
    mender_.set_enough(static_cast<std::uint32_t>(std::min(mean * (i + 1) / blocks, 4e9)));
    follow(block, event, moved);
    block = next;
  }
  return update_;
}

/// Routers whose entries are looked at in every block: both ends of what has changed, and who sends there.
void LiveLanes::list_near(const LiveEvent& event) {
  const Network& whole = network_.network();
  near_.clear();
  for (const ChannelId c : event.channels) {
    if (near_.size() > kMostFetched) break;
    near_.push_back(whole.source(c));
    for (const ChannelId before : whole.in(whole.source(c))) near_.push_back(whole.source(before));
  }
  for (const ChannelId c : busy_) {
    for (const ChannelId before : whole.in(whole.source(c))) near_.push_back(whole.source(before));
  }
  std::sort(near_.begin(), near_.end());
  near_.erase(std::unique(near_.begin(), near_.end()), near_.end());
}

/// A block is seldom in the cache, and the next one's memory can come while this one is looked at.
void LiveLanes::fetch_ahead(std::uint32_t block) const {
  const std::uint32_t places = tables_.places(block);
  for (const RouterId r : near_) {
    bring_near(tables_.entries(block) + std::size_t{r.value} * places);
    bring_near(hops_.towards(block) + r.value);
  }
}

std::vector<std::vector<std::uint32_t>> LiveLanes::orders() const {
  std::vector<std::vector<std::uint32_t>> orders = orders_;
  orders.push_back(escape_.channels());
  return orders;
}

Routing LiveLanes::routing_now() const {
  return routing_of_living(network_, tables_, lanes());
}

}  // namespace unknot
