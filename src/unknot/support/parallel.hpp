// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

namespace unknot {

/// Number of threads parallel_blocks() uses when none is asked for: the machine's, or the limit.
std::uint32_t hardware_threads();
/// No more threads than that from now on, wherever none are asked for; 0: those of the machine.
void limit_threads(std::uint32_t most);

/// Calls work(worker, begin, end) for consecutive blocks of [0, count), each at most `block` long, on up to
/// `threads` threads (0: all). `worker` < threads names scratch space that no two running calls share. Which
/// worker gets which block is not fixed: results must not depend on it. The exception of the first block that
/// throws is rethrown, whatever the number of threads.
void parallel_blocks(
    std::uint32_t count, std::uint32_t block, std::uint32_t threads,
    const std::function<void(std::uint32_t worker, std::uint32_t begin, std::uint32_t end)>& work);

}  // namespace unknot
