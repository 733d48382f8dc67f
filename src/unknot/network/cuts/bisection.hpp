// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

struct BisectionOptions {
  std::uint32_t threads = 0;  ///< 0: all of the machine
  std::uint64_t seed = 1;
  /// Networks with more channels are not tried: the search would take more than a few seconds.
  std::uint32_t max_channels = 4'000'000;
  std::uint32_t partitioner_seeds = 10;  ///< tries of METIS and of Scotch, fewer on large networks; 0: none
};

/// A cut of the network in two halves of the terminals: an UPPER BOUND of the bisection, which is the least
/// such cut (finding that is NP-hard).
struct Bisection {
  /// Cables between the halves; a one-way channel counts as half a cable.
  double cut = 0;
  /// cut / (terminals / 2): 1 where each terminal of one half can send at full rate to the other.
  double per_terminal = 0;
  std::uint64_t terminals[2] = {0, 0};  ///< the halves; they differ by at most the terminals of one router
  std::vector<std::uint8_t> side;       ///< by router: 0 or 1
  /// Cut that each method led to, evened out and improved by local search; 0 where it was not tried.
  double by_search = 0, by_metis = 0, by_scotch = 0;
};

/// The best of many local searches (Fiduccia and Mattheyses 1982) that start from cuts along router numbers,
/// coordinates, breadth-first regions and chance, then from disturbed copies of the best, and from what METIS
/// and Scotch find with several seeds. Routers without terminals may be on either side; where there are no
/// terminals, routers are halved. Nothing for a network of fewer than two routers or more than max_channels.
/// The same result at any number of threads.
std::optional<Bisection> bisection_upper_bound(const Network& network, const BisectionOptions& options = {});

}  // namespace unknot
