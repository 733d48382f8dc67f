// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/scatter_repair.hpp"

#include <algorithm>
#include <vector>

#include "unknot/collective/ejection_search.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kOrders = 4;  // in which those that have lost their way are packed
constexpr std::uint32_t kLonger = 1;  // hops beyond shortest paths that are tried, too
constexpr std::uint32_t kPulls = 3;   // rounds in which what has been moved is taken back to its step

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

std::optional<Schedule> ScatterRepair::attempt(const Packing& packing, std::uint32_t weight,
                                               std::uint64_t arcs, const std::function<bool()>& stop) {
  EjectionSearch search(packing, seed_, attempts_++);
  const std::uint32_t messages = problem_.messages();
  for (std::uint32_t m = 0; m < messages; ++m) {
    if (former_.intact(m) && former_.step(m) < packing.steps()) (void)search.place(m, former_choice(m), weight);
  }
  for (std::uint32_t m = 0; m < messages; ++m) {
    if (search.waits(m) && former_.step(m) < packing.steps()) (void)search.settle(m, former_.step(m));
  }
  if (!search.run(arcs, stop)) return std::nullopt;
  // What gave way may find its place free again.
  for (std::uint32_t round = 0; round < kPulls; ++round) {
    for (std::uint32_t m = 0; m < messages; ++m) {
      if (!former_.intact(m) || former_.step(m) >= packing.steps()) continue;
      const Packing::Choice former = former_choice(m);
      const Packing::Choice& now = search.choices()[m];
      if (now.bin != former.bin || now.path != former.path) (void)search.move(m, former);
    }
  }
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
