// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/slurm/topology/topology_tree.hpp"

namespace unknot::slurm {

/// How far the tree is from the truth, over pairs of hosts. The distance of two hosts is the number of
/// channels from the leaf (host_leaves()) of the one to that of the other (the smaller number first, where
/// directions differ); the tree knows nothing but the level at which their ways up meet.
struct TreeError {
  struct Level {
    std::uint64_t pairs = 0;  ///< unordered, that meet at this level
    std::uint32_t min = 0, max = 0;
    double mean = 0;
  };
  std::vector<Level> levels;
  /// Root of the mean squared difference between a distance and the mean of its level: 0 where the tree says
  /// all.
  double rms = 0;
  /// The same where nothing is known but the mean over all pairs.
  double rms_without_tree = 0;
  /// Pairs of host pairs that the tree puts in the wrong order: the nearer meets higher up, over those that
  /// it puts in any.
  double wrong_order = 0;
};

/// Error of a third-party tree against a fabric, hosts being the same by name. InputError, naming it, for a
/// host that only one of the two has, and where there is no path. O(leaves^2 * levels) beside one search from
/// each router.
TreeError tree_error(const Network& network, const TopologyTree& tree);

}  // namespace unknot::slurm
