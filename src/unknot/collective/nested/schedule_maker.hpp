// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/collective/model/flow_paths.hpp"
#include "unknot/collective/model/problem.hpp"
#include "unknot/collective/model/schedule.hpp"
#include "unknot/collective/nested/nested_flows.hpp"
#include "unknot/collective/paths/path_packer.hpp"

namespace unknot {

/// Makes schedules of plans: the flow of each step, split into paths. Where a path is longer than the problem
/// allows, all of the step negotiate for paths that are not (see path_packer.hpp).
class ScheduleMaker {
 public:
  /// Of a broadcast with one group; both must outlive this.
  ScheduleMaker(const Problem& problem, NestedFlows& nested)
      : problem_(problem), nested_(nested), paths_(*problem.graph), packer_(problem) {}

  /// Who misses the message in the plan misses it in the schedule. Those whose paths stay too long get it in
  /// a later step if they can, or never.
  Schedule make(InformPlan plan);
  /// Arcs looked at since the beginning.
  [[nodiscard]] std::uint64_t work() const { return packer_.work(); }

 private:
  bool is_near(NodeId from, NodeId to, std::uint64_t most);
  [[nodiscard]] bool fits(std::span<const NodeId> path);

  const Problem& problem_;
  NestedFlows& nested_;
  FlowPaths paths_;
  PathPacker packer_;
  std::vector<std::uint32_t> flow_;  // by arc
  std::vector<std::uint32_t> seen_;  // by node: search that came to it
  std::vector<NodeId> queue_;
  std::vector<std::vector<NodeId>> of_step_;  // paths
  std::uint32_t search_ = 0;
};

}  // namespace unknot
