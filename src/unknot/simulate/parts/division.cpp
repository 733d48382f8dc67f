// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/parts/division.hpp"

#include <algorithm>

#include "unknot/network/cuts/local_cut.hpp"
#include "unknot/network/cuts/partitioners.hpp"

namespace unknot::simulate {

std::vector<std::uint8_t> divide_routers(const Network& network, std::uint32_t parts) {
  CutGraph graph(network);
  graph.total_weight = 0;
  for (std::uint32_t r = 0; r < network.router_count(); ++r) {
    const RouterId router(r);
    graph.weight[r] =
        static_cast<std::uint32_t>(network.in(router).size() + network.terminals_at(router).size());
    graph.total_weight += graph.weight[r];
  }
  std::vector<std::uint8_t> of_router = metis_parts(graph, parts, 1);
  if (!of_router.empty()) return of_router;
  // As equal as can be, router by router.
  std::uint64_t before = 0;
  for (std::uint32_t r = 0; r < network.router_count(); ++r) {
    of_router.push_back(
        static_cast<std::uint8_t>(before * parts / std::max<std::uint64_t>(1, graph.total_weight)));
    before += graph.weight[r];
  }
  return of_router;
}

std::uint32_t parts_of_run(const RoutePlan& plan, const Settings& settings, const LinkTimes& links,
                           const Source& source, std::uint32_t threads) {
  constexpr std::uint32_t kMostParts = 64, kPortsOfPart = 256;
  // Heads that are routed later than in their turn are so in no certain order, which only adaptive choices
  // see.
  const bool far = plan.ugal.global || (plan.kind == RoutePlan::Kind::adaptive && settings.routing_delay > 1);
  const std::vector<std::uint32_t>& latency = links.channel_latency;
  if (far || std::find(latency.begin(), latency.end(), 0U) != latency.end() || !source.terminals_apart() ||
      plan.messages != nullptr || plan.ports.sinks || settings.named_allocator() ||
      settings.ecn_threshold != 0)
    return 1;
  return std::clamp(std::min(threads, plan.ports.inputs() / kPortsOfPart), 1U, kMostParts);
}

}  // namespace unknot::simulate
