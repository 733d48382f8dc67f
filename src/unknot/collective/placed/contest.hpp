// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "unknot/collective/combine/cost_model.hpp"
#include "unknot/collective/known/known_algorithm.hpp"
#include "unknot/collective/placed/contention.hpp"
#include "unknot/collective/placed/placed_ranks.hpp"
#include "unknot/collective/placed/rank_cost.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// An algorithm that is compared with others; one that comes in several numbers of chunks takes for each size
/// the one that the cost model takes for the quickest.
struct Contender {
  std::string name;  ///< spec, or "unknot-steps", "unknot-trees"
  std::string note;  ///< what else is known: "63 steps, the fewest: proven"
  struct Variant {
    std::uint32_t chunks;  ///< 0: it has none
    RankSchedule schedule;
    RankCost cost;
  };
  std::vector<Variant> variants;
  Contention contention;  ///< of the first variant

  /// The quickest for a size.
  [[nodiscard]] const Variant& variant(double bytes, const RankPace& pace) const;
  [[nodiscard]] double time(double bytes, const RankPace& pace) const {
    return variant(bytes, pace).cost.time(bytes, pace);
  }
};

struct ContestOptions {
  std::vector<std::string> algorithms;  ///< specs; empty: all that take the case
  bool ours = true;                     ///< unknot-steps and unknot-trees as well
  std::uint32_t group_routers = 0;      ///< as contention_of()
  std::uint64_t seed = 1;
  std::uint32_t threads = 0;
  double seconds = 0;  ///< for unknot-steps; 0: no limit
};

struct Contest {
  std::vector<Contender> contenders;
  std::vector<std::pair<std::string, std::string>> refused;  ///< name, and why
};

/// Every schedule has passed rank_schedule_fault(), or a std::logic_error is thrown. InputError for
/// algorithms that are named and do not take the case; where none is named those are `refused`. Interrupted.
Contest make_contest(const KnownCase& which, const PlacedRanks& placed, const LineTimes& times,
                     const ContestOptions& options, Progress& progress);

/// From which size on which one is the quickest, by the cost model, from one byte to `most`; `best` is a
/// number of a contender. Between two powers of two one that is best only inside may be left out.
std::vector<CostRange> best_contenders(const Contest& contest, const RankPace& pace, std::uint64_t most);

}  // namespace unknot
