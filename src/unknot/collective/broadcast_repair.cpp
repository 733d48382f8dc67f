// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/broadcast_repair.hpp"

#include <algorithm>

namespace unknot {
namespace {

constexpr std::uint32_t kAll = 64;
constexpr std::uint32_t kPhases = 7;     // from one transfer in 64 given up to all
constexpr std::uint32_t kMostAlike = 64;  // tries that give up none
constexpr std::uint64_t kTourEach = 4;   // one try in so many takes a tour round the terminals

}  // namespace

BroadcastRepair::BroadcastRepair(const Problem& problem, const FormerTransfers& former, std::uint64_t seed)
    : problem_(problem),
      former_(former),
      random_(seed),
      arcs_(BroadcastLanes::of_arcs(problem)),
      on_arcs_(problem, arcs_) {}

std::uint64_t BroadcastRepair::tries_of(std::uint32_t steps, std::uint64_t arcs) const {
  // A try looks at each channel in each step, and a few times where it looks for a way to somebody.
  const std::uint64_t each = 8 * (problem_.messages() + std::uint64_t{steps} * problem_.graph->arc_count());
  return std::max<std::uint64_t>(4, arcs / each);
}

std::optional<Schedule> BroadcastRepair::attempt(std::uint32_t steps, std::uint32_t without) {
  kept_.clear();
  for (std::uint32_t m = 0; m < problem_.messages(); ++m) {
    if (!former_.intact(m) || former_.step(m) >= steps) continue;
    if (without > 0 && random_.below(kAll) < without) continue;
    kept_.push_back(m);
  }
  const auto run = [&](ReceiverMatching& matching) -> std::optional<Schedule> {
    matching.keep(former_, kept_);
    if (matching.run(steps, random_) > 0) return std::nullopt;
    return matching.schedule();
  };
  if (problem_.graph->has_terminal_nodes() && ++attempts_ % kTourEach == 0) {
    const BroadcastLanes tour = BroadcastLanes::of_tour(problem_, random_);
    ReceiverMatching on_tour(problem_, tour);
    return run(on_tour);
  }
  return run(on_arcs_);
}

std::optional<Schedule> BroadcastRepair::keeping_all(std::uint32_t steps, std::uint64_t arcs,
                                                     const std::function<bool()>& stop) {
  const std::uint64_t tries = std::min<std::uint64_t>(kMostAlike, tries_of(steps, arcs));
  for (std::uint64_t i = 0; i < tries && !stop(); ++i) {
    auto found = attempt(steps, 0);
    if (found) return found;
  }
  return std::nullopt;
}

std::optional<Schedule> BroadcastRepair::keeping_some(std::uint32_t steps, std::uint64_t arcs,
                                                      const std::function<bool()>& stop) {
  const std::uint64_t tries = tries_of(steps, arcs);
  for (std::uint64_t i = 0; i < tries && !stop(); ++i) {
    auto found = attempt(steps, 1U << (i * kPhases / tries));
    if (found) return found;
  }
  return std::nullopt;
}

}  // namespace unknot
