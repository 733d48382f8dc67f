// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/play/rank_program.hpp"

namespace unknot::play {

/// Which instructions of a rank must be over before another may begin, by the blocks that they read and
/// write: what a program comes down to where steps do not count. Combinations into one block wait for each
/// other in no order.
struct DataFlow {
  std::vector<std::uint32_t> waits;       ///< by instruction: for how many
  std::vector<std::uint32_t> first_next;  ///< instructions + 1
  std::vector<std::uint32_t> next;        ///< who waits for it
};

/// `blocks`: of all buffers of the rank. O(blocks read and written, and pairs that wait, log of these).
DataFlow data_flow_of(const std::vector<Instruction>& instructions, std::uint32_t blocks);

}  // namespace unknot::play
