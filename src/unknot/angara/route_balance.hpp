// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "unknot/angara/system.hpp"
#include "unknot/support/random.hpp"

namespace unknot::angara {

/// A choice of one route for each pair, and the loads it makes.
struct Balance {
  std::vector<std::uint32_t> choice;  ///< by open pair (RouteBalance): which of its routes
  std::vector<std::uint32_t> load;    ///< by slot

  [[nodiscard]] std::uint32_t max_load() const;
};

/// What a load costs: sum over channels of f(load). Kept as the price of one route more at each load.
class Price {
 public:
  /// f is asked for 0 .. `most` + 1. It should be convex.
  Price(std::uint32_t most, const std::function<double(std::uint32_t)>& f);
  [[nodiscard]] double of(std::uint32_t load) const { return marginal_[load]; }

 private:
  std::vector<double> marginal_;
};

/// Rip-up and reroute among the shortest routes. Pairs with several routes are open; their routes are written
/// out once. Memory: 4 bytes for each channel of each open pair's routes.
class RouteBalance {
 public:
  RouteBalance(const System& system, const RouteChoices& choices);

  [[nodiscard]] std::uint32_t open_pairs() const { return static_cast<std::uint32_t>(open_.size()); }
  /// No channel can carry more: the load when all routes of all pairs are counted.
  [[nodiscard]] std::uint32_t load_limit() const { return limit_; }
  /// Channels on the routes of all pairs.
  [[nodiscard]] std::uint64_t total_hops() const { return hops_; }
  /// Mean load over the channels that are there.
  [[nodiscard]] double mean_load() const;
  /// ((1/|C|) sum |mean - load|^4)^(1/4) over the channels that are there.
  [[nodiscard]] double sigma4(const Balance& balance) const;

  /// Of a table that takes one of the choices for each pair.
  [[nodiscard]] Balance from_table(const RouteTable& table) const;
  [[nodiscard]] RouteTable to_table(const Balance& balance) const;
  /// Routes that an open pair may choose among.
  [[nodiscard]] std::uint32_t routes_of(std::uint32_t open_pair) const { return open_[open_pair].routes; }
  /// The choice given by open pair, with its loads.
  [[nodiscard]] Balance with(std::vector<std::uint32_t> choice) const;
  /// Puts one pair on another of its routes.
  void change(Balance& balance, std::uint32_t open_pair, std::uint32_t route) const {
    const Open& pair = open_[open_pair];
    take(slots(pair, balance.choice[open_pair]), pair.hops, balance.load);
    add(slots(pair, route), pair.hops, balance.load);
    balance.choice[open_pair] = route;
  }
  /// Each pair's route that `pick` names among its routes.
  [[nodiscard]] Balance pick(
      const std::function<std::uint32_t(std::uint32_t source, std::uint32_t destination,
                                        std::span<const RouteCode> routes)>& pick) const;

  /// Sweeps over all pairs, giving each its cheapest route among the others' loads, until a sweep changes
  /// nothing or `sweeps` are done.
  void descend(Balance& balance, const Price& price, std::uint32_t sweeps) const;

  /// Every open pair on its lightest route by the weights (by slot), single ones on theirs: sets `load` to
  /// the loads that makes, and returns the sum over all pairs of what their route weighs.
  double lightest(const std::vector<double>& weight, std::vector<std::uint32_t>& load) const;

  /// Calls visit(open pair, slots) for each route of each open pair.
  template <class Visit>
  void for_each_open_route(const Visit& visit) const {
    for (std::uint32_t i = 0; i < open_pairs(); ++i) {
      for (std::uint32_t route = 0; route < open_[i].routes; ++route)
        visit(i, std::span<const std::uint32_t>(slots(open_[i], route), open_[i].hops));
    }
  }
  /// Routes of all open pairs.
  [[nodiscard]] std::uint64_t open_routes() const { return open_routes_; }
  /// By slot: routes of pairs that have a single one.
  [[nodiscard]] const std::vector<std::uint32_t>& fixed_load() const { return fixed_load_; }

  struct Cooling {
    double from = 1, to = 0.01;  ///< temperatures, in units of the price
    std::uint64_t moves = 0;
    std::uint32_t goal = 0;  ///< stops when no load is above it
  };
  /// Simulated annealing: a random pair tries another of its routes at random. Returns moves done.
  std::uint64_t anneal(Balance& balance, const Price& price, const Cooling& cooling, Random& random,
                       const std::function<bool()>& stop) const;

 private:
  struct Open {
    std::uint32_t source = 0, destination = 0;
    std::uint32_t routes = 0;
    std::uint32_t hops = 0;
    std::size_t first_slot = 0;
  };
  [[nodiscard]] const std::uint32_t* slots(const Open& pair, std::uint32_t route) const {
    return slots_.data() + pair.first_slot + static_cast<std::size_t>(route) * pair.hops;
  }
  static void add(const std::uint32_t* slot, std::uint32_t hops, std::vector<std::uint32_t>& load) {
    for (std::uint32_t i = 0; i < hops; ++i) ++load[slot[i]];
  }
  static void take(const std::uint32_t* slot, std::uint32_t hops, std::vector<std::uint32_t>& load) {
    for (std::uint32_t i = 0; i < hops; ++i) --load[slot[i]];
  }
  static double cost(const std::uint32_t* slot, std::uint32_t hops, const std::vector<std::uint32_t>& load,
                     const Price& price) {
    double sum = 0;
    for (std::uint32_t i = 0; i < hops; ++i) sum += price.of(load[slot[i]]);
    return sum;
  }

  const System& system_;
  const RouteChoices& choices_;
  std::vector<Open> open_;
  std::vector<std::uint32_t> slots_;
  std::vector<std::uint32_t> fixed_load_;  // by slot: of pairs with a single route
  std::uint32_t limit_ = 0;
  std::uint64_t hops_ = 0;
  std::uint64_t open_routes_ = 0;
  std::uint32_t channels_ = 0;
};

}  // namespace unknot::angara
