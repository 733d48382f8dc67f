// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "unknot/collective/model/problem.hpp"
#include "unknot/collective/paths/receiver_centres.hpp"
#include "unknot/collective/paths/step_flow.hpp"
#include "unknot/collective/paths/terminal_centres.hpp"
#include "unknot/support/random.hpp"

namespace unknot {

/// Who gets the message of a broadcast in which step.
struct InformPlan {
  std::vector<std::vector<NodeId>> step;  ///< by step, those that get it in it
  std::vector<NodeId> left;               ///< those that never do

  [[nodiscard]] std::uint32_t missing() const { return static_cast<std::uint32_t>(left.size()); }
};

/// Broadcasts as nested flows: each step is a flow from those that have the message to those that get it (see
/// step_flow.hpp), and those send in the next. More nodes that have it never hurt, so a step always informs
/// as many as it can; which ones is an order of priority for each step. One evaluation runs all steps; a
/// search changes the orders: a node that would help what was cut off in the last step goes to the front.
class NestedFlows {
 public:
  /// Of a broadcast with one group, which must outlive this; one step or more.
  NestedFlows(const Problem& problem, std::uint32_t steps, std::uint64_t seed);

  /// The plan's steps before `from` stay. From there on, each step informs first those of the plan, in the
  /// plan's order, then others in random order. Returns what came of it.
  void complete(InformPlan& plan, std::uint32_t from);
  /// How those are chosen who get the message before the last step.
  enum class Start : std::uint8_t { spread_by_cells, spread, random };
  static constexpr std::uint32_t kStarts = 3;
  /// A new plan.
  InformPlan start(Start how);
  /// Changes a plan in one place; one that misses more than `accept` is given back as it was. True when kept.
  bool change(InformPlan& plan, std::uint32_t accept);

  /// The paths' flow of a step of a plan: by arc.
  void flow_of(const InformPlan& plan, std::uint32_t step, std::vector<std::uint32_t>& flow);
  [[nodiscard]] std::uint64_t work() const {
    return flow_.work() + centres_.work() + (at_terminals_ ? at_terminals_->work() : 0) + work_;
  }
  [[nodiscard]] std::uint64_t evaluations() const { return evaluations_; }

 private:
  void prepare(InformPlan& plan, std::uint32_t from);
  void begin_step(const InformPlan& plan, std::uint32_t step);
  void run_step(InformPlan& plan, std::uint32_t step);
  NodeId candidate(const InformPlan& plan);
  const Problem& problem_;
  const NodeGraph& graph_;
  std::uint32_t steps_;
  Random random_;
  StepFlow flow_;
  ReceiverCentres centres_;
  std::optional<TerminalCentres> at_terminals_;
  std::vector<std::uint32_t> informed_;  // by node: step of the plan, kNever
  std::vector<NodeId> others_, wanted_, senders_;
  InformPlan tried_;
  std::uint64_t work_ = 0, evaluations_ = 0;
};

}  // namespace unknot
