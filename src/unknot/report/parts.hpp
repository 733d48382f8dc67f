// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "unknot/report/column.hpp"
#include "unknot/report/content.hpp"

// The parts of the document, each in a file of its own.
namespace unknot::report {

using Json = nlohmann::ordered_json;

/// A number with at most six significant digits: what a picture can show.
double shortened(double value);

/// {title, date, command, version}.
Json provenance_json(const Provenance& provenance);
/// {layout, x, y, names, terminals, terminal_names, bent, from, to, from_port, to_port, group, groups}.
Json network_json(const Network& network);
/// Appends what a routing loads the channels with to `layers`, and returns all else that is known of it.
Json routing_json(const RoutingPart& part, Json& layers);
Json simulation_json(const SimulationPart& part, Json& layers);
Json algorithms_json(const AlgorithmsPart& part);
Json schedule_json(const Network& network, const SchedulePart& part);

/// One way to colour channels: {name, unit, values}.
template <class Values>
Json layer_json(std::string name, std::string unit, const Values& values) {
  return {{"name", std::move(name)}, {"unit", std::move(unit)}, {"values", column(values)}};
}

}  // namespace unknot::report
