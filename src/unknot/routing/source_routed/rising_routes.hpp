// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/orders/lane_orders.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/support/random.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// A route for each source terminal and destination router, whose channels rise along the order of one lane:
/// whatever routes are taken, no lane can deadlock. Unlike trees of a destination, routes do not bind each
/// other, so that each goes where there is room.
///
/// Routes are balanced for traffic between all terminals alike: each source in turn looks for routes along
/// which the sum of prices is least, a power of the load for each channel, in one pass over each lane's
/// order; a route goes over to them where its own price falls. So the sum over all channels of the next
/// higher power falls with every change, and with a growing power the greatest load does.
class RisingRoutes {
 public:
  static constexpr std::size_t kLongest = 255;  ///< channels of a route

  /// The orders and the network must outlive the object; nothing is routed yet.
  RisingRoutes(const Network& network, const LaneOrders& orders);

  /// Every pair by as few hops as the orders allow, the less loaded of such. Returns the pairs (source
  /// terminal, destination router) that no lane joins: they have no route. Pairs whose routes are longer
  /// than a route may be, 255 channels, count among them. O(terminals * lanes * channels). Throws
  /// Interrupted.
  std::uint64_t route_all(const Progress& progress);
  /// Every source once, in random order. Returns how many routes changed. O(terminals * lanes * channels).
  /// Throws Interrupted.
  std::uint64_t balance(double power, Random& random, const Progress& progress);

  /// Gives each route the lane, of those along which it rises, on whose channels there is least: three times
  /// over all routes. Routes stay. O(terminals * routers * lanes * hops).
  void spread_lanes(const Progress& progress);

  /// By channel: pairs of terminals whose route takes it.
  [[nodiscard]] std::span<const std::uint32_t> load() const { return load_; }
  [[nodiscard]] std::uint32_t greatest_load() const;
  [[nodiscard]] std::uint64_t hops() const;  ///< of all pairs of terminals

  /// Source routes, and the lane of each as its service level.
  [[nodiscard]] Routing routing() const;

 private:
  /// A channel of a lane's order.
  struct Step {
    std::uint32_t from, to, channel;
  };
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  void search(std::uint32_t lane, std::uint32_t home);
  bool trace(std::uint32_t lane, std::uint32_t to, std::vector<std::uint32_t>& route) const;
  void price_by_load(double power);
  [[nodiscard]] double price_at(std::uint32_t load) const;
  [[nodiscard]] double price_of(std::span<const std::uint32_t> route, std::uint32_t more) const;
  void add(std::span<const std::uint32_t> route, std::uint32_t pairs, bool away);
  [[nodiscard]] std::span<const std::uint32_t> route(std::size_t unit) const {
    return {channels_.data() + first_[unit], length_[unit]};
  }
  void set_route(std::size_t unit, std::span<const std::uint32_t> route);

  const Network& network_;
  std::uint32_t routers_, lanes_;
  std::vector<std::vector<Step>> order_;  // by lane
  std::vector<std::uint32_t> load_;       // by channel
  std::vector<double> price_;             // by channel
  // Of a round.
  double exponent_ = 1, mean_ = 1;
  std::vector<double> power_;  // by load: its price

  // By source terminal, then destination router.
  std::vector<std::size_t> first_;  // place of the route among channels_
  std::vector<std::uint8_t> length_, room_, lane_;
  std::vector<std::uint32_t> channels_;

  // Of the search from one router, by lane.
  std::vector<std::vector<double>> distance_;     // by router
  std::vector<std::vector<std::uint32_t>> last_;  // by router: channel by which it is reached
  std::vector<std::vector<std::uint32_t>> via_;   // by channel: the one before it
  std::vector<std::uint32_t> candidate_, best_, destinations_, sources_;
};

}  // namespace unknot
