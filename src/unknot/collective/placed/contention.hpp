// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "unknot/collective/known/rank_schedule.hpp"
#include "unknot/collective/placed/placed_ranks.hpp"

namespace unknot {

/// What the messages of one round put on each line.
class RoundLoad {
 public:
  explicit RoundLoad(const PlacedRanks& placed)
      : placed_(&placed), flows_(placed.line_count()), blocks_(placed.line_count()) {}
  /// Forgets the last round. O(lines of both).
  void count(const RankSchedule& schedule, std::uint32_t round);
  [[nodiscard]] std::uint32_t flows(std::uint32_t line) const { return flows_[line]; }
  [[nodiscard]] std::uint64_t blocks(std::uint32_t line) const { return blocks_[line]; }
  /// Lines that carry anything, as they were met.
  [[nodiscard]] const std::vector<std::uint32_t>& touched() const { return touched_; }

 private:
  const PlacedRanks* placed_;
  std::vector<std::uint32_t> flows_;  // by line
  std::vector<std::uint64_t> blocks_;
  std::vector<std::uint32_t> touched_;
};

/// What an algorithm does to the channels of a network, if rounds are kept apart.
struct Contention {
  std::uint32_t rounds = 0;
  std::uint32_t shared_rounds = 0;    ///< in which messages meet on a channel between routers
  std::uint32_t shared_channels = 0;  ///< channels that are shared in any round
  std::uint32_t most_flows = 0;       ///< messages on one channel between routers, in one round
  /// Messages of one round on the cable of one host: what an algorithm asks of its port, whatever the routes.
  std::uint32_t port_flows = 0;
  // Where most messages meet, and first; without meaning where none do.
  std::uint32_t round = 0, line = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> flows;  ///< senders and receivers there: ranks
  // Traffic, in bytes for each byte of the message of the call.
  double channels = 0;  ///< bytes times channels between routers
  double between = 0;   ///< of these on channels between groups of routers
  double sent = 0;      ///< bytes

  [[nodiscard]] bool free() const { return most_flows <= 1; }
};

/// Groups of routers: r and s are in one where r / group_routers is s / group_routers; 0: no groups.
/// O(messages * hops).
Contention contention_of(const RankSchedule& schedule, const PlacedRanks& placed,
                         std::uint32_t group_routers = 0);

/// Where most messages meet, as a sentence has it: "round 3: 0 > 4, 1 > 5 and 2 more over S-1 port 2 -> S-2
/// port 1".
std::string meeting_text(const Contention& contention, const PlacedRanks& placed);

}  // namespace unknot
