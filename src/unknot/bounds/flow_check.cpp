// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <stdexcept>

#include "unknot/bounds/concurrent_flow.hpp"

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

}  // namespace

double length_bound(const Network& network, const RouterDemand& demand, const std::vector<double>& length) {
  const std::uint32_t count = demand.endpoints().count();
  std::vector<double> rate(count);
  std::vector<double> distance(network.router_count());
  double taken = 0;  // of the sum of all lengths, by the demand
  for (std::uint32_t d = 0; d < count; ++d) {
    demand.column(d, rate);
    relax(network, length, demand.endpoints()[d], distance);
    for (std::uint32_t s = 0; s < count; ++s) {
      if (rate[s] > 0) taken += rate[s] * distance[demand.endpoints()[s].value];
    }
  }
  double total = 0;
  for (const double one : length) total += std::max(0.0, one);
  return taken > 0 ? total / taken : kFar;
}

FlowCheck check_flow(const Network& network, const RouterDemand& demand, const ConcurrentFlow& flow) {
  const std::size_t channels = network.channel_count();
  const std::uint32_t count = demand.endpoints().count();
  if (flow.flow.size() != count * channels || flow.length.size() != channels)
    throw std::logic_error("check_flow: the flow is not one of this network");
  std::vector<double> load(channels, 0);
  std::vector<double> rate(count);
  std::vector<double> left(network.router_count());
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
    for (std::size_t c = 0; c < channels; ++c) {
      const double amount = flow.flow[d * channels + c];
      if (amount < 0) check.imbalance = std::max(check.imbalance, -amount);
      load[c] += amount;
      left[network.source(ChannelId(static_cast<std::uint32_t>(c))).value] += amount;
      left[network.target(ChannelId(static_cast<std::uint32_t>(c))).value] -= amount;
    }
    for (const double amount : left) check.imbalance = std::max(check.imbalance, std::abs(amount));
  }
  if (largest_rate > 0) check.imbalance /= largest_rate;
  for (const double one : load) check.max_load = std::max(check.max_load, one);
  check.lower = check.max_load > 0 ? 1 / check.max_load : kFar;
  check.upper = length_bound(network, demand, flow.length);
  return check;
}

}  // namespace unknot
