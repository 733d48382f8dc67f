// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "unknot/collective/evolution/broadcast_genome.hpp"
#include "unknot/collective/evolution/schedule_evaluator.hpp"

namespace unknot {

/// First individuals, mutation, repair and cost of chromosomes of broadcasts. See broadcast_genome.hpp.
class BroadcastEvaluator final : public ScheduleEvaluator<BroadcastEvaluator, 3> {
 public:
  explicit BroadcastEvaluator(const BroadcastGenome& genome);

  void initial(std::span<evolve::Value> chromosome, Random& random) override;
  void mutate(std::span<evolve::Value> chromosome, Random& random) override;
  void repair(std::span<evolve::Value> chromosome, Random& random) override;

  struct Genes {
    BroadcastGenome::GroupWays ways;
    const std::uint32_t* rows;  // by member
    [[nodiscard]] std::uint32_t path(std::span<const evolve::Value> gene, std::uint32_t m) const {
      return ways.of(gene[0], m).path(gene[1]);
    }
    [[nodiscard]] std::uint32_t sender(std::span<const evolve::Value> gene) const { return rows[gene[0]]; }
  };
  [[nodiscard]] Genes genes_of(std::uint32_t group) const {
    return {genome_->ways_of(group), sender_.data() + genome_->members(group)};
  }

 private:
  /// Components of a message's gene.
  static Value& distributor(std::span<Value> chromosome, std::uint32_t m) { return chromosome[3 * m]; }
  static Value& path(std::span<Value> chromosome, std::uint32_t m) { return chromosome[3 * m + 1]; }

  /// Every transfer of a group comes from who has got the message before, and but for the last step from
  /// near.
  [[nodiscard]] bool legal(std::span<const Value> chromosome, std::uint32_t group) const;
  void repair_all(std::span<Value> chromosome, Random& random);
  void repair_group(std::span<Value> chromosome, std::uint32_t group, Random& random);
  void repair_small(std::span<Value> chromosome, std::uint32_t group, Random& random);
  /// Message m comes from one of these members, who have it, that has least to send in this step, or from one
  /// of all who have it where there are none of these.
  void take_other_distributor(Value* gene, std::uint32_t m, std::uint32_t step, std::uint64_t near,
                              Random& random) const;
  void repair_large(std::span<Value> chromosome, std::uint32_t group, Random& random);
  /// Steps [first, last) in which message m can be sent: its distributor has it by then, and its receiver has
  /// it before it sends it on.
  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> legal_steps(std::span<const Value> chromosome,
                                                                    std::uint32_t m) const;
  /// Another path, step or distributor for message m. The chromosome is held, and is so again.
  void change(std::span<Value> chromosome, std::uint32_t m, Random& random);
  /// A distributor for message m; a near one where that is found soon.
  std::uint32_t any_distributor(std::uint32_t m, Random& random);

  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  const BroadcastGenome* genome_;
  std::uint64_t legal_edition_ = 0;     // of what is held, when it was last known to be legal
  std::vector<std::uint32_t> sender_;   // by group and member: row of sending_
  std::vector<std::uint32_t> load_;     // by row and step, as sending_, of what repair has seen
  std::vector<std::uint32_t> broken_;   // groups to repair
  std::vector<std::uint32_t> touched_;  // messages that repair has changed, or may have
  // Of one group:
  std::vector<std::uint64_t> at_;        // by step: members that get the message in it
  std::vector<std::uint32_t> informed_;  // members that have the message
  std::vector<std::uint32_t> arrived_;   // members that get it in the present step
  std::vector<std::uint8_t> has_;        // by member: before the present step
  std::vector<std::uint32_t> next_;      // by member: the next one that gets the message in the same step
  std::vector<std::uint32_t> first_;     // by step: the first member
};

}  // namespace unknot
