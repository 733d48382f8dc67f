// SPDX-License-Identifier: Apache-2.0
#include "unknot/design/search/network_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "unknot/bounds/concurrent_flow.hpp"
#include "unknot/design/search/anneal.hpp"
#include "unknot/design/search/starts.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kStarts = 27;
constexpr std::uint32_t kKept = 3;           // one of so many goes on
constexpr std::uint64_t kFirstSteps = 1000;  // of each start
constexpr std::uint64_t kLonger = 6;         // times the steps of the round before
constexpr std::uint32_t kLargestBase = 64;
constexpr std::uint32_t kMostByFlow = 1024;  // routers: a flow of more takes gigabytes
constexpr double kApart = 1e15;              // worth less than anything connected
constexpr double kFlowGap = 0.05;
constexpr std::uint32_t kFlowRounds = 25;

using Reaches = std::vector<std::shared_ptr<const LiftReach>>;

void check(const NetworkSearch& problem) {
  const auto refuse = [](const std::string& why) { throw InputError("search for a network: " + why); };
  if (problem.routers < 2 || problem.routers > kMostSearchedRouters)
    refuse(fmt::format("from 2 to {} routers, not {}", kMostSearchedRouters, problem.routers));
  if (problem.optical_cubes) {
    if (problem.limit) refuse("cubes have no limit on cables: which may be joined is fixed");
    if (problem.routers % kCubeRouters != 0)
      refuse(fmt::format("{} routers are no number of cubes of {}", problem.routers, kCubeRouters));
    if (problem.ports != 6) refuse(fmt::format("routers of a cube have 6 ports, not {}", problem.ports));
    return;
  }
  if (problem.ports < 2 || problem.ports > kMostSearchedPorts)
    refuse(fmt::format("from 2 to {} ports for cables, not {}", kMostSearchedPorts, problem.ports));
  if (problem.ports >= problem.routers)
    refuse(fmt::format("{} routers have no use for {} ports each", problem.routers, problem.ports));
  if (!problem.limit && problem.routers % 2 == 1 && problem.ports % 2 == 1)
    refuse(fmt::format("{} routers of {} ports leave one port alone", problem.routers, problem.ports));
}

double least_of(const NetworkSearch& problem) {
  if (!problem.limit) return least_mean_distance(problem.routers, problem.ports);
  const double least = least_mean_distance(problem.routers, problem.ports, *problem.limit);
  if (!std::isfinite(least)) {
    throw InputError(fmt::format("search for a network: cables of at most {:.4g} m leave routers apart",
                                 problem.limit->longest));
  }
  return least;
}

/// What is annealed as start `index`: the same whenever it is asked for.
Lift start_of(const NetworkSearch& problem, const Reaches& reaches, std::uint32_t index, Random& random) {
  if (!reaches.empty()) return random_near_lift(reaches[index % reaches.size()], problem.ports, random);
  if (problem.optical_cubes) return random_cube_lift(problem.routers / kCubeRouters, index % 9 != 8, random);
  std::vector<std::uint32_t> bases;
  for (std::uint32_t base = 1; base <= std::min(problem.routers, kLargestBase); ++base) {
    if (problem.routers % base == 0) bases.push_back(base);
  }
  const std::uint32_t base = bases[index % bases.size()];
  return random_free_lift(problem.routers, problem.ports, base, random);
}

/// On a floor no cost that is counted fast is what a network carries: the flow decides between those found.
bool by_flow(const NetworkSearch& problem) {
  return problem.limit && problem.aim == SearchAim::throughput && problem.routers <= kMostByFlow;
}

/// What was annealed, and what it is worth: less is better.
struct Candidate {
  std::uint32_t index = 0;
  std::optional<AnnealResult> found;
  double worth = 0;
};

/// Most of an all-to-all between routers that a flow over any paths carries, nearly; as pairs on the busiest
/// channel.
double flow_load(const Lift& lift) {
  const Network network = lift_network(lift, 1);
  const RouterDemand demand = RouterDemand::uniform(network);
  const FlowProblem problem{.network = network, .demand = demand};
  Progress silent;
  const ConcurrentFlow flow =
      flow_by_potential(problem, {.gap = kFlowGap, .most_rounds = kFlowRounds, .threads = 1}, silent);
  return check_flow(problem, flow).max_load;
}

/// By distances, and for throughput on a floor by loads then. These take the longer the larger the base is:
/// of so many steps fewer that the whole stays a few times as long.
AnnealResult annealed(const NetworkSearch& problem, Lift lift, std::uint64_t steps, Random& random,
                      const Progress& progress) {
  AnnealResult found = anneal_lift(std::move(lift), AnnealAim::distances, steps, random, progress);
  if (!by_flow(problem)) return found;
  const std::uint64_t fewer = std::clamp<std::uint64_t>(found.lift.base / 4, 4, 32);
  return anneal_lift(std::move(found.lift), AnnealAim::loads, std::max<std::uint64_t>(1, steps / fewer),
                     random, progress);
}

double worth_of(const NetworkSearch& problem, const AnnealResult& found) {
  if (!found.distances.connected) return kApart + found.cost / found.lift.base;
  if (by_flow(problem)) return flow_load(found.lift);
  return found.cost / found.lift.base;
}

}  // namespace

FoundNetwork search_network(const NetworkSearch& problem, Progress& progress) {
  check(problem);
  FoundNetwork result;
  result.least_mean_distance = least_of(problem);
  const Reaches reaches = problem.limit ? lift_reaches(problem.routers, *problem.limit) : Reaches();
  std::vector<Candidate> entries(kStarts);
  for (std::uint32_t i = 0; i < kStarts; ++i) entries[i].index = i;
  auto steps = static_cast<std::uint64_t>(std::max(1.0, static_cast<double>(kFirstSteps) * problem.effort));
  for (std::uint32_t round = 0;; ++round) {
    parallel_blocks(static_cast<std::uint32_t>(entries.size()), 1, problem.threads,
                    [&](std::uint32_t, std::uint32_t begin, std::uint32_t) {
                      Candidate& entry = entries[begin];
                      Random random(problem.seed, std::uint64_t{round} << 32U | entry.index);
                      Lift lift =
                          entry.found ? entry.found->lift : start_of(problem, reaches, entry.index, random);
                      AnnealResult found = annealed(problem, std::move(lift), steps, random, progress);
                      const double worth = worth_of(problem, found);
                      if (!entry.found || worth < entry.worth) {
                        entry.found = std::move(found);
                        entry.worth = worth;
                      }
                    });
    result.steps += steps * entries.size();
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Candidate& a, const Candidate& b) { return a.worth < b.worth; });
    if (entries.size() == 1) break;
    entries.resize(entries.size() / kKept);
    steps *= kLonger;
  }
  result.lift = std::move(entries[0].found->lift);
  result.distances = entries[0].found->distances;
  if (!result.distances.connected)
    throw InputError("search for a network: no connected one was found; give more effort or another seed");
  result.mean_distance = static_cast<double>(result.distances.sum) /
                         (static_cast<double>(result.lift.base) * (problem.routers - 1));
  return result;
}

double least_mean_distance(std::uint32_t routers, std::uint32_t ports) {
  std::uint64_t left = routers - 1;
  std::uint64_t room = ports;
  std::uint64_t sum = 0;
  for (std::uint64_t distance = 1; left > 0; ++distance, room *= ports - 1) {
    if (room == 0) return std::numeric_limits<double>::infinity();
    const std::uint64_t here = std::min(left, room);
    sum += here * distance;
    left -= here;
    if (ports == 1) room = 0;
  }
  return routers < 2 ? 0 : static_cast<double>(sum) / (routers - 1);
}

}  // namespace unknot
