// SPDX-License-Identifier: Apache-2.0
#include "unknot/report/compare/read_parts.hpp"

#include <algorithm>
#include <utility>

#include "unknot/report/compare/members.hpp"
#include "unknot/simulate/load_points.hpp"

namespace unknot::report {
namespace {

bool is_state(const std::string& word) {
  using enum simulate::PointState;
  const auto states = {deadlock, undelivered, idle, saturated, steady, not_steady};
  return std::any_of(states.begin(), states.end(), [&](auto state) { return word == name_of(state); });
}

PageData::LoadPoint load_point(const nlohmann::json& object) {
  PageData::LoadPoint point{.load = amount_member(object, "load"),
                            .offered = amount_member(object, "offered"),
                            .accepted = amount_member(object, "accepted"),
                            .latency_mean = amount_or_null(object, "latency_mean"),
                            .latency_p99 = amount_or_null(object, "latency_p99"),
                            .saturated = flag_member(object, "saturated"),
                            .deadlock = flag_member(object, "deadlock"),
                            .state = text_member(object, "state")};
  if (point.load > 1) not_a_page("'load' is more than all");
  if (!is_state(point.state)) not_a_page("'state' is none of a simulation");
  return point;
}

PageData::Algorithm read_algorithm(const nlohmann::json& object) {
  PageData::Algorithm one{.name = text_member(object, "name"),
                          .meeting = text_member(object, "meeting"),
                          .rounds = id_member(object, "rounds"),
                          .most_flows = id_member(object, "most_flows"),
                          .points = {}};
  for (const nlohmann::json& point : list_member(object, "points")) {
    one.points.push_back({.bytes = static_cast<double>(whole_member(point, "bytes")),
                          .predicted = amount_member(point, "predicted"),
                          .simulated = amount_or_null(point, "simulated")});
    // scales of charts are logarithms
    const PageData::TimePoint& last = one.points.back();
    if (last.bytes == 0 || last.predicted == 0 || last.simulated == 0.0)
      not_a_page("an algorithm has no bytes, or takes no time");
  }
  if (one.points.empty()) not_a_page("an algorithm has no size");
  return one;
}

PageData::Transfer read_transfer(const nlohmann::json& object, double nodes, double arcs) {
  PageData::Transfer one{.words = text_member(object, "words"),
                         .from = id_member(object, "from", nodes),
                         .to = id_member(object, "to", nodes),
                         .colour = id_member(object, "colour"),
                         .arcs = {}};
  one.arcs = wholes_member(object, "arcs", list_member(object, "arcs").size(), arcs);
  return one;
}

}  // namespace

PageData::Simulation read_simulation(const nlohmann::json& object, std::size_t layers) {
  PageData::Simulation simulation{.routing = text_member(object, "routing"),
                                  .traffic = text_member(object, "traffic"),
                                  .lanes = id_member(object, "lanes"),
                                  .layer = id_member(object, "layer", static_cast<double>(layers)),
                                  .points = {}};
  for (const nlohmann::json& point : list_member(object, "points"))
    simulation.points.push_back(load_point(point));
  if (simulation.points.empty()) not_a_page("a simulation has no load");
  return simulation;
}

PageData::Contest read_contest(const nlohmann::json& object) {
  PageData::Contest contest{.routing = text_member(object, "routing"),
                            .collective = text_member(object, "collective"),
                            .ranks = id_member(object, "ranks"),
                            .alpha = amount_member(object, "alpha"),
                            .algorithms = {},
                            .ranges = {}};
  for (const nlohmann::json& one : list_member(object, "algorithms", kMostParts))
    contest.algorithms.push_back(read_algorithm(one));
  if (contest.algorithms.empty()) not_a_page("a collective has no algorithm");
  const auto count = static_cast<double>(contest.algorithms.size());
  for (const nlohmann::json& range : list_member(object, "ranges")) {
    contest.ranges.push_back(
        {static_cast<double>(whole_member(range, "from")), id_member(range, "algorithm", count)});
    if (contest.ranges.size() > 1 && !(contest.ranges.rbegin()[1].from < contest.ranges.back().from))
      not_a_page("'ranges' do not go up");
  }
  return contest;
}

PageData::Schedule read_schedule(const nlohmann::json& object) {
  PageData::Schedule schedule;
  schedule.collective = text_member(object, "collective");
  schedule.lower_bound = whole_member(object, "lower_bound");
  schedule.capacity = whole_member(object, "capacity");
  schedule.valid = flag_member(object, "valid");
  schedule.findings = texts_member(object, "findings");
  const nlohmann::json& network = member(object, "network");
  schedule.names = texts_member(network, "names");
  schedule.bent = flag_member(network, "bent");
  const auto nodes = static_cast<double>(schedule.names.size());
  const std::size_t places = list_member(network, "node").size();
  if (places == 0) not_a_page("a schedule is on no node");
  schedule.node = wholes_member(network, "node", places, nodes);
  schedule.x = reals_member(network, "x", places);
  schedule.y = reals_member(network, "y", places);
  const std::size_t arcs = list_member(network, "from").size();
  schedule.from = wholes_member(network, "from", arcs, static_cast<double>(places));
  schedule.to = wholes_member(network, "to", arcs, static_cast<double>(places));
  for (const nlohmann::json& step : list_member(object, "steps")) {
    schedule.steps.push_back({.busy = whole_member(step, "busy"), .transfers = {}});
    for (const nlohmann::json& one : list_member(step, "transfers"))
      schedule.steps.back().transfers.push_back(read_transfer(one, nodes, static_cast<double>(arcs)));
  }
  return schedule;
}

}  // namespace unknot::report
