// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/network.hpp"
#include "unknot/oblivious/oblivious_load.hpp"

namespace unknot {

/// How long the paths of an oblivious routing get, in channels between routers.
struct PathLengths {
  ObliviousPaths paths = ObliviousPaths::minimal;
  std::uint32_t diameter = 0;  ///< longest shortest path between routers with terminals
  std::uint32_t longest = 0;   ///< longest path: the diameter, or up to twice that by way of an intermediate
};

/// By a search from every router with terminals, in parallel: O(routers with terminals * channels).
PathLengths path_lengths(const Network& network, ObliviousPaths paths, std::uint32_t threads = 0);

}  // namespace unknot
