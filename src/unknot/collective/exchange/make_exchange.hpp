// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/collective/exchange/exchange_bound.hpp"
#include "unknot/collective/exchange/exchange_plan.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

struct ExchangeOptions {
  double gap = 0.01;  ///< as near to the bound as this is good enough
  std::uint32_t threads = 0;
};

/// Messages of an exchange divided at will over all paths, as near to the least time as is asked for.
class ExchangeFlow {
 public:
  /// The linear program where it is small, else by exponential lengths (bounds/concurrent_flow.hpp), half
  /// of the gap being left to what follows. InputError where a message has no path, for limits of
  /// ports, paths and routes, half-duplex links, and networks too large.
  ExchangeFlow(const Problem& problem, const ExchangeOptions& options, Progress& progress);

  /// The best that lengths prove: those of the flow, all the same, or around one node.
  [[nodiscard]] const ExchangeBound& bound() const { return bound_; }

  /// Whole parts of messages: one part each, then more, until the time is within the gap of the bound, or
  /// parts are 1,024 of a message or 2^24 in all; what is too much on an arc is led anew where that is
  /// possible. What flows to a destination is rounded node by node, so that no arc's load strays from the
  /// flow's by more than a few parts. Same problem, same plan, at any number of threads.
  [[nodiscard]] ExchangePlan plan() const;

 private:
  struct Channel {
    std::uint32_t head = 0, arc = 0;
  };
  ExchangePlan rounded(std::uint32_t copies) const;

  const Problem& problem_;
  ExchangeOptions options_;
  ExchangeBound bound_;
  std::vector<NodeId> destinations_;
  std::vector<float> flow_;  // [destination * arcs + arc]
};

}  // namespace unknot
