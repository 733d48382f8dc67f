// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <deque>
#include <vector>

#include "unknot/simulate/record/throttle_counts.hpp"
#include "unknot/simulate/settings/settings.hpp"

namespace unknot::simulate {

/// Terminals that send slower while their packets meet long queues: explicit congestion notification. A
/// packet that is routed to an output where `ecn_threshold` flits wait is marked; `ecn_delay` cycles after a
/// marked packet has arrived its sender is held back more, by a level, where no other notice is on the way to
/// it; after every `ecn_timer` cycles a level less. After a packet of n cycles a terminal of level k waits n
/// * (2^(k / 8) - 1) cycles: it sends at 2^(-k / 8) of the speed of its link. All that it sends is held back
/// alike, wherever it goes, as InfiniBand's congestion control by service level does. [InfiniBand
/// Architecture Specification, annex A10: marks (FECN), notices (BECN), index, limit, timer and table of
/// delays (CCTI, CCTI_Limit, CCTI_Timer, CCT)]
///
/// Each call is O(1), amortized; memory is linear in terminals, packets in flight and notices on their way.
class Throttle {
 public:
  static constexpr std::uint32_t kLevels = 128, kLevelsOfHalf = 8;

  Throttle(const Settings& settings, std::uint32_t terminals)
      : threshold_(settings.ecn_threshold),
        delay_(settings.ecn_delay),
        timer_(settings.ecn_timer),
        terminals_(terminals) {
    for (std::uint32_t k = 0; k < kLevels; ++k)
      wait_[k] = std::exp2(static_cast<double>(k) / kLevelsOfHalf) - 1;
  }

  [[nodiscard]] std::uint32_t threshold() const { return threshold_; }

  /// A packet enters the network, under a number that another may have had.
  void entered(std::uint32_t packet) {
    if (packet >= marked_.size()) marked_.resize(std::size_t{packet} + 1, 0);
    marked_[packet] = 0;
  }
  void mark(std::uint32_t packet) { marked_[packet] = 1; }

  /// Its tail arrives in this cycle; cycles of calls do not fall.
  void arrived(std::uint32_t packet, std::uint32_t sender, std::uint64_t cycle) {
    counts_.arrived += 1;
    if (marked_[packet] == 0) return;
    counts_.marked += 1;
    Terminal& terminal = terminals_[sender];
    if (cycle < terminal.next_notice) return;
    terminal.next_notice = cycle + delay_;
    notices_.push_back({cycle + delay_, sender});
  }

  /// A terminal has sent the last flit of a packet of so many cycles in this one: it begins no other for a
  /// while.
  void sent(std::uint32_t sender, std::uint64_t cycles, std::uint64_t now) {
    take_notices(now);
    const std::uint32_t level = level_of(sender, now);
    const auto wait = static_cast<std::uint64_t>(std::llround(static_cast<double>(cycles) * wait_[level]));
    terminals_[sender].until = now + 1 + wait;
    counts_.waited += wait;
  }
  /// First cycle in which it may begin a packet.
  [[nodiscard]] std::uint64_t until(std::uint32_t sender) const { return terminals_[sender].until; }

  [[nodiscard]] const ThrottleCounts& counts() const { return counts_; }
  void clear_counts() { counts_ = {}; }

 private:
  struct Terminal {
    std::uint64_t turn = 0;  ///< of the timer, when the level was this
    std::uint64_t until = 0;
    std::uint64_t next_notice = 0;  ///< first cycle in which another is sent to it
    std::uint32_t level = 0;
  };
  struct Notice {
    std::uint64_t cycle;
    std::uint32_t sender;
  };

  void take_notices(std::uint64_t now) {
    while (!notices_.empty() && notices_.front().cycle <= now) {
      const Notice notice = notices_.front();
      notices_.pop_front();
      Terminal& terminal = terminals_[notice.sender];
      terminal.level = std::min(level_of(notice.sender, notice.cycle) + 1, kLevels - 1);
      terminal.turn = notice.cycle / timer_;
    }
  }
  [[nodiscard]] std::uint32_t level_of(std::uint32_t sender, std::uint64_t now) const {
    const Terminal& terminal = terminals_[sender];
    const std::uint64_t turns = now / timer_ - terminal.turn;
    return turns >= terminal.level ? 0 : terminal.level - static_cast<std::uint32_t>(turns);
  }

  std::uint32_t threshold_;
  std::uint64_t delay_, timer_;
  std::vector<Terminal> terminals_;
  std::vector<std::uint8_t> marked_;  // by packet
  std::deque<Notice> notices_;        // by cycle
  std::array<double, kLevels> wait_{};
  ThrottleCounts counts_;
};

}  // namespace unknot::simulate
