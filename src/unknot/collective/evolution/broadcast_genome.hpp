// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "unknot/collective/evolution/genome_parts.hpp"
#include "unknot/collective/model/schedule.hpp"
#include "unknot/collective/paths/pair_paths.hpp"
#include "unknot/collective/paths/step_resources.hpp"
#include "unknot/evolve/problem.hpp"

namespace unknot {

/// Schedules of broadcasts in a given number of steps as chromosomes: a gene (distributor, path, step) for
/// each receiver of each message. A distributor is the owner of the message or one of its receivers; repair
/// gives those who have not got it in time another one, by the load of ports, so that every repaired
/// chromosome is legal and its cost is the number of conflicts alone. [Jaros 2010, sections 6.3 to 6.6]
class BroadcastGenome final : public evolve::Problem {
 public:
  static constexpr std::uint32_t kWide = 0xFFFFFFFFU;

  /// InputError for what is no broadcast, no step, more than 65,536 steps, or as PairPaths.
  BroadcastGenome(const unknot::Problem& problem, std::uint32_t steps, const GenomeOptions& options = {});

  [[nodiscard]] const evolve::Layout& layout() const override { return layout_; }
  [[nodiscard]] std::uint64_t operations() const override { return genome_operations(layout_); }
  [[nodiscard]] std::unique_ptr<evolve::Evaluator> evaluator() const override;
  /// What a repaired chromosome says, whether it has conflicts or not.
  [[nodiscard]] Schedule schedule(std::span<const evolve::Value> chromosome) const;

  /// Of one owner of each orbit.
  [[nodiscard]] const unknot::Problem& problem() const { return problem_; }
  /// The first node of each node's orbit.
  [[nodiscard]] const std::vector<NodeId>& orbit() const { return orbit_; }
  [[nodiscard]] const StepResources& resources() const { return resources_; }
  [[nodiscard]] std::uint32_t steps() const { return steps_; }
  [[nodiscard]] std::uint32_t radius() const { return radius_; }
  [[nodiscard]] double greedy() const { return greedy_; }

  /// Who may have a message: member 0 of a group is its owner, member i + 1 its receiver i.
  [[nodiscard]] NodeId member(std::uint32_t group, std::uint32_t i) const {
    return parties_[places_[members(group) + i]];
  }
  /// Members of the groups before this one.
  [[nodiscard]] std::uint32_t members(std::uint32_t group) const { return problem_.first[group] + group; }
  /// What a transfer between two nodes that take part may choose from.
  struct Ways {
    std::uint32_t first = 0;  ///< of the paths of the sets
    std::uint16_t count = 0;  ///< paths but one: 0 where there is one
    std::uint16_t near = 0;   ///< 1: within the radius
    [[nodiscard]] std::uint32_t paths() const { return count + 1U; }
    /// The path that a value of a gene means.
    [[nodiscard]] std::uint32_t path(std::uint32_t value) const {
      return first + (value <= count ? value : value % paths());
    }
  };
  /// From member d of a group to another one, its receiver m - first[group], which is message m.
  [[nodiscard]] const Ways& ways(std::uint32_t group, std::uint32_t d, std::uint32_t m) const {
    return ways_of(group).of(d, m);
  }
  /// Those of one group.
  struct GroupWays {
    const Ways* ways;             // by pair of nodes that take part
    const std::uint32_t* places;  // by member
    std::size_t parties;
    std::uint32_t first;  // message
    [[nodiscard]] const Ways& of(std::uint32_t d, std::uint32_t m) const {
      return ways[places[d] * parties + places[m - first + 1]];
    }
  };
  [[nodiscard]] GroupWays ways_of(std::uint32_t group) const {
    return {ways_.data(), places_.data() + members(group), parties_.size(), problem_.first[group]};
  }
  /// Members of the group of message m that are near its receiver, in order; every other one where
  /// distributors are not restricted.
  [[nodiscard]] std::span<const evolve::Value> near_members(std::uint32_t m) const {
    return {near_.data() + near_begin_[m], near_.data() + near_begin_[m + 1]};
  }

  /// Of a member of a group of at most 64: the members that are near its node, and those that it is near to,
  /// a bit for each.
  struct NearMembers {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
  };
  /// No group has more than 64 members: near_of() knows them.
  [[nodiscard]] bool small_groups() const { return !near_masks_.empty(); }
  /// By member.
  [[nodiscard]] const NearMembers* near_of(std::uint32_t group) const {
    return near_masks_.data() + members(group);
  }

 private:
  using Value = evolve::Value;
  [[nodiscard]] std::vector<MessageEnds> all_pairs();
  [[nodiscard]] bool are_neighbours(NodeId from, NodeId to) const;
  void find_near_masks();

  Symmetry symmetry_;
  std::vector<NodeId> orbit_;  // by node
  unknot::Problem problem_;
  std::uint32_t steps_;
  double greedy_;
  std::vector<NodeId> parties_;    // nodes that take part
  std::uint32_t first_other_ = 0;  // pair of them that are no neighbours
  PairPaths paths_;
  StepResources resources_;
  std::uint32_t radius_ = kWide;
  std::vector<std::uint32_t> places_;       // by group and member: among the nodes that take part
  std::vector<Ways> ways_;                  // by pair of nodes that take part
  std::vector<std::size_t> near_begin_{0};  // by message, and one more
  std::vector<Value> near_;
  std::vector<NearMembers> near_masks_;  // by group and member; empty where a group has more than 64
  evolve::Layout layout_;
};

}  // namespace unknot
