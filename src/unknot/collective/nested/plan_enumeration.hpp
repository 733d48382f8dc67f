// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "unknot/collective/model/problem.hpp"
#include "unknot/collective/nested/nested_flows.hpp"
#include "unknot/collective/paths/step_flow.hpp"

namespace unknot {

/// All plans of a small broadcast, as nested flows with paths of any length. Who has the message never hurts,
/// so only largest sets of receivers are tried in each step, and none from which the rest cannot be reached
/// even if each node sent all it can.
class PlanEnumeration {
 public:
  enum class Outcome : std::uint8_t { found, none, too_many };

  /// Of a broadcast with one group, which must outlive this; one step or more.
  PlanEnumeration(const Problem& problem, std::uint32_t steps);
  /// Looks at `most_work` arcs at most, and at none where there are clearly too many plans. `plan` is set
  /// when one is found. Gives up when `stop` says so.
  Outcome run(std::uint64_t most_work, const std::function<bool()>& stop, InformPlan& plan);
  [[nodiscard]] std::uint64_t work() const { return flow_.work(); }
  [[nodiscard]] std::uint64_t evaluations() const { return evaluations_; }

 private:
  struct Level {
    std::vector<NodeId> others;  // who does not have the message before the step
    std::vector<NodeId> chosen;  // who gets it
    std::vector<StepFlow::State> flows;
  };
  [[nodiscard]] bool grows_enough(std::uint32_t step, std::uint64_t informed) const;
  Outcome from(std::uint32_t step);
  Outcome choose(std::uint32_t step, std::size_t next, std::size_t wanted);

  const Problem& problem_;
  std::uint32_t steps_;
  StepFlow flow_;
  std::vector<Level> levels_;
  std::vector<std::uint64_t> sends_;  // most that receivers send, descending
  std::vector<std::uint8_t> informed_;
  std::function<bool()> stop_;
  std::uint64_t most_work_ = 0, evaluations_ = 0;
};

}  // namespace unknot
