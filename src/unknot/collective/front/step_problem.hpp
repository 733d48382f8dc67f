// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "unknot/collective/model/catalogue.hpp"
#include "unknot/collective/model/problem.hpp"
#include "unknot/collective/symmetry/symmetry.hpp"

namespace unknot {

/// From one node that takes part to another, through switches alone: what data goes in one step. The router
/// of a terminal that takes part is no switch to others: a GPU passes nothing on while it gets it.
struct StepHop {
  std::uint32_t from = 0, to = 0;  ///< ranks
  std::vector<ArcId> arcs;
};

/// A collective in few steps, of chunks of messages, when steps last as long as they need: step s lasts
/// time[s], in which an arc of capacity c carries c * time[s] of a message. What counts are the steps and the
/// sum of these times, in shares over capacity: what a message takes over a capacity of 1. [Cai et al.,
/// Synthesizing Optimal Collective Algorithms, PPoPP 2021: steps, and rounds for each chunk]
///
/// Who takes part passes on in one step what it has got in those before; switches keep, copy and combine
/// nothing. Reductions are problems in reversed time, `backward`, on the reversed graph; so is a gather.
struct StepProblem {
  struct Source {
    std::uint32_t rank = 0;
    std::vector<std::uint32_t> targets;  ///< ranks, ascending
  };

  std::shared_ptr<const NodeGraph> graph;
  bool backward = false;
  bool personal = false;                             ///< each target has a message of its own
  std::vector<NodeId> members;                       ///< by rank: who takes part; ascending
  std::vector<Source> sources;                       ///< ascending
  std::vector<StepHop> hops;                         ///< by `from`, `to` and arcs
  std::vector<std::uint32_t> first_hop;              ///< members + 1
  std::vector<std::vector<std::uint32_t>> distance;  ///< in hops, by rank and rank; kFar: none
  /// Automorphisms that leave no source and no arc in place, the identity first; by element and hop, rank.
  std::vector<std::vector<std::uint32_t>> hop_image, rank_image;

  static constexpr std::uint32_t kFar = 0xFFFFFFFFU;
  [[nodiscard]] std::uint32_t ranks() const { return static_cast<std::uint32_t>(members.size()); }
  [[nodiscard]] std::uint32_t elements() const { return static_cast<std::uint32_t>(hop_image.size()); }
  /// The fewest steps there are: the farthest target.
  [[nodiscard]] std::uint32_t least_steps() const;
  /// Numbers of the sources of which all others are images, and of the arcs.
  [[nodiscard]] std::vector<std::uint32_t> source_orbits() const;
};

/// `base`: an all-gather, a broadcast, a reduction of either kind, a scatter, a gather or an all-to-all, on a
/// full-duplex graph without limits on ports or paths. All ways through switches are listed; InputError where
/// there are more than 2^16, and for terminals that cannot be reached. O(ways + symmetry).
StepProblem make_step_problem(const Problem& base);

/// The same with the identity alone for symmetry.
StepProblem without_symmetry(StepProblem problem);

}  // namespace unknot
