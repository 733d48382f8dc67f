// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/collective/model/problem.hpp"

namespace unknot {

/// All paths that a message may take, without listing them: places (hops done, node) and the arcs between
/// them, by which the end is still reached in time. Through no terminal, from the owner and never back to it.
/// With no hops beyond the shortest ones every way through is a path; with more some come to a node twice.
class PathLattice {
 public:
  struct Edge {
    ArcId arc;
    std::uint32_t from, to;  ///< places
  };

  /// For each message of a scatter, paths at most `extra_hops` longer than shortest ones. O(nodes^2 + edges).
  PathLattice(const Problem& problem, std::uint32_t extra_hops);

  [[nodiscard]] std::uint32_t messages() const { return static_cast<std::uint32_t>(first_edge_.size()) - 1; }
  /// By hops done. Place 0 is the owner.
  [[nodiscard]] std::span<const Edge> edges(std::uint32_t message) const {
    return {edges_.data() + first_edge_[message], edges_.data() + first_edge_[message + 1]};
  }
  /// Places that are the partner, by hops.
  [[nodiscard]] std::span<const std::uint32_t> ends(std::uint32_t message) const {
    return {ends_.data() + first_end_[message], ends_.data() + first_end_[message + 1]};
  }
  [[nodiscard]] std::uint32_t shortest(std::uint32_t message) const { return shortest_[message]; }
  [[nodiscard]] std::uint32_t extra_hops() const { return extra_; }
  /// Of any message.
  [[nodiscard]] std::uint32_t most_places() const { return most_places_; }
  [[nodiscard]] std::uint32_t longest() const { return longest_ + extra_; }

 private:
  std::uint32_t extra_;
  std::uint32_t most_places_ = 0, longest_ = 0;
  std::vector<std::size_t> first_edge_{0}, first_end_{0};  // by message, and one more
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> ends_, shortest_;
};

}  // namespace unknot
