// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

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

/// Every number of [0, count) once, and no scratch space in two running calls.
void expect_each_once(std::uint32_t count, std::uint32_t block, std::uint32_t threads) {
  std::vector<std::atomic<std::uint32_t>> seen(count);
  std::vector<std::atomic<bool>> taken(threads);
  parallel_blocks(count, block, threads, [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
    ASSERT_LT(worker, threads);
    EXPECT_FALSE(taken[worker].exchange(true));
    for (std::uint32_t i = begin; i < end; ++i) ++seen[i];
    taken[worker] = false;
  });
  for (std::uint32_t i = 0; i < count; ++i) ASSERT_EQ(seen[i], 1U) << i << " of " << count;
}

/// Calls follow each other with other numbers of threads, after failures too, and lie within each other.
TEST(ParallelBlocks, EachNumberComesOnceInEachOfManyCalls) {
  for (std::uint32_t round = 0; round < 50; ++round) {
    expect_each_once(1 + round * 7, 1 + round % 5, 1 + round % 4);
    EXPECT_THROW(
        parallel_blocks(8, 1, 1 + round % 3,
                        [](std::uint32_t, std::uint32_t, std::uint32_t) { throw std::runtime_error(""); }),
        std::runtime_error);
  }
  std::vector<std::atomic<bool>> taken(3);
  std::atomic<std::uint32_t> calls{0};
  parallel_blocks(40, 1, 3, [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t) {
    EXPECT_FALSE(taken[worker].exchange(true));
    expect_each_once(100 + begin, 3, 2 + begin % 2);
    taken[worker] = false;
    ++calls;
  });
  EXPECT_EQ(calls, 40U);
}

TEST(ParallelBlocks, ThreadsOfItsCallerMayCallItAtOnce) {
  std::vector<std::thread> callers;
  for (std::uint32_t caller = 0; caller < 4; ++caller) {
    callers.emplace_back([caller] {
      for (std::uint32_t round = 0; round < 50; ++round) expect_each_once(64 + round, 2, 1 + caller);
    });
  }
  for (std::thread& caller : callers) caller.join();
}

}  // namespace
}  // namespace unknot
