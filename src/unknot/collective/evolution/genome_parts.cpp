// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/evolution/genome_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "unknot/support/error.hpp"

namespace unknot {

void require_steps(std::uint32_t steps) {
  if (steps == 0 || steps > evolve::kMaxCardinality) {
    throw InputError(fmt::format("schedule: {} steps, expected 1 to {}", steps, evolve::kMaxCardinality));
  }
}

PathLimits limits_for(const Problem& problem, const PathLimits& limits) {
  PathLimits result = limits;
  if (problem.extra_hops != Problem::kAnyLength) {
    result.extra_hops = std::min(result.extra_hops, problem.extra_hops);
  }
  return result;
}

const Progress& asked(const GenomeOptions& options) {
  static const Progress nobody;
  return options.progress == nullptr ? nobody : *options.progress;
}

Symmetry symmetry_for(const Problem& problem, const GenomeOptions& options) {
  if (options.symmetry <= 1) return Symmetry(problem.graph->node_count());
  return find_symmetry(problem, {.most = options.symmetry});
}

evolve::Value near_value(std::uint32_t value, std::uint32_t values, Random& random) {
  // Box and Muller's normal deviate.
  const double radius = std::sqrt(-2 * std::log(1 - random.unit()));
  const double deviate = radius * std::cos(2 * std::numbers::pi * random.unit());
  auto away = static_cast<std::int64_t>(std::lround(deviate * values / 3));
  if (away == 0) away = deviate < 0 ? -1 : 1;
  std::int64_t at = (static_cast<std::int64_t>(value) + away) % values;
  if (at < 0) at += values;
  return static_cast<evolve::Value>(at);
}

void ScheduleBuilder::add(std::uint32_t step, NodeId origin, std::span<const ArcId> arcs) {
  by_step_[step].push_back({origin, arcs});
}

Schedule ScheduleBuilder::build() const {
  Schedule schedule;
  std::vector<NodeId> path;
  for (const std::vector<Transfer>& transfers : by_step_) {
    schedule.add_step();
    for (const Transfer& transfer : transfers) {
      for (std::uint32_t e = 0; e < symmetry_->order(); ++e) {
        path.assign(1, symmetry_->image(e, graph_->tail(transfer.arcs.front())));
        for (const ArcId a : transfer.arcs) path.push_back(symmetry_->image(e, graph_->head(a)));
        schedule.add(symmetry_->image(e, transfer.origin), path);
      }
    }
  }
  return schedule;
}

}  // namespace unknot
