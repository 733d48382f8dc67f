// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "unknot/collective/path_sets.hpp"
#include "unknot/collective/schedule.hpp"
#include "unknot/collective/step_resources.hpp"
#include "unknot/evolve/problem.hpp"

namespace unknot {

struct GenomeOptions {
  PathLimits limits;
  /// Broadcasts: receivers get messages from distributors this near only, in hops, where there is one.
  /// BroadcastGenome::kWide: from any. 0: 1 where the thesis's rule says that a flood will do,
  /// (M - 1) / k > log_k N, else kWide. [Jaros 2010, section 6.5.5]
  std::uint32_t radius = 0;
};

/// Schedules of broadcasts in a given number of steps as chromosomes: a gene (distributor, path, step) for
/// each receiver of each message. A distributor is the owner of the message or one of its receivers; repair
/// gives those who have not got it in time another one, by the load of ports, so that every repaired
/// chromosome is legal and its cost is the number of conflicts alone. [Jaros 2010, sections 6.3 to 6.6]
class BroadcastGenome final : public evolve::Problem {
 public:
  static constexpr std::uint32_t kWide = 0xFFFFFFFFU;

  /// InputError for what is no broadcast, no step, more than 65,536 steps, or as PathSets.
  BroadcastGenome(const unknot::Problem& problem, std::uint32_t steps, const GenomeOptions& options = {});

  [[nodiscard]] const evolve::Layout& layout() const override { return layout_; }
  [[nodiscard]] std::unique_ptr<evolve::Evaluator> evaluator() const override;
  /// What a repaired chromosome says, whether it has conflicts or not.
  [[nodiscard]] Schedule schedule(std::span<const evolve::Value> chromosome) const;

  [[nodiscard]] const unknot::Problem& problem() const { return problem_; }
  [[nodiscard]] const StepResources& resources() const { return resources_; }
  [[nodiscard]] std::uint32_t steps() const { return steps_; }
  [[nodiscard]] std::uint32_t radius() const { return radius_; }

  /// Who may have a message: member 0 of a group is its owner, member i + 1 its receiver i.
  [[nodiscard]] NodeId member(std::uint32_t group, std::uint32_t i) const {
    return i == 0 ? problem_.owner[group] : problem_.partner[problem_.first[group] + i - 1];
  }
  /// Paths between two different members of a group.
  [[nodiscard]] std::uint32_t path_count(NodeId from, NodeId to) const {
    return paths_.count(pair(from, to));
  }
  [[nodiscard]] std::uint32_t path(NodeId from, NodeId to, std::uint32_t i) const {
    return paths_.number(pair(from, to), i);
  }
  [[nodiscard]] bool near(NodeId from, NodeId to) const {
    return radius_ == kWide || near_[pair(from, to)] != 0;
  }

 private:
  [[nodiscard]] std::vector<MessageEnds> all_pairs();
  [[nodiscard]] std::uint32_t pair(NodeId from, NodeId to) const {
    const std::uint32_t f = place_[from.value], t = place_[to.value];
    return f * (parties_ - 1) + (t < f ? t : t - 1);
  }

  unknot::Problem problem_;
  std::uint32_t steps_;
  std::uint32_t parties_ = 0;         // nodes that take part
  std::vector<std::uint32_t> place_;  // by node: among those
  PathSets paths_;
  StepResources resources_;
  std::uint32_t radius_ = kWide;
  std::vector<std::uint8_t> near_;  // by pair
  evolve::Layout layout_;
};

}  // namespace unknot
