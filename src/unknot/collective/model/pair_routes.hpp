// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "unknot/collective/model/node_graph.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// The one path from each node with a terminal to each other one, as a routing has it: what transfers take on
/// a fabric as it is deployed. A path is a row of *lines*: the channels of the network, by their ids, and
/// after them the cables of terminals that are nodes, one line each way. Unlike an arc, a line is one cable
/// one way: two paths that are routed over the same one of several parallel cables are in each other's way.
///
/// Memory: 4 bytes a hop and 8 a pair, once for a routing and its reversed().
class PairRoutes {
 public:
  /// `graph` was made from `network`. InputError for a routing of another network, for tables that lead in a
  /// circle or to another terminal, and where all paths together have more than 2^28 lines. O(pairs * hops).
  PairRoutes(const Network& network, const NodeGraph& graph, const Routing& routing);

  /// In the order they are taken, in either direction of time. Empty where there is no route, or an end has
  /// no terminal.
  [[nodiscard]] std::span<const std::uint32_t> lines(NodeId from, NodeId to) const {
    return backwards_ ? stored(to, from) : stored(from, to);
  }
  [[nodiscard]] bool reaches(NodeId from, NodeId to) const { return !lines(from, to).empty(); }
  /// Its nodes, both ends among them; empty where there is none.
  [[nodiscard]] std::vector<NodeId> path(NodeId from, NodeId to) const;

  [[nodiscard]] std::uint32_t line_count() const { return static_cast<std::uint32_t>(all_->tail.size()); }
  /// Messages a step.
  [[nodiscard]] std::uint32_t capacity(std::uint32_t line) const { return all_->capacity[line]; }
  /// The same for both lines of a cable: the lesser of them.
  [[nodiscard]] std::uint32_t cable(std::uint32_t line) const { return all_->cable[line]; }
  [[nodiscard]] NodeId tail(std::uint32_t line) const {
    return backwards_ ? all_->head[line] : all_->tail[line];
  }
  [[nodiscard]] NodeId head(std::uint32_t line) const {
    return backwards_ ? all_->tail[line] : all_->head[line];
  }

  /// Every path turned around: the routes of time_reversed() problems. Shares what this one holds.
  [[nodiscard]] PairRoutes reversed() const;

 private:
  static constexpr std::uint32_t kNoEnd = 0xFFFFFFFFU;
  struct Lists {
    std::vector<std::uint32_t> end;  // by node: its place among the ends, or kNoEnd
    std::uint32_t ends = 0;
    std::vector<std::size_t> first{0};  // by pair of ends, and one more
    std::vector<std::uint32_t> lines;
    std::vector<NodeId> tail, head;  // by line
    std::vector<std::uint32_t> capacity, cable;
  };
  [[nodiscard]] std::span<const std::uint32_t> stored(NodeId from, NodeId to) const {
    const std::uint32_t a = all_->end[from.value], b = all_->end[to.value];
    if (a == kNoEnd || b == kNoEnd) return {};
    const std::size_t pair = std::size_t{a} * all_->ends + b;
    return {all_->lines.data() + all_->first[pair], all_->lines.data() + all_->first[pair + 1]};
  }
  void add_lines(const Network& network, const NodeGraph& graph, Lists& all) const;

  std::shared_ptr<const Lists> all_;
  bool backwards_ = false;
};

}  // namespace unknot
