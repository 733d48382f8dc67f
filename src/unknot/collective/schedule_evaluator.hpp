// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "unknot/collective/port_balance.hpp"
#include "unknot/collective/problem.hpp"
#include "unknot/collective/step_resources.hpp"
#include "unknot/evolve/problem.hpp"

namespace unknot {

/// What evaluators of chromosomes of schedules share: the cost, and parts of mutation. A gene for each
/// message has `kComponents` components, its step the last of them. `Derived` has
///
///     std::uint32_t path_of(std::span<const Value> chromosome, std::uint32_t m) const;  // of the path sets
///     NodeId sender(std::span<const Value> chromosome, std::uint32_t m) const;
template <class Derived, std::uint32_t kComponents>
class ScheduleEvaluator : public evolve::Evaluator {
 public:
  [[nodiscard]] evolve::Cost cost(std::span<const evolve::Value> chromosome) final {
    count(chromosome);
    return conflicts_.total();
  }

 protected:
  using Value = evolve::Value;

  ScheduleEvaluator(const evolve::Layout& layout, const Problem& problem, const StepResources& resources,
                    std::uint32_t steps)
      : Evaluator(layout),
        problem_(&problem),
        steps_(steps),
        conflicts_(resources, steps),
        sending_(problem, true, steps),
        receiving_(problem, false, steps) {
    for (std::uint32_t g = 0; g < problem.groups(); ++g) {
      for (std::uint32_t m = problem.first[g]; m < problem.first[g + 1]; ++m) group_of_.push_back(g);
    }
  }

  template <class T>
  static T& step(std::span<T> chromosome, std::uint32_t m) {
    return chromosome[kComponents * m + kComponents - 1];
  }
  [[nodiscard]] std::uint32_t messages() const { return static_cast<std::uint32_t>(group_of_.size()); }

  void count(std::span<const Value> chromosome) {
    conflicts_.clear();
    for (std::uint32_t m = 0; m < messages(); ++m) {
      conflicts_.add(self().path_of(chromosome, m), step(chromosome, m));
    }
  }

  /// A gene to change: every other time one in conflict, where there is any. After count(). [section 6.6]
  std::uint32_t choose_gene(std::span<const Value> chromosome, Random& random) {
    if (random.below(2) == 0) {
      conflicting_.clear();
      for (std::uint32_t m = 0; m < messages(); ++m) {
        if (conflicts_.any(self().path_of(chromosome, m), step(chromosome, m))) conflicting_.push_back(m);
      }
      if (!conflicting_.empty())
        return conflicting_[random.below(static_cast<std::uint32_t>(conflicting_.size()))];
    }
    return random.below(messages());
  }

  /// Two messages of one group change their steps where that is better; else the message gets any step. After
  /// count(). [section 6.5.2]
  void change_step(std::span<Value> chromosome, std::uint32_t m, Random& random) {
    const std::uint32_t g = group_of_[m];
    const std::uint32_t other =
        problem_->first[g] + random.below(problem_->first[g + 1] - problem_->first[g]);
    const std::uint32_t here = step(chromosome, m), there = step(chromosome, other);
    if (here != there) {
      const std::uint32_t before = conflicts_.total();
      const std::uint32_t path = self().path_of(chromosome, m), others = self().path_of(chromosome, other);
      conflicts_.remove(path, here);
      conflicts_.remove(others, there);
      conflicts_.add(path, there);
      conflicts_.add(others, here);
      if (conflicts_.total() < before) {
        std::swap(step(chromosome, m), step(chromosome, other));
        return;
      }
    }
    step(chromosome, m) = static_cast<Value>(random.below(steps_));
  }

  /// Messages that are more in a step than their ends have ports go to steps with free ones. [section 6.5.1]
  void balance_ports(std::span<Value> chromosome, Random& random) {
    sending_.clear();
    receiving_.clear();
    for (std::uint32_t m = 0; m < messages(); ++m) {
      sending_.add(self().sender(chromosome, m), step(chromosome, m));
      receiving_.add(problem_->partner[m], step(chromosome, m));
    }
    for (std::uint32_t m = 0; m < messages(); ++m) {
      const NodeId from = self().sender(chromosome, m), to = problem_->partner[m];
      const std::uint32_t now = step(chromosome, m);
      if (!sending_.overloaded(from, now) && !receiving_.overloaded(to, now)) continue;
      const std::uint32_t start = random.below(steps_);
      for (std::uint32_t i = 0; i < steps_; ++i) {
        const std::uint32_t s = start + i < steps_ ? start + i : start + i - steps_;
        if (!sending_.free(from, s) || !receiving_.free(to, s)) continue;
        sending_.remove(from, now);
        receiving_.remove(to, now);
        sending_.add(from, s);
        receiving_.add(to, s);
        step(chromosome, m) = static_cast<Value>(s);
        break;
      }
    }
  }

  const Problem* problem_;
  std::uint32_t steps_;
  Conflicts conflicts_;
  PortBalance sending_, receiving_;
  std::vector<std::uint32_t> group_of_;  // by message

 private:
  const Derived& self() const { return static_cast<const Derived&>(*this); }
  std::vector<std::uint32_t> conflicting_;  // messages
};

}  // namespace unknot
