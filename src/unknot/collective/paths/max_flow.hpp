// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace unknot {

/// Maximum flow in whole numbers from one vertex to another, by blocking flows in layers (Dinitz 1970).
/// O(vertices^2 edges), with unit capacities O(edges^1.5). One object serves many runs on the same edges with
/// other capacities.
class MaxFlow {
 public:
  explicit MaxFlow(std::uint32_t vertices) : first_(vertices, kNone) {}
  /// Returns the edge's number; its capacity is 0 until set.
  std::uint32_t add_edge(std::uint32_t from, std::uint32_t to);
  /// Takes effect with the next run.
  void set_capacity(std::uint32_t edge, std::uint64_t capacity) { capacity_[edge] = capacity; }

  /// Value of a maximum flow; the flow is kept until the next run.
  std::uint64_t run(std::uint32_t source, std::uint32_t sink);
  [[nodiscard]] std::uint64_t flow(std::uint32_t edge) const { return left_[2 * std::size_t{edge} + 1]; }
  /// After a run: on the source's side of the minimum cut that is nearest to it.
  [[nodiscard]] bool on_source_side(std::uint32_t vertex) const { return level_[vertex] != kNone; }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  bool find_layers(std::uint32_t source, std::uint32_t sink);
  std::uint64_t augment(std::uint32_t source, std::uint32_t sink);
  // Half-edge 2e is edge e, 2e+1 its way back.
  std::vector<std::uint32_t> first_;  // by vertex: its first half-edge
  std::vector<std::uint32_t> next_, head_;
  std::vector<std::uint64_t> capacity_;  // by edge
  std::vector<std::uint64_t> left_;      // by half-edge
  std::vector<std::uint32_t> level_, at_, queue_, path_;
};

}  // namespace unknot
