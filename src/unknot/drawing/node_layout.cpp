// SPDX-License-Identifier: Apache-2.0
#include "unknot/drawing/node_layout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace unknot::drawing {
namespace {

constexpr double kLeastApart = 0.55;

/// Terminals of one router on a piece of a circle around it, from one angle to another (clockwise, 0 is to
/// the right).
void fan(const Network& network, RouterId r, Point centre, double radius, double from, double to,
         std::vector<Point>& terminals) {
  const double count = network.terminals_at(r).size();
  double i = 0;
  for (const TerminalId t : network.terminals_at(r)) {
    const double angle = from + (to - from) * (i + 0.5) / count;
    terminals[t.value] = centre + radius * Point{std::cos(angle), std::sin(angle)};
    i += 1;
  }
}

/// All terminals in a row below everything, in the order of where their routers are.
std::vector<Point> row_below(const Network& network, std::vector<Point>& routers) {
  double right = 0;
  double bottom = 0;
  for (const Point p : routers) {
    right = std::max(right, p.x);
    bottom = std::max(bottom, p.y);
  }
  std::vector<TerminalId> order;
  for (const TerminalId t : network.terminals()) order.push_back(t);
  std::stable_sort(order.begin(), order.end(), [&](TerminalId a, TerminalId b) {
    return routers[network.router_of(a).value].x < routers[network.router_of(b).value].x;
  });
  std::vector<Point> terminals(network.terminal_count());
  const double apart = std::max(0.62, (right + 0.35) / std::max<double>(1, network.terminal_count()));
  // Routers stretch to the width of the row.
  const double width = apart * network.terminal_count();
  const double stretch = right > 0 ? std::max(1.0, width / (right + 0.35)) : 1.0;
  double layer = std::numeric_limits<double>::max();
  for (const Point p : routers) {
    if (p.y > 0) layer = std::min(layer, p.y);
  }
  constexpr double kLayerShare =
      0.07;  // layers of wide pictures are farther apart, so that cables are not too flat
  const double deepen = bottom > 0 ? std::max(1.0, kLayerShare * width / layer) : 1.0;
  for (Point& p : routers) p = {stretch * p.x, deepen * p.y};
  bottom *= deepen;
  for (std::size_t i = 0; i < order.size(); ++i)
    terminals[order[i].value] = {apart * (static_cast<double>(i) + 0.5), bottom + 1.1};
  return terminals;
}

double least_distance(const std::vector<Place>& places) {
  double least = std::numeric_limits<double>::max();
  for (std::size_t a = 0; a < places.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) least = std::min(least, length(places[a].at - places[b].at));
  }
  return least;
}

void normalise(NodeLayout& layout) {
  const double least = least_distance(layout.places);
  const double scale = layout.places.size() > 1 && least > 0 ? std::max(1.0, kLeastApart / least) : 1.0;
  Point low = layout.places.front().at;
  Point high = low;
  for (const Place& p : layout.places) {
    low = {std::min(low.x, p.at.x), std::min(low.y, p.at.y)};
    high = {std::max(high.x, p.at.x), std::max(high.y, p.at.y)};
  }
  for (Place& p : layout.places) p.at = scale * (p.at - low);
  layout.size = scale * (high - low);
}

}  // namespace

NodeLayout layout_nodes(const Network& network, const NodeGraph& graph) {
  constexpr double kPi = std::numbers::pi;
  const std::uint32_t routers = network.router_count();
  std::vector<Point> places;
  std::vector<Point> terminals(network.terminal_count());
  std::vector<std::optional<Point>> second(graph.node_count());

  if (auto grid = grid_places(network)) {
    places = std::move(*grid);
    for (const RouterId r : network.routers())  // to the lower left, where no dimension leads
      fan(network, r, places[r.value], 0.52, 0.58 * kPi, 0.92 * kPi, terminals);
  } else if (auto stages = stage_places(network)) {
    places = std::move(stages->places);
    const double apart = 0.7;
    for (const RouterId r : network.routers()) {
      if (!stages->second[r.value]) continue;
      second[r.value] = stages->second[r.value];
      const double count = network.terminals_at(r).size();
      double i = 0;
      for (const TerminalId t : network.terminals_at(r)) {
        const Point down{0, apart * ((i + 0.5) / count - 0.5)};
        terminals[t.value] = places[r.value] + down - Point{0.9, 0};
        if (graph.has_terminal_nodes()) second[routers + t.value] = *second[r.value] + down + Point{0.9, 0};
        i += 1;
      }
    }
  } else if (auto layers = layer_places(network)) {
    places = std::move(*layers);
    if (graph.has_terminal_nodes()) terminals = row_below(network, places);
  } else {
    places = circle_places(network);
    const double slot = 2 * kPi / routers;
    const double radius = length(places.front());
    for (const RouterId r : network.routers()) {
      const double angle = std::atan2(places[r.value].y, places[r.value].x);
      fan(network, r, Point{}, radius + 0.7, angle - 0.5 * slot, angle + 0.5 * slot, terminals);
    }
  }

  NodeLayout layout;
  for (const NodeId n : graph.nodes())
    layout.places.push_back({n, n.value < routers ? places[n.value] : terminals[n.value - routers]});
  std::vector<std::uint32_t> arrival(graph.node_count());  // place at which messages come in
  std::iota(arrival.begin(), arrival.end(), 0);
  for (const NodeId n : graph.nodes()) {
    if (!second[n.value]) continue;
    arrival[n.value] = static_cast<std::uint32_t>(layout.places.size());
    layout.places.push_back({n, *second[n.value]});
  }
  for (const ArcId a : graph.arcs()) {
    const NodeId tail = graph.tail(a);
    const NodeId head = graph.head(a);
    // What goes down to a terminal leaves from where messages come in; what a terminal sends, comes in
    // where messages leave.
    layout.tail_place.push_back(graph.is_leaf(head) ? arrival[tail.value] : tail.value);
    layout.head_place.push_back(graph.is_leaf(tail) ? head.value : arrival[head.value]);
  }
  normalise(layout);
  return layout;
}

}  // namespace unknot::drawing
