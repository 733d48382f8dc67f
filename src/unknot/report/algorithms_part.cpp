// SPDX-License-Identifier: Apache-2.0
#include "unknot/report/parts.hpp"

namespace unknot::report {

Json algorithms_json(const AlgorithmsPart& part) {
  Json json = {{"routing", part.routing}, {"collective", part.collective}, {"ranks", part.ranks},
               {"alpha", part.alpha},     {"algorithms", Json::array()},   {"ranges", Json::array()}};
  for (const AlgorithmsPart::Algorithm& one : part.algorithms) {
    Json points = Json::array();
    for (const AlgorithmsPart::Point& point : one.points) {
      points.push_back({{"bytes", point.bytes},
                        {"predicted", shortened(point.predicted)},
                        {"simulated", point.simulated ? Json(shortened(*point.simulated)) : Json()}});
    }
    json["algorithms"].push_back({{"name", one.name},
                                  {"rounds", one.rounds},
                                  {"most_flows", one.most_flows},
                                  {"meeting", one.meeting},
                                  {"points", std::move(points)}});
  }
  for (const auto& [from, algorithm] : part.ranges)
    json["ranges"].push_back({{"from", from}, {"algorithm", algorithm}});
  return json;
}

}  // namespace unknot::report
