// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
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

  [[nodiscard]] const EndpointRouters& endpoints() const { return demand_->endpoints(); }
  /// As RouterDemand::column().
  void column(std::uint32_t destination, std::span<double> rate) const;
  /// True where packets of this pair of different endpoint routers have an intermediate to go to.
  [[nodiscard]] bool routable(std::uint32_t source, std::uint32_t destination) const {
    return weight(part_[source], part_[destination]) > 0;
  }

 private:
  /// 1 / number of intermediates of a pair of routers of these parts; 0 where there is none.
  [[nodiscard]] double weight(std::uint32_t from, std::uint32_t to) const {
    return weight_[from * std::size_t{parts_} + to];
  }
  [[nodiscard]] bool reaches(std::uint32_t from, std::uint32_t to) const {
    return reach_[from * std::size_t{parts_} + to] != 0;
  }
  void find_parts(const Network& network);
  void find_weights();
  void add_up();

  const RouterDemand* demand_;
  std::uint32_t parts_ = 0;
  std::vector<std::uint32_t> part_;  // by endpoint router; only parts with endpoint routers are numbered
  std::vector<double> members_;      // by part: endpoint routers
  std::vector<std::uint8_t> reach_;  // [from * parts + to]
  std::vector<double> weight_;       // [from * parts + to]
  std::vector<double> sent_;         // [endpoint * parts + part]: to intermediates of that part, each
  std::vector<double> received_;     // [endpoint * parts + part]: from intermediates of that part, each
};

}  // namespace unknot
