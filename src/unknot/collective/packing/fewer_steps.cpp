// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/packing/fewer_steps.hpp"

#include <algorithm>
#include <vector>

#include "unknot/collective/packing/ejection_search.hpp"
#include "unknot/collective/packing/packing.hpp"

namespace unknot {
namespace {

/// By message.
std::vector<Packing::Choice> choices_of(const Problem& problem, const Schedule& schedule) {
  std::vector<Packing::Choice> choices(problem.messages());
  for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
    for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
      const auto path = schedule.path(t);
      Packing::Choice& choice = choices[problem.message_of(problem.group_of(path.front()), path.back())];
      choice.bin = step;
      for (std::size_t i = 1; i < path.size(); ++i)
        choice.path.push_back(problem.graph->find(path[i - 1], path[i]));
    }
  }
  return choices;
}

/// Of those that are open, the one with the fewest channels in use.
std::uint32_t emptiest(const std::vector<Packing::Choice>& choices, const std::vector<std::uint8_t>& open) {
  std::vector<std::uint64_t> channels(open.size(), 0);
  for (const Packing::Choice& choice : choices) channels[choice.bin] += choice.path.size();
  std::uint32_t best = Packing::Choice::kNowhere;
  for (std::uint32_t b = 0; b < open.size(); ++b) {
    if (open[b] != 0 && (best == Packing::Choice::kNowhere || channels[b] < channels[best])) best = b;
  }
  return best;
}

/// Steps that are open, in their order.
Schedule only(const Schedule& all, const std::vector<std::uint8_t>& open) {
  Schedule result;
  for (std::uint32_t step = 0; step < all.step_count(); ++step) {
    if (open[step] == 0) continue;
    result.add_step();
    for (std::uint32_t t = all.step_begin(step); t < all.step_end(step); ++t)
      result.add(all.origin(t), all.path(t));
  }
  return result;
}

}  // namespace

std::optional<Schedule> first_fit(const Problem& problem, std::uint32_t least, std::uint64_t seed) {
  for (std::uint64_t steps = std::uint64_t{least} + least / 4 + 1;
       steps <= 2 * std::uint64_t{problem.messages()}; steps += steps / 4 + 1) {
    const Packing packing(problem, Symmetry(problem.graph->node_count()), 0,
                          std::vector<std::uint32_t>(steps, 1U));
    if (!packing.kind(0).resources.arcs_alone()) return std::nullopt;
    EjectionSearch search(packing, seed, 0);
    if (!search.run(0, [] { return false; })) continue;
    const Schedule all = packing.schedule(search.choices());
    std::vector<std::uint8_t> used(all.step_count(), 0);
    for (std::uint32_t s = 0; s < all.step_count(); ++s)
      used[s] = all.step_begin(s) < all.step_end(s) ? 1 : 0;
    return only(all, used);
  }
  return std::nullopt;
}

Schedule fewer_steps(const Problem& problem, const Schedule& schedule, const FewerSteps& options,
                     const std::function<bool()>& stop) {
  const std::uint32_t steps = schedule.step_count();
  if (steps <= options.fewest || options.arcs == 0) return schedule;
  const Packing packing(problem, Symmetry(problem.graph->node_count()), 0,
                        std::vector<std::uint32_t>(steps, 1U));
  EjectionSearch search(packing, options.seed, 0);
  std::vector<Packing::Choice> choices = choices_of(problem, schedule);
  for (std::uint32_t m = 0; m < problem.messages(); ++m) (void)search.begin_at(m, choices[m]);
  std::vector<std::uint8_t> open(steps, 1);
  std::uint32_t left = steps;
  while (left > options.fewest && search.work() < options.arcs && !stop()) {
    const std::uint32_t bin = emptiest(choices, open);
    search.close(bin);
    if (!search.run(options.arcs - search.work(), stop)) break;
    for (const std::uint32_t m : search.newly_packed()) choices[m] = search.choices()[m];
    open[bin] = 0;
    --left;
  }
  return only(packing.schedule(choices), open);
}

}  // namespace unknot
