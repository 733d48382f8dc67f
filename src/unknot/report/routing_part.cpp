// SPDX-License-Identifier: Apache-2.0
#include "unknot/report/parts.hpp"

namespace unknot::report {

Json routing_json(const RoutingPart& part, Json& layers) {
  Json json = {{"name", part.name}};
  if (!part.failure.empty()) {
    json["failure"] = part.failure;
    return json;
  }
  json["layer"] = layers.size();
  layers.push_back(layer_json(part.name, "pairs of terminals whose path takes the channel", part.load));
  json["complete"] = part.verdict.complete();
  json["lost_pairs"] = part.verdict.unroutable_pairs;
  json["deadlock_free"] = part.verdict.deadlock_free;
  json["lanes"] = part.lanes;
  json["lanes_needed"] = part.lanes_needed;
  const LoadStatistics load = load_statistics(part.load);
  json["max_load"] = load.max;
  json["min_load"] = load.min;
  json["mean_load"] = shortened(load.mean);
  json["max_hops"] = part.verdict.max_hops;
  json["mean_hops"] = shortened(part.verdict.mean_hops());
  if (part.congestion) {
    json["effective_bisection_bandwidth"] = shortened(part.congestion->effective_bisection_bandwidth);
    json["standard_error"] = shortened(part.congestion->standard_error);
  }
  json["levels_are_lanes"] = part.levels_are_lanes;
  json["pairs_by_level"] = part.pairs_by_level;
  Json witness = Json::array();
  if (part.verdict.witness) {
    for (const WitnessStep& step : part.verdict.witness->steps) {
      witness.push_back({{"channel", step.from.channel.value},
                         {"lane", step.from.lane},
                         {"source", step.source.value},
                         {"destination", step.destination.value}});
    }
  }
  json["witness"] = std::move(witness);
  return json;
}

}  // namespace unknot::report
