// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/check/path_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "unknot/collective/model/pair_routes.hpp"

namespace unknot {

PathRules::PathRules(const Problem& problem, bool backwards, Report report)
    : problem_(problem),
      graph_(*problem.graph),
      backwards_(backwards),
      report_(std::move(report)),
      arcs_(graph_.arc_count()),
      links_(graph_.link_count()),
      sent_(graph_.node_count()),
      received_(graph_.node_count()),
      lines_(problem.routes == nullptr ? 0 : problem.routes->line_count()),
      hops_of_(problem.extra_hops == Problem::kAnyLength ? 0 : graph_.node_count()) {}

bool PathRules::has_nodes(std::span<const NodeId> path, const Text& name) {
  for (const NodeId n : path) {
    if (n.value < graph_.node_count()) continue;
    report_(ViolationKind::unknown_node, [&] {
      return fmt::format("{}: there is no node {}; nodes are 0 to {}", name(), n.value,
                         graph_.node_count() - 1);
    });
    return false;
  }
  if (path.size() >= 2) return true;
  report_(ViolationKind::no_path, [&] { return fmt::format("{}: the path has no channel", name()); });
  return false;
}

bool PathRules::take(std::span<const NodeId> path, std::uint32_t step, std::uint32_t shown,
                     const Text& name) {
  if (!has_nodes(path, name)) return false;
  bool good = true;
  sorted_.assign(path.begin(), path.end());
  std::sort(sorted_.begin(), sorted_.end());
  if (const auto twice = std::adjacent_find(sorted_.begin(), sorted_.end()); twice != sorted_.end()) {
    report_(ViolationKind::no_path,
            [&] { return fmt::format("{}: the path comes to node {} twice", name(), twice->value); });
    good = false;
  }
  for (std::size_t i = 1; i + 1 < path.size(); ++i) {
    if (!graph_.is_leaf(path[i])) continue;
    report_(ViolationKind::through_terminal,
            [&] { return fmt::format("{}: the path leads through terminal {}", name(), path[i].value); });
    good = false;
  }
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const ArcId arc = graph_.find(path[i], path[i + 1]);
    if (arc.valid()) {
      take(arc, step, shown);
      continue;
    }
    report_(ViolationKind::no_channel, [&] {
      return fmt::format("{}: no channel leads from {} to {}", name(),
                         (backwards_ ? path[i + 1] : path[i]).value,
                         (backwards_ ? path[i] : path[i + 1]).value);
    });
    good = false;
  }
  return good;
}

void PathRules::take(ArcId arc, std::uint32_t step, std::uint32_t shown) {
  ++hops_;
  const auto ends = [&] {
    const NodeId from = backwards_ ? graph_.head(arc) : graph_.tail(arc);
    const NodeId to = backwards_ ? graph_.tail(arc) : graph_.head(arc);
    return std::pair(from.value, to.value);
  };
  const auto messages = [](std::uint32_t n) {
    return n == 1 ? "one message" : fmt::format("{} messages", n);
  };
  const std::uint32_t capacity = graph_.capacity(arc);
  if (arcs_.add(arc.value, step) > capacity) {
    report_(ViolationKind::channel_conflict, [&] {
      return fmt::format("step {}: more than {} on the channel from {} to {}", shown, messages(capacity),
                         ends().first, ends().second);
    });
  }
  const std::uint32_t link = graph_.link(arc);
  const std::uint32_t both = graph_.link_capacity(link);
  if (graph_.link_class() == LinkClass::half_duplex && links_.add(link, step) > both) {
    report_(ViolationKind::channel_conflict, [&] {
      return fmt::format("step {}: more than {} on the half-duplex link between {} and {}", shown,
                         messages(both), ends().first, ends().second);
    });
  }
}

void PathRules::count_port(NodeId node, bool sends, std::uint32_t step, std::uint32_t shown) {
  const std::uint32_t limit = sends ? problem_.send_ports : problem_.receive_ports;
  if ((sends ? sent_ : received_).add(node.value, step) <= limit) return;
  const bool sends_shown = sends != backwards_;
  report_(sends_shown ? ViolationKind::send_ports : ViolationKind::receive_ports, [&] {
    return fmt::format("step {}: node {} {} more than {} message{}, as many as it has ports", shown,
                       node.value, sends_shown ? "sends" : "receives", limit, limit == 1 ? "" : "s");
  });
}

void PathRules::check_length(std::span<const NodeId> path, const Text& name) {
  if (problem_.extra_hops == Problem::kAnyLength) return;
  std::vector<std::uint32_t>& hops = hops_of_[path.front().value];
  if (hops.empty()) graph_.distances_from(path.front(), hops);
  const std::uint64_t most = std::uint64_t{hops[path.back().value]} + problem_.extra_hops;
  if (path.size() - 1 <= most) return;
  report_(ViolationKind::detour, [&] {
    return fmt::format("{}: the path has {} channels where at most {} are allowed", name(), path.size() - 1,
                       most);
  });
}

void PathRules::check_ends(std::span<const NodeId> path, std::uint32_t step, std::uint32_t shown,
                           const Text& name) {
  count_port(path.front(), true, step, shown);
  count_port(path.back(), false, step, shown);
  check_length(path, name);
  if (problem_.routes != nullptr) check_route(path, step, shown, name);
}

void PathRules::check_route(std::span<const NodeId> path, std::uint32_t step, std::uint32_t shown,
                            const Text& name) {
  const PairRoutes& routes = *problem_.routes;
  const std::vector<NodeId> route = routes.path(path.front(), path.back());
  if (!std::equal(path.begin(), path.end(), route.begin(), route.end())) {
    report_(ViolationKind::off_route, [&] {
      return fmt::format(
          "{}: {}", name(),
          route.empty() ? "no route leads there" : "the path is not the route between these nodes");
    });
    return;
  }
  for (const std::uint32_t line : routes.lines(path.front(), path.back())) {
    const bool half = graph_.link_class() == LinkClass::half_duplex;
    if (lines_.add(half ? routes.cable(line) : line, step) <= routes.capacity(line)) continue;
    report_(ViolationKind::channel_conflict, [&] {
      return fmt::format("step {}: more messages than it carries on one {} between {} and {}", shown,
                         half ? "half-duplex cable" : "channel", routes.tail(line).value,
                         routes.head(line).value);
    });
  }
}

}  // namespace unknot
