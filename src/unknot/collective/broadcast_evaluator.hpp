// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/collective/broadcast_genome.hpp"
#include "unknot/collective/schedule_evaluator.hpp"

namespace unknot {

/// First individuals, mutation, repair and cost of chromosomes of broadcasts. See broadcast_genome.hpp.
class BroadcastEvaluator final : public ScheduleEvaluator<BroadcastEvaluator, 3> {
 public:
  explicit BroadcastEvaluator(const BroadcastGenome& genome);

  void initial(std::span<evolve::Value> chromosome, Random& random) override;
  void mutate(std::span<evolve::Value> chromosome, Random& random) override;
  void repair(std::span<evolve::Value> chromosome, Random& random) override;

  [[nodiscard]] std::uint32_t path_of(std::span<const evolve::Value> chromosome, std::uint32_t m) const;
  [[nodiscard]] NodeId sender(std::span<const evolve::Value> chromosome, std::uint32_t m) const {
    return genome_->member(group_of_[m], chromosome[3 * m]);
  }

 private:
  /// Components of a message's gene.
  static Value& distributor(std::span<Value> chromosome, std::uint32_t m) { return chromosome[3 * m]; }
  static Value& path(std::span<Value> chromosome, std::uint32_t m) { return chromosome[3 * m + 1]; }

  void repair_group(std::span<Value> chromosome, std::uint32_t group, Random& random);
  /// Somebody who has the message, of those who have the one with least to send in this step; `informed`
  /// where none is near.
  std::uint32_t find_distributor(std::uint32_t group, NodeId to, std::uint32_t step, bool near_only,
                                 Random& random);
  /// One of the members of a group, not this one; a near one where that is found soon.
  std::uint32_t any_member(std::uint32_t group, std::uint32_t but, Random& random);

  const BroadcastGenome* genome_;
  // Of one group:
  std::vector<std::uint32_t> informed_;  // members that have the message
  std::vector<std::uint32_t> arrived_;   // members that get it in the present step
  std::vector<std::uint8_t> has_;        // by member: before the present step
  std::vector<std::uint32_t> next_;      // by member: the next one that gets the message in the same step
  std::vector<std::uint32_t> first_;     // by step: the first member
};

}  // namespace unknot
