// SPDX-License-Identifier: Apache-2.0
// support/parallel.hpp on one thread, in the place of its own source: the plug-in needs no library of
// threads.
#include <algorithm>

#include "unknot/support/parallel.hpp"

namespace unknot {

std::uint32_t hardware_threads() {
  return 1;
}

void limit_threads(std::uint32_t most) {
  (void)most;
}

void parallel_blocks(std::uint32_t count, std::uint32_t block, std::uint32_t threads,
                     const std::function<void(std::uint32_t, std::uint32_t, std::uint32_t)>& work) {
  (void)threads;
  for (std::uint32_t begin = 0; begin < count; begin += std::min(block, count - begin))
    work(0, begin, begin + std::min(block, count - begin));
}

}  // namespace unknot
