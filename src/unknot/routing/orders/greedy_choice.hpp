// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

#include "unknot/routing/orders/cover_dag.hpp"
#include "unknot/routing/orders/lane_orders.hpp"

namespace unknot {

/// Which of candidates with equally many lanes a router takes.
enum class GreedyTie : std::uint8_t {
  first,  ///< the first: spreads over the channels
  later,  ///< the one later in the order: more channels may come before it
};

/// A candidate and the lanes that allow the path by it.
struct GreedyChoice {
  LaneOrders::Mask mask;
  std::uint32_t candidate;
};

/// The candidate of a position whose path the most lanes allow. `mask` and `entry` are by router, filled for
/// all that lie nearer to the root; `first_out` is the first channel out of the position's router.
/// O(candidates of the position).
inline GreedyChoice greedy_choice(const CoverDag& dag, std::uint32_t position, std::uint32_t first_out,
                                  const LaneOrders& orders, GreedyTie tie, const LaneOrders::Mask* mask,
                                  const std::uint16_t* entry) {
  using Mask = LaneOrders::Mask;
  const Mask* const allowed = orders.allowed().data();
  const std::uint32_t begin = dag.first[position];
  const std::uint32_t end = dag.first[position + 1];
  // Next to the root there is no turn: any of parallel channels will do.
  if (dag.to[begin] == dag.root) return {orders.all_lanes(), begin};
  Mask most = 0;
  std::uint32_t best = begin;
  int most_lanes = -1;
  for (std::uint32_t c = begin; c < end; ++c) {
    const std::uint32_t to = dag.to[c];
    const Mask here = mask[to] & allowed[dag.turn[c] + entry[to]];
    const auto lanes = static_cast<int>(LaneCount::of(here));
    const Mask common = here & most;
    const bool better =
        lanes > most_lanes || (tie == GreedyTie::later && lanes == most_lanes && common != 0 &&
                               orders.after(static_cast<std::uint32_t>(std::countr_zero(common)),
                                            first_out + dag.entry[c], first_out + dag.entry[best]));
    if (better) {
      most = here;
      most_lanes = lanes;
      best = c;
    }
  }
  return {most, best};
}

}  // namespace unknot
