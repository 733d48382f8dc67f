// SPDX-License-Identifier: Apache-2.0
#include "unknot/report/measure.hpp"

#include <algorithm>
#include <utility>

#include "unknot/oblivious/oblivious_load.hpp"
#include "unknot/oblivious/router_demand.hpp"
#include "unknot/traffic/catalogue.hpp"

namespace unknot::report {
namespace {

std::vector<std::uint64_t> pairs_by_level(const Network& network, const ServiceLevels& levels) {
  std::vector<std::uint64_t> pairs(levels.highest() + std::size_t{1});
  for (const TerminalId source : network.terminals()) {
    for (const TerminalId destination : network.terminals()) {
      const std::uint8_t level = levels.get(source, destination);
      if (source != destination && level != ServiceLevels::kMissing) ++pairs[level];
    }
  }
  while (pairs.size() > 1 && pairs.back() == 0) pairs.pop_back();
  return pairs;
}

}  // namespace

RoutingPart measure_routing(const Network& network, const Routing& routing, std::string name,
                            const MeasureOptions& options, Progress& progress) {
  RoutingPart part;
  part.name = std::move(name);
  part.lanes = routing.virtual_lanes;
  part.lanes_needed = routing.lanes_needed;
  VerifyOptions checks;
  checks.threads = options.threads;
  part.verdict = verify(network, routing, checks, progress);
  part.load = channel_load(network, routing, options.threads);
  if (options.samples > 0) {
    part.congestion = congestion(network, routing, make_pattern(network, "bisection"), options.samples,
                                 options.seed, options.threads, progress);
  }
  part.pairs_by_level = pairs_by_level(network, routing.service_levels);
  part.levels_are_lanes = routing.lane_map == nullptr;
  return part;
}

std::vector<double> even_load(const Network& network, std::uint32_t threads, Progress& progress) {
  return oblivious_load(network, ObliviousPaths::minimal, RouterDemand::uniform(network), threads, progress)
      .load;
}

}  // namespace unknot::report
