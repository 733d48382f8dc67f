// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/broadcast_evaluator.hpp"

#include <algorithm>

#include "unknot/collective/genome_parts.hpp"

namespace unknot {
namespace {
constexpr std::uint32_t kNone = 0xFFFFFFFFU;
}  // namespace

BroadcastEvaluator::BroadcastEvaluator(const BroadcastGenome& genome)
    : ScheduleEvaluator(genome.layout(), genome.problem(), genome.resources(), genome.steps()),
      genome_(&genome),
      first_(genome.steps(), kNone) {
  std::uint32_t members = 0;
  for (std::uint32_t g = 0; g < problem_->groups(); ++g) {
    members = std::max(members, problem_->first[g + 1] - problem_->first[g] + 1);
  }
  has_.assign(members, 0);
  next_.assign(members, kNone);
}

std::uint32_t BroadcastEvaluator::path_of(std::span<const Value> chromosome, std::uint32_t m) const {
  const NodeId from = genome_->member(group_of_[m], chromosome[3 * m]), to = problem_->partner[m];
  const std::uint32_t value = chromosome[3 * m + 1], count = genome_->path_count(from, to);
  return genome_->path(from, to, value < count ? value : value % count);
}

std::uint32_t BroadcastEvaluator::any_member(std::uint32_t group, std::uint32_t but, Random& random) {
  const std::uint32_t others = problem_->first[group + 1] - problem_->first[group];
  std::uint32_t member = 0;
  for (std::uint32_t tries = 0; tries < 2 * others; ++tries) {
    member = random.below(others);
    if (member >= but) ++member;
    if (genome_->near(genome_->member(group, member), genome_->member(group, but))) break;
  }
  return member;
}

/// Distributors and paths by chance; steps in waves from the owner on, as ports allow.
/// [Jaros 2010, section 6.5.4]
void BroadcastEvaluator::initial(std::span<Value> chromosome, Random& random) {
  sending_.clear();
  receiving_.clear();
  for (std::uint32_t g = 0; g < problem_->groups(); ++g) {
    const std::uint32_t begin = problem_->first[g], count = problem_->first[g + 1] - begin;
    std::vector<std::uint32_t> waiting;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t m = begin + i;
      const std::uint32_t from = any_member(g, i + 1, random);
      distributor(chromosome, m) = static_cast<Value>(from);
      path(chromosome, m) = static_cast<Value>(
          random.below(genome_->path_count(genome_->member(g, from), problem_->partner[m])));
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
        if (has_[d] == 0 || !sending_.free(from, s) || !receiving_.free(to, s)) {
          rest.push_back(i);
          continue;
        }
        sending_.add(from, s);
        receiving_.add(to, s);
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

std::uint32_t BroadcastEvaluator::find_distributor(std::uint32_t group, NodeId to, std::uint32_t step,
                                                   bool near_only, Random& random) {
  std::uint32_t best = kNone, best_used = kNone, equal = 0;
  for (const std::uint32_t d : informed_) {
    const NodeId from = genome_->member(group, d);
    if (from == to || (near_only && !genome_->near(from, to))) continue;
    const std::uint32_t used = sending_.used(from, step);
    if (used > best_used) continue;
    equal = used < best_used ? 1 : equal + 1;
    if (equal == 1 || random.below(equal) == 0) best = d;
    best_used = used;
  }
  return best;
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
  for (std::uint32_t s = 0; s < steps_; ++s) {
    arrived_.clear();
    std::uint32_t after = kNone;
    for (std::uint32_t i = first_[s]; i != kNone; i = after) {
      after = next_[i];
      const std::uint32_t m = begin + i - 1;
      const NodeId to = problem_->partner[m];
      std::uint32_t d = distributor(chromosome, m);
      if (d == i || has_[d] == 0 || !genome_->near(genome_->member(group, d), to)) {
        d = find_distributor(group, to, s, true, random);
        if (d == kNone && s + 1 < steps_) {
          step(chromosome, m) = static_cast<Value>(s + 1);
          next_[i] = first_[s + 1];
          first_[s + 1] = i;
          continue;
        }
        if (d == kNone) d = find_distributor(group, to, s, false, random);
        distributor(chromosome, m) = static_cast<Value>(d);
        path(chromosome, m) =
            static_cast<Value>(random.below(genome_->path_count(genome_->member(group, d), to)));
      }
      sending_.add(genome_->member(group, d), s);
      arrived_.push_back(i);
    }
    // Only now have they got it. Those who had to wait stand first in the list.
    std::sort(arrived_.begin(), arrived_.end());
    for (const std::uint32_t i : arrived_) has_[i] = 1;
    informed_.insert(informed_.end(), arrived_.begin(), arrived_.end());
  }
}

void BroadcastEvaluator::repair(std::span<Value> chromosome, Random& random) {
  sending_.clear();
  for (std::uint32_t g = 0; g < problem_->groups(); ++g) repair_group(chromosome, g, random);
}

void BroadcastEvaluator::mutate(std::span<Value> chromosome, Random& random) {
  balance_ports(chromosome, random);
  // Sampled genes may name themselves as distributors, which have no paths: counted after repair.
  repair(chromosome, random);
  count(chromosome);
  const std::uint32_t m = choose_gene(chromosome, random);
  const std::uint32_t g = group_of_[m];
  const NodeId from = genome_->member(g, distributor(chromosome, m)), to = problem_->partner[m];
  const std::uint32_t paths = genome_->path_count(from, to);
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
      distributor(chromosome, m) = static_cast<Value>(any_member(g, m - problem_->first[g] + 1, random));
  }
}

}  // namespace unknot
