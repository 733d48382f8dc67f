// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/model/schedule.hpp"

namespace unknot {

Schedule time_reversed(const Schedule& schedule, Delivery delivery) {
  Schedule result;
  std::vector<NodeId> path;
  for (std::uint32_t step = schedule.step_count(); step-- > 0;) {
    result.add_step();
    for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
      const auto forward = schedule.path(t);
      path.assign(forward.rbegin(), forward.rend());
      result.add(delivery == Delivery::scatter ? path.front() : schedule.origin(t), path);
    }
  }
  return result;
}

}  // namespace unknot
