// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <type_traits>
#include <vector>

#include "unknot/support/progress.hpp"

namespace unknot::simulate {

/// Work on one point. `inner` answers interrupted() for it, from any thread; what else it is told is ignored.
using PointWork = std::function<void(std::uint32_t index, Progress& inner)>;

/// Does `work` for points 0 .. count-1, each once, on up to `threads` threads (0: all). Points are handed out
/// in order, one at a time: put the long ones first. `progress` counts the finished ones, under `phase`.
///
/// Where points throw, the exception of the one with the smallest index is thrown again, whatever the number
/// of threads; points after it may be left out. Interrupted is thrown when the user wants to stop.
void for_each_point(std::uint32_t count, std::uint32_t threads, const char* phase, Progress& progress,
                    const PointWork& work);

/// Threads for each of so many runs on up to `threads` threads (0: all): what they leave over is theirs.
std::uint32_t threads_of_each(std::uint32_t runs, std::uint32_t threads);

/// Results of independent points in the order of the points: the same at any number of threads, where `run`
/// follows from its index alone.
template <class Run>
auto parallel_points(std::uint32_t count, std::uint32_t threads, const char* phase, Progress& progress,
                     Run&& run) -> std::vector<decltype(run(std::uint32_t{}, progress))> {
  using Result = decltype(run(std::uint32_t{}, progress));
  static_assert(!std::is_same_v<Result, bool>, "vector<bool> is not for several threads");
  std::vector<Result> results(count);
  for_each_point(count, threads, phase, progress,
                 [&](std::uint32_t index, Progress& inner) { results[index] = run(index, inner); });
  return results;
}

}  // namespace unknot::simulate
