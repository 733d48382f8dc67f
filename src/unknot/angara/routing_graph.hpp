// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/angara/route_code.hpp"
#include "unknot/angara/torus.hpp"
#include "unknot/angara/turns.hpp"

namespace unknot::angara {

/// The routing graph [section 3]: a vertex is a node and what a packet that is there remembers of its way, so
/// that the paths from a begin to an end vertex are the routes the hardware can take. At each node:
///
///     begin                 the packet has not left its source
///     FS_j                  it has done a first step in the positive direction j
///     dirbit_k              it has used the directions of vector k: each dimension +, - or not at all
///     LS_j                  it has done a last step in the negative direction n + j
///     end                   it is delivered
///
/// 3^n + 2n + 1 vertices a node. The graph is not stored: the edges of a state are the same at every node, up
/// to the channels that are there and the turns allowed.
///
///     begin -> FS_D (D positive), dirbit {D} (any D), end
///     FS_F -> dirbit {D}: D > F, or D < F and the turn is allowed; end
///     dirbit_k -> dirbit_k + {D}: D at least the last direction of k, its dimension unused or used that way
///     dirbit_k -> LS_D (D negative): D > last of k, or D < last and the turn is allowed; end
///     LS -> end
class RoutingGraph {
 public:
  using State = std::uint16_t;
  static constexpr Direction kNoDirection = 0xFF;

  /// A move from a state, by a channel or (kNoDirection, to the end state) without one.
  struct Move {
    Direction direction = kNoDirection;
    State to = 0;
    bool needs_turn = false;  ///< from the direction the state was entered by
  };

  /// Torus and turns must outlive it.
  RoutingGraph(const Torus& torus, const Turns& turns);

  [[nodiscard]] const Torus& torus() const { return *torus_; }
  [[nodiscard]] const Turns& turns() const { return *turns_; }
  [[nodiscard]] std::uint32_t states() const { return static_cast<std::uint32_t>(first_.size() - 1); }
  /// All states, begin first and end last.
  [[nodiscard]] std::span<const State> all_states() const { return all_states_; }
  [[nodiscard]] static constexpr State begin() { return 0; }
  [[nodiscard]] State end() const { return static_cast<State>(states() - 1); }
  [[nodiscard]] std::uint32_t vertex(std::uint32_t node, State state) const {
    return node * states() + state;
  }
  [[nodiscard]] std::uint32_t vertex_count() const { return torus_->node_count() * states(); }
  [[nodiscard]] std::span<const Move> moves(State state) const {
    return {moves_.data() + first_[state], moves_.data() + first_[state + std::size_t{1}]};
  }
  /// Direction of the channel a packet in this state came by; kNoDirection for begin and end.
  [[nodiscard]] Direction entered_by(State state) const { return entered_by_[state]; }

  /// Slot of the channel the move takes from a node, or kNone when it is not possible there. Not for moves to
  /// the end.
  [[nodiscard]] std::uint32_t slot_of(std::uint32_t node, State state, const Move& move) const {
    const std::uint32_t slot = torus_->slot(node, move.direction);
    if (torus_->next(slot) == Torus::kNone) return Torus::kNone;
    if (!move.needs_turn) return slot;
    const std::uint32_t before = torus_->entering(node, entered_by_[state]);
    return before != Torus::kNone && turns_->allowed(before, move.direction) ? slot : Torus::kNone;
  }
  /// Edges of the whole graph, those to end vertices included. O(vertices * directions).
  [[nodiscard]] std::uint64_t edge_count() const;

 private:
  const Torus* torus_;
  const Turns* turns_;
  std::vector<std::uint32_t> first_;  // by state, in moves_
  std::vector<Move> moves_;
  std::vector<Direction> entered_by_;
  std::vector<State> all_states_;
};

}  // namespace unknot::angara
