// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>

namespace unknot {
namespace {

/// A block that fails late is the first one all the same.
TEST(ParallelBlocks, TheFailureOfTheFirstBlockIsTold) {
  for (std::uint32_t threads = 1; threads <= 4; ++threads) {
    std::atomic<bool> other_failed{false};
    std::string told;
    try {
      parallel_blocks(64, 2, threads, [&](std::uint32_t, std::uint32_t begin, std::uint32_t) {
        if (begin < 6) return;
        if (begin == 6) {
          // Where there is one thread at work nobody else fails: not for ever.
          for (int i = 0; i < 100'000 && !other_failed; ++i) std::this_thread::yield();
        } else {
          other_failed = true;
        }
        throw std::runtime_error(std::to_string(begin));
      });
    } catch (const std::runtime_error& error) {
      told = error.what();
    }
    EXPECT_EQ(told, "6") << threads;
  }
}

}  // namespace
}  // namespace unknot
