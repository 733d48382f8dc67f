// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/orders/lane_orders.hpp"
#include "unknot/routing/source_routed/order_steps.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/support/random.hpp"

namespace unknot {

/// Seeks orders of the lanes' channels along which as many pairs of routers with terminals as can be have a
/// shortest route, each pair for itself: unlike OrderSearch it asks for no trees, by which all that comes
/// through a router goes on alike.
///
/// Simulated annealing. One pass over an order tells for all pairs at once whether it has a shortest route
/// for them, by sets of bits. A move takes a pair that has none and moves one channel of its shortest paths,
/// as little as it can, to where it gives the pair one; a move that loses more pairs than it wins stays with
/// a probability that falls as the search cools down.
class OrderAnnealing {
 public:
  /// `level`: as cover_dags() gives it. All must outlive the object. Memory: a bit for each channel and for
  /// each lane and router, times routers with terminals.
  OrderAnnealing(const Network& network, const std::vector<std::uint16_t>& level, LaneOrders& orders,
                 std::uint64_t seed);

  /// Pairs that have a path and no shortest route along a lane.
  [[nodiscard]] std::uint64_t detours() const { return detours_; }

  /// Tries so many moves, or fewer where no detours are left; `orders` become those at the end. Returns the
  /// detours. A move takes channels * routers / 64 unions. Throws Interrupted.
  std::uint64_t run(std::uint64_t moves, const Progress& progress);

 private:
  using Word = std::uint64_t;
  struct Pair {
    std::uint32_t from, to;  // a router; a destination's index
  };

  void pass(const OrderSteps& order, std::vector<Word>& reached) const;
  [[nodiscard]] Word open(std::size_t at) const;
  [[nodiscard]] bool is_open(const Pair& pair) const;
  [[nodiscard]] Pair any_detour();
  void list_paths(const Pair& pair);
  void list_moves(const Pair& pair);
  void move(std::uint32_t lane, std::uint32_t from, std::uint32_t to);
  [[nodiscard]] std::int64_t won(std::uint32_t lane) const;

  const Network& network_;
  const std::vector<std::uint16_t>& level_;  // by destination, router
  LaneOrders& orders_;
  Random random_;
  std::uint32_t routers_, lanes_;
  std::size_t words_;                              // of a set of destinations
  std::vector<std::uint32_t> destinations_;        // routers with terminals
  std::vector<Word> towards_;                      // by channel: destinations to which it leads nearer
  std::vector<Word> joined_;                       // by router: destinations to which it has a path
  std::vector<OrderSteps> order_;                  // by lane
  std::vector<std::vector<std::uint32_t>> place_;  // by lane, channel: in the order
  std::vector<std::vector<Word>> reached_;         // by lane, router: destinations of shortest routes
  std::uint64_t detours_ = 0;
  // Of the move at hand.
  std::vector<Word> tried_;
  std::vector<OrderMove> moves_;
  std::vector<std::uint32_t> on_path_;   // routers on shortest paths of the pair, nearest to its source first
  std::vector<std::uint32_t> channels_;  // of these paths, likewise
  std::vector<std::int64_t> first_,
      last_;                         // by router: place behind which it is reached, before which it goes on
  std::vector<std::uint64_t> seen_;  // by router: move
  std::uint64_t stamp_ = 0;
};

}  // namespace unknot
