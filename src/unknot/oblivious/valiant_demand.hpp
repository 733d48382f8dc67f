// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/oblivious/intermediates.hpp"
#include "unknot/oblivious/router_demand.hpp"

namespace unknot {

/// What Valiant's routing makes of a demand (Valiant 1982; Kathareios et al., SC'15, section 3.2): every
/// packet goes to an intermediate router first, drawn uniformly from all routers with terminals but its
/// source and its destination, and from there to its destination, both on shortest paths. The loads are those
/// of shortest paths under another demand, the sum of both ways. With n routers with terminals that all reach
/// each other, and D the demand,
///
///     F(a, b) = (sum of D(a, .) + sum of D(., b) - 2 D(a, b)) / (n - 2)
///
/// since a sends to the intermediate b what it sends to anyone but b, and the intermediate a sends to b what
/// anyone but a sends to b. Where not all reach each other, a pair's intermediates are those that its source
/// reaches and that reach its destination; the sums are then taken by strongly connected parts.
///
/// O(n^2) time, and O(n * parts) memory.
class ValiantDemand {
 public:
  /// `demand` must outlive it.
  ValiantDemand(const Network& network, const RouterDemand& demand);

  /// As RouterDemand::column(). Pairs of the demand without an intermediate are left out.
  void column(std::uint32_t destination, std::span<double> rate) const;
  [[nodiscard]] const Intermediates& intermediates() const { return intermediates_; }

 private:
  const RouterDemand* demand_;
  Intermediates intermediates_;
  std::vector<double> sent_;      // [endpoint * parts + part]: to intermediates of that part, each
  std::vector<double> received_;  // [endpoint * parts + part]: from intermediates of that part, each
};

}  // namespace unknot
