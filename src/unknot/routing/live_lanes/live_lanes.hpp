// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/faults.hpp"
#include "unknot/network/live/live_network.hpp"
#include "unknot/routing/live_lanes/escape_order.hpp"
#include "unknot/routing/live_lanes/hop_counts.hpp"
#include "unknot/routing/live_lanes/lane_update.hpp"
#include "unknot/routing/live_lanes/tree_mender.hpp"
#include "unknot/routing/live_lanes/turn_rules.hpp"
#include "unknot/tables/blocks/tree_tables.hpp"

namespace unknot {

/// Tables of any network, on virtual lanes, that follow it: cables and routers die and come back, and only
/// what follows from it is rerouted. Starts from tables of the whole network by anyone, which must be
/// deadlock-free.
///
/// Each lane is an order of the channels, found from those tables once: a packet on the lane takes its
/// channels in that order, so that a lane stays deadlock-free whatever is rerouted, and a tree is mended
/// (TreeMender) without a look at any other. One lane more has an Up*/Down* order that follows the network
/// (EscapeOrder): by it every pair with a path is delivered. No event makes all anew.
///
/// Paths that are cut become as short as can be on some lane; what comes back takes paths that it makes
/// shorter, and others that are more loaded than those by it. Entries of dead routers, towards their
/// terminals and where no path is left are none. The result does not depend on threads: there is one. For a
/// checker that it is so: LiveLaneCheck.
///
/// All cables must go both ways. Memory: 2 bytes for each router and terminal, 1 for each router and router
/// with terminals, 2 for each turn.
class LiveLanes {
 public:
  /// The network must outlive this. Throws InputError where TreeTables does, where a cable goes one way, and
  /// where the lanes of the routing and the one more are above `most_lanes`; RoutingFailure where the tables
  /// do not deliver every pair or can deadlock. O(entries).
  LiveLanes(const Network& network, const Routing& routing, std::uint32_t most_lanes);
  LiveLanes(const LiveLanes&) = delete;
  LiveLanes& operator=(const LiveLanes&) = delete;

  /// An event, however many parts it is about. Throws std::out_of_range for ids the network does not have and
  /// InputError where half a cable is named: then nothing has changed; and RoutingFailure where a path would
  /// have more than 254 hops: it is good for nothing then. What it returns is good until the next event.
  const LaneUpdate& apply(const LiveChange& change);

  [[nodiscard]] const LiveNetwork& network() const { return network_; }
  [[nodiscard]] const TreeTables& tables() const { return tables_; }
  /// Lanes that tables may use: those they began with and the escape's.
  [[nodiscard]] std::uint32_t lanes() const { return rules_.lanes(); }
  /// By lane all channels in an order in which packets take them: what a checker may use as a hint.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> orders() const;
  /// By channel: pairs of terminals whose path takes it.
  [[nodiscard]] const std::vector<std::uint32_t>& load() const { return mender_.load(); }
  /// The tables of with_faults() of what lives.
  [[nodiscard]] Routing routing_now() const;

 private:
  struct Loss {
    RouterId router;
    bool dead;
    std::vector<std::uint8_t> positions;  // of channels that have died
  };
  void list_losses(const LiveEvent& event);
  void follow(std::uint32_t block, const LiveEvent& event, std::span<const RouterId> moved);
  void add_roots(std::uint32_t block);
  void list_busy();
  void list_near(const LiveEvent& event);
  void fetch_ahead(std::uint32_t block) const;

  LiveNetwork network_;
  TreeTables tables_;
  std::vector<std::vector<std::uint32_t>> orders_;  // by lane, without the escape's
  EscapeOrder escape_;
  TurnRules rules_;
  HopCounts hops_;
  TreeMender mender_;
  LaneUpdate update_;
  std::vector<Loss> losses_;
  std::vector<RouterId> near_;
  double busiest_of_mean_;       // what the greatest load was of the mean at the beginning
  std::uint32_t most_ = 0;       // pairs from which on a channel is too busy
  std::size_t turn_ = 0;         // of those that are
  std::vector<ChannelId> busy_;  // channels that are
  std::vector<ChannelId> fillable_;
  std::vector<ChannelId> filled_;  // channels that have come back to routers that were there
  std::vector<HopCounts::Nearer> nearer_;
};

}  // namespace unknot
