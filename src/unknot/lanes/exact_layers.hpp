// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/lanes/layer_heuristics.hpp"
#include "unknot/lanes/path_set.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/support/solve/sat_solver.hpp"

namespace unknot {

struct LayerBounds {
  std::uint32_t lower = 0;  ///< fewer are impossible
  PathLayers best;          ///< as many suffice
  [[nodiscard]] bool proven() const { return lower == best.count; }
};

/// Whether `count` layers are enough, by satisfiability: a path is in one of the layers, its arcs are then
/// used there; a solution whose layers have cycles is answered with clauses that forbid to use all arcs of
/// each of these cycles in any one layer, until there is none or no solution is left. Paths that conflict in
/// pairs start in layers of their own. `cover` gets the layers where they suffice.
SatAnswer layers_suffice(const PathSet& paths, const PathArcs& arcs, std::uint32_t count, double seconds,
                         const Progress& progress, PathLayers* cover);

/// The minimum number of layers where it can be found within the time, else bounds: upper from the portfolio
/// and from solutions, lower from paths of which any two conflict and from refuted numbers of layers. For
/// small sets: some hundred paths on cycles.
LayerBounds minimum_layers(const PathSet& paths, const PathArcs& arcs, double seconds,
                           const LayerPortfolio& portfolio, const Progress& progress);

}  // namespace unknot
