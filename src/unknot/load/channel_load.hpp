// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// Number of ordered pairs of terminals whose path takes each channel (uniform all-to-all), by channel. Pairs
/// without a route count on no channel. O(routers * terminals), for source routes O(channels of all routes),
/// in parallel, the same at any number of threads.
std::vector<std::uint64_t> channel_load(const Network& network, const Routing& routing,
                                        std::uint32_t threads = 0);

/// Balance of a routing, over all channels between routers, the unused ones included.
struct LoadStatistics {
  std::uint64_t max = 0;  ///< edge-forwarding index (Heydemann, Meyer, Sotteau 1989)
  std::uint64_t min = 0;
  double mean = 0;
  double sigma4 = 0;  ///< sigma(4), see sigma()
};
LoadStatistics load_statistics(const std::vector<std::uint64_t>& load);

/// The largest load of a channel over its rate, in pairs for each Gb/s: what the slowest flow of an
/// all-to-all waits for. Channels of unknown rate count as the fastest. Nothing where all rates are alike, or
/// unknown. O(channels).
std::optional<double> largest_load_by_rate(const Network& network, const std::vector<std::uint64_t>& load);

/// Deviation of order k: ((1/|C|) sum over channels |mean - load|^k)^(1/k). [Angara paper, section on
/// metrics]
double sigma(const std::vector<std::uint64_t>& load, double k);
/// The same against a given ideal load instead of the mean: the paper takes the mean that shortest paths
/// would have, which is smaller where some paths are longer.
double sigma(const std::vector<std::uint64_t>& load, double k, double ideal);

}  // namespace unknot
