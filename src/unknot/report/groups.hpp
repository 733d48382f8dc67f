// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot::report {

/// Routers that a page can fold into one. Every router is in one group; `names` is empty where nothing folds.
struct Groups {
  std::vector<std::uint32_t> of;  ///< by router, index of `names`
  std::vector<std::string>
      names;  ///< "pod 0", "spines 1", "module 3", "block 0-3, 4-7": ranges of coordinates
};

/// By what the network says of itself: blocks of a grid; pods of a tree, which are what is left of it without
/// its top level, whose routers are together where a path of the two top levels joins them. Else modules: the
/// blocks of consecutive numbers that join the most channels, as generators number their groups, or what the
/// method of Louvain finds (Blondel et al. 2008, doi:10.1088/1742-5468/2008/10/P10008) where that is much
/// better by its own measure, modularity. Nothing below 12 routers, for one-way networks in stages, and where
/// that would hardly be fewer. Deterministic. O(divisors of routers * channels), and rounds of Louvain *
/// channels.
Groups router_groups(const Network& network);

/// The part for networks that say nothing of themselves: a module for each router, numbered by their least
/// router.
std::vector<std::uint32_t> modules(const Network& network);
/// Modularity of such a division, after Newman and Girvan 2004; parallel channels count each. 0 without
/// channels.
double modularity(const Network& network, const std::vector<std::uint32_t>& module);

}  // namespace unknot::report
