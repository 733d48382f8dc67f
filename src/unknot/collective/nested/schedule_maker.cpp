// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/nested/schedule_maker.hpp"

#include <algorithm>
#include <utility>

namespace unknot {
namespace {

constexpr std::uint32_t kRounds = 40;  // of paths that negotiate

}  // namespace

/// Whether a path leads from one node to another over this many channels at most.
bool ScheduleMaker::is_near(NodeId from, NodeId to, std::uint64_t most) {
  const NodeGraph& graph = *problem_.graph;
  // a terminal is one hop behind its router, and no other is looked at
  if (graph.is_leaf(to)) return most > 0 && is_near(from, graph.tail(graph.in(to)[0]), most - 1);
  if (from == to) return true;
  seen_.resize(graph.node_count(), 0);
  seen_[from.value] = ++search_;
  queue_.assign(1, from);
  std::size_t next = 0;
  for (std::uint64_t hops = 0; hops < most && next < queue_.size(); ++hops) {
    for (const std::size_t end = queue_.size(); next < end; ++next) {
      const NodeId n = queue_[next];
      for (const ArcId a : graph.out(n)) {
        const NodeId head = graph.head(a);
        if (graph.is_leaf(head)) break;
        if (head == to) return true;
        if (std::exchange(seen_[head.value], search_) != search_) queue_.push_back(head);
      }
    }
  }
  return false;
}

bool ScheduleMaker::fits(std::span<const NodeId> path) {
  const std::uint64_t enough = std::uint64_t{problem_.extra_hops} + 1;
  return path.size() - 1 <= enough || !is_near(path.front(), path.back(), path.size() - 1 - enough);
}

Schedule ScheduleMaker::make(InformPlan plan) {
  const NodeId owner = problem_.owner.front();
  const auto steps = static_cast<std::uint32_t>(plan.step.size());
  Schedule schedule;
  std::vector<NodeId> senders{owner};
  for (std::uint32_t k = 0; k < steps; ++k) {
    schedule.add_step();
    std::vector<NodeId>& receivers = plan.step[k];
    if (receivers.empty()) continue;
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
