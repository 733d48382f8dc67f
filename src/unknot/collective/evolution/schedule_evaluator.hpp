// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "unknot/collective/evolution/any_least.hpp"
#include "unknot/collective/model/port_balance.hpp"
#include "unknot/collective/model/problem.hpp"
#include "unknot/collective/paths/step_resources.hpp"
#include "unknot/evolve/incremental.hpp"

namespace unknot {

/// What evaluators of chromosomes of schedules share: the cost, and parts of mutation. A gene for each
/// message has `kComponents` components, its step the last of them. `Derived` has
///
///     auto genes_of(std::uint32_t group) const;  // what tells of a message m of the group:
///     // std::uint32_t path(std::span<const Value> gene, std::uint32_t m) const;    of the path sets
///     // std::uint32_t sender(std::span<const Value> gene) const;                   row of sending_
///
/// Conflicts and the load of ports are those of the chromosome that is held, see Incremental.
template <class Derived, std::uint32_t kComponents>
class ScheduleEvaluator : public evolve::Incremental<ScheduleEvaluator<Derived, kComponents>> {
 protected:
  using Value = evolve::Value;
  using Base = evolve::Incremental<ScheduleEvaluator>;
  friend Base;

  ScheduleEvaluator(const evolve::Layout& layout, const Problem& problem, const StepResources& resources,
                    const std::vector<NodeId>& orbit, std::uint32_t steps, double greedy)
      : Base(layout),
        problem_(&problem),
        steps_(steps),
        greedy_(static_cast<std::uint32_t>(greedy * kWhole)),
        conflicts_(resources, steps),
        sending_(problem, orbit, true, steps),
        receiving_(problem, orbit, false, steps) {
    for (std::uint32_t g = 0; g < problem.groups(); ++g) {
      for (std::uint32_t m = problem.first[g]; m < problem.first[g + 1]; ++m) {
        group_of_.push_back(g);
        receiver_.push_back(receiving_.row(problem.partner[m]));
      }
    }
    path_.resize(problem.messages());
    from_.resize(problem.messages());
  }

  template <class T>
  static std::span<T> gene(std::span<T> chromosome, std::uint32_t m) {
    return chromosome.subspan(kComponents * m, kComponents);
  }
  template <class T>
  static T& step(std::span<T> chromosome, std::uint32_t m) {
    return chromosome[kComponents * m + kComponents - 1];
  }
  [[nodiscard]] std::uint32_t messages() const { return static_cast<std::uint32_t>(group_of_.size()); }

  /// A gene to change: every other time one in conflict, where there is any. The chromosome is held.
  /// [Jaros 2010, section 6.6]
  std::uint32_t choose_gene(std::span<const Value> chromosome, Random& random) {
    if (conflicts_.total() > 0 && random.below(2) == 0) {
      const auto in_conflict = [&](std::uint32_t m) { return conflicts_.any(path_[m], step(chromosome, m)); };
      // As good as any other way, and quick while many are in conflict.
      for (std::uint32_t tries = 0; tries < kTries; ++tries) {
        const std::uint32_t m = random.below(messages());
        if (in_conflict(m)) return m;
      }
      conflicting_.clear();
      for (std::uint32_t m = 0; m < messages(); ++m) {
        if (in_conflict(m)) conflicting_.push_back(m);
      }
      return conflicting_[random.below(static_cast<std::uint32_t>(conflicting_.size()))];
    }
    return random.below(messages());
  }

  /// Two messages of one group change their steps where that is better; else the message gets any step. The
  /// chromosome is held, and is so again. [section 6.5.2]
  void change_step(std::span<Value> chromosome, std::uint32_t m, Random& random) {
    const std::uint32_t g = group_of_[m];
    const std::uint32_t other =
        problem_->first[g] + random.below(problem_->first[g + 1] - problem_->first[g]);
    if (step(chromosome, m) != step(chromosome, other)) {
      const std::uint32_t before = conflicts_.total();
      swap_steps(chromosome, m, other);
      if (conflicts_.total() < before) return;
      swap_steps(chromosome, m, other);
    }
    step(chromosome, m) = static_cast<Value>(random.below(steps_));
    this->hold_gene(chromosome, m);
  }

  /// The message gets the step of these in which it has the fewest conflicts; of equal ones any. The
  /// chromosome is held, and is so again. [min-conflicts: Minton et al. 1992]
  void take_best_step(std::span<Value> chromosome, std::uint32_t m, std::uint32_t first, std::uint32_t last,
                      Random& random) {
    const std::uint32_t path = self().genes_of(group_of_[m]).path(gene(chromosome, m), m);
    const std::uint32_t now = step(chromosome, m);
    conflicts_.remove(path_[m], now);
    AnyLeast least(random, now);
    for (std::uint32_t s = first; s < last; ++s) least.offer(s, conflicts_.more(path, s));
    conflicts_.add(path_[m], now);
    step(chromosome, m) = static_cast<Value>(least.best());
    this->hold_gene(chromosome, m);
  }
  [[nodiscard]] bool is_greedy(Random& random) const { return greedy_ > 0 && random.below(kWhole) < greedy_; }

  /// Messages that are more in a step than their ends have ports go to steps with free ones. The chromosome
  /// is held, and is so again. False where there are none. [section
  /// 6.5.1]
  bool balance_ports(std::span<Value> chromosome, Random& random) {
    if (!sending_.can_improve() && !receiving_.can_improve()) return false;
    // Finding all free steps at once pays where messages are many.
    const bool at_once = steps_ <= 64 && sending_.used().size() < messages();
    if (at_once) {
      sending_.find_free();
      receiving_.find_free();
    }
    for (std::uint32_t m = 0; m < messages(); ++m) {
      const std::uint32_t from = from_[m], to = receiver_[m];
      const std::uint32_t now = step(chromosome, m);
      if ((sending_.overloaded(from, now) | receiving_.overloaded(to, now)) == 0) continue;
      const std::uint32_t start = random.below(steps_);
      const std::uint32_t s = at_once ? next_bit(sending_.free_steps(from) & receiving_.free_steps(to), start)
                                      : next_free(from, to, start);
      if (s == steps_) continue;
      step(chromosome, m) = static_cast<Value>(s);
      remove_from(now, m);
      add_to(s, m);
      this->set_held(kComponents * m + kComponents - 1, static_cast<Value>(s));
      if (!at_once) continue;
      for (const std::uint32_t changed : {now, s}) {
        sending_.see_free(from, changed);
        receiving_.see_free(to, changed);
      }
    }
    return true;
  }

  const Problem* problem_;
  std::uint32_t steps_;
  static constexpr std::uint32_t kWhole = 1U << 16;
  std::uint32_t greedy_;  // of kWhole
  Conflicts conflicts_;
  PortBalance sending_, receiving_;
  std::vector<std::uint32_t> group_of_;  // by message

 private:
  static constexpr std::uint32_t kTries = 4;

  /// The first step from this one on, around at the end, in which both can do more; steps_ where there is
  /// none.
  [[nodiscard]] std::uint32_t next_free(std::uint32_t from, std::uint32_t to, std::uint32_t start) const {
    for (std::uint32_t i = 0; i < steps_; ++i) {
      const std::uint32_t s = start + i < steps_ ? start + i : start + i - steps_;
      if ((sending_.free(from, s) & receiving_.free(to, s)) != 0) return s;
    }
    return steps_;
  }
  /// The same of steps of which each has a bit.
  [[nodiscard]] std::uint32_t next_bit(std::uint64_t free, std::uint32_t start) const {
    const std::uint64_t later = free >> start << start;
    return free == 0 ? steps_ : static_cast<std::uint32_t>(std::countr_zero(later != 0 ? later : free));
  }

  void swap_steps(std::span<Value> chromosome, std::uint32_t m, std::uint32_t other) {
    std::swap(step(chromosome, m), step(chromosome, other));
    this->hold_gene(chromosome, m);
    this->hold_gene(chromosome, other);
  }

  /// A message, whose path and sender are known.
  void add_to(std::uint32_t s, std::uint32_t m) {
    conflicts_.add(path_[m], s);
    sending_.add(from_[m], s);
    receiving_.add(receiver_[m], s);
  }
  void remove_from(std::uint32_t s, std::uint32_t m) {
    conflicts_.remove(path_[m], s);
    sending_.remove(from_[m], s);
    receiving_.remove(receiver_[m], s);
  }

  template <class Genes>
  void put(const Genes& genes, std::uint32_t m, std::span<const Value> values) {
    path_[m] = genes.path(values, m);
    from_[m] = genes.sender(values);
    add_to(values[kComponents - 1], m);
  }

  // What Incremental asks for.
  void clear() {
    conflicts_.clear();
    sending_.clear();
    receiving_.clear();
  }
  void add(std::uint32_t m, std::span<const Value> values) { put(self().genes_of(group_of_[m]), m, values); }
  void remove(std::uint32_t m, std::span<const Value> values) { remove_from(values[kComponents - 1], m); }
  void add_all(std::span<const Value> chromosome) {
    clear();
    for (std::uint32_t g = 0; g < problem_->groups(); ++g) {
      const auto genes = self().genes_of(g);
      const std::uint32_t end = problem_->first[g + 1];
      for (std::uint32_t m = problem_->first[g]; m < end; ++m) {
        put(genes, m, gene(chromosome, m));
      }
    }
  }
  [[nodiscard]] evolve::Cost total() const { return conflicts_.total(); }

  const Derived& self() const { return static_cast<const Derived&>(*this); }
  std::vector<std::uint32_t> path_;         // of the paths of the sets, by message
  std::vector<std::uint32_t> from_;         // by message: row of sending_
  std::vector<std::uint32_t> receiver_;     // by message: row of receiving_
  std::vector<std::uint32_t> conflicting_;  // messages
};

}  // namespace unknot
