// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/source_routed/rising_routes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "unknot/support/error.hpp"
#include "unknot/tables/source_routes.hpp"

namespace unknot {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

}  // namespace

RisingRoutes::RisingRoutes(const Network& network, const LaneOrders& orders)
    : network_(network),
      routers_(network.router_count()),
      lanes_(orders.lanes()),
      load_(network.channel_count(), 0),
      price_(network.channel_count(), 0) {
  order_.resize(lanes_);
  for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
    order_[lane].reserve(load_.size());
    for (const std::uint32_t c : orders.order(lane))
      order_[lane].push_back({network.source(ChannelId(c)).value, network.target(ChannelId(c)).value, c});
  }
  distance_.assign(lanes_, std::vector<double>(routers_));
  last_.assign(lanes_, std::vector<std::uint32_t>(routers_));
  via_.assign(lanes_, std::vector<std::uint32_t>(load_.size()));
  const std::size_t units = std::size_t{network.terminal_count()} * routers_;
  first_.assign(units, 0);
  length_.assign(units, 0);
  room_.assign(units, 0);
  lane_.assign(units, 0);
  for (const RouterId r : network.endpoint_routers()) destinations_.push_back(r.value);
  sources_.resize(network.terminal_count());
  std::iota(sources_.begin(), sources_.end(), 0U);
}

/// Cheapest routes from a router to all others along one lane: as routes rise along the order, one pass over
/// it meets the channels of each in turn.
void RisingRoutes::search(std::uint32_t lane, std::uint32_t home) {
  std::vector<double>& distance = distance_[lane];
  std::vector<std::uint32_t>& last = last_[lane];
  std::vector<std::uint32_t>& via = via_[lane];
  std::fill(distance.begin(), distance.end(), kFar);
  distance[home] = 0;
  last[home] = kNone;
  for (const Step& step : order_[lane]) {
    const double reached = distance[step.from] + price_[step.channel];
    if (reached >= distance[step.to]) continue;
    distance[step.to] = reached;
    via[step.channel] = last[step.from];
    last[step.to] = step.channel;
  }
}

/// False where the lane has no route, or too long a one.
bool RisingRoutes::trace(std::uint32_t lane, std::uint32_t to, std::vector<std::uint32_t>& route) const {
  route.clear();
  if (distance_[lane][to] == kFar) return false;
  for (std::uint32_t c = last_[lane][to]; c != kNone; c = via_[lane][c]) route.push_back(c);
  std::reverse(route.begin(), route.end());
  return route.size() <= kLongest;
}

void RisingRoutes::set_route(std::size_t unit, std::span<const std::uint32_t> route) {
  if (route.size() > room_[unit]) {
    first_[unit] = channels_.size();
    room_[unit] = static_cast<std::uint8_t>(route.size());
    channels_.resize(channels_.size() + route.size());
  }
  std::copy(route.begin(), route.end(), channels_.begin() + static_cast<std::ptrdiff_t>(first_[unit]));
  length_[unit] = static_cast<std::uint8_t>(route.size());
}

void RisingRoutes::add(std::span<const std::uint32_t> route, std::uint32_t pairs, bool away) {
  for (const std::uint32_t c : route) load_[c] = away ? load_[c] - pairs : load_[c] + pairs;
}

std::uint64_t RisingRoutes::route_all(const Progress& progress) {
  std::uint64_t missing = 0;
  for (const std::uint32_t s : sources_) {
    if (progress.interrupted()) throw Interrupted();
    const std::uint32_t home = network_.router_of(TerminalId(s)).value;
    // Loads decide between routes of as many hops alone.
    const double most = static_cast<double>(greatest_load()) + 1;
    for (std::size_t c = 0; c < price_.size(); ++c) price_[c] = 1 + load_[c] / most / (kLongest + 1.0);
    for (std::uint32_t lane = 0; lane < lanes_; ++lane) search(lane, home);
    for (const std::uint32_t to : destinations_) {
      if (to == home) continue;
      const std::size_t unit = std::size_t{s} * routers_ + to;
      std::uint32_t best = lanes_;
      for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
        if (distance_[lane][to] < (best == lanes_ ? kFar : distance_[best][to])) best = lane;
      }
      if (best == lanes_ || !trace(best, to, candidate_)) {
        ++missing;
        continue;
      }
      set_route(unit, candidate_);
      lane_[unit] = static_cast<std::uint8_t>(best);
      add(candidate_, network_.terminals_at(RouterId(to)).size(), false);
    }
  }
  return missing;
}

/// Prices of a round. Those of loads that only come up later are found one by one.
void RisingRoutes::price_by_load(double power) {
  exponent_ = power;
  mean_ = std::max(1.0,
                   static_cast<double>(hops()) / static_cast<double>(std::max<std::size_t>(1, load_.size())));
  power_.resize(std::size_t{greatest_load()} * 2 + 2);
  for (std::size_t load = 0; load < power_.size(); ++load)
    power_[load] = std::pow(static_cast<double>(load + 1) / mean_, power);
}

double RisingRoutes::price_at(std::uint32_t load) const {
  return load < power_.size() ? power_[load] : std::pow((load + 1.0) / mean_, exponent_);
}

/// With so many pairs more on each channel.
double RisingRoutes::price_of(std::span<const std::uint32_t> route, std::uint32_t more) const {
  double price = 0;
  for (const std::uint32_t c : route) price += price_at(load_[c] + more);
  return price;
}

std::uint64_t RisingRoutes::balance(double power, Random& random, const Progress& progress) {
  std::uint64_t changed = 0;
  random.shuffle(sources_);
  price_by_load(power);
  for (const std::uint32_t s : sources_) {
    if (progress.interrupted()) throw Interrupted();
    const std::uint32_t home = network_.router_of(TerminalId(s)).value;
    for (std::size_t c = 0; c < price_.size(); ++c) price_[c] = price_at(load_[c]);
    for (std::uint32_t lane = 0; lane < lanes_; ++lane) search(lane, home);
    random.shuffle(destinations_);
    for (const std::uint32_t to : destinations_) {
      if (to == home) continue;
      const std::size_t unit = std::size_t{s} * routers_ + to;
      const std::uint32_t pairs = network_.terminals_at(RouterId(to)).size();
      add(route(unit), pairs, true);
      double least = price_of(route(unit), pairs);
      std::uint32_t best = lanes_;
      for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
        // What the search found is the least that the route can cost, but for what has moved since.
        if (distance_[lane][to] >= least || !trace(lane, to, candidate_)) continue;
        const double price = price_of(candidate_, pairs);
        if (price >= least) continue;
        least = price;
        best = lane;
        std::swap(best_, candidate_);
      }
      if (best < lanes_) {
        ++changed;
        set_route(unit, best_);
        lane_[unit] = static_cast<std::uint8_t>(best);
      }
      add(route(unit), pairs, false);
    }
  }
  return changed;
}

void RisingRoutes::spread_lanes(const Progress& progress) {
  const std::size_t channels = load_.size();
  std::vector<std::uint32_t> place(channels * lanes_);  // by lane, channel
  for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
    for (std::uint32_t i = 0; i < order_[lane].size(); ++i)
      place[lane * channels + order_[lane][i].channel] = i;
  }
  std::vector<std::uint32_t> lane_load(channels * lanes_, 0);
  const auto rises = [&](std::span<const std::uint32_t> route, std::uint32_t lane) {
    const std::uint32_t* const at = place.data() + lane * channels;
    return std::is_sorted(route.begin(), route.end(),
                          [at](std::uint32_t a, std::uint32_t b) { return at[a] < at[b]; });
  };
  constexpr int kPasses = 3;
  for (int pass = 0; pass < kPasses; ++pass) {
    for (const std::uint32_t s : sources_) {
      if (progress.interrupted()) throw Interrupted();
      for (const std::uint32_t to : destinations_) {
        const std::size_t unit = std::size_t{s} * routers_ + to;
        const std::span<const std::uint32_t> route = this->route(unit);
        const std::uint32_t pairs = network_.terminals_at(RouterId(to)).size();
        if (pass > 0) {
          for (const std::uint32_t c : route) lane_load[lane_[unit] * channels + c] -= pairs;
        }
        std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
        for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
          if (!rises(route, lane)) continue;
          std::uint64_t sum = 0;
          for (const std::uint32_t c : route) sum += lane_load[lane * channels + c];
          if (sum >= least) continue;
          least = sum;
          lane_[unit] = static_cast<std::uint8_t>(lane);
        }
        for (const std::uint32_t c : route) lane_load[lane_[unit] * channels + c] += pairs;
      }
    }
  }
}

std::uint32_t RisingRoutes::greatest_load() const {
  return load_.empty() ? 0 : *std::max_element(load_.begin(), load_.end());
}

std::uint64_t RisingRoutes::hops() const {
  return std::accumulate(load_.begin(), load_.end(), std::uint64_t{0});
}

Routing RisingRoutes::routing() const {
  const std::uint32_t terminals = network_.terminal_count();
  std::vector<std::uint16_t> lengths(std::size_t{terminals} * terminals);
  const auto unit_of = [&](TerminalId s, TerminalId d) {
    return std::size_t{s.value} * routers_ + network_.router_of(d).value;
  };
  for (const TerminalId s : network_.terminals()) {
    for (const TerminalId d : network_.terminals())
      lengths[std::size_t{s.value} * terminals + d.value] = length_[unit_of(s, d)];
  }
  auto routes = std::make_shared<SourceRoutes>(terminals, lengths);
  Routing routing;
  routing.service_levels = ServiceLevels(network_, ServiceLevels::Rows::by_terminal);
  std::uint32_t highest = 0;
  for (const TerminalId s : network_.terminals()) {
    const std::span<std::uint8_t> levels = routing.service_levels.row(routing.service_levels.row_of(s));
    for (const TerminalId d : network_.terminals()) {
      const std::size_t unit = unit_of(s, d);
      const std::span<ChannelId> to = routes->route(s, d);
      std::transform(route(unit).begin(), route(unit).end(), to.begin(),
                     [](std::uint32_t c) { return ChannelId(c); });
      if (s == d) continue;
      levels[d.value] = lane_[unit];
      highest = std::max<std::uint32_t>(highest, lane_[unit]);
    }
  }
  routing.paths = std::shared_ptr<const SourceRoutes>(std::move(routes));
  routing.virtual_lanes = routing.lanes_needed = highest + 1;
  return routing;
}

}  // namespace unknot
