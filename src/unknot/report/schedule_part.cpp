// SPDX-License-Identifier: Apache-2.0
#include "unknot/drawing/node_layout.hpp"
#include "unknot/drawing/schedule_view.hpp"
#include "unknot/report/parts.hpp"

namespace unknot::report {
namespace {

std::string node_name(const Network& network, NodeId n) {
  const std::uint32_t routers = network.router_count();
  return n.value < routers ? network.router_name(RouterId(n.value))
                           : network.terminal_name(TerminalId(n.value - routers));
}

/// Places, and arcs between places: a node may be drawn twice.
Json drawing_json(const Network& network, const NodeGraph& graph) {
  const drawing::NodeLayout layout = drawing::layout_nodes(network, graph);
  Json x = Json::array(), y = Json::array(), nodes = Json::array();
  for (const drawing::Place& place : layout.places) {
    x.push_back(shortened(place.at.x));
    y.push_back(shortened(place.at.y));
    nodes.push_back(place.node.value);
  }
  Json names = Json::array();
  for (const NodeId n : graph.nodes()) names.push_back(node_name(network, n));
  return {{"x", std::move(x)},
          {"y", std::move(y)},
          {"node", std::move(nodes)},
          {"names", std::move(names)},
          {"from", layout.tail_place},
          {"to", layout.head_place},
          {"bent", drawing::grid_places(network).has_value()}};
}

}  // namespace

Json schedule_json(const Network& network, const SchedulePart& part) {
  const Schedule& schedule = part.schedule;
  const NodeGraph& graph = *part.problem.graph;
  const drawing::ScheduleView view(part.problem, schedule);
  Json steps = Json::array();
  for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
    Json transfers = Json::array();
    for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
      Json arcs = Json::array();
      const auto path = schedule.path(t);
      for (std::size_t i = 1; i < path.size(); ++i) {
        // a hop without a channel is what the findings are about; there is nothing to draw
        if (const ArcId a = graph.find(path[i - 1], path[i]); a.valid()) arcs.push_back(a.value);
      }
      transfers.push_back({{"words", view.describe(step, t)},
                           {"from", path.front().value},
                           {"to", path.back().value},
                           {"colour", view.colour(t)},
                           {"arcs", std::move(arcs)}});
    }
    steps.push_back({{"busy", view.busy(step)}, {"transfers", std::move(transfers)}});
  }
  Json findings = Json::array();
  for (const StepFinding& finding : part.verdict.findings) findings.push_back(finding.first);
  return {{"collective", part.problem.collective},
          {"lower_bound", part.lower_bound},
          {"valid", part.verdict.valid()},
          {"findings", std::move(findings)},
          {"capacity", view.capacity()},
          {"network", drawing_json(network, graph)},
          {"steps", std::move(steps)}};
}

}  // namespace unknot::report
