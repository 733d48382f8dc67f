// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "unknot/collective/known/rank_schedule.hpp"
#include "unknot/report/content.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot::report {

struct AlgorithmsOptions {
  RankCollective collective = RankCollective::all_reduce;
  std::uint64_t most_movements = 3'000'000;  ///< of flits over channels: longer runs are predicted alone
  std::uint64_t seed = 1;
  std::uint32_t threads = 0;
};

/// All algorithms that take the collective, and ours, for 1 KiB to 16 MiB: predicted, and simulated where
/// that is short. A rank on each terminal. InputError as PlacedRanks; Interrupted.
AlgorithmsPart measure_algorithms(const Network& network, const Routing& routing, std::string name,
                                  const AlgorithmsOptions& options, Progress& progress);

}  // namespace unknot::report
