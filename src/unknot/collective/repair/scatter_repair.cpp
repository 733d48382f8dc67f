// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/repair/scatter_repair.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace unknot {
namespace {

constexpr std::uint32_t kOrders = 4;    // in which those that have lost their way are packed
constexpr std::uint32_t kLonger = 1;    // hops beyond shortest paths that are tried, too
constexpr std::uint64_t kForced = 128;  // part of the arcs for each that is taken back
constexpr std::uint32_t kCopied =
    16;  // arcs that could be looked at in the time that it takes to copy an item
constexpr std::uint32_t kRounds = 3;  // in which what gave way is sent home: one makes room for another

}  // namespace

Packing ScatterRepair::packing_of(std::uint32_t steps, std::uint32_t extra_hops) const {
  return {problem_, Symmetry(problem_.graph->node_count()), extra_hops,
          std::vector<std::uint32_t>(steps, 1U)};
}

Packing::Choice ScatterRepair::former_choice(std::uint32_t message) const {
  Packing::Choice choice{former_.step(message), 0, {}};
  const auto path = former_.path(message);
  for (std::size_t i = 1; i < path.size(); ++i)
    choice.path.push_back(problem_.graph->find(path[i - 1], path[i]));
  return choice;
}

/// Takes one after another of those that gave way back, and sees whether what then gives way finds another
/// place.
void ScatterRepair::bring_home(EjectionSearch& search, std::uint64_t arcs,
                               const std::function<bool()>& stop) const {
  std::vector<std::uint32_t> away;
  for (std::uint32_t m = 0; m < problem_.messages(); ++m) {
    if (search.is_away(m)) away.push_back(m);
  }
  // To copy a search costs something, too.
  std::uint64_t end = search.work() + arcs;
  Random random(seed_, attempts_);
  for (std::size_t before = away.size() + 1; !away.empty() && away.size() < before && search.work() < end;) {
    before = away.size();
    random.shuffle(away);
    for (const std::uint32_t m : away) {
      if (search.work() >= end || stop()) break;
      if (!search.is_away(m)) continue;
      EjectionSearch tried = search;
      end -= std::min(end, std::uint64_t{kCopied} * problem_.messages());
      tried.force_home(m);
      if (tried.run(arcs / kForced, stop) && tried.away() < search.away()) search = std::move(tried);
    }
    std::erase_if(away, [&](std::uint32_t m) { return !search.is_away(m); });
  }
}

std::optional<Schedule> ScatterRepair::attempt(const Packing& packing, std::uint32_t weight,
                                               std::uint64_t arcs, const std::function<bool()>& stop) {
  EjectionSearch search(packing, seed_, attempts_++);
  const auto has_step = [&](std::uint32_t m) { return former_.step(m) < packing.steps(); };
  for (std::uint32_t m = 0; m < problem_.messages(); ++m) {
    if (former_.intact(m) && has_step(m)) search.set_home(m, former_choice(m), weight);
  }
  for (std::uint32_t m = 0; m < problem_.messages(); ++m) {
    if (search.waits(m) && has_step(m)) (void)search.settle(m, former_.step(m));
  }
  if (!search.run(arcs, stop)) return std::nullopt;
  for (std::uint32_t round = 0; round < kRounds; ++round) search.go_home();
  bring_home(search, arcs, stop);
  return packing.schedule(search.choices());
}

std::optional<Schedule> ScatterRepair::keeping_all(std::uint32_t steps, std::uint64_t arcs,
                                                   const std::function<bool()>& stop) {
  const std::uint32_t longest = std::min(kLonger, problem_.extra_hops);
  for (std::uint32_t extra = 0; extra <= longest; ++extra) {
    const Packing packing = packing_of(steps, extra);
    for (std::uint32_t order = 0; order < kOrders && !stop(); ++order) {
      auto found = attempt(packing, EjectionSearch::kPinned, arcs / (2 * kOrders), stop);
      if (found) return found;
    }
  }
  return std::nullopt;
}

std::optional<Schedule> ScatterRepair::keeping_some(std::uint32_t steps, std::uint64_t arcs,
                                                    const std::function<bool()>& stop) {
  const std::uint32_t longest = std::min(kLonger, problem_.extra_hops);
  std::vector<Packing> packings;
  for (std::uint32_t extra = 0; extra <= longest; ++extra) packings.push_back(packing_of(steps, extra));
  // What weighs little gives way sooner.
  constexpr std::uint32_t kWeights[] = {32, 8, 2, 1};
  for (const std::uint32_t weight : kWeights) {
    for (const Packing& packing : packings) {
      if (stop()) return std::nullopt;
      auto found = attempt(packing, weight, arcs / (std::size(kWeights) * packings.size()), stop);
      if (found) return found;
    }
  }
  return std::nullopt;
}

}  // namespace unknot
