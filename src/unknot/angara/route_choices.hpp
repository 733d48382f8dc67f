// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/angara/route_code.hpp"
#include "unknot/angara/routing_graph.hpp"
#include "unknot/support/progress.hpp"

namespace unknot::angara {

/// All shortest routes of each ordered pair of nodes that have a terminal: those of fewest channels that the
/// routing graph allows, each physical route once. A pair without any cannot be routed. Terminals by number;
/// the route of a pair in a torus without failures has as many channels as their distance.
///
/// Memory: 8 bytes a route and 4 a pair.
class RouteChoices {
 public:
  /// Routes as long as the distance are written down directly; where failures leave none, the routing graph
  /// is searched. O(routes * hops), and O(edges of the graph) for each source that needs the search; parallel
  /// over sources. The graph is not kept. Throws Interrupted.
  RouteChoices(const RoutingGraph& graph, std::uint32_t threads, Progress& progress);

  [[nodiscard]] std::uint32_t terminal_count() const { return static_cast<std::uint32_t>(rows_.size()); }
  /// Empty where the pair cannot be routed, and for a terminal and itself. In a fixed order.
  [[nodiscard]] std::span<const RouteCode> of(std::uint32_t source, std::uint32_t destination) const {
    const Row& row = rows_[source];
    return {row.codes.data() + row.first[destination],
            row.codes.data() + row.first[destination + std::size_t{1}]};
  }
  [[nodiscard]] std::uint64_t route_count() const;
  [[nodiscard]] std::uint64_t unroutable_pairs() const;
  /// Share of the routable pairs that have a single route. [section 4.3]
  [[nodiscard]] double single_route_share() const;
  /// Channels on all pairs' shortest routes together.
  [[nodiscard]] std::uint64_t total_hops() const;

 private:
  friend class ChoiceWriter;
  struct Row {
    std::vector<std::uint32_t> first;
    std::vector<RouteCode> codes;
  };
  std::vector<Row> rows_;  // by source
};

}  // namespace unknot::angara
