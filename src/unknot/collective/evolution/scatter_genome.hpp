// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "unknot/collective/evolution/genome_parts.hpp"
#include "unknot/collective/model/schedule.hpp"
#include "unknot/collective/paths/pair_paths.hpp"
#include "unknot/collective/paths/step_resources.hpp"
#include "unknot/evolve/problem.hpp"

namespace unknot {

/// Schedules of a scatter in a given number of steps as chromosomes: a gene (path, step) for each message.
/// The cost is the number of conflicts; mutation is that of the thesis: ports are balanced, then one
/// component of a gene changes, every other time of one in conflict; a new step is first sought by a swap
/// with another message of the same owner. [Jaros 2010, sections 6.2, 6.4, 6.5.1, 6.5.2, 6.6]
class ScatterGenome final : public evolve::Problem {
 public:
  /// InputError for what is no scatter, no step, more than 65,536 steps, or as PairPaths.
  ScatterGenome(const unknot::Problem& problem, std::uint32_t steps, const GenomeOptions& options = {});

  [[nodiscard]] const evolve::Layout& layout() const override { return layout_; }
  [[nodiscard]] std::uint64_t operations() const override { return genome_operations(layout_); }
  [[nodiscard]] std::unique_ptr<evolve::Evaluator> evaluator() const override;
  /// What a chromosome says, whether it has conflicts or not.
  [[nodiscard]] Schedule schedule(std::span<const evolve::Value> chromosome) const;

  /// Of one owner of each orbit.
  [[nodiscard]] const unknot::Problem& problem() const { return problem_; }
  /// The first node of each node's orbit.
  [[nodiscard]] const std::vector<NodeId>& orbit() const { return orbit_; }
  [[nodiscard]] const PairPaths& paths() const { return paths_; }
  [[nodiscard]] const StepResources& resources() const { return resources_; }
  [[nodiscard]] std::uint32_t steps() const { return steps_; }
  [[nodiscard]] double greedy() const { return greedy_; }

 private:
  Symmetry symmetry_;
  std::vector<NodeId> orbit_;  // by node
  unknot::Problem problem_;
  std::uint32_t steps_;
  double greedy_;
  PairPaths paths_;  // by message
  StepResources resources_;
  evolve::Layout layout_;
};

}  // namespace unknot
