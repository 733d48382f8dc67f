// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace unknot {

/// Flow from supplies at many vertices to a few sinks, asked for again and again on the same digraph, which
/// may change between runs: whether `needed` units can come together there. Blocking flows in layers (Dinitz
/// 1970), sought backwards from the sinks, so that a run looks at little more than what it takes; a run that
/// has enough stops. What a run has changed is taken back by the next, at the cost of what it changed.
///
/// An endless supply is a vertex that has been merged into the source.
class SuppliedFlow {
 public:
  static constexpr std::uint64_t kEndless = std::uint64_t{1} << 63U;
  static constexpr std::uint64_t kMostNeeded = std::uint64_t{1} << 62U;

  explicit SuppliedFlow(std::uint32_t vertices);

  [[nodiscard]] std::uint32_t vertex_count() const { return static_cast<std::uint32_t>(halves_.size()); }
  [[nodiscard]] std::uint32_t arc_count() const { return static_cast<std::uint32_t>(capacity_.size()); }
  /// Returns the arc's number.
  std::uint32_t add_arc(std::uint32_t from, std::uint32_t to, std::uint64_t capacity);
  void set_capacity(std::uint32_t arc, std::uint64_t capacity);
  [[nodiscard]] std::uint64_t capacity(std::uint32_t arc) const { return capacity_[arc]; }
  /// What the last run leads through an arc.
  [[nodiscard]] std::uint64_t flow(std::uint32_t arc) const {
    return capacity_[arc] - left_[2 * std::size_t{arc}];
  }
  [[nodiscard]] std::uint32_t tail(std::uint32_t arc) const { return far_[2 * std::size_t{arc} + 1]; }
  [[nodiscard]] std::uint32_t head(std::uint32_t arc) const { return far_[2 * std::size_t{arc}]; }
  /// Halves of arcs at a vertex: 2a where arc a leaves it, 2a + 1 where it enters.
  [[nodiscard]] std::span<const std::uint32_t> halves(std::uint32_t vertex) const { return halves_[vertex]; }
  void set_supply(std::uint32_t vertex, std::uint64_t supply);
  [[nodiscard]] std::uint64_t supply(std::uint32_t vertex) const { return supply_[vertex]; }

  /// The largest flow to the sinks together, but no more than `needed`, at most kMostNeeded.
  /// O(vertices^2 arcs).
  std::uint64_t run(std::span<const std::uint32_t> sinks, std::uint64_t needed);
  /// After a run that fell short: on the sinks' side of the minimum cut nearest to them.
  [[nodiscard]] bool on_sink_side(std::uint32_t vertex) const { return seen_[vertex] == round_; }

 private:
  void take_back();
  bool find_layers(std::span<const std::uint32_t> sinks);
  std::uint64_t augment(std::uint32_t sink, std::uint64_t needed);
  void push(std::uint32_t vertex, std::uint64_t amount);
  [[nodiscard]] std::uint64_t at_hand(std::uint32_t vertex) const { return supply_[vertex] - used_[vertex]; }

  std::vector<std::vector<std::uint32_t>> halves_;  // by vertex
  std::vector<std::uint32_t> far_;                  // by half: where it leads
  std::vector<std::uint64_t> left_;                 // by half
  std::vector<std::uint64_t> capacity_;             // by arc
  std::vector<std::uint64_t> supply_, used_;        // by vertex
  std::vector<std::uint32_t> layer_, next_;         // by vertex
  std::vector<std::uint64_t> seen_;                 // by vertex: the round it was reached in last
  std::vector<std::uint64_t> changed_in_;           // by arc: the run that changed it last
  std::vector<std::uint32_t> queue_, path_, changed_, drained_;
  std::uint64_t round_ = 0;
  std::uint64_t run_ = 1;
};

}  // namespace unknot
