// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/combine/cost_model.hpp"

#include <algorithm>

namespace unknot {

const std::vector<Parameter>& cost_parameters() {
  constexpr double kMost = 1e6;
  static const std::vector<Parameter> rows = {{.name = "alpha",
                                               .kind = ParameterKind::real,
                                               .help = "seconds to start a step",
                                               .fallback = "1e-6",
                                               .max = kMost},
                                              {.name = "beta",
                                               .kind = ParameterKind::real,
                                               .help = "seconds for a byte",
                                               .fallback = "5e-10",
                                               .max = kMost},
                                              {.name = "hop",
                                               .kind = ParameterKind::real,
                                               .help = "seconds for a channel on the path",
                                               .fallback = "0",
                                               .max = kMost}};
  return rows;
}

CostModel parse_cost(std::string_view spec) {
  const Parameters parameters = parse_parameters("--cost", cost_parameters(), spec);
  return {parameters.real("alpha"), parameters.real("beta"), parameters.real("hop")};
}

Cost::Cost(const CombinedSchedule& schedule, std::uint32_t pieces) : pieces_(pieces) {
  std::vector<Load> step_loads;
  for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
    step_loads.clear();
    for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
      step_loads.push_back(
          {schedule.blocks(t).size(), static_cast<std::uint32_t>(schedule.path(t).size() - 1)});
    }
    std::sort(step_loads.begin(), step_loads.end(), [](const Load& a, const Load& b) {
      return a.blocks != b.blocks ? a.blocks > b.blocks : a.hops > b.hops;
    });
    for (const Load& load : step_loads) {
      const bool more_hops = loads_.size() == first_.back() || load.hops > loads_.back().hops;
      if (more_hops) loads_.push_back(load);
    }
    first_.push_back(loads_.size());
  }
}

double Cost::time(const CostModel& model, double bytes) const {
  double sum = 0;
  for (std::uint32_t step = 0; step < steps(); ++step) {
    double most = 0;
    for (std::size_t i = first_[step]; i < first_[step + 1]; ++i) {
      const Load& load = loads_[i];
      most = std::max(
          most, static_cast<double>(load.blocks) * bytes / pieces_ * model.beta + load.hops * model.hop);
    }
    sum += model.alpha + most;
  }
  return sum;
}

double Cost::bytes(double bytes) const {
  std::uint64_t blocks = 0;
  for (std::uint32_t step = 0; step < steps(); ++step) {
    if (first_[step] < first_[step + 1]) blocks += loads_[first_[step]].blocks;
  }
  return static_cast<double>(blocks) * bytes / pieces_;
}

std::size_t best_at(const std::vector<Cost>& costs, const CostModel& model, double bytes) {
  std::size_t best = 0;
  double least = costs[0].time(model, bytes);
  for (std::size_t i = 1; i < costs.size(); ++i) {
    const double time = costs[i].time(model, bytes);
    // what differs by rounding alone is equal
    if (time >= least * (1 - 1e-12)) continue;
    best = i;
    least = time;
  }
  return best;
}

namespace {

/// Changes above `low`, at which `best` is best, up to `high`.
void find_changes(const std::vector<Cost>& costs, const CostModel& model, std::uint64_t low,
                  std::size_t best_low, std::uint64_t high, std::size_t best_high,
                  std::vector<CostRange>& ranges) {
  if (best_low == best_high) return;
  if (high - low == 1) {
    ranges.push_back({high, best_high});
    return;
  }
  const std::uint64_t middle = low + (high - low) / 2;
  const std::size_t best = best_at(costs, model, static_cast<double>(middle));
  find_changes(costs, model, low, best_low, middle, best, ranges);
  find_changes(costs, model, middle, best, high, best_high, ranges);
}

}  // namespace

std::vector<CostRange> best_ranges(const std::vector<Cost>& costs, const CostModel& model,
                                   std::uint64_t most) {
  std::vector<CostRange> ranges{{1, best_at(costs, model, 1)}};
  for (std::uint64_t low = 1; low < most;) {
    const std::uint64_t high = std::min(low * 2, most);
    const std::size_t at_low = ranges.back().best;
    find_changes(costs, model, low, at_low, high, best_at(costs, model, static_cast<double>(high)), ranges);
    low = high;
  }
  return ranges;
}

}  // namespace unknot
