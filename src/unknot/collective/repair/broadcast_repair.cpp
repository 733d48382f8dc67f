// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/repair/broadcast_repair.hpp"

#include <algorithm>
#include <utility>

namespace unknot {
namespace {

constexpr std::uint32_t kAll = 64;
constexpr std::uint32_t kPhases = 7;      // from one transfer in 64 given up to all
constexpr std::uint64_t kMostAlike = 64;  // tries that give up none
constexpr std::uint32_t kSeveral = 15;    // more tries once one has succeeded, for one that keeps more
constexpr std::uint64_t kTourEach = 4;    // one try in this many takes a tour round the terminals

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
  const auto given_up = [&] { return without > 0 && random_.below(kAll) < without; };
  const bool by_receiver = random_.below(2) == 0;
  receiver_given_up_.resize(problem_.graph->node_count());
  for (std::uint8_t& node : receiver_given_up_) node = by_receiver && given_up() ? 1 : 0;
  kept_.clear();
  for (std::uint32_t m = 0; m < problem_.messages(); ++m) {
    if (!former_.intact(m) || former_.step(m) >= steps) continue;
    if (by_receiver ? receiver_given_up_[problem_.partner[m].value] != 0 : given_up()) continue;
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

std::optional<Schedule> BroadcastRepair::best_of_several(std::uint32_t steps, std::uint32_t without,
                                                         const std::function<bool()>& stop) {
  std::optional<Schedule> best = attempt(steps, without);
  if (!best) return best;
  std::uint32_t most = change_of(problem_, former_, *best).kept;
  for (std::uint32_t i = 0; i < kSeveral && !stop(); ++i) {
    std::optional<Schedule> other = attempt(steps, without);
    if (!other) continue;
    const std::uint32_t kept = change_of(problem_, former_, *other).kept;
    if (kept <= most) continue;
    most = kept;
    best = std::move(other);
  }
  return best;
}

std::optional<Schedule> BroadcastRepair::keeping_all(std::uint32_t steps, std::uint64_t arcs,
                                                     const std::function<bool()>& stop) {
  const std::uint64_t tries = std::min(kMostAlike, tries_of(steps, arcs));
  for (std::uint64_t i = 0; i < tries && !stop(); ++i) {
    auto found = best_of_several(steps, 0, stop);
    if (found) return found;
  }
  return std::nullopt;
}

std::optional<Schedule> BroadcastRepair::keeping_some(std::uint32_t steps, std::uint64_t arcs,
                                                      const std::function<bool()>& stop) {
  const std::uint64_t tries = tries_of(steps, arcs);
  for (std::uint64_t i = 0; i < tries && !stop(); ++i) {
    auto found = best_of_several(steps, 1U << (i * kPhases / tries), stop);
    if (found) return found;
  }
  return std::nullopt;
}

}  // namespace unknot
