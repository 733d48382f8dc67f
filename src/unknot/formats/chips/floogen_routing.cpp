// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/chips/floogen_routing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "unknot/formats/chips/floogen_graph.hpp"
#include "unknot/formats/chips/floogen_paths.hpp"
#include "unknot/formats/chips/floogen_plan.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

using Algorithm = FloogenRouting::Algorithm;
constexpr std::uint32_t kMostForPaths = 2048;

Algorithm floogen_algorithm(const FloogenPlan& plan, const std::string& file) {
  struct Spelling {
    std::string_view name, other;
    Algorithm algorithm;
  };
  static constexpr std::array<Spelling, 4> kSpellings{{{"XY", "XYRouting", Algorithm::xy},
                                                       {"YX", "YXRouting", Algorithm::yx},
                                                       {"ID", "IdTable", Algorithm::id},
                                                       {"SRC", "SourceRouting", Algorithm::source}}};
  for (const Spelling& one : kSpellings)
    if (plan.algorithm == one.name || plan.algorithm == one.other) return one.algorithm;
  if (plan.algorithm.empty())
    throw InputError(fmt::format("{}: expected 'routing' with 'route_algo', XY, YX, ID or SRC", file));
  const bool mirrored = plan.algorithm == "XY_MIRRORED" || plan.algorithm == "XYRoutingMirrored" ||
                        plan.algorithm == "YX_MIRRORED" || plan.algorithm == "YXRoutingMirrored";
  throw InputError(
      file, plan.algorithm_line,
      mirrored ? fmt::format("route_algo {} sends requests and responses on links of their own, "
                             "one by XY and the other by YX: expected a file with either",
                             plan.algorithm)
               : fmt::format("route_algo: expected XY, YX, ID or SRC, not {}", place_shown(plan.algorithm)));
}

class FloogenTables {
 public:
  FloogenTables(const Network& network, const FloogenPlan& plan, const FloogenGraph& graph,
                const std::string& file)
      : network_(network), plan_(plan), graph_(graph), file_(file) {
    number_nodes();
  }

  FloogenRouting run() {
    FloogenRouting made;
    made.algorithm = floogen_algorithm(plan_, file_);
    made.asks.assign(network_.terminal_count(), false);
    made.answers.assign(network_.terminal_count(), false);
    for (std::uint32_t i = graph_.routers; i < graph_.nodes.size(); ++i) {
      made.asks[number_[i]] = endpoints(i).asks;
      made.answers[number_[i]] = endpoints(i).answers;
    }
    made.routing.engine = file_;
    made.own_links = plan_.axi;
    const bool looked_for = made.algorithm == Algorithm::id || made.algorithm == Algorithm::source;
    if (looked_for && graph_.nodes.size() > kMostForPaths) {
      throw InputError(
          file_, plan_.algorithm_line,
          fmt::format("route_algo {} with {} routers and endpoints, more than the {} for which its "
                      "paths are looked for",
                      plan_.algorithm, graph_.nodes.size(), kMostForPaths));
    }
    if (made.algorithm == Algorithm::source) {
      made.routing.paths = source_routes(made);
    } else {
      made.routing.paths = made.algorithm == Algorithm::id ? id_tables() : coordinate_tables(made.algorithm);
    }
    return made;
  }

 private:
  using Place = FloogenPlan::Place;
  enum : std::uint16_t { kNorth = 1, kEast, kSouth, kWest, kEject };  // FlooGen's plus one

  [[noreturn]] void fail(std::uint32_t line, const std::string& message) const {
    throw InputError(file_, line, message);
  }
  [[nodiscard]] const FloogenPlan::Endpoints& endpoints(std::uint32_t node) const {
    return plan_.endpoints[graph_.nodes[node].group];
  }

  void number_nodes() {
    std::map<std::string, std::uint32_t, std::less<>> routers, terminals;
    for (const RouterId r : network_.routers()) routers.emplace(network_.router_name(r), r.value);
    for (const TerminalId t : network_.terminals()) terminals.emplace(network_.terminal_name(t), t.value);
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i) {
      const bool router = i < graph_.routers;
      const auto& names = router ? routers : terminals;
      const auto found = names.find(graph_.nodes[i].name);
      if (found == names.end()) {
        fail(graph_.nodes[i].line, fmt::format("no {} {} in the fabric", router ? "router" : "endpoint",
                                               shown(graph_.nodes[i].name)));
      }
      number_.push_back(found->second);
    }
  }

  /// What a router sends by a port; nothing where it has no such port.
  void enter(ForwardingTable& table, RouterId r, TerminalId t, std::uint16_t port) const {
    if (port > network_.port_count(r)) return;
    const ChannelId c = network_.channel_at(r, port);
    if (c.valid()) {
      table.set(r, t, c.value - network_.out(r).first());
    } else {
      table.set_stray(r, t, port);
    }
  }

  Place place_of_router(std::uint32_t node) const {
    const FloogenGraph::Node& router = graph_.nodes[node];
    if (!router.place) {
      fail(router.line, fmt::format("route_algo {} takes routers in an array, which {} is not",
                                    plan_.algorithm, shown(router.name)));
    }
    const Place offset = plan_.routers[router.group].offset;
    return {router.place->x + offset.x, router.place->y + offset.y};
  }
  /// An endpoint is where a router would be that its port leads to, or on the router.
  Place place_of_endpoint(std::uint32_t node) const {
    const std::uint32_t home = graph_.nodes[node].edges.front().to;
    const std::vector<FloogenGraph::Edge>& edges = graph_.nodes[home].edges;
    const auto edge = std::find_if(edges.begin(), edges.end(),
                                   [&](const FloogenGraph::Edge& one) { return one.to == node; });
    if (!edge->direction || *edge->direction + 1 > kEject) {
      fail(edge->line,
           fmt::format("route_algo {} needs the direction of {}: North, East, South, West or Eject",
                       plan_.algorithm, shown(graph_.nodes[node].name)));
    }
    static constexpr std::array<std::pair<int, int>, kEject> kSteps{
        {{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {0, 0}}};
    Place place = place_of_router(home);
    place.x += kSteps[*edge->direction].first + endpoints(node).offset.x;
    place.y += kSteps[*edge->direction].second + endpoints(node).offset.y;
    return place;
  }

  static std::uint16_t port_by(Algorithm algorithm, Place here, Place there) {
    const std::uint16_t along_x = there.x < here.x ? kWest : kEast;
    const std::uint16_t along_y = there.y < here.y ? kSouth : kNorth;
    if (here.x == there.x && here.y == there.y) return kEject;
    if (algorithm == Algorithm::xy) return here.x == there.x ? along_y : along_x;
    return here.y == there.y ? along_x : along_y;
  }

  ForwardingTable coordinate_tables(Algorithm algorithm) const {
    std::vector<Place> places;
    places.reserve(graph_.nodes.size());
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i)
      places.push_back(i < graph_.routers ? place_of_router(i) : place_of_endpoint(i));
    ForwardingTable table(network_);
    for (std::uint32_t i = 0; i < graph_.routers; ++i) {
      const RouterId r(number_[i]);
      for (std::uint32_t j = graph_.routers; j < graph_.nodes.size(); ++j) {
        const TerminalId t(number_[j]);
        const std::uint16_t port = port_by(algorithm, places[i], places[j]);
        if (network_.router_of(t) != r) {
          enter(table, r, t, port);
        } else if (port != network_.terminal_port(t)) {
          fail(graph_.nodes[j].line,
               fmt::format("route_algo {} leads from router {} to port {}, and not to {} on it",
                           plan_.algorithm, shown(graph_.nodes[i].name), port - 1,
                           shown(graph_.nodes[j].name)));
        }
      }
    }
    return table;
  }

  ForwardingTable id_tables() const {
    FloogenPaths paths(plan_, graph_);
    ForwardingTable table(network_);
    for (std::uint32_t i = 0; i < graph_.routers; ++i) {
      for (std::uint32_t j = graph_.routers; j < graph_.nodes.size(); ++j) {
        if (!endpoints(j).answers || graph_.nodes[j].edges.front().to == i) continue;
        const std::vector<std::uint32_t> path = paths.find(i, j);
        if (path.size() > 2)
          enter(table, RouterId(number_[i]), TerminalId(number_[j]), graph_.port_to(i, path[1]));
      }
    }
    return table;
  }

  /// Empty where a link of it is gone.
  std::vector<ChannelId> channels_of(const std::vector<std::uint32_t>& path) const {
    std::vector<ChannelId> channels;
    for (std::size_t i = 1; i + 2 < path.size(); ++i) {  // from the first router to the last
      const RouterId r(number_[path[i]]);
      const std::uint16_t port = graph_.port_to(path[i], path[i + 1]);
      const ChannelId c = port <= network_.port_count(r) ? network_.channel_at(r, port) : ChannelId();
      if (!c.valid()) return {};
      channels.push_back(c);
    }
    return channels;
  }

  std::shared_ptr<const SourceRoutes> source_routes(const FloogenRouting& made) const {
    FloogenPaths paths(plan_, graph_);
    const std::size_t terminals = network_.terminal_count();
    std::vector<std::vector<ChannelId>> all(terminals * terminals);
    std::vector<std::uint16_t> lengths(terminals * terminals, 0);
    for (std::uint32_t i = graph_.routers; i < graph_.nodes.size(); ++i) {
      for (std::uint32_t j = graph_.routers; j < graph_.nodes.size(); ++j) {
        if (i == j || !made.speak(TerminalId(number_[i]), TerminalId(number_[j]))) continue;
        const std::size_t at = number_[i] * terminals + number_[j];
        all[at] = channels_of(paths.find(i, j));
        lengths[at] = static_cast<std::uint16_t>(all[at].size());
      }
    }
    auto routes = std::make_shared<SourceRoutes>(network_.terminal_count(), lengths);
    for (const TerminalId s : network_.terminals()) {
      for (const TerminalId d : network_.terminals()) {
        const std::vector<ChannelId>& route = all[s.value * terminals + d.value];
        std::copy(route.begin(), route.end(), routes->route(s, d).begin());
      }
    }
    return routes;
  }

  const Network& network_;
  const FloogenPlan& plan_;
  const FloogenGraph& graph_;
  const std::string& file_;
  std::vector<std::uint32_t> number_;  // of routers and terminals of the network, by node
};

}  // namespace

std::string_view name_of(FloogenRouting::Algorithm algorithm) {
  constexpr std::array<std::string_view, 4> kNames{"XY", "YX", "ID", "SRC"};
  return kNames[static_cast<std::size_t>(algorithm)];
}

FloogenRouting read_floogen_routing(const Network& network, std::string_view text, const std::string& name) {
  const FloogenPlan plan = read_floogen_plan(text, name);
  const FloogenGraph graph = make_floogen_graph(plan, name);
  return FloogenTables(network, plan, graph, name).run();
}

}  // namespace unknot
