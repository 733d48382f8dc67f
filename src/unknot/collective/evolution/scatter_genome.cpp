// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/evolution/scatter_genome.hpp"

#include "unknot/collective/evolution/genome_parts.hpp"
#include "unknot/collective/evolution/schedule_evaluator.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

using evolve::Value;

std::vector<MessageEnds> ends_of(const Problem& problem) {
  if (problem.delivery != Delivery::scatter)
    throw InputError("schedule: scatters alone have such chromosomes");
  std::vector<MessageEnds> ends;
  for (std::uint32_t g = 0; g < problem.groups(); ++g) {
    for (const NodeId partner : problem.partners(g)) ends.push_back({problem.owner[g], partner});
  }
  return ends;
}

class ScatterEvaluator final : public ScheduleEvaluator<ScatterEvaluator, 2> {
 public:
  explicit ScatterEvaluator(const ScatterGenome& genome)
      : ScheduleEvaluator(genome.layout(), genome.problem(), genome.resources(), genome.orbit(),
                          genome.steps(), genome.greedy()),
        paths_(&genome.paths()) {
    for (const NodeId owner : problem_->owner) sender_.push_back(sending_.row(owner));
  }

  void mutate(std::span<Value> chromosome, Random& random) override {
    hold(chromosome);
    balance_ports(chromosome, random);
    const std::uint32_t m = choose_gene(chromosome, random);
    const std::uint32_t paths = paths_->count(m);
    if (is_greedy(random)) {
      if (paths > 1 && random.below(2) == 0) chromosome[2 * m] = static_cast<Value>(random.below(paths));
      take_best_step(chromosome, m, 0, steps_, random);
      return;
    }
    if (paths > 1 && random.below(2) == 0) {
      chromosome[2 * m] = near_value(chromosome[2 * m], paths, random);
      hold_gene(chromosome, m);
    } else {
      change_step(chromosome, m, random);
    }
  }

  struct Genes {
    const PairPaths* paths;
    std::uint32_t row;
    [[nodiscard]] std::uint32_t path(std::span<const Value> gene, std::uint32_t m) const {
      return paths->number(m, gene[0]);
    }
    [[nodiscard]] std::uint32_t sender(std::span<const Value> /*gene*/) const { return row; }
  };
  [[nodiscard]] Genes genes_of(std::uint32_t group) const { return {paths_, sender_[group]}; }

 private:
  const PairPaths* paths_;
  std::vector<std::uint32_t> sender_;  // by group: row of sending_
};

}  // namespace

ScatterGenome::ScatterGenome(const unknot::Problem& problem, std::uint32_t steps,
                             const GenomeOptions& options)
    : symmetry_(symmetry_for(problem, options)),
      orbit_(symmetry_.node_orbits()),
      problem_(representatives(problem, symmetry_)),
      steps_(steps),
      greedy_(options.greedy),
      paths_(*problem.graph, ends_of(problem_), limits_for(problem, options.limits), asked(options)),
      resources_(problem_, paths_, symmetry_, asked(options)) {
  require_steps(steps);
  for (std::uint32_t m = 0; m < problem_.messages(); ++m) layout_.add_gene({paths_.count(m), steps});
}

std::unique_ptr<evolve::Evaluator> ScatterGenome::evaluator() const {
  return std::make_unique<ScatterEvaluator>(*this);
}

Schedule ScatterGenome::schedule(std::span<const Value> chromosome) const {
  ScheduleBuilder builder(*problem_.graph, symmetry_, steps_);
  for (std::uint32_t g = 0; g < problem_.groups(); ++g) {
    for (std::uint32_t m = problem_.first[g]; m < problem_.first[g + 1]; ++m) {
      builder.add(chromosome[2 * m + 1], problem_.owner[g], paths_.arcs(paths_.number(m, chromosome[2 * m])));
    }
  }
  return builder.build();
}

}  // namespace unknot
