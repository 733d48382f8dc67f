// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/topology/terminal_placement.hpp"
#include "unknot/topology/topology.hpp"

namespace unknot {

/// Extended generalised fat tree XGFT(h; m_1..m_h; w_1..w_h): each node of level l has m_l children and,
/// below the top, w_{l+1} parents. Every level is a level of routers (h+1 of them), terminals go on level 0;
/// that is the reading of Table I of the DFSSSP paper. Level l has w_1..w_l m_{l+1}..m_h routers. [Ohring,
/// Ibel, Das, Kumar 1995; Domke, Hoefler, Nagel 2011]
struct XgftParams {
  std::vector<std::uint32_t> m;  ///< children, m_1 first
  std::vector<std::uint32_t> w;  ///< parents, w_1 first
  /// Parallel cables to each parent, level 1 first, which makes a PGFT of it; empty: one everywhere. [Zahavi
  /// 2010, "D-Mod-K routing providing non-blocking traffic for shift permutations on real life fat trees"]
  std::vector<std::uint32_t> cables = {};
};

/// Routers are numbered level by level from the leaves; within a level by their digits (w-digits of the
/// levels passed, then m-digits), the last running fastest. Fills levels.
Network xgft(const XgftParams& tree, const TerminalPlacement& terminals);

/// Size of that tree: h levels of cables.
NetworkSize xgft_size(const XgftParams& tree, const TerminalPlacement& terminals);

}  // namespace unknot
