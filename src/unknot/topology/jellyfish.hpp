// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/network.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {

struct JellyfishParams {
  std::uint32_t routers = 64;
  std::uint32_t degree = 6;  ///< cables on each router
  std::uint64_t seed = 1;
};

/// Jellyfish: a random regular graph without parallel cables, built link by link, with a link opened where
/// free ports are left that cannot be joined. Connected: should it fall in parts (likely only at degree 2),
/// links of two parts swap ends. Where routers * degree is odd, one router keeps a port free. InputError
/// where no such connected graph exists. [Singla, Hong, Popa, Godfrey 2012, section 3]
Network jellyfish(const JellyfishParams& params, const TerminalPlacement& terminals);

Topology jellyfish_topology();

}  // namespace unknot
