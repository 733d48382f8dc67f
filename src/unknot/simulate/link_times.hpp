// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace unknot::simulate {

/// Times of all links, in steps.
struct LinkTimes {
  std::vector<std::uint32_t> channel_latency, channel_period;    ///< by channel
  std::vector<std::uint32_t> terminal_latency, terminal_period;  ///< by terminal, both ways
  bool on_grid = true;  ///< flits leave at cycles; false: at any step
};

}  // namespace unknot::simulate
