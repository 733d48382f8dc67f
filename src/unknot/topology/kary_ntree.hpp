// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/network.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {

/// k-ary n-tree: n levels of k^(n-1) routers with k children and k parents each, (n-1) k^n cables between
/// routers; terminals on the leaves. The XGFT with n-1 levels of cables and m = w = k, numbered as such.
/// Fills levels. [Petrini, Vanneschi 1997]
struct KaryNtreeParams {
  std::uint32_t k = 2;
  std::uint32_t n = 2;
};

Network kary_ntree(const KaryNtreeParams& tree, const TerminalPlacement& terminals);

Topology kary_ntree_topology();

}  // namespace unknot
