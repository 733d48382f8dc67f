// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/scatter_genome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "unknot/collective/genome_parts.hpp"
#include "unknot/collective/port_balance.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

using evolve::Cost;
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

class ScatterEvaluator final : public evolve::Evaluator {
 public:
  explicit ScatterEvaluator(const ScatterGenome& genome)
      : Evaluator(genome.layout()),
        genome_(&genome),
        conflicts_(genome.resources(), genome.steps()),
        sending_(*genome.problem().graph, genome.problem().send_ports, true, genome.steps()),
        receiving_(*genome.problem().graph, genome.problem().receive_ports, false, genome.steps()) {
    const unknot::Problem& problem = genome.problem();
    for (std::uint32_t g = 0; g < problem.groups(); ++g) {
      for (std::uint32_t m = problem.first[g]; m < problem.first[g + 1]; ++m) group_of_.push_back(g);
    }
  }

  [[nodiscard]] Cost cost(std::span<const Value> chromosome) override {
    count(chromosome);
    return conflicts_.total();
  }

  void mutate(std::span<Value> chromosome, Random& random) override {
    balance_ports(chromosome, random);
    count(chromosome);
    const std::uint32_t messages = genome_->problem().messages();
    std::uint32_t m = random.below(messages);
    if (random.below(2) == 0) {
      conflicting_.clear();
      for (std::uint32_t i = 0; i < messages; ++i) {
        if (conflicts_.any(path_of(chromosome, i), step_of(chromosome, i))) conflicting_.push_back(i);
      }
      if (!conflicting_.empty())
        m = conflicting_[random.below(static_cast<std::uint32_t>(conflicting_.size()))];
    }
    const std::uint32_t paths = genome_->paths().count(m);
    if (paths > 1 && random.below(2) == 0) {
      chromosome[2 * m] = near_value(chromosome[2 * m], paths, random);
    } else if (genome_->steps() > 1 && !swap_steps(chromosome, m, random)) {
      chromosome[2 * m + 1] = static_cast<Value>(random.below(genome_->steps()));
    }
  }

 private:
  [[nodiscard]] std::uint32_t path_of(std::span<const Value> chromosome, std::uint32_t m) const {
    return genome_->paths().number(m, chromosome[2 * m]);
  }
  static std::uint32_t step_of(std::span<const Value> chromosome, std::uint32_t m) {
    return chromosome[2 * m + 1];
  }
  void count(std::span<const Value> chromosome) {
    conflicts_.clear();
    for (std::uint32_t m = 0; m < genome_->problem().messages(); ++m) {
      conflicts_.add(path_of(chromosome, m), step_of(chromosome, m));
    }
  }

  /// Two messages of one owner change their steps where that is better.
  bool swap_steps(std::span<Value> chromosome, std::uint32_t m, Random& random) {
    const unknot::Problem& problem = genome_->problem();
    const std::uint32_t g = group_of_[m];
    const std::uint32_t size = problem.first[g + 1] - problem.first[g];
    const std::uint32_t other = problem.first[g] + random.below(size);
    const std::uint32_t here = step_of(chromosome, m), there = step_of(chromosome, other);
    if (here == there) return false;
    const std::uint32_t before = conflicts_.total();
    conflicts_.remove(path_of(chromosome, m), here);
    conflicts_.remove(path_of(chromosome, other), there);
    conflicts_.add(path_of(chromosome, m), there);
    conflicts_.add(path_of(chromosome, other), here);
    if (conflicts_.total() >= before) return false;
    std::swap(chromosome[2 * m + 1], chromosome[2 * other + 1]);
    return true;
  }

  /// Messages that are more in a step than their sender or receiver has ports go to steps with free ones.
  void balance_ports(std::span<Value> chromosome, Random& random) {
    const unknot::Problem& problem = genome_->problem();
    sending_.clear();
    receiving_.clear();
    for (std::uint32_t m = 0; m < problem.messages(); ++m) {
      sending_.add(problem.owner[group_of_[m]], step_of(chromosome, m));
      receiving_.add(problem.partner[m], step_of(chromosome, m));
    }
    for (std::uint32_t m = 0; m < problem.messages(); ++m) {
      const NodeId from = problem.owner[group_of_[m]], to = problem.partner[m];
      const std::uint32_t step = step_of(chromosome, m);
      if (!sending_.overloaded(from, step) && !receiving_.overloaded(to, step)) continue;
      const std::uint32_t start = random.below(genome_->steps());
      for (std::uint32_t i = 0; i < genome_->steps(); ++i) {
        const std::uint32_t s = start + i < genome_->steps() ? start + i : start + i - genome_->steps();
        if (!sending_.free(from, s) || !receiving_.free(to, s)) continue;
        sending_.remove(from, step);
        receiving_.remove(to, step);
        sending_.add(from, s);
        receiving_.add(to, s);
        chromosome[2 * m + 1] = static_cast<Value>(s);
        break;
      }
    }
  }

  const ScatterGenome* genome_;
  Conflicts conflicts_;
  PortBalance sending_, receiving_;
  std::vector<std::uint32_t> group_of_;  // by message
  std::vector<std::uint32_t> conflicting_;
};

}  // namespace

ScatterGenome::ScatterGenome(const unknot::Problem& problem, std::uint32_t steps, const PathLimits& limits)
    : problem_(problem),
      steps_(steps),
      paths_(*problem.graph, ends_of(problem), limits_for(problem, limits)),
      resources_(problem, paths_) {
  require_steps(steps);
  for (std::uint32_t m = 0; m < problem.messages(); ++m) layout_.add_gene({paths_.count(m), steps});
}

std::unique_ptr<evolve::Evaluator> ScatterGenome::evaluator() const {
  return std::make_unique<ScatterEvaluator>(*this);
}

Schedule ScatterGenome::schedule(std::span<const Value> chromosome) const {
  ScheduleBuilder builder(*problem_.graph, steps_);
  for (std::uint32_t g = 0; g < problem_.groups(); ++g) {
    for (std::uint32_t m = problem_.first[g]; m < problem_.first[g + 1]; ++m) {
      builder.add(chromosome[2 * m + 1], problem_.owner[g], paths_.arcs(paths_.number(m, chromosome[2 * m])));
    }
  }
  return builder.build();
}

}  // namespace unknot
