// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/evolution/broadcast_evaluator.hpp"

#include <algorithm>

#include "unknot/collective/evolution/genome_parts.hpp"

namespace unknot {

BroadcastEvaluator::BroadcastEvaluator(const BroadcastGenome& genome)
    : ScheduleEvaluator(genome.layout(), genome.problem(), genome.resources(), genome.orbit(), genome.steps(),
                        genome.greedy()),
      genome_(&genome),
      first_(genome.steps(), kNone) {
  std::uint32_t members = 0;
  for (std::uint32_t g = 0; g < problem_->groups(); ++g) {
    const std::uint32_t count = problem_->first[g + 1] - problem_->first[g] + 1;
    for (std::uint32_t i = 0; i < count; ++i) sender_.push_back(sending_.row(genome.member(g, i)));
    members = std::max(members, count);
  }
  has_.assign(members, 0);
  at_.assign(steps_, 0);
  next_.assign(members, kNone);
}

std::uint32_t BroadcastEvaluator::any_distributor(std::uint32_t m, Random& random) {
  const std::uint32_t group = group_of_[m], self = m - problem_->first[group] + 1;
  const std::uint32_t others = problem_->first[group + 1] - problem_->first[group];
  std::uint32_t member = 0;
  for (std::uint32_t tries = 0; tries < 2 * others; ++tries) {
    member = random.below(others);
    if (member >= self) ++member;
    if (genome_->ways(group, member, m).near != 0) break;
  }
  return member;
}

/// Distributors and paths by chance; steps in waves from the owner on, as ports allow. [Jaros 2010, section
/// 6.5.4]
void BroadcastEvaluator::initial(std::span<Value> chromosome, Random& random) {
  PortBalance sending(*problem_, genome_->orbit(), true, steps_),
      receiving(*problem_, genome_->orbit(), false, steps_);
  for (std::uint32_t g = 0; g < problem_->groups(); ++g) {
    const std::uint32_t begin = problem_->first[g], count = problem_->first[g + 1] - begin;
    std::vector<std::uint32_t> waiting;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t m = begin + i;
      const std::uint32_t from = any_distributor(m, random);
      distributor(chromosome, m) = static_cast<Value>(from);
      path(chromosome, m) = static_cast<Value>(random.below(genome_->ways(g, from, m).paths()));
      waiting.push_back(i + 1);
    }
    std::fill(has_.begin(), has_.begin() + count + 1, std::uint8_t{0});
    has_[0] = 1;
    random.shuffle(waiting);
    for (std::uint32_t s = 0; s < steps_; ++s) {
      informed_.clear();
      std::vector<std::uint32_t> rest;
      for (const std::uint32_t i : waiting) {
        const std::uint32_t m = begin + i - 1;
        const std::uint32_t d = distributor(chromosome, m);
        const std::uint32_t from = sending.row(genome_->member(g, d)),
                            to = receiving.row(problem_->partner[m]);
        if (has_[d] == 0 || sending.free(from, s) == 0 || receiving.free(to, s) == 0) {
          rest.push_back(i);
          continue;
        }
        sending.add(from, s);
        receiving.add(to, s);
        step(chromosome, m) = static_cast<Value>(s);
        informed_.push_back(i);
      }
      for (const std::uint32_t i : informed_) has_[i] = 1;
      waiting.swap(rest);
    }
    for (const std::uint32_t i : waiting) {
      step(chromosome, begin + i - 1) = static_cast<Value>(random.below(steps_));
    }
  }
}

bool BroadcastEvaluator::legal(std::span<const Value> chromosome, std::uint32_t group) const {
  const std::uint32_t genes = problem_->first[group + 1] - problem_->first[group];
  const Value* const gene = chromosome.data() + std::size_t{3} * problem_->first[group];
  std::uint32_t wrong = 0;  // without branches: they would not be foreseen
  for (std::uint32_t i = 0; i < genes; ++i) {
    const std::uint32_t d = gene[3 * i];
    // The owner has it before the first step, as if it had got it in step -1.
    const std::uint32_t got = d == 0 ? 0 : gene[3 * d - 1] + 1U;
    wrong |= got > gene[3 * i + 2] ? 1U : 0U;
  }
  return wrong == 0;
}

void BroadcastEvaluator::repair(std::span<Value> chromosome, Random& random) {
  if (legal_edition_ == edition() && is_held(chromosome)) return;
  repair_all(chromosome, random);
}

void BroadcastEvaluator::mutate(std::span<Value> chromosome, Random& random) {
  // Sampled genes may name themselves as distributors, which have no paths: repaired before they are counted.
  repair(chromosome, random);
  hold(chromosome);
  const bool moved = balance_ports(chromosome, random);
  const std::uint32_t m = choose_gene(chromosome, random);
  change(chromosome, m, random);
  touched_.clear();
  if (moved) {
    repair_all(chromosome, random);
  } else if (const std::uint32_t g = group_of_[m]; !legal(chromosome, g)) {
    // What was changed, if only an exchange of steps, is in this group.
    load_ = sending_.used();
    const std::uint32_t* const rows = sender_.data() + genome_->members(g);
    for (std::uint32_t i = problem_->first[g]; i < problem_->first[g + 1]; ++i)
      --load_[rows[distributor(chromosome, i)] + step(chromosome, i)];
    repair_group(chromosome, g, random);
  }
  for (const std::uint32_t i : touched_) hold_gene(chromosome, i);
  legal_edition_ = edition();
}

std::pair<std::uint32_t, std::uint32_t> BroadcastEvaluator::legal_steps(std::span<const Value> chromosome,
                                                                        std::uint32_t m) const {
  const std::uint32_t g = group_of_[m], begin = problem_->first[g], self = m - begin + 1;
  const std::uint32_t d = chromosome[3 * m];
  const std::uint32_t first = d == 0 ? 0 : step(chromosome, begin + d - 1) + 1U;
  std::uint32_t last = steps_;
  for (std::uint32_t i = begin; i < problem_->first[g + 1]; ++i) {
    if (chromosome[3 * i] == self) last = std::min<std::uint32_t>(last, step(chromosome, i));
  }
  return {first, last};
}

void BroadcastEvaluator::change(std::span<Value> chromosome, std::uint32_t m, Random& random) {
  if (is_greedy(random)) {
    if (random.below(2) == 0) distributor(chromosome, m) = static_cast<Value>(any_distributor(m, random));
    path(chromosome, m) =
        static_cast<Value>(random.below(genome_->ways(group_of_[m], distributor(chromosome, m), m).paths()));
    const auto [first, last] = legal_steps(chromosome, m);
    if (first < last) {
      take_best_step(chromosome, m, first, last, random);
      return;
    }
  }
  const std::uint32_t paths = genome_->ways(group_of_[m], distributor(chromosome, m), m).paths();
  switch (random.below(3)) {
    case 0:
      if (paths > 1) {
        path(chromosome, m) = near_value(path(chromosome, m) % paths, paths, random);
        break;
      }
      [[fallthrough]];
    case 1:
      change_step(chromosome, m, random);
      break;
    default:
      distributor(chromosome, m) = static_cast<Value>(any_distributor(m, random));
  }
  hold_gene(chromosome, m);
}

}  // namespace unknot
