// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "drawing/cases.hpp"
#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/report/content.hpp"
#include "unknot/report/measure.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot::testing {

/// A network with the routings of some engines, measured.
inline report::Content routed_content(const std::string& spec, const std::vector<std::string>& engines) {
  Progress silent;
  report::Content content;
  content.fabric = spec;
  content.network = make_network(spec);
  content.distances = distance_statistics(content.network);
  for (const std::string& engine : engines) {
    const Routing routing = route(content.network, engine, {}, silent);
    content.routings.push_back(
        report::measure_routing(content.network, routing, engine, {.samples = 10}, silent));
  }
  if (engines.empty()) content.even_load = report::even_load(content.network, 1, silent);
  return content;
}

/// A network with a schedule that breaks rules.
inline report::Content scheduled_content(const std::string& spec, const std::string& collective) {
  DrawingCase drawn = crowded_case(spec, collective);
  report::Content content = routed_content(spec, {});
  content.schedule.emplace();
  content.schedule->lower_bound = lower_bound(drawn.problem).steps;
  content.schedule->verdict = check_schedule(drawn.problem, drawn.schedule);
  content.schedule->problem = std::move(drawn.problem);
  content.schedule->schedule = std::move(drawn.schedule);
  return content;
}

/// One load of a simulation, with what pages show of it.
inline simulate::PointMeans load_point(double load, double accepted, double latency, bool saturated = false) {
  simulate::PointMeans point;
  point.load = point.offered = load;
  point.accepted = accepted;
  point.has_latencies = !saturated;
  point.latency_mean = latency;
  point.latency_p99 = 2 * latency;
  point.saturated = saturated;
  return point;
}

/// A simulation of `content`, with a share of the time for each channel.
inline report::SimulationPart simulated_part(const report::Content& content, const std::string& routing,
                                             const std::string& traffic, std::uint32_t lanes,
                                             std::vector<simulate::PointMeans> points) {
  return {routing, traffic, lanes, std::move(points),
          std::vector<float>(content.network.channel_count(), 0.25F)};
}

/// All parts that a page may have: routings, simulations, algorithms and a schedule.
inline report::Content full_content(const std::string& spec, const std::vector<std::string>& engines) {
  report::Content content = routed_content(spec, engines);
  content.schedule = scheduled_content(spec, "AAB").schedule;
  for (const std::string& engine : engines) {
    content.simulations.push_back(simulated_part(
        content, engine, "uniform", 4, {load_point(0.2, 0.2, 11), load_point(0.4, 0.35, 40, true)}));
    content.algorithms.push_back({engine,
                                  "all-reduce",
                                  6,
                                  1e-6,
                                  {{"ring", 10, 1, "", {{1024, 1e-5, 1.1e-5}, {4096, 2e-5, {}}}},
                                   {"swing", 4, 2, "round 1", {{1024, 2e-5, 2.1e-5}, {4096, 1e-5, {}}}}},
                                  {{1, 0}, {2048, 1}}});
  }
  return content;
}

}  // namespace unknot::testing
