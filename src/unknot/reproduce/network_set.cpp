// SPDX-License-Identifier: Apache-2.0
#include "unknot/reproduce/network_set.hpp"

#include "unknot/support/parallel.hpp"
#include "unknot/support/shared_progress.hpp"

namespace unknot {

void for_each_case(std::uint32_t count, std::uint32_t threads, const char* phase, Progress& progress,
                   const std::function<void(std::uint32_t, Progress&)>& work) {
  SharedProgress shared(progress, phase, count);
  parallel_blocks(count, 1, threads, [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t i = begin; i < end; ++i) {
      StopOnly inner(progress);
      work(i, inner);
      shared.step();
    }
  });
}

}  // namespace unknot
