// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "unknot/deadlock/dependency_graph.hpp"
#include "unknot/network/network.hpp"
#include "unknot/oblivious/lane_scheme.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// What listing every path says of a dependency graph.
struct ExplicitCheck {
  std::uint64_t paths =
      0;               ///< listed: source, intermediate and destination, with every pair of shortest paths
  bool equal = false;  ///< the same channels in use and the same arcs, each once
  std::string difference;  ///< where not equal: the first one found, a sentence
};

/// Paths that explicit_check() would list, as far as a double counts.
double explicit_paths(const Network& network, ObliviousPaths paths);

/// Lists every path of an oblivious routing, one by one, and compares the dependencies of their channels with
/// a graph that is said to hold them. Shares no code with oblivious_dependencies(): searches, paths and lanes
/// are its own. O(paths * their length); memory a bit for each pair of consecutive channels and pair of
/// lanes.
ExplicitCheck explicit_check(const Network& network, ObliviousPaths paths, const LaneScheme& scheme,
                             const DependencyGraph& graph, Progress& progress);

}  // namespace unknot
