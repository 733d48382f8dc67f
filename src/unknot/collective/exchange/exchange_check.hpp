// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "unknot/collective/bandwidth/fraction.hpp"
#include "unknot/collective/exchange/exchange_plan.hpp"
#include "unknot/collective/model/problem.hpp"

namespace unknot {

/// What a plan does, found from nothing but the problem and the plan.
struct ExchangeVerdict {
  std::string fault;           ///< the first thing that is wrong, one sentence; empty: it delivers
  Fraction time;               ///< in messages over capacity: of the arc that takes longest
  NodeId from, to;             ///< that arc
  std::uint32_t channels = 0;  ///< most arcs of a route

  [[nodiscard]] bool valid() const { return fault.empty(); }
};

/// Every message in all its parts: each route has a message's ends, and goes by channels that are there,
/// through no terminal and no node twice. Then the load of each arc over its capacity. `problem` is a
/// scatter. O(nodes of routes + messages).
ExchangeVerdict check_exchange(const Problem& problem, const ExchangePlan& plan);

}  // namespace unknot
