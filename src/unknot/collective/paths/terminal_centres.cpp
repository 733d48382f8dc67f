// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/paths/terminal_centres.hpp"

#include <algorithm>
#include <cmath>

namespace unknot {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFU;
constexpr double kPerHop = 1.0 / 256;  // all that are a hop farther weigh less than one that is near

/// Routers with a terminal that is to get the message or has it, ascending; terminals without channels aside.
std::vector<NodeId> routers_of(const Problem& problem) {
  const NodeGraph& graph = *problem.graph;
  std::vector<NodeId> routers;
  const auto add = [&](NodeId n) {
    if (!graph.out(n).empty()) routers.push_back(graph.head(graph.out(n)[0]));
  };
  add(problem.owner.front());
  for (const NodeId n : problem.partner) add(n);
  std::sort(routers.begin(), routers.end());
  routers.erase(std::unique(routers.begin(), routers.end()), routers.end());
  return routers;
}

}  // namespace

bool TerminalCentres::takes(const Problem& problem) {
  return problem.graph->has_terminal_nodes() && routers_of(problem).size() <= kMostRouters;
}

TerminalCentres::TerminalCentres(const Problem& problem)
    : problem_(problem), informed_(problem.graph->node_count(), 0) {
  const std::vector<NodeId> routers = routers_of(problem);
  const std::size_t count = routers.size();
  place_.assign(problem.graph->node_count(), kNone);
  for (std::uint32_t i = 0; i < count; ++i) place_[routers[i].value] = i;
  near_.reserve(count * count);
  std::vector<std::uint32_t> hops;
  for (const NodeId from : routers) {
    problem.graph->distances_from(from, hops);
    for (const NodeId to : routers)
      near_.push_back(static_cast<float>(std::pow(kPerHop, static_cast<double>(hops[to.value]))));
  }
  waiting_.resize(count);
  crowd_.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) order_.push_back(i);
}

void TerminalCentres::crowd(std::uint32_t place) {
  const float* near = near_.data() + place * crowd_.size();
  for (std::size_t i = 0; i < crowd_.size(); ++i) crowd_[i] += static_cast<double>(near[i]);
  work_ += crowd_.size() / 4;
}

std::span<const NodeId> TerminalCentres::choose(std::span<const NodeId> informed, Random& random) {
  std::fill(informed_.begin(), informed_.end(), std::uint8_t{0});
  std::fill(crowd_.begin(), crowd_.end(), 0.0);
  for (auto& terminals : waiting_) terminals.clear();
  random.shuffle(order_);
  std::uint64_t count = 0;
  for (const NodeId n : informed) {
    informed_[n.value] = 1;
    count += problem_.send_limit(n);
    crowd(place(n));
  }
  for (const NodeId n : problem_.partner) {
    if (informed_[n.value] == 0 && !problem_.graph->out(n).empty()) waiting_[place(n)].push_back(n);
  }
  chosen_.clear();
  while (chosen_.size() < count) {
    std::uint32_t best = kNone;
    for (const std::uint32_t place : order_) {
      if (!waiting_[place].empty() && (best == kNone || crowd_[place] < crowd_[best])) best = place;
    }
    work_ += order_.size() / 4;
    if (best == kNone) break;
    chosen_.push_back(waiting_[best].back());
    waiting_[best].pop_back();
    crowd(best);
  }
  return chosen_;
}

}  // namespace unknot
