// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/schedule_maker.hpp"

#include <algorithm>

namespace unknot {
namespace {

constexpr std::uint32_t kRounds = 40;  // of paths that negotiate

}  // namespace

bool ScheduleMaker::fits(std::span<const NodeId> path) {
  if (problem_.extra_hops == Problem::kAnyLength) return true;
  problem_.graph->distances_from(path.front(), hops_);
  return path.size() - 1 <= std::uint64_t{hops_[path.back().value]} + problem_.extra_hops;
}

Schedule ScheduleMaker::make(InformPlan plan) {
  const NodeId owner = problem_.owner.front();
  const auto steps = static_cast<std::uint32_t>(plan.step.size());
  Schedule schedule;
  std::vector<NodeId> senders{owner};
  for (std::uint32_t k = 0; k < steps; ++k) {
    schedule.add_step();
    std::vector<NodeId>& receivers = plan.step[k];
    nested_.flow_of(plan, k, flow_);
    paths_.cancel_circles(flow_);
    of_step_.clear();
    paths_.split(flow_, senders,
                 [&](std::span<const NodeId> path) { of_step_.emplace_back(path.begin(), path.end()); });
    const auto too_long =
        std::stable_partition(of_step_.begin(), of_step_.end(), [&](const auto& path) { return fits(path); });
    if (too_long != of_step_.end() && packer_.pack(senders, receivers, kRounds)) {
      for (std::size_t i = 0; i < receivers.size(); ++i) schedule.add(owner, packer_.path(i));
    } else {
      receivers.clear();
      for (auto path = of_step_.begin(); path != too_long; ++path) {
        schedule.add(owner, *path);
        receivers.push_back(path->back());
      }
      if (too_long != of_step_.end() && k + 1 < steps) nested_.complete(plan, k + 1);
    }
    senders.insert(senders.end(), receivers.begin(), receivers.end());
  }
  return schedule;
}

}  // namespace unknot
