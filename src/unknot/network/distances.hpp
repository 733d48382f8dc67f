// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

struct DistanceOptions {
  std::uint32_t threads = 0;  ///< 0: all of the machine
  /// Most channels looked at over all searches. A network that needs more is sampled: as many searches as
  /// fit, from routers drawn with `seed`.
  std::uint64_t max_looks = 4'000'000'000;
  std::uint64_t seed = 1;
};

/// How many shortest paths join a router to another. Parallel cables make separate paths.
struct PathDiversity {
  /// Ordered pairs whose number of shortest paths lies in [first, last]. Numbers to 64 have a bin each,
  /// larger ones share one up to each power of two.
  struct Bin {
    double first = 0;
    double last = 0;
    std::uint64_t pairs = 0;
  };
  double min = 0;
  double max = 0;
  double mean = 0;
  std::vector<Bin> bins;  ///< ascending, none empty
};

/// Distances over ordered pairs of distinct routers that carry terminals ("endpoint routers"; all routers
/// where none does), in channels. Pairs without a path are counted apart and enter nothing else.
struct DistanceStatistics {
  std::uint32_t diameter = 0;         ///< between endpoint routers
  std::uint32_t router_diameter = 0;  ///< between any two routers
  double mean_distance = 0;           ///< between endpoint routers; Graph Golf's ASPL
  double mean_hops = 0;               ///< over ordered pairs of distinct terminals, 0 for those of one router
  std::uint64_t unreachable_pairs = 0;
  std::vector<std::uint64_t> pairs_at;  ///< by distance: pairs of endpoint routers
  PathDiversity paths;
  /// False where sources were sampled: diameters are then lower bounds, means estimates, counts those of the
  /// sample.
  bool exact = true;
};

/// One breadth-first search with path counts for each router. O(routers * channels) time over the threads;
/// the same values at any number of threads.
DistanceStatistics distance_statistics(const Network& network, const DistanceOptions& options = {});

}  // namespace unknot
