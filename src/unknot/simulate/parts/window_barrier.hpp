// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "unknot/support/spin_wait.hpp"

namespace unknot::simulate {

/// Where threads meet at the end of each window of time. A window of a busy network takes some microseconds,
/// which is less than to sleep and be woken: who comes first looks for the others for a while before it
/// sleeps.
class WindowBarrier {
 public:
  explicit WindowBarrier(std::uint32_t threads) : rounds_(threads) {}

  /// Returns when all threads have called it as often as this one. What they wrote before is seen after.
  void meet(std::uint32_t thread) {
    std::atomic<std::uint32_t>& own = rounds_[thread].number;
    const std::uint32_t round = own.load(std::memory_order_relaxed) + 1;
    own.store(round, std::memory_order_release);
    own.notify_all();
    for (Round& other : rounds_) {
      wait_while(other.number,
                 [round](std::uint32_t now) { return static_cast<std::int32_t>(now - round) < 0; });
    }
  }

 private:
  struct alignas(64) Round {
    std::atomic<std::uint32_t> number{0};
  };
  std::vector<Round> rounds_;
};

}  // namespace unknot::simulate
