// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/nested/plan_enumeration.hpp"

#include <algorithm>
#include <functional>

namespace unknot {

PlanEnumeration::PlanEnumeration(const Problem& problem, std::uint32_t steps)
    : problem_(problem),
      steps_(steps),
      flow_(problem),
      levels_(steps),
      informed_(problem.graph->node_count(), 0) {
  for (const NodeId n : problem.partner) sends_.push_back(problem.send_limit(n));
  std::sort(sends_.begin(), sends_.end(), std::greater<>());
}

PlanEnumeration::Outcome PlanEnumeration::run(std::uint64_t most_work, const std::function<bool()>& stop,
                                              InformPlan& plan) {
  stop_ = stop;
  most_work_ = flow_.work() + most_work;
  // Of the first step alone, each set takes a look at the nodes at least.
  double sets = 1;
  const std::uint32_t all = problem_.messages();
  const std::uint32_t some = std::min(all, problem_.send_limit(problem_.owner.front()));
  for (std::uint32_t i = 0; i < std::min(some, all - some); ++i) sets = sets * (all - i) / (i + 1);
  if (steps_ > 1 && sets * problem_.graph->node_count() > static_cast<double>(most_work))
    return Outcome::too_many;
  const Outcome outcome = from(0);
  if (outcome != Outcome::found) return outcome;
  plan.step.assign(steps_, {});
  plan.left.clear();
  for (std::uint32_t k = 0; k < steps_; ++k) plan.step[k] = levels_[k].chosen;
  return outcome;
}

/// Whether all can have the message at the end when this many have it before a step, at the best.
bool PlanEnumeration::grows_enough(std::uint32_t step, std::uint64_t informed) const {
  std::uint64_t sent = problem_.send_limit(problem_.owner.front());
  for (std::uint64_t i = 0; i < informed; ++i) sent += sends_[i];
  for (; step < steps_ && informed < sends_.size(); ++step) {
    const std::uint64_t after = std::min<std::uint64_t>(sends_.size(), informed + sent);
    for (; informed < after; ++informed) sent += sends_[informed];
  }
  return informed >= sends_.size();
}

/// The steps from this one on, with what was chosen for those before.
PlanEnumeration::Outcome PlanEnumeration::from(std::uint32_t step) {
  Level& level = levels_[step];
  level.others.clear();
  for (const NodeId n : problem_.partner) {
    if (informed_[n.value] == 0) level.others.push_back(n);
  }
  level.chosen.clear();
  for (std::uint32_t k = step + 1; k < steps_; ++k) levels_[k].chosen.clear();
  const std::uint64_t informed = problem_.messages() - level.others.size();
  if (!grows_enough(step, informed)) return Outcome::none;
  ++evaluations_;
  flow_.clear();
  flow_.add_sender(problem_.owner.front());
  for (std::uint32_t k = 0; k < step; ++k) {
    for (const NodeId n : levels_[k].chosen) flow_.add_sender(n);
  }
  if (level.flows.empty()) level.flows.resize(1);
  flow_.save(level.flows[0]);
  for (const NodeId n : level.others) {
    if (flow_.inform(n)) level.chosen.push_back(n);
  }
  const std::size_t most = level.chosen.size();
  if (most == level.others.size()) return Outcome::found;
  if (step + 1 == steps_ || !grows_enough(step + 1, informed + most)) return Outcome::none;
  level.chosen.clear();
  flow_.restore(level.flows[0]);
  return choose(step, 0, most);
}

/// Largest sets of those from `next` on, beside what is chosen already; `wanted` more are to be chosen.
PlanEnumeration::Outcome PlanEnumeration::choose(std::uint32_t step, std::size_t next, std::size_t wanted) {
  if (flow_.work() > most_work_ || stop_()) return Outcome::too_many;
  if (wanted == 0) return from(step + 1);
  Level& level = levels_[step];
  const std::size_t depth = level.chosen.size();
  if (level.flows.size() <= depth) level.flows.resize(depth + 1);
  flow_.save(level.flows[depth]);
  for (std::size_t i = next; i + wanted <= level.others.size(); ++i) {
    const NodeId n = level.others[i];
    if (!flow_.inform(n)) continue;
    level.chosen.push_back(n);
    informed_[n.value] = 1;
    const Outcome outcome = choose(step, i + 1, wanted - 1);
    informed_[n.value] = 0;
    if (outcome != Outcome::none) return outcome;
    level.chosen.resize(depth);
    flow_.restore(level.flows[depth]);
  }
  return Outcome::none;
}

}  // namespace unknot
