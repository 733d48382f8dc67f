// SPDX-License-Identifier: Apache-2.0
#include "unknot/angara/route_balance.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace unknot::angara {

std::uint32_t Balance::max_load() const {
  return load.empty() ? 0 : *std::max_element(load.begin(), load.end());
}

Price::Price(std::uint32_t most, const std::function<double(std::uint32_t)>& f) {
  marginal_.reserve(most + std::size_t{1});
  double here = f(0);
  for (std::uint32_t load = 0; load <= most; ++load) {
    const double above = f(load + 1);
    marginal_.push_back(above - here);
    here = above;
  }
}

RouteBalance::RouteBalance(const System& system, const RouteChoices& choices)
    : system_(system), choices_(choices), fixed_load_(system.torus.slot_count(), 0) {
  const Torus& torus = system.torus;
  const Network& network = torus.network();
  channels_ = network.channel_count();
  std::vector<std::uint32_t> most(torus.slot_count(), 0);
  for (std::uint32_t s = 0; s < choices.terminal_count(); ++s) {
    const std::uint32_t node = network.router_of(TerminalId(s)).value;
    for (std::uint32_t d = 0; d < choices.terminal_count(); ++d) {
      const auto routes = choices.of(s, d);
      if (routes.empty()) continue;
      hops_ += routes[0].hops();
      if (routes.size() == 1) {
        walk(torus, node, routes[0], [&](std::uint32_t slot) { ++fixed_load_[slot]; });
        continue;
      }
      open_.push_back({s, d, static_cast<std::uint32_t>(routes.size()), routes[0].hops(), slots_.size()});
      open_routes_ += routes.size();
      for (const RouteCode code : routes) {
        walk(torus, node, code, [&](std::uint32_t slot) {
          slots_.push_back(slot);
          ++most[slot];
        });
      }
    }
  }
  for (std::size_t slot = 0; slot < most.size(); ++slot)
    limit_ = std::max(limit_, most[slot] + fixed_load_[slot]);
}

double RouteBalance::mean_load() const {
  return channels_ == 0 ? 0 : static_cast<double>(hops_) / channels_;
}

double RouteBalance::sigma4(const Balance& balance) const {
  if (channels_ == 0) return 0;
  const double mean = mean_load();
  double sum = 0;
  for (std::uint32_t slot = 0; slot < balance.load.size(); ++slot) {
    if (system_.torus.next(slot) == Torus::kNone) continue;
    const double off = balance.load[slot] - mean;
    sum += off * off * off * off;
  }
  return std::pow(sum / channels_, 0.25);
}

Balance RouteBalance::from_table(const RouteTable& table) const {
  return pick([&](std::uint32_t s, std::uint32_t d, std::span<const RouteCode> routes) {
    const RouteCode code = table[static_cast<std::size_t>(s) * choices_.terminal_count() + d];
    return static_cast<std::uint32_t>(std::find(routes.begin(), routes.end(), code) - routes.begin());
  });
}

Balance RouteBalance::pick(const std::function<std::uint32_t(std::uint32_t, std::uint32_t,
                                                             std::span<const RouteCode>)>& pick) const {
  Balance balance{std::vector<std::uint32_t>(open_.size()), fixed_load_};
  for (std::size_t i = 0; i < open_.size(); ++i) {
    const Open& pair = open_[i];
    balance.choice[i] = pick(pair.source, pair.destination, choices_.of(pair.source, pair.destination));
    add(slots(pair, balance.choice[i]), pair.hops, balance.load);
  }
  return balance;
}

Balance RouteBalance::with(std::vector<std::uint32_t> choice) const {
  Balance balance{std::move(choice), fixed_load_};
  for (std::size_t i = 0; i < open_.size(); ++i)
    add(slots(open_[i], balance.choice[i]), open_[i].hops, balance.load);
  return balance;
}

RouteTable RouteBalance::to_table(const Balance& balance) const {
  const std::uint32_t terminals = choices_.terminal_count();
  RouteTable table(static_cast<std::size_t>(terminals) * terminals);
  for (std::uint32_t s = 0; s < terminals; ++s) {
    for (std::uint32_t d = 0; d < terminals; ++d) {
      const auto routes = choices_.of(s, d);
      if (routes.size() == 1) table[static_cast<std::size_t>(s) * terminals + d] = routes[0];
    }
  }
  for (std::size_t i = 0; i < open_.size(); ++i) {
    const Open& pair = open_[i];
    table[static_cast<std::size_t>(pair.source) * terminals + pair.destination] =
        choices_.of(pair.source, pair.destination)[balance.choice[i]];
  }
  return table;
}

void RouteBalance::descend(Balance& balance, const Price& price, std::uint32_t sweeps) const {
  for (bool changed = true; changed && sweeps > 0; --sweeps) {
    changed = false;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      const Open& pair = open_[i];
      take(slots(pair, balance.choice[i]), pair.hops, balance.load);
      std::uint32_t best = balance.choice[i];
      double lowest = cost(slots(pair, best), pair.hops, balance.load, price);
      for (std::uint32_t route = 0; route < pair.routes; ++route) {
        const double here = cost(slots(pair, route), pair.hops, balance.load, price);
        if (here >= lowest) continue;
        lowest = here;
        best = route;
      }
      add(slots(pair, best), pair.hops, balance.load);
      changed = changed || best != balance.choice[i];
      balance.choice[i] = best;
    }
  }
}

double RouteBalance::lightest(const std::vector<double>& weight, std::vector<std::uint32_t>& load) const {
  load = fixed_load_;
  double sum = 0;
  for (std::size_t slot = 0; slot < fixed_load_.size(); ++slot) sum += weight[slot] * fixed_load_[slot];
  for (const Open& pair : open_) {
    const std::uint32_t* best = nullptr;
    double lowest = 0;
    for (std::uint32_t route = 0; route < pair.routes; ++route) {
      const std::uint32_t* const slot = slots(pair, route);
      double here = 0;
      for (std::uint32_t i = 0; i < pair.hops; ++i) here += weight[slot[i]];
      if (best != nullptr && here >= lowest) continue;
      best = slot;
      lowest = here;
    }
    sum += lowest;
    add(best, pair.hops, load);
  }
  return sum;
}

std::uint64_t RouteBalance::anneal(Balance& balance, const Price& price, const Cooling& cooling,
                                   Random& random, const std::function<bool()>& stop) const {
  if (open_.empty() || cooling.moves == 0) return 0;
  constexpr std::uint64_t kLook = 4096;  // moves between looks at the clock and the goal
  const double factor =
      std::pow(cooling.to / cooling.from, static_cast<double>(kLook) / static_cast<double>(cooling.moves));
  double temperature = cooling.from;
  for (std::uint64_t move = 0; move < cooling.moves; ++move) {
    if (move % kLook == 0) {
      if (balance.max_load() <= cooling.goal || stop()) return move;
      if (move > 0) temperature *= factor;
    }
    const std::uint32_t i = random.below(open_pairs());
    const Open& pair = open_[i];
    const std::uint32_t old = balance.choice[i];
    std::uint32_t other = random.below(pair.routes - 1);
    if (other >= old) ++other;
    take(slots(pair, old), pair.hops, balance.load);
    const double change = cost(slots(pair, other), pair.hops, balance.load, price) -
                          cost(slots(pair, old), pair.hops, balance.load, price);
    const bool accepted = change <= 0 || random.unit() < std::exp(-change / temperature);
    add(slots(pair, accepted ? other : old), pair.hops, balance.load);
    if (accepted) balance.choice[i] = other;
  }
  return cooling.moves;
}

}  // namespace unknot::angara
