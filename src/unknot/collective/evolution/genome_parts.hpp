// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/collective/model/schedule.hpp"
#include "unknot/collective/paths/pair_paths.hpp"
#include "unknot/collective/symmetry/symmetry.hpp"
#include "unknot/evolve/problem.hpp"

namespace unknot {

/// What the chromosomes of scatters and broadcasts share.

struct GenomeOptions {
  PathLimits limits;
  /// Broadcasts: receivers get messages from distributors this near only, in hops, where there is one.
  /// BroadcastGenome::kWide: from any. 0: 1 where the thesis's rule says that a flood will do, (M - 1) / k >
  /// log_k N, else kWide. [Jaros 2010, section 6.5.5]
  std::uint32_t radius = 0;
  /// Share of the mutations that give a message the step in which it has the fewest conflicts. The thesis's
  /// mutation knows none. [min-conflicts: Minton et al. 1992]
  double greedy = 0;
  /// Schedules that are alike under a group of automorphisms of this many elements at most, in every step:
  /// genes are those of one owner of each orbit. 0 and 1: each message has its own.
  std::uint32_t symmetry = 0;
  const Progress* progress = nullptr;  ///< asked whether to stop while the chromosomes are prepared
};

/// Who is asked; nobody ever wants to stop where none is given.
const Progress& asked(const GenomeOptions& options);

/// The symmetry that a genome asks for.
Symmetry symmetry_for(const Problem& problem, const GenomeOptions& options);

/// InputError for no step, or more than a value can hold.
void require_steps(std::uint32_t steps);

/// Limits of paths that keep to those of the problem.
PathLimits limits_for(const Problem& problem, const PathLimits& limits);

/// Operations that making and evaluating a chromosome takes, roughly: ten for each component.
inline std::uint64_t genome_operations(const evolve::Layout& layout) {
  return std::uint64_t{layout.length()} * 10;
}

/// Another value near this one: normally distributed around it, with a standard deviation of a third of the
/// number of values, around at the ends. `values` is at least 2. [Jaros 2010, section 6.6]
evolve::Value near_value(std::uint32_t value, std::uint32_t values, Random& random);

/// Puts transfers that come in any order into their steps, each with its images.
class ScheduleBuilder {
 public:
  ScheduleBuilder(const NodeGraph& graph, const Symmetry& symmetry, std::uint32_t steps)
      : graph_(&graph), symmetry_(&symmetry), by_step_(steps) {}
  void add(std::uint32_t step, NodeId origin, std::span<const ArcId> arcs);
  [[nodiscard]] Schedule build() const;

 private:
  struct Transfer {
    NodeId origin;
    std::span<const ArcId> arcs;
  };
  const NodeGraph* graph_;
  const Symmetry* symmetry_;
  std::vector<std::vector<Transfer>> by_step_;
};

}  // namespace unknot
