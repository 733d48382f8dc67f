// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// The arcs that a growing graph may ever have, in compressed rows both ways. An arc is a number; the arcs
/// that leave a vertex are consecutive.
class ArcSpace {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  /// `arcs` as (tail, head); order and repetition do not matter. O(arcs log arcs).
  ArcSpace(std::uint32_t vertices, std::vector<std::pair<std::uint32_t, std::uint32_t>> arcs);
  /// The complete channel dependency graph: every channel on every channel out of its target, in that order:
  /// the dependency of a on b is arc out_first(a) + (position of b out of a's target). O(dependencies).
  static ArcSpace of_dependencies(const Network& network);

  [[nodiscard]] std::uint32_t vertex_count() const {
    return static_cast<std::uint32_t>(out_first_.size() - 1);
  }
  [[nodiscard]] std::uint32_t arc_count() const { return static_cast<std::uint32_t>(head_.size()); }
  [[nodiscard]] std::uint32_t tail(std::uint32_t arc) const { return tail_[arc]; }
  [[nodiscard]] std::uint32_t head(std::uint32_t arc) const { return head_[arc]; }
  [[nodiscard]] std::uint32_t out_first(std::uint32_t vertex) const { return out_first_[vertex]; }
  [[nodiscard]] std::uint32_t in_first(std::uint32_t vertex) const { return in_first_[vertex]; }
  /// The arc from tail to head, or kNone. O(log degree).
  [[nodiscard]] std::uint32_t find(std::uint32_t tail, std::uint32_t head) const;

 private:
  void index();
  std::vector<std::uint32_t> tail_, head_;           // by arc
  std::vector<std::uint32_t> out_first_, in_first_;  // by vertex, one more at the end
};

/// A set of arcs without a cycle, with a topological order that is kept up to date: every arc leads from a
/// smaller position to a larger one. Adding an arc looks only at the vertices between its two ends in that
/// order [Pearce, Kelly 2006]; taking one out costs nothing. Nothing is allocated after construction, but for
/// growing scratch space. `space` must outlive it.
class AcyclicArcs {
 public:
  explicit AcyclicArcs(const ArcSpace& space);

  /// Empties the set. `order` lists all vertices, first to last: the order to start from.
  void restart(std::span<const std::uint32_t> order);

  /// False, and nothing changes, when the arc would close a cycle. True for an arc that is there already.
  bool add(std::uint32_t arc);
  void remove(std::uint32_t arc);
  [[nodiscard]] bool contains(std::uint32_t arc) const { return out_place_[arc] != ArcSpace::kNone; }
  /// Place in the topological order; all different.
  [[nodiscard]] std::uint32_t position(std::uint32_t vertex) const { return position_[vertex]; }
  [[nodiscard]] const std::vector<std::uint32_t>& positions() const { return position_; }
  /// Arcs looked at so far: a measure of work that is the same on every machine.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

 private:
  bool reach_forward(std::uint32_t from, std::uint32_t goal);
  void reach_backward(std::uint32_t from, std::uint32_t lowest);
  void reorder();
  void link(std::uint32_t arc);

  const ArcSpace* space_;
  std::vector<std::uint32_t> position_;            // by vertex
  std::vector<std::uint32_t> out_size_;            // by vertex: arcs of the set
  std::vector<std::uint32_t> in_size_;             // by vertex
  std::vector<std::uint32_t> out_arcs_;            // rows as the space's, the set's arcs first
  std::vector<std::uint32_t> in_arcs_;             // the same by head
  std::vector<std::uint32_t> out_place_;           // by arc: index in out_arcs_, or kNone
  std::vector<std::uint32_t> in_at_;               // by arc: index in in_arcs_
  std::vector<std::uint8_t> marked_;               // by vertex
  std::vector<std::uint32_t> forward_, backward_;  // what the last searches reached
  std::vector<std::uint32_t> stack_, places_;
  std::uint64_t steps_ = 0;
};

}  // namespace unknot
