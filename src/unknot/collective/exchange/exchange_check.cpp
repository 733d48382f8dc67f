// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/exchange/exchange_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

namespace unknot {
namespace {

class ExchangeCheck {
 public:
  ExchangeCheck(const Problem& problem, const ExchangePlan& plan)
      : problem_(problem),
        graph_(*problem.graph),
        plan_(plan),
        load_(graph_.arc_count(), 0),
        parts_(problem.messages(), 0),
        seen_in_(graph_.node_count(), 0) {}

  ExchangeVerdict run() {
    if (plan_.copies == 0) verdict_.fault = "a message is divided into no part";
    for (std::size_t r = 0; r < plan_.routes.size() && verdict_.valid(); ++r) {
      const std::string why = follow(r);
      if (!why.empty()) verdict_.fault = fmt::format("path {}: {}", r + 1, why);
    }
    if (verdict_.valid()) count_parts();
    if (verdict_.valid()) find_busiest();
    return verdict_;
  }

 private:
  std::string follow(std::size_t route) {
    const std::span<const NodeId> nodes = plan_.way(route);
    const std::uint64_t copies = plan_.routes[route].copies;
    if (nodes.size() < 2) return "it leads nowhere";
    for (const NodeId n : nodes) {
      if (n.value >= graph_.node_count()) return fmt::format("there is no node {}", n.value);
      if (seen_in_[n.value] == route + 1) return fmt::format("it passes node {} twice", n.value);
      seen_in_[n.value] = route + 1;
    }
    const std::uint32_t group = problem_.group_of(nodes.front());
    const std::uint32_t message =
        group == Problem::kNone ? Problem::kNone : problem_.message_of(group, nodes.back());
    if (message == Problem::kNone) {
      return fmt::format("node {} has nothing for node {}", nodes.front().value, nodes.back().value);
    }
    if (copies == 0 || copies > plan_.copies)
      return fmt::format("it carries {} parts of {}", copies, plan_.copies);
    parts_[message] += copies;
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
      const ArcId arc = graph_.find(nodes[i], nodes[i + 1]);
      if (!arc.valid())
        return fmt::format("no channel leads from node {} to {}", nodes[i].value, nodes[i + 1].value);
      if (i > 0 && graph_.is_leaf(nodes[i]))
        return fmt::format("it leads through terminal {}", nodes[i].value);
      load_[arc.value] += copies;
    }
    verdict_.channels = std::max(verdict_.channels, static_cast<std::uint32_t>(nodes.size() - 1));
    return {};
  }

  void count_parts() {
    for (std::uint32_t g = 0; g < problem_.groups(); ++g) {
      for (std::uint32_t m = problem_.first[g]; m < problem_.first[g + 1]; ++m) {
        if (parts_[m] == plan_.copies) continue;
        verdict_.fault = fmt::format("{} parts are carried from node {} to {}, there are {}", parts_[m],
                                     problem_.owner[g].value, problem_.partner[m].value, plan_.copies);
        return;
      }
    }
  }

  void find_busiest() {
    for (const ArcId a : graph_.arcs()) {
      const Fraction time(load_[a.value], std::uint64_t{plan_.copies} * graph_.capacity(a));
      if (time <= verdict_.time) continue;
      verdict_.time = time;
      verdict_.from = graph_.tail(a);
      verdict_.to = graph_.head(a);
    }
  }

  const Problem& problem_;
  const NodeGraph& graph_;
  const ExchangePlan& plan_;
  ExchangeVerdict verdict_;
  std::vector<std::uint64_t> load_;   // by arc: parts
  std::vector<std::uint64_t> parts_;  // by message: carried
  std::vector<std::size_t> seen_in_;  // by node: the route that passed it last
};

}  // namespace

ExchangeVerdict check_exchange(const Problem& problem, const ExchangePlan& plan) {
  return ExchangeCheck(problem, plan).run();
}

}  // namespace unknot
