// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/live_lanes/orders_of_tables.hpp"

#include <cstddef>

#include "unknot/routing/model/engine.hpp"
#include "unknot/routing/orders/lane_orders.hpp"

namespace unknot {
namespace {

using LaneBits = std::uint16_t;

/// By turn: lanes on which some packet makes it.
class UsedTurns {
 public:
  explicit UsedTurns(const TreeTables& tables)
      : tables_(tables),
        network_(tables.network()),
        first_turn_(first_turns(network_)),
        used_(first_turn_.back(), 0),
        come_(network_.router_count()) {
    for (std::uint32_t block = 0; block < tables.blocks(); ++block) {
      for (std::uint32_t place = 0; place < tables.places(block); ++place) walk(block, place);
    }
  }

  [[nodiscard]] const std::vector<std::uint32_t>& first_turn() const { return first_turn_; }
  [[nodiscard]] bool used(std::uint32_t turn, std::uint32_t lane) const {
    return (used_[turn] >> lane & 1U) != 0;
  }

 private:
  /// A path ends where another of its lane has been.
  void walk(std::uint32_t block, std::uint32_t place) {
    const std::uint32_t places = tables_.places(block);
    const std::uint8_t* const entries = tables_.entries(block) + place;
    const std::uint8_t* const levels = tables_.levels(block) + place;
    const RouterId home = tables_.home(block);
    if (entries[std::size_t{home.value} * places] != TreeTables::kHere)
      throw RoutingFailure("the tables do not deliver every pair");
    come_.assign(come_.size(), 0);
    for (std::uint32_t row = 0; row < tables_.rows(); ++row) {
      RouterId at = tables_.router_of_row(row);
      if (at == home) continue;
      if (levels[std::size_t{at.value} * places] >= tables_.lanes())
        throw RoutingFailure("the tables have a pair whose level is none of their lanes");
      const auto lane = static_cast<LaneBits>(1U << levels[std::size_t{at.value} * places]);
      while (at != home && (come_[at.value] & lane) == 0) {
        come_[at.value] |= lane;
        const std::uint8_t entry = entries[std::size_t{at.value} * places];
        if (entry >= network_.out(at).size()) throw RoutingFailure("the tables do not deliver every pair");
        const ChannelId c = network_.out(at)[entry];
        at = network_.target(c);
        if (at == home) break;
        const std::uint8_t next = entries[std::size_t{at.value} * places];
        if (next < network_.out(at).size()) used_[first_turn_[c.value] + next] |= lane;
      }
    }
  }

  const TreeTables& tables_;
  const Network& network_;
  std::vector<std::uint32_t> first_turn_;
  std::vector<LaneBits> used_;
  std::vector<LaneBits> come_;  // by router: lanes of paths that have come there
};

}  // namespace

std::vector<std::vector<std::uint32_t>> orders_of_tables(const TreeTables& tables) {
  const Network& network = tables.network();
  const UsedTurns turns(tables);
  std::vector<std::vector<std::uint32_t>> orders(tables.lanes());
  std::vector<std::uint32_t> before(network.channel_count());  // by channel: that must come, and have not
  for (std::uint32_t lane = 0; lane < tables.lanes(); ++lane) {
    before.assign(before.size(), 0);
    const auto for_each_next = [&](std::uint32_t c, const auto& visit) {
      const IdRange<ChannelId> out = network.out(network.target(ChannelId(c)));
      for (std::uint32_t i = 0; i < out.size(); ++i) {
        if (turns.used(turns.first_turn()[c] + i, lane)) visit(out[i].value);
      }
    };
    for (std::uint32_t c = 0; c < before.size(); ++c)
      for_each_next(c, [&](std::uint32_t next) { ++before[next]; });
    std::vector<std::uint32_t>& order = orders[lane];
    order.reserve(before.size());
    for (std::uint32_t c = 0; c < before.size(); ++c) {
      if (before[c] == 0) order.push_back(c);
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      for_each_next(order[i], [&](std::uint32_t next) {
        if (--before[next] == 0) order.push_back(next);
      });
    }
    if (order.size() < before.size())
      throw RoutingFailure("tables that can deadlock cannot be followed: a lane has a cycle");
  }
  return orders;
}

}  // namespace unknot
