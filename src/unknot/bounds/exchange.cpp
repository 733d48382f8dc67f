// SPDX-License-Identifier: Apache-2.0
#include "unknot/bounds/exchange.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace unknot {

Exchange exchange_of(const Network& network, const TrafficPattern& pattern, std::uint64_t seed,
                     std::uint32_t sample) {
  const std::uint64_t terminals = network.terminal_count();
  if (pattern.all_pairs || pattern.uniform_mean) {
    const double each = terminals < 2 ? 0 : 1;
    return {RouterDemand::uniform(network), each, each, each * static_cast<double>(terminals),
            terminals < 2 ? 0 : terminals * (terminals - 1)};
  }
  std::vector<Flow> flows;
  pattern.flows(seed, sample, flows);
  std::vector<double> sent(terminals, 0);
  std::vector<double> received(terminals, 0);
  std::vector<RouterFlow> between;
  between.reserve(flows.size());
  double total = 0;
  for (const Flow& flow : flows) {
    sent[flow.source.value] += flow.weight;
    received[flow.destination.value] += flow.weight;
    total += flow.weight;
    between.push_back({network.router_of(flow.source), network.router_of(flow.destination), flow.weight});
  }
  const auto most = [](const std::vector<double>& list) {
    return list.empty() ? 0 : *std::max_element(list.begin(), list.end());
  };
  return {RouterDemand::of_flows(network, between), most(sent), most(received), total, flows.size()};
}

FluidLimit fluid_limit(const Network& network, const Exchange& exchange, double max_load) {
  FluidLimit limit;
  limit.time = std::max({exchange.peak_injection, exchange.peak_ejection, max_load});
  if (limit.time == 0) return limit;
  limit.saturation = exchange.peak_injection / limit.time;
  limit.effective_throughput = exchange.total / (limit.time * network.terminal_count());
  return limit;
}

FluidLimit fluid_limit(const Network& network, const Exchange& exchange, const DeliveredPart& part,
                       double max_load) {
  FluidLimit limit;
  limit.time = std::numeric_limits<double>::infinity();
  limit.saturation = 0;
  const double busy = std::max({exchange.peak_injection, part.peak_ejection, max_load});
  if (busy > 0) limit.effective_throughput = part.total / (busy * network.terminal_count());
  return limit;
}

}  // namespace unknot
