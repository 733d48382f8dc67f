// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "unknot/lanes/break_rule.hpp"
#include "unknot/lanes/path_set.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// Offline layers [Domke, Hoefler, Nagel 2011, Algorithm 2] on an explicit path set: all paths start in layer
/// 0, the paths of one arc of each cycle move to the next layer, layer by layer until one has no cycle. The
/// search and the termination are those of break_cycles() in routing/layers/cycle_breaking.hpp, which does
/// the same for tables without listing paths. Vertices are searched from the lowest.
PathLayers layers_by_breaking(const PathSet& paths, const PathArcs& arcs, BreakRule rule);

/// Online layers: each path, in the order given (all path numbers once), goes to the first layer that it
/// leaves without a cycle; a new one where there is none. O(paths * layers) additions of arcs.
PathLayers layers_by_first_fit(const PathSet& paths, const PathArcs& arcs,
                               std::span<const std::uint32_t> order);

struct LayerPortfolio {
  std::uint64_t seed = 1;
  std::uint32_t rounds = 20;  ///< random orders, and rounds of iterated greedy
  /// Once this many arcs have been looked at no further attempt begins.
  std::uint64_t most_steps = 50'000'000;
};

/// The best of all rules, of first fit in several orders and random ones, and of iterated greedy [Culberson
/// 1992]: first fit with the layers of the best so far one after the other, in another order, never takes
/// more. Fewest layers win, then the least weight of the heaviest layer. The same result for the same seed.
PathLayers best_layers(const PathSet& paths, const PathArcs& arcs, const LayerPortfolio& options,
                       const Progress& progress);

}  // namespace unknot
