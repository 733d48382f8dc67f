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

/// Moves channels within the orders of lanes until each pair of routers with terminals has a route, of any
/// length, that rises along one of them. A search for shortest paths on few lanes joins most pairs well and
/// leaves some without any route; a few moves join these too, and all else stays as it was found.
///
/// Which routers reach which is known for all at once: one pass over an order, a union of sets of bits for
/// each channel. A move takes a pair that is missing and a channel of which one place in the order gives the
/// pair a route: from the pair's source the channel's own source is reached before that place, and behind it
/// its target reaches the pair's destination. It goes as little way as it can. Where no channel will do, and
/// now and then otherwise, a whole shortest path is laid into an order. Moves that leave no more pairs
/// missing stay, others now and then, more often the longer nothing was won (annealing, heated up again and
/// again).
class OrderRepair {
 public:
  /// Both must outlive the object. Memory: a bit for each lane, router and router with terminals.
  OrderRepair(const Network& network, LaneOrders& orders, std::uint64_t seed);

  /// Pairs of routers with terminals that some path joins and no route rises between.
  [[nodiscard]] std::uint64_t missing() const { return missing_; }

  /// Tries moves until nothing is missing or `most_moves` have been tried; `orders` become the best that were
  /// met. Returns how many pairs are missing then, which are no more than before. A move takes O(lanes *
  /// channels) and channels * routers / 64 unions. Throws Interrupted.
  std::uint64_t run(std::uint64_t most_moves, const Progress& progress);

 private:
  using Word = std::uint64_t;
  struct Pair {
    std::uint32_t from, to;  // routers
  };

  void set_own(std::vector<Word>& reach) const;
  bool pass(const OrderSteps& order, std::vector<Word>& reach) const;
  [[nodiscard]] std::uint64_t count(std::uint32_t lane, const std::vector<Word>& reach,
                                    std::vector<Word>& lacks) const;
  [[nodiscard]] Pair any_missing();
  void list_moves(const Pair& pair);
  std::uint32_t try_move(const Pair& pair);
  std::uint32_t lay_path(const Pair& pair);
  void put_back();

  const Network& network_;
  LaneOrders& orders_;
  Random random_;
  std::uint32_t routers_, lanes_;
  std::size_t words_;                     // of a set of routers with terminals
  std::vector<std::uint32_t> terminals_;  // routers with terminals
  std::vector<OrderSteps> order_, best_;  // by lane
  std::uint64_t missing_ = 0;
  // Sets of routers with terminals, of which the row's router is reached.
  std::vector<Word> joined_;              // by router: by any path
  std::vector<std::vector<Word>> reach_;  // by lane, router: by routes that rise
  std::vector<Word> lacks_;               // by router with terminals: by none that rises
  // Of the move at hand.
  OrderSteps tried_;
  std::vector<Word> tried_reach_, tried_lacks_;
  std::vector<OrderMove> moves_;
  std::vector<std::uint32_t> first_,
      last_;  // by router: place behind which it is reached, before which it goes on
};

}  // namespace unknot
