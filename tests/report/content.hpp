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

}  // namespace unknot::testing
