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

/// What an algorithm takes by the cost model: rounds one after the other, each
///
///     alpha * most messages that a rank sends in it
///       + max over its messages (latency of the lines of its way + bytes on the busiest of them * byte)
///
/// where all messages of the round that use a line share it. [Hockney 1994, with contention]
class RankCost {
 public:
  /// O(messages * hops).
  RankCost(const RankSchedule& schedule, const PlacedRanks& placed, const LineTimes& times);
  /// Seconds for a message of the call of that many bytes; parts of bytes count, too. O(rounds) nearly
  /// always.
  [[nodiscard]] double time(double bytes, double alpha) const;
  /// The same if no message met another.
  [[nodiscard]] double time_alone(double bytes, double alpha) const;

 private:
  struct Load {
    double latency, block;  // seconds; of a byte of each block
    bool operator==(const Load&) const = default;
  };
  struct Rounds {
    std::vector<std::size_t> first{0};
    std::vector<Load> loads;  // of a round those that no other has more of both than
    void close(std::vector<Load>& of_round);
    [[nodiscard]] double time(double block_bytes) const;
  };
  double parts_;
  double starts_ = 0;  // of messages, one after the other, over all rounds
  Rounds shared_, alone_;
};

}  // namespace unknot
