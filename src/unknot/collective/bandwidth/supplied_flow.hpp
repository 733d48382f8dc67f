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
  [[nodiscard]] std::uint32_t arc_count() const { return static_cast<std::uint32_t>(arcs_.size()); }
  /// Returns the arc's number.
  std::uint32_t add_arc(std::uint32_t from, std::uint32_t to, std::uint64_t capacity);
  void set_capacity(std::uint32_t arc, std::uint64_t capacity);
  [[nodiscard]] std::uint64_t capacity(std::uint32_t arc) const { return arcs_[arc].capacity; }
  /// What the last run leads through an arc.
  [[nodiscard]] std::uint64_t flow(std::uint32_t arc) const {
    return arcs_[arc].capacity - ends_[arcs_[arc].head][arcs_[arc].at_head].left;
  }
  [[nodiscard]] std::uint32_t tail(std::uint32_t arc) const { return arcs_[arc].tail; }
  [[nodiscard]] std::uint32_t head(std::uint32_t arc) const { return arcs_[arc].head; }
  /// Halves of arcs at a vertex: 2a where arc a leaves it, 2a + 1 where it enters.
  [[nodiscard]] std::span<const std::uint32_t> halves(std::uint32_t vertex) const { return halves_[vertex]; }
  void set_supply(std::uint32_t vertex, std::uint64_t supply);
  [[nodiscard]] std::uint64_t supply(std::uint32_t vertex) const { return states_[vertex].supply; }

  /// The largest flow to the sinks together, but no more than `needed`, at most kMostNeeded.
  /// O(vertices^2 arcs).
  std::uint64_t run(std::span<const std::uint32_t> sinks, std::uint64_t needed);
  /// After a run that fell short: on the sinks' side of the minimum cut nearest to them.
  [[nodiscard]] bool on_sink_side(std::uint32_t vertex) const { return states_[vertex].seen == round_; }

 private:
  /// An arc as one of its ends sees it. Searches go backwards, so that all they ask of arcs stands here.
  struct End {
    std::uint32_t far = 0;     // the other end
    std::uint32_t mirror = 0;  // place of this arc among the ends there
    std::uint64_t left = 0;    // that may come from there
  };
  struct Arc {
    std::uint32_t tail = 0, head = 0;
    std::uint32_t at_tail = 0, at_head = 0;  // place among the ends there
    std::uint64_t capacity = 0;
    std::uint64_t changed_in = 0;  // the run that changed it last
  };
  struct State {
    std::uint64_t supply = 0, used = 0;
    std::uint64_t seen = 0;  // the round it was reached in last
    std::uint32_t layer = 0, next = 0;
  };
  /// A vertex, and one of its ends.
  struct Step {
    std::uint32_t vertex, end;
  };

  void take_back();
  bool find_layers(std::span<const std::uint32_t> sinks);
  std::uint64_t augment(std::uint32_t sink, std::uint64_t needed);
  void push(std::uint32_t vertex, std::uint64_t amount);
  [[nodiscard]] std::uint64_t at_hand(std::uint32_t vertex) const {
    return states_[vertex].supply - states_[vertex].used;
  }

  std::vector<std::vector<std::uint32_t>> halves_;  // by vertex
  std::vector<std::vector<End>> ends_;              // by vertex, as halves_
  std::vector<Arc> arcs_;
  std::vector<State> states_;  // by vertex
  std::vector<Step> path_;
  std::vector<std::uint32_t> queue_, changed_, drained_;
  std::uint64_t round_ = 0;
  std::uint64_t run_ = 1;
};

}  // namespace unknot
