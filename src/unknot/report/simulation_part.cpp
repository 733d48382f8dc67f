// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "unknot/report/parts.hpp"

namespace unknot::report {
namespace {

/// Latencies mean nothing where measured packets were left behind or none was sent.
Json point_json(const simulate::PointMeans& point) {
  const auto latency = [&](double value) { return point.has_latencies ? Json(shortened(value)) : Json(); };
  return {{"load", point.load},
          {"offered", shortened(point.offered)},
          {"accepted", shortened(point.accepted)},
          {"latency_mean", latency(point.latency_mean)},
          {"latency_p99", latency(point.latency_p99)},
          {"saturated", point.saturated},
          {"state", name_of(point.state())},
          {"deadlock", point.deadlock}};
}

}  // namespace

Json simulation_json(const SimulationPart& part, Json& layers) {
  Json json = {
      {"routing", part.routing}, {"traffic", part.traffic}, {"lanes", part.lanes}, {"layer", layers.size()}};
  std::vector<double> shares;
  for (const float share : part.utilisation) shares.push_back(shortened(share));
  layers.push_back(layer_json(fmt::format("{}, simulated at load {}", part.routing, part.points.back().load),
                              "part of the time that the channel sends", shares));
  json["points"] = Json::array();
  for (const simulate::PointMeans& point : part.points) json["points"].push_back(point_json(point));
  return json;
}

}  // namespace unknot::report
