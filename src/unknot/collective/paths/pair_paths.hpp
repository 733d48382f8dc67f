// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/collective/model/problem.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

struct PathLimits {
  std::uint32_t extra_hops = 0;  ///< paths so much longer than the shortest ones are taken too
  std::uint32_t most = 4096;     ///< paths kept of a pair; at least 1, at most 65,536
};

/// The paths a transfer may choose from, for each pair of nodes: shortest ones first, of one length in the
/// order of their arcs, so that numbers near each other share channels. Paths lead through no terminal and
/// come to no node twice. Where there are more shortest paths than are kept, those kept lie evenly among all.
/// [Jaros 2010, section 6.1.1]
class PairPaths {
 public:
  /// Pairs (owner, partner) in the order given; both ends differ. InputError where a pair has no path, or all
  /// paths together are more than memory is meant for (2^31 arcs); Interrupted. O(paths) and O(ends * nodes).
  PairPaths(const NodeGraph& graph, std::span<const MessageEnds> pairs, const PathLimits& limits = {},
            const Progress& progress = {});

  [[nodiscard]] std::uint32_t pairs() const { return static_cast<std::uint32_t>(first_.size()) - 1; }
  /// Paths of a pair; at least one.
  [[nodiscard]] std::uint32_t count(std::uint32_t pair) const { return first_[pair + 1] - first_[pair]; }
  /// Path `i` of a pair among all paths: those of a pair follow each other.
  [[nodiscard]] std::uint32_t number(std::uint32_t pair, std::uint32_t i) const { return first_[pair] + i; }
  [[nodiscard]] std::uint32_t paths() const { return static_cast<std::uint32_t>(begin_.size()) - 1; }
  [[nodiscard]] std::span<const ArcId> arcs(std::uint32_t path) const {
    return {arcs_.data() + begin_[path], arcs_.data() + begin_[path + 1]};
  }

 private:
  std::vector<std::uint32_t> first_{0};  // by pair, and one more: its paths
  std::vector<std::uint32_t> begin_{0};  // by path, and one more: its arcs
  std::vector<ArcId> arcs_;
};

}  // namespace unknot
