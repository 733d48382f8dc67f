// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>

#include "unknot/collective/evolution/any_least.hpp"
#include "unknot/collective/evolution/broadcast_evaluator.hpp"

namespace unknot {
namespace {

constexpr std::uint64_t bit(std::uint32_t i) {
  return std::uint64_t{1} << i;
}

/// In order.
template <class Call>
void for_bits(std::uint64_t bits, const Call& call) {
  for (; bits != 0; bits &= bits - 1) call(static_cast<std::uint32_t>(std::countr_zero(bits)));
}

/// Where a member that waits since a step stands among the others: those of each step are put at the end of
/// a row that is turned around in every step. The row as it is after an odd number of turns.
std::int64_t place_in_row(std::uint32_t member, std::uint32_t step) {
  const std::int64_t place = std::int64_t{step} * 64 + member;
  return step % 2 == 0 ? place : -place;
}
std::uint32_t member_at(std::int64_t place) {
  return static_cast<std::uint32_t>(place < 0 ? -place : place) % 64;
}

}  // namespace

void BroadcastEvaluator::take_other_distributor(Value* gene, std::uint32_t m, std::uint32_t step,
                                                std::uint64_t near, Random& random) const {
  const std::uint32_t group = group_of_[m];
  const std::uint32_t* const rows = sender_.data() + genome_->members(group);
  AnyLeast least(random, 0);
  const auto offer = [&](std::uint32_t member) { least.offer(member, load_[rows[member] + step]); };
  for_bits(near, offer);
  if (near == 0) {  // any, in the order in which they got it
    offer(0);
    for (std::uint32_t t = 0; t < step; ++t) for_bits(at_[t], offer);
  }
  gene[0] = static_cast<Value>(least.best());
  gene[1] = static_cast<Value>(random.below(genome_->ways(group, least.best(), m).paths()));
}

/// As repair_large(), for a step's members at once.
void BroadcastEvaluator::repair_small(std::span<Value> chromosome, std::uint32_t group, Random& random) {
  const std::uint32_t begin = problem_->first[group], count = problem_->first[group + 1] - begin;
  const std::uint32_t* const rows = sender_.data() + genome_->members(group);
  const BroadcastGenome::NearMembers* const near = genome_->near_of(group);
  Value* const genes = chromosome.data() + std::size_t{3} * begin;
  std::uint32_t* const load = load_.data();
  std::uint64_t* const at = at_.data();
  std::fill(at_.begin(), at_.end(), std::uint64_t{0});
  std::array<std::uint64_t, 64> fed;  // by member: whom it is to send to
  std::fill(fed.begin(), fed.begin() + count + 1, std::uint64_t{0});
  std::uint64_t one = 1;
  for (const Value* gene = genes; gene < genes + std::size_t{3} * count; gene += 3) {
    one <<= 1U;
    fed[gene[0]] |= one;
    at[gene[2]] |= one;
  }
  const bool wide = genome_->radius() == BroadcastGenome::kWide;
  std::uint64_t has = 1;
  std::uint64_t served = fed[0];                                  // whose distributors have it
  std::uint64_t near_it = wide ? ~std::uint64_t{0} : near[0].to;  // near somebody who has it
  std::uint64_t touched = 0;
  std::uint64_t waiting = 0;
  for (std::uint32_t s = 0; s < steps_; ++s) {
    const std::uint64_t ready = s + 1 < steps_ ? served | near_it : ~std::uint64_t{0};
    const std::uint64_t due = at[s], again = waiting & ready;
    std::uint64_t now_served = served, now_near = near_it;
    const auto pass = [&](std::uint32_t i) __attribute__((always_inline)) {
      ++load[rows[genes[3 * i - 3]] + s];
      now_served |= fed[i];
      now_near |= near[i].to;
    };
    const auto give = [&](std::uint32_t i) __attribute__((always_inline)) {
      Value* const gene = genes + std::size_t{3} * (i - 1);
      if ((served & bit(i)) == 0)
        take_other_distributor(gene, begin + i - 1, s, wide ? 0 : near[i].from & has, random);
      gene[2] = static_cast<Value>(s);
      pass(i);
    };
    if (again != 0) {
      // The last one that was told to wait is asked first, but each step turns the row of those who wait.
      std::array<std::int64_t, 64> row;
      std::uint32_t length = 0;
      for_bits(again, [&](std::uint32_t i) {
        const std::int64_t place = place_in_row(i, genes[3 * i - 1]);
        std::uint32_t k = length++;
        for (; k > 0 && row[k - 1] > place; --k) row[k] = row[k - 1];
        row[k] = place;
      });
      for (std::uint32_t k = 0; k < length; ++k) give(member_at(row[s % 2 == 0 ? k : length - 1 - k]));
    }
    if ((due & ready & ~served) == 0) {
      for_bits(due & served, pass);
    } else {
      for_bits(due & ready, give);
    }
    waiting = (waiting & ~ready) | (due & ~ready);
    at[s] = again | (due & ready);
    touched |= again | (due & ready & ~served);
    has |= at[s];
    served = now_served;
    near_it = now_near;
  }
  for_bits(touched, [&](std::uint32_t i) { touched_.push_back(begin + i - 1); });
}

/// Step by step: who is to get the message from somebody who has not got it before gets it from another one;
/// who has nobody near that has it waits for the next step, in the last step for nothing.
void BroadcastEvaluator::repair_large(std::span<Value> chromosome, std::uint32_t group, Random& random) {
  const std::uint32_t begin = problem_->first[group], count = problem_->first[group + 1] - begin;
  const std::uint32_t* const rows = sender_.data() + genome_->members(group);
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
        AnyLeast least(random, 0);
        const auto offer = [&](std::uint32_t member) { least.offer(member, load_[rows[member] + s]); };
        bool any = wide;
        if (!wide) {
          for (const std::uint32_t member : genome_->near_members(m)) {
            if (has_[member] == 0) continue;
            offer(member);
            any = true;
          }
        }
        touched_.push_back(m);
        if (!any && s + 1 < steps_) {
          step(chromosome, m) = static_cast<Value>(s + 1);
          next_[i] = first_[s + 1];
          first_[s + 1] = i;
          continue;
        }
        if (wide || !any) std::for_each(informed_.begin(), informed_.end(), offer);
        d = least.best();
        distributor(chromosome, m) = static_cast<Value>(d);
        path(chromosome, m) = static_cast<Value>(random.below(genome_->ways(group, d, m).paths()));
      }
      ++load_[rows[d] + s];
      arrived_.push_back(i);
    }
    // Only now have they got it. Those who had to wait stand first in the list.
    std::sort(arrived_.begin(), arrived_.end());
    for (const std::uint32_t i : arrived_) has_[i] = 1;
    informed_.insert(informed_.end(), arrived_.begin(), arrived_.end());
  }
}

void BroadcastEvaluator::repair_group(std::span<Value> chromosome, std::uint32_t group, Random& random) {
  if (genome_->small_groups()) {
    repair_small(chromosome, group, random);
  } else {
    repair_large(chromosome, group, random);
  }
}

/// Nothing is changed where all is legal. What others send counts as it stands.
void BroadcastEvaluator::repair_all(std::span<Value> chromosome, Random& random) {
  broken_.clear();
  touched_.clear();
  for (std::uint32_t g = 0; g < problem_->groups(); ++g) {
    if (!legal(chromosome, g)) broken_.push_back(g);
  }
  if (broken_.empty()) return;
  load_.assign(sending_.used().size(), 0);
  auto next = broken_.begin();
  for (std::uint32_t g = 0; g < problem_->groups(); ++g) {
    if (next != broken_.end() && *next == g) {
      ++next;
      continue;
    }
    const std::uint32_t* const rows = sender_.data() + genome_->members(g);
    for (std::uint32_t m = problem_->first[g]; m < problem_->first[g + 1]; ++m)
      ++load_[rows[distributor(chromosome, m)] + step(chromosome, m)];
  }
  for (const std::uint32_t g : broken_) repair_group(chromosome, g, random);
}

}  // namespace unknot
