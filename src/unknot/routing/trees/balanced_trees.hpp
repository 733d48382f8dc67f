// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/trees/path_dag.hpp"
#include "unknot/support/parameters.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/forwarding_table.hpp"

namespace unknot {

/// Shortest-path trees, one for each destination terminal, balanced by channel load: SSSP routing [Hoefler,
/// Schneider, Lumsdaine 2009; Domke, Hoefler, Nagel 2011, Algorithm 1].
///
/// Destinations come router by router, terminal by terminal. Each tree minimises (hops, sum of channel loads)
/// lexicographically; then every channel's load grows by the number of source terminals whose path takes it.
/// Loads are per direction, sources and destinations are terminals. Comparing hops first replaces the paper's
/// initial weight |V|^2, which does not guarantee shortest paths once a path of five hops competes with one
/// of six. Ties: the channel with the smallest id.
struct BalancedTrees {
  ForwardingTable table;
  /// By channel: (source, destination) terminal pairs that take it, times its cost where there are costs.
  std::vector<std::uint64_t> load;
  /// True when every shortest path first only moves away from the routers with terminals, then only towards
  /// them, so that no channel dependency can close a cycle (fat trees and their kin). False says nothing.
  bool up_down = false;
};

/// What trees are balanced by, where it is not the usual.
struct BalanceChoice {
  std::span<const TerminalId> destinations = {};  ///< all of them, in the order of the trees; empty: by id
  /// By channel: what a pair adds to its load; empty: 1 each. With costs, trees go by the loads that they
  /// would leave behind.
  std::span<const std::uint32_t> cost = {};
};

/// Further rounds take trees out again and rebuild them against the loads of all others, earliest first:
/// better balance than the paper's single round. `passes` of 1.5 rebuilds every tree once and the first half
/// twice; the first trees gain most, since they were built knowing least. O((1 + passes) * (terminals *
/// candidates)), where candidates <= channels; single-threaded, since each tree depends on all before it.
///
/// `up_down_passes`: how many instead where the first round finds the network up_down.
BalancedTrees balanced_trees(const Network& network, PathDags& dags, double passes, Progress& progress,
                             std::optional<double> up_down_passes = {}, const BalanceChoice& choice = {});

/// The engines' parameter `passes`.
Parameter passes_parameter(const std::string& fallback);

}  // namespace unknot
