// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/combine/combined_schedule.hpp"

namespace unknot {

CombinedSchedule time_reversed(const CombinedSchedule& schedule, bool reduction) {
  CombinedSchedule result;
  std::vector<NodeId> path;
  std::vector<Block> blocks;
  for (std::uint32_t step = schedule.step_count(); step-- > 0;) {
    result.add_step();
    for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
      const auto forward = schedule.path(t);
      path.assign(forward.rbegin(), forward.rend());
      blocks.assign(schedule.blocks(t).begin(), schedule.blocks(t).end());
      if (!reduction) {
        for (Block& block : blocks) block = {NodeId(block.part), block.origin.value};
      }
      result.add(path, blocks, reduction);
    }
  }
  return result;
}

}  // namespace unknot
