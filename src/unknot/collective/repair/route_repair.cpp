// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/repair/route_repair.hpp"

#include <algorithm>
#include <vector>

#include "unknot/collective/packing/route_broadcasts.hpp"
#include "unknot/collective/packing/route_packing.hpp"

namespace unknot {
namespace {

/// Of a former transfer that nothing else may throw out; on all lines of a route together still 32 bits.
constexpr std::uint32_t kPinnedWeight = 1U << 20U;
constexpr std::uint32_t kGivenUp = 64;  ///< in so many, as a chance
constexpr std::uint32_t kTries = 8;

}  // namespace

RouteRepair::RouteRepair(const Problem& problem, const FormerTransfers& former, std::uint64_t seed)
    : problem_(problem), former_(former), seed_(seed), random_(seed) {}

/// Of those that have a place in so few steps.
bool RouteRepair::keeps_all(const Schedule& schedule) const {
  std::uint32_t wanted = 0;
  for (std::uint32_t m = 0; m < problem_.messages(); ++m)
    wanted += former_.intact(m) && former_.step(m) < schedule.step_count() ? 1 : 0;
  return change_of(problem_, former_, schedule).kept >= wanted;
}

std::optional<Schedule> RouteRepair::packed(std::uint32_t steps, std::uint32_t weight, std::uint64_t lines,
                                            const std::function<bool()>& stop) {
  RoutePacking packing(problem_, steps, seed_);
  std::vector<std::uint32_t> step(problem_.messages(), RoutePacking::kNowhere);
  for (std::uint32_t m = 0; m < problem_.messages(); ++m) {
    if (former_.intact(m)) step[m] = former_.step(m);
  }
  packing.begin_with(step, weight);
  // What has another route now may find room in its step.
  for (std::uint32_t m = 0; m < problem_.messages(); ++m)
    step[m] = former_.intact(m) ? RoutePacking::kNowhere : former_.step(m);
  packing.begin_with(step, 1);
  if (!packing.run(lines, stop)) return std::nullopt;
  return packing.schedule();
}

std::optional<Schedule> RouteRepair::spread(std::uint32_t steps, std::uint32_t without,
                                            const std::function<bool()>& stop) {
  std::vector<RouteBroadcasts::Kept> kept;
  for (std::uint32_t g = 0; g < problem_.groups(); ++g) {
    for (std::uint32_t m = problem_.first[g]; m < problem_.first[g + 1]; ++m) {
      if (!former_.intact(m) || former_.step(m) >= steps) continue;
      if (without > 0 && random_.below(kGivenUp) < without) continue;
      kept.push_back({former_.path(m).front(), problem_.partner[m], g, former_.step(m)});
    }
  }
  RouteBroadcasts spreading(problem_);
  spreading.keep(kept);
  if (spreading.run(steps, false, random_, stop) > 0) return std::nullopt;
  return spreading.schedule();
}

std::optional<Schedule> RouteRepair::keeping_all(std::uint32_t steps, std::uint64_t lines,
                                                 const std::function<bool()>& stop) {
  if (problem_.delivery == Delivery::scatter) {
    auto found = packed(steps, kPinnedWeight, lines, stop);
    return found && keeps_all(*found) ? found : std::nullopt;
  }
  // Who lost a message on its way cannot pass it on in time: what is kept is what can be.
  std::optional<Schedule> best;
  for (std::uint32_t i = 0; i < kTries && !stop(); ++i) {
    auto found = spread(steps, 0, stop);
    if (!found) continue;
    if (!best || change_of(problem_, former_, *found).kept > change_of(problem_, former_, *best).kept)
      best = std::move(found);
  }
  return best;
}

std::optional<Schedule> RouteRepair::keeping_some(std::uint32_t steps, std::uint64_t lines,
                                                  const std::function<bool()>& stop) {
  if (problem_.delivery == Delivery::scatter) {
    for (const std::uint32_t weight : {256U, 16U, 1U}) {
      if (stop()) return std::nullopt;
      auto found = packed(steps, weight, lines / 3, stop);
      if (found) return found;
    }
    return std::nullopt;
  }
  for (std::uint32_t without = 1; without <= kGivenUp; without *= 2) {
    for (std::uint32_t i = 0; i < kTries && !stop(); ++i) {
      auto found = spread(steps, without, stop);
      if (found) return found;
    }
  }
  return std::nullopt;
}

}  // namespace unknot
