// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace unknot {

/// Which dependency of a cycle loses its paths to the next lane.
enum class BreakRule : std::uint8_t {
  weakest,   ///< the one with the fewest paths
  heaviest,  ///< the one with the most paths
  first,     ///< the first on the search's stack
  closing,   ///< the one that closed the cycle: the other reading of the paper's "first edge of a cycle"
};
inline constexpr BreakRule kBreakRules[] = {BreakRule::weakest, BreakRule::heaviest, BreakRule::first,
                                            BreakRule::closing};

}  // namespace unknot
