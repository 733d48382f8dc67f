// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <stdexcept>

#include "unknot/bounds/concurrent_flow.hpp"
#include "unknot/network/distances_to.hpp"

namespace unknot {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

/// Distances to `home` by relaxing routers in the order in which they came nearer (Bellman, Ford and Moore).
void relax(const Network& network, const std::vector<double>& length, RouterId home,
           std::vector<double>& distance) {
  std::fill(distance.begin(), distance.end(), kFar);
  distance[home.value] = 0;
  std::deque<RouterId> waiting{home};
  std::vector<bool> waits(network.router_count(), false);
  while (!waiting.empty()) {
    const RouterId r = waiting.front();
    waiting.pop_front();
    waits[r.value] = false;
    for (const ChannelId c : network.in(r)) {
      const RouterId from = network.source(c);
      const double through = distance[r.value] + std::max(0.0, length[c.value]);
      if (through >= distance[from.value] * (1 - 1e-14)) continue;
      distance[from.value] = through;
      if (!waits[from.value]) waiting.push_back(from);
      waits[from.value] = true;
    }
  }
}

/// Distances to `home` over paths of fewest channels alone: from nearer routers on, by hops.
void measure_shortest(const Network& network, const std::vector<double>& length, const DistancesTo& hops,
                      std::vector<double>& distance) {
  std::fill(distance.begin(), distance.end(), kFar);
  for (const std::uint32_t r : hops.order()) {
    if (hops.distance()[r] == 0) distance[r] = 0;
    for (const ChannelId c : network.in(RouterId(r))) {
      const std::uint32_t from = network.source(c).value;
      if (hops.distance()[from] != hops.distance()[r] + 1) continue;
      distance[from] = std::min(distance[from], distance[r] + std::max(0.0, length[c.value]));
    }
  }
}

}  // namespace

double length_bound(const FlowProblem& problem, const std::vector<double>& length) {
  const Network& network = problem.network;
  const RouterDemand& demand = problem.demand;
  const std::uint32_t count = demand.endpoints().count();
  const InNeighbours neighbours(network);
  DistancesTo hops(neighbours);
  std::vector<double> rate(count);
  std::vector<double> distance(network.router_count());
  double taken = 0;  // of the sum of all lengths, by the demand
  for (std::uint32_t d = 0; d < count; ++d) {
    demand.column(d, rate);
    if (problem.ways == FlowWays::any) {
      relax(network, length, demand.endpoints()[d], distance);
    } else {
      hops.run(demand.endpoints()[d]);
      measure_shortest(network, length, hops, distance);
    }
    for (std::uint32_t s = 0; s < count; ++s) {
      if (rate[s] > 0) taken += rate[s] * distance[demand.endpoints()[s].value];
    }
  }
  double total = 0;
  for (std::size_t c = 0; c < length.size(); ++c) total += std::max(0.0, length[c]) * problem.capacity_of(c);
  return taken > 0 ? total / taken : kFar;
}

FlowCheck check_flow(const FlowProblem& problem, const ConcurrentFlow& flow) {
  const Network& network = problem.network;
  const RouterDemand& demand = problem.demand;
  const std::size_t channels = network.channel_count();
  const std::uint32_t count = demand.endpoints().count();
  if (flow.flow.size() != count * channels || flow.length.size() != channels)
    throw std::logic_error("check_flow: the flow is not one of this network");
  std::vector<double> load(channels, 0);
  std::vector<double> rate(count);
  std::vector<double> left(network.router_count());
  const InNeighbours neighbours(network);
  DistancesTo hops(neighbours);
  double largest_rate = 0;
  FlowCheck check;
  for (std::uint32_t d = 0; d < count; ++d) {
    demand.column(d, rate);
    // what each router makes or takes of this destination's packets, less what the demand says
    std::fill(left.begin(), left.end(), 0.0);
    double sum = 0;
    for (std::uint32_t s = 0; s < count; ++s) {
      const std::uint32_t router = demand.endpoints()[s].value;
      if (rate[s] == 0) continue;
      left[router] -= rate[s];
      sum += rate[s];
      largest_rate = std::max(largest_rate, rate[s]);
    }
    left[demand.endpoints()[d].value] += sum;
    if (problem.ways == FlowWays::shortest) hops.run(demand.endpoints()[d]);
    for (std::size_t c = 0; c < channels; ++c) {
      const double amount = flow.flow[d * channels + c];
      const std::uint32_t from = network.source(ChannelId(static_cast<std::uint32_t>(c))).value;
      const std::uint32_t to = network.target(ChannelId(static_cast<std::uint32_t>(c))).value;
      const bool astray =
          problem.ways == FlowWays::shortest && hops.distance()[from] != hops.distance()[to] + 1;
      if (amount < 0 || astray) check.imbalance = std::max(check.imbalance, std::abs(amount));
      load[c] += amount;
      left[from] += amount;
      left[to] -= amount;
    }
    for (const double amount : left) check.imbalance = std::max(check.imbalance, std::abs(amount));
  }
  if (largest_rate > 0) check.imbalance /= largest_rate;
  for (std::size_t c = 0; c < channels; ++c)
    check.max_load = std::max(check.max_load, load[c] / problem.capacity_of(c));
  check.lower = check.max_load > 0 ? 1 / check.max_load : kFar;
  check.upper = length_bound(problem, flow.length);
  return check;
}

}  // namespace unknot
