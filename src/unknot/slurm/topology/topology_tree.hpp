// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot::slurm {

/// A tree of switches with the hosts of a fabric below its leaves: all that Slurm's topology/tree knows of a
/// network. Switches of level 0 have hosts, those above have the switches of the level below.
struct TopologyTree {
  struct Switch {
    std::string name;
    std::uint32_t level = 0;
    std::vector<std::string> hosts;       ///< of level 0
    std::vector<std::uint32_t> children;  ///< of the others: indices, ascending
  };
  std::vector<Switch> switches;  ///< level by level, the root last
};

/// Tree of any fabric. A leaf is a router with terminals, or those that share hosts; clusters of leaves are
/// joined by the mean distance between them (UPGMA, Sokal and Michener 1958), and every whole number of
/// channels makes a level, unless it joins nothing. A tree of switches comes back as it is. InputError as
/// host_leaves(), and where there is no path. O(routers^2) time and memory beside one search from each
/// router.
TopologyTree topology_tree(const Network& network);

}  // namespace unknot::slurm
