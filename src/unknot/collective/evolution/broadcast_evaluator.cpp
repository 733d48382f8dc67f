// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/evolution/broadcast_evaluator.hpp"

#include <algorithm>

#include "unknot/collective/evolution/genome_parts.hpp"

namespace unknot {

BroadcastEvaluator::BroadcastEvaluator(const BroadcastGenome& genome)
    : ScheduleEvaluator(genome.layout(), genome.problem(), genome.resources(), genome.orbit(), genome.steps(),
                        genome.greedy()),
      genome_(&genome),
      load_(genome.problem(), genome.orbit(), true, genome.steps()),
      first_(genome.steps(), kNone) {
  std::uint32_t members = 0;
  for (std::uint32_t g = 0; g < problem_->groups(); ++g) {
    members = std::max(members, problem_->first[g + 1] - problem_->first[g] + 1);
  }
  has_.assign(members, 0);
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
        const NodeId from = genome_->member(g, d), to = problem_->partner[m];
        if (has_[d] == 0 || !sending.free(from, s) || !receiving.free(to, s)) {
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

template <class Members>
std::uint32_t BroadcastEvaluator::find_distributor(std::uint32_t m, std::uint32_t step,
                                                   const Members& members, Random& random) {
  const std::uint32_t group = group_of_[m], self = m - problem_->first[group] + 1;
  std::uint32_t best = kNone, best_used = kNone, equal = 0;
  for (const std::uint32_t d : members) {
    if (d == self || has_[d] == 0) continue;
    const std::uint32_t used = load_.used(genome_->member(group, d), step);
    if (used > best_used) continue;
    equal = used < best_used ? 1 : equal + 1;
    if (equal == 1 || random.below(equal) == 0) best = d;
    best_used = used;
  }
  return best;
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

/// Step by step: who is to get the message from somebody who has not got it before gets it from another one;
/// who has nobody near that has it waits for the next step, in the last step for nothing.
void BroadcastEvaluator::repair_group(std::span<Value> chromosome, std::uint32_t group, Random& random) {
  const std::uint32_t begin = problem_->first[group], count = problem_->first[group + 1] - begin;
  std::fill(first_.begin(), first_.end(), kNone);
  std::fill(has_.begin(), has_.begin() + count + 1, std::uint8_t{0});
  for (std::uint32_t i = count; i > 0; --i) {
    const std::uint32_t s = step(chromosome, begin + i - 1);
    next_[i] = first_[s];
    first_[s] = i;
  }
  has_[0] = 1;
  informed_.assign(1, 0);
  const bool wide = genome_->radius() == BroadcastGenome::kWide;
  for (std::uint32_t s = 0; s < steps_; ++s) {
    arrived_.clear();
    std::uint32_t after = kNone;
    for (std::uint32_t i = first_[s]; i != kNone; i = after) {
      after = next_[i];
      const std::uint32_t m = begin + i - 1;
      std::uint32_t d = distributor(chromosome, m);
      if (d == i || has_[d] == 0) {
        d = wide ? find_distributor(m, s, informed_, random)
                 : find_distributor(m, s, genome_->near_members(m), random);
        if (d == kNone && s + 1 < steps_) {
          step(chromosome, m) = static_cast<Value>(s + 1);
          next_[i] = first_[s + 1];
          first_[s + 1] = i;
          continue;
        }
        if (d == kNone) d = find_distributor(m, s, informed_, random);
        distributor(chromosome, m) = static_cast<Value>(d);
        path(chromosome, m) = static_cast<Value>(random.below(genome_->ways(group, d, m).paths()));
      }
      load_.add(genome_->member(group, d), s);
      arrived_.push_back(i);
    }
    // Only now have they got it. Those who had to wait stand first in the list.
    std::sort(arrived_.begin(), arrived_.end());
    for (const std::uint32_t i : arrived_) has_[i] = 1;
    informed_.insert(informed_.end(), arrived_.begin(), arrived_.end());
  }
}

void BroadcastEvaluator::repair(std::span<Value> chromosome, Random& random) {
  if (legal_edition_ == edition() && is_held(chromosome)) return;
  repair_all(chromosome, random);
}

/// Nothing is changed where all is legal. What others send counts as it stands.
void BroadcastEvaluator::repair_all(std::span<Value> chromosome, Random& random) {
  broken_.clear();
  for (std::uint32_t g = 0; g < problem_->groups(); ++g) {
    if (!legal(chromosome, g)) broken_.push_back(g);
  }
  if (broken_.empty()) return;
  load_.clear();
  auto next = broken_.begin();
  for (std::uint32_t g = 0; g < problem_->groups(); ++g) {
    if (next != broken_.end() && *next == g) {
      ++next;
      continue;
    }
    for (std::uint32_t m = problem_->first[g]; m < problem_->first[g + 1]; ++m)
      load_.add(genome_->member(g, distributor(chromosome, m)), step(chromosome, m));
  }
  for (const std::uint32_t g : broken_) repair_group(chromosome, g, random);
}

void BroadcastEvaluator::mutate(std::span<Value> chromosome, Random& random) {
  // Sampled genes may name themselves as distributors, which have no paths: repaired before they are counted.
  repair(chromosome, random);
  hold(chromosome);
  const bool moved = balance_ports(chromosome, random);
  const std::uint32_t m = choose_gene(chromosome, random);
  change(chromosome, m, random);
  if (moved) {
    repair_all(chromosome, random);
  } else if (const std::uint32_t g = group_of_[m]; !legal(chromosome, g)) {
    // What was changed, if only an exchange of steps, is in this group.
    load_ = sending_;
    for (std::uint32_t i = problem_->first[g]; i < problem_->first[g + 1]; ++i)
      load_.remove(genome_->member(g, distributor(chromosome, i)), step(chromosome, i));
    repair_group(chromosome, g, random);
  }
  hold(chromosome);
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
