// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/collective/known/rank_schedule.hpp"
#include "unknot/collective/placed/placed_ranks.hpp"

namespace unknot {

/// What a line takes, in seconds.
struct LineTimes {
  std::vector<double> byte;     ///< by line: of a byte
  std::vector<double> latency;  ///< by line: of a head, through the cable and the router that it leads to
};

/// How ranks go through rounds.
struct RankPace {
  double alpha = 1e-6;  ///< seconds that a rank takes to begin a message
  /// All ranks begin a round together, when nothing of the one before is under way any more; what they need
  /// to agree on that is not counted.
  bool apart = false;
};

/// What an algorithm takes by the cost model. Each rank keeps its rounds by itself, as rank_tasks() has it:
/// it begins the messages of a round one after the other, alpha seconds each, when all that it sent and was
/// sent in the rounds before is done. A message has arrived after
///
///     latency of the lines of its way + bytes of the round on the busiest of them * byte
///
/// where all messages of the same round that use a line share it, whenever they are sent; those of different
/// rounds do not meet. [Hockney 1994, with contention; ranks in their own time as in LogGP, Alexandrov et al.
/// 1995]
class RankCost {
 public:
  /// O(messages * hops).
  RankCost(const RankSchedule& schedule, const PlacedRanks& placed, const LineTimes& times);
  /// Seconds for a message of the call of that many bytes; parts of bytes count, too. O(messages).
  [[nodiscard]] double time(double bytes, const RankPace& pace) const {
    return run(bytes, pace, &Step::shared);
  }
  /// The same if no message met another.
  [[nodiscard]] double time_alone(double bytes, const RankPace& pace) const {
    return run(bytes, pace, &Step::alone);
  }

 private:
  struct Step {
    std::uint32_t from, to;
    double latency;
    double shared, alone;  // seconds for a byte of each block
  };
  [[nodiscard]] double run(double bytes, const RankPace& pace, double Step::*block) const;

  double parts_;
  std::uint32_t ranks_;
  std::vector<std::size_t> first_{0};  // rounds + 1
  std::vector<Step> steps_;
};

}  // namespace unknot
