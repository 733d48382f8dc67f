// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "unknot/collective/model/pair_routes.hpp"
#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// Ranks on the hosts of a network, and the ways that a routing gives to what they send each other: rows of
/// *lines*, each one cable one way. Lines are the channels of the network by their ids, then for terminal t
/// its cable to the router, and back.
class PlacedRanks {
 public:
  /// Rank r is on hosts[r], no two on the same; `network` must outlive this. InputError as PairRoutes, and
  /// where a pair of ranks has no route. O(terminals^2 * hops) time and memory.
  PlacedRanks(const Network& network, const Routing& routing, std::vector<TerminalId> hosts);

  [[nodiscard]] std::uint32_t ranks() const { return static_cast<std::uint32_t>(hosts_.size()); }
  [[nodiscard]] TerminalId host(std::uint32_t rank) const { return hosts_[rank]; }
  [[nodiscard]] const std::vector<TerminalId>& hosts() const { return hosts_; }
  [[nodiscard]] const Network& network() const { return *network_; }
  [[nodiscard]] const std::shared_ptr<const NodeGraph>& graph() const { return graph_; }
  [[nodiscard]] const std::shared_ptr<const PairRoutes>& routes() const { return routes_; }
  /// Node of a rank in graph().
  [[nodiscard]] NodeId node(std::uint32_t rank) const {
    return NodeId(network_->router_count() + hosts_[rank].value);
  }

  /// From the cable of the one that sends to that of the one that receives.
  [[nodiscard]] std::span<const std::uint32_t> lines(std::uint32_t from, std::uint32_t to) const {
    return routes_->lines(node(from), node(to));
  }
  [[nodiscard]] std::uint32_t line_count() const { return routes_->line_count(); }
  /// Of channels between routers; the others are cables of terminals.
  [[nodiscard]] bool is_channel(std::uint32_t line) const { return line < network_->channel_count(); }
  /// "S-3 port 2 -> S-7 port 1", "H-4 -> S-1 port 5".
  [[nodiscard]] std::string line_name(std::uint32_t line) const;
  /// Ranks on other hosts of the same network, different ones, or on the same in another order; routes
  /// between them are not looked for.
  [[nodiscard]] PlacedRanks with_hosts(std::vector<TerminalId> hosts) const;

 private:
  PlacedRanks() = default;
  const Network* network_ = nullptr;
  std::shared_ptr<const NodeGraph> graph_;
  std::shared_ptr<const PairRoutes> routes_;
  std::vector<TerminalId> hosts_;
};

/// Sizes of the grid that ranks are on, the last one running fastest: the coordinates of the network and,
/// where routers have several terminals, those as one more dimension. Empty where ranks are not all terminals
/// of a whole grid in order.
std::vector<std::uint32_t> grid_of_ranks(const PlacedRanks& placed);
/// Ranks of a box: how many in a row are nearest to each other, as many in each box and nearer than the
/// boxes' neighbours; 0 where there are no such boxes, or one alone. Near is what few channels lead to, or,
/// where links state capacities, what a byte is soon at.
std::uint32_t ranks_of_a_box(const PlacedRanks& placed);

}  // namespace unknot
