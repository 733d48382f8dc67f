// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/orders/lane_orders.hpp"
#include "unknot/routing/trees/path_dag.hpp"

namespace unknot {

/// All shortest paths towards one router, as PathDag has them, in the form that choosing trees within
/// LaneOrders wants: with each candidate its position among the channels out of the router and its first
/// turn.
struct CoverDag {
  std::uint32_t root = 0;
  std::vector<std::uint32_t> order;  ///< by position: router, nearest first
  std::vector<std::uint32_t> first;  ///< by position: first candidate; one more entry at the end
  std::vector<std::uint32_t> level;  ///< by distance: first position at it; one more entry at the end
  std::vector<std::uint32_t> to;     ///< by candidate: router
  std::vector<std::uint32_t> turn;   ///< by candidate: LaneOrders::first_turn of its channel
  std::vector<std::uint16_t> entry;  ///< by candidate: position of its channel among those out of the router

  [[nodiscard]] std::uint32_t positions() const { return static_cast<std::uint32_t>(order.size()); }
  [[nodiscard]] std::uint32_t depth() const { return static_cast<std::uint32_t>(level.size()) - 2; }
};

/// One for each router that has terminals, in order of router. `level` (if given) receives for each of them a
/// row by router: hops to the root, 0xFFFF where there is no path.
std::vector<CoverDag> cover_dags(const Network& network, PathDags& dags, std::vector<std::uint16_t>* level);

}  // namespace unknot
