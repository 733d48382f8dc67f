// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "unknot/network/cuts/bisection.hpp"
#include "unknot/network/cuts/spectrum.hpp"
#include "unknot/network/distances.hpp"
#include "unknot/network/network.hpp"

namespace unknot {

struct PropertiesOptions {
  DistanceOptions distances;
  BisectionOptions bisection;
  SpectrumOptions spectrum;
};

/// Structure and cost of a network, as `unknot info` prints it.
struct Properties {
  std::uint32_t routers = 0;
  std::uint32_t terminals = 0;
  std::uint32_t channels = 0;
  std::uint64_t cables = 0;  ///< one-way channels count as one

  std::uint32_t radix = 0;  ///< largest number of ports in use on one router, terminals' included
  std::uint32_t min_degree = 0, max_degree = 0;  ///< channels that leave a router for another
  double mean_degree = 0;
  std::uint32_t min_terminals = 0, max_terminals = 0;  ///< on one router, over those that carry some

  DistanceStatistics distances;
  /// routers / Moore bound of the largest degree and the router diameter; 0 where sampling or a disconnected
  /// network leave the diameter unknown.
  double moore_ratio = 0;

  /// Cost, terminals' own links included: ports in use on routers, and links, over terminals. 0 without
  /// terminals. [Kathareios et al. 2015: Slim Fly q=13, p=9 has 3.11 and 2.06]
  double ports_per_terminal = 0;
  double links_per_terminal = 0;

  /// An upper bound; nothing where the network is too large to search, or has one router.
  std::optional<Bisection> bisection;
  std::optional<SpectralCutBound> bisection_bound;  ///< a lower bound
  std::optional<AdjacencySpectrum> spectrum;
};

/// Time that of distance_statistics() and bisection_upper_bound(); the same values at any number of threads.
Properties properties(const Network& network, const PropertiesOptions& options = {});

/// Most routers that a network of this degree and diameter can have: 1 + d sum of (d-1)^i for i < k; for
/// one-way channels 1 + d + ... + d^k. As a double, since it outgrows whole numbers.
double moore_bound(std::uint32_t degree, std::uint32_t diameter, bool one_way = false);

}  // namespace unknot
