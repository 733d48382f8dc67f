// SPDX-License-Identifier: Apache-2.0
#include "unknot/report/document.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "unknot/report/parts.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/version.hpp"

namespace unknot::report {
namespace {

Json fabric_json(const Content& content) {
  const Network& network = content.network;
  return {{"name", content.fabric},
          {"fail", content.faults},
          {"routers", network.router_count()},
          {"terminals", network.terminal_count()},
          {"channels", network.channel_count()},
          {"diameter", content.distances.diameter},
          {"mean_hops", shortened(content.distances.mean_hops)},
          {"distances_exact", content.distances.exact}};
}

}  // namespace

Json provenance_json(const Provenance& provenance) {
  return {{"title", provenance.title},
          {"date", provenance.date},
          {"command", provenance.command},
          {"version", version()}};
}

void require_drawable(const Network& network) {
  if (network.channel_count() > kMostChannels) {
    throw InputError(fmt::format("{}: a page takes at most {} channels between routers; there are {}",
                                 network.description(), kMostChannels, network.channel_count()));
  }
}

double shortened(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double scale = std::pow(10, 5 - std::floor(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

std::string document(const Content& content) {
  require_drawable(content.network);
  Json layers = Json::array();
  if (!content.even_load.empty()) {
    std::vector<double> values;
    for (const double load : content.even_load) values.push_back(shortened(load));
    layers.push_back(layer_json("uniform traffic, evenly over all shortest paths",
                                "load, in what one terminal injects", values));
  }
  Json routings = Json::array();
  for (const RoutingPart& part : content.routings) routings.push_back(routing_json(part, layers));
  Json simulations = Json::array();
  for (const SimulationPart& part : content.simulations) simulations.push_back(simulation_json(part, layers));
  Json algorithms = Json::array();
  for (const AlgorithmsPart& part : content.algorithms) algorithms.push_back(algorithms_json(part));
  Json document = {{"format", kFormat},
                   {"provenance", provenance_json(content.provenance)},
                   {"summary", summary(content)},
                   {"fabric", fabric_json(content)},
                   {"network", network_json(content.network)},
                   {"layers", std::move(layers)},
                   {"routings", std::move(routings)},
                   {"simulations", std::move(simulations)},
                   {"algorithms", std::move(algorithms)}};
  document["schedule"] = content.schedule ? schedule_json(content.network, *content.schedule) : Json();
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace unknot::report
