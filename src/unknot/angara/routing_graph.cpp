// SPDX-License-Identifier: Apache-2.0
#include "unknot/angara/routing_graph.hpp"

#include <array>
#include <numeric>

namespace unknot::angara {
namespace {

/// Direction vectors as numbers to base 3: digit d is 0 for unused, 1 for positive, 2 for negative.
class Vectors {
 public:
  explicit Vectors(std::uint32_t dimensions) : dimensions_(dimensions) {
    for (std::uint32_t d = 1; d < dimensions; ++d) weight_[d] = 3 * weight_[d - 1];
  }
  [[nodiscard]] std::uint32_t count() const { return 3 * weight_[dimensions_ - 1]; }
  [[nodiscard]] std::uint32_t digit(std::uint32_t vector, std::uint32_t d) const {
    return vector / weight_[d] % 3;
  }
  [[nodiscard]] std::uint32_t with(std::uint32_t vector, std::uint32_t d, std::uint32_t digit) const {
    return vector + (digit - this->digit(vector, d)) * weight_[d];
  }
  /// Highest direction in use, of a vector that is not empty.
  [[nodiscard]] Direction last(std::uint32_t vector) const {
    for (std::uint32_t d = dimensions_; d-- > 0;) {
      if (digit(vector, d) == 2) return static_cast<Direction>(dimensions_ + d);
    }
    std::uint32_t d = dimensions_ - 1;
    while (digit(vector, d) == 0) --d;
    return static_cast<Direction>(d);
  }

 private:
  std::uint32_t dimensions_;
  std::array<std::uint32_t, kMostDimensions> weight_{1};
};

}  // namespace

RoutingGraph::RoutingGraph(const Torus& torus, const Turns& turns) : torus_(&torus), turns_(&turns) {
  const std::uint32_t n = torus.dimensions();
  const Vectors vectors(n);
  // begin, FS_0 .. FS_n-1, vectors 1 .. 3^n - 1, LS_0 .. LS_n-1, end
  const auto first_step = [&](std::uint32_t d) { return static_cast<State>(1 + d); };
  const auto dirbit = [&](std::uint32_t vector) { return static_cast<State>(n + vector); };
  const auto last_step = [&](std::uint32_t d) { return static_cast<State>(n + vectors.count() + d); };
  const auto end = static_cast<State>(2 * n + vectors.count());
  const auto single = [&](std::uint32_t direction) {
    return dirbit(vectors.with(0, torus.dimension(static_cast<Direction>(direction)), direction < n ? 1 : 2));
  };
  const auto add = [&](std::uint32_t direction, State to, bool needs_turn = false) {
    moves_.push_back({static_cast<Direction>(direction), to, needs_turn});
  };
  const auto close = [&](Direction entered_by) {
    entered_by_.push_back(entered_by);
    first_.push_back(static_cast<std::uint32_t>(moves_.size()));
  };

  first_.push_back(0);
  for (std::uint32_t d = 0; d < 2 * n; ++d) add(d, single(d));
  for (std::uint32_t d = 0; d < n; ++d) add(d, first_step(d));
  add(kNoDirection, end);
  close(kNoDirection);

  for (std::uint32_t f = 0; f < n; ++f) {
    for (std::uint32_t d = 0; d < 2 * n; ++d) {
      if (d != f) add(d, single(d), d < f);
    }
    add(kNoDirection, end);
    close(static_cast<Direction>(f));
  }

  for (std::uint32_t vector = 1; vector < vectors.count(); ++vector) {
    const Direction last = vectors.last(vector);
    for (std::uint32_t d = last; d < 2 * n; ++d) {
      const std::uint32_t along = torus.dimension(static_cast<Direction>(d));
      const std::uint32_t digit = d < n ? 1 : 2;
      const std::uint32_t used = vectors.digit(vector, along);
      if (used == 0 || used == digit) add(d, dirbit(vectors.with(vector, along, digit)));
    }
    for (std::uint32_t d = n; d < 2 * n; ++d) {
      // A turn to a last step from a positive direction is in order anyway.
      if (d != last) add(d, last_step(d - n), d < last);
    }
    add(kNoDirection, end);
    close(last);
  }

  for (std::uint32_t d = 0; d < n; ++d) {
    add(kNoDirection, end);
    close(static_cast<Direction>(n + d));
  }
  close(kNoDirection);  // end
  all_states_.resize(states());
  std::iota(all_states_.begin(), all_states_.end(), State{0});
}

std::uint64_t RoutingGraph::edge_count() const {
  std::uint64_t edges = 0;
  for (std::uint32_t node = 0; node < torus_->node_count(); ++node) {
    for (const State state : all_states_) {
      for (const Move& move : moves(state)) {
        edges += move.direction == kNoDirection || slot_of(node, state, move) != Torus::kNone ? 1U : 0U;
      }
    }
  }
  return edges;
}

}  // namespace unknot::angara
