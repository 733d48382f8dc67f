// SPDX-License-Identifier: Apache-2.0
#include "unknot/bounds/transportation.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>
#include <utility>

namespace unknot {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFU;
constexpr double kFar = std::numeric_limits<double>::infinity();

/// Grows the plan by one shortest augmenting path after another. Profits u of sources and prices v of
/// destinations keep u + v >= weight on every edge and equality where something is sent; a destination has a
/// price only once it is full, so that a source may stop wherever there is room, or stay idle at profit 0.
class Augmenter {
 public:
  explicit Augmenter(const TransportProblem& problem)
      : problem_(problem),
        left_(problem.supply),
        room_(problem.demand),
        profit_(problem.supply.size(), 0),
        price_(problem.demand.size(), 0),
        sent_(problem.edges.size(), 0),
        first_(problem.supply.size() + 1, 0),
        order_(problem.edges.size()),
        served_by_(problem.demand.size()),
        source_distance_(problem.supply.size(), kFar),
        distance_(problem.demand.size(), kFar),
        entered_by_(problem.demand.size(), kNone),
        freed_(problem.supply.size(), kNone) {
    for (const TransportEdge& edge : problem.edges) {
      ++first_[edge.source + 1];
      profit_[edge.source] = std::max(profit_[edge.source], edge.weight);
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::vector<std::uint32_t> at(first_.begin(), first_.end() - 1);
    for (std::uint32_t e = 0; e < problem.edges.size(); ++e) order_[at[problem.edges[e].source]++] = e;
  }

  TransportPlan run() {
    for (std::uint32_t s = 0; s < left_.size(); ++s) {
      while (left_[s] > 0 && augment(s)) {
      }
    }
    TransportPlan plan;
    for (std::size_t e = 0; e < sent_.size(); ++e) plan.weight += problem_.edges[e].weight * sent_[e];
    plan.sent = std::move(sent_);
    plan.price = std::move(price_);
    return plan;
  }

 private:
  /// Sends some units of `root` on, or finds that they are best left idle (false).
  bool augment(std::uint32_t root) {
    queue_ = {};
    touched_sources_.clear();
    touched_.clear();
    idle_ = kNone;
    idle_distance_ = kFar;
    reach_source(root, 0, kNone);
    std::uint32_t last = kNone;
    double length = kFar;
    while (!queue_.empty()) {
      const auto [distance, d] = queue_.top();
      if (distance >= idle_distance_) break;
      queue_.pop();
      if (distance > distance_[d]) continue;
      if (room_[d] > 0) {
        last = d;
        length = distance;
        break;
      }
      for (const std::uint32_t e : served_by_[d]) {
        const std::uint32_t s = problem_.edges[e].source;
        if (source_distance_[s] == kFar) reach_source(s, distance, e);
      }
    }
    if (last == kNone) length = idle_distance_;
    for (const std::uint32_t s : touched_sources_) {
      if (source_distance_[s] < length) profit_[s] -= length - source_distance_[s];
    }
    for (const std::uint32_t d : touched_) {
      if (distance_[d] < length) price_[d] += length - distance_[d];
    }
    const bool sends = last != kNone || idle_ != root;
    if (sends) move_units(root, last);
    if (!sends) left_[root] = 0;
    for (const std::uint32_t s : touched_sources_) source_distance_[s] = kFar;
    for (const std::uint32_t d : touched_) distance_[d] = kFar;
    return sends;
  }

  /// The search may go on from this source, whose unit on edge `freed` would go elsewhere (kNone for the
  /// root).
  void reach_source(std::uint32_t s, double distance, std::uint32_t freed) {
    source_distance_[s] = distance;
    freed_[s] = freed;
    touched_sources_.push_back(s);
    if (distance + profit_[s] < idle_distance_) {
      idle_distance_ = distance + profit_[s];
      idle_ = s;
    }
    for (std::uint32_t i = first_[s]; i < first_[s + 1]; ++i) {
      const TransportEdge& edge = problem_.edges[order_[i]];
      const double slack = profit_[s] + price_[edge.destination] - edge.weight;
      const double through =
          distance + std::max(0.0, slack);  // rounding may leave a little less than nothing
      double& known = distance_[edge.destination];
      if (through >= known) continue;
      if (known == kFar) touched_.push_back(edge.destination);
      known = through;
      entered_by_[edge.destination] = order_[i];
      if (through < idle_distance_) queue_.emplace(through, edge.destination);
    }
  }

  /// Along the path found: to destination `last`, or up to the source that falls idle.
  void move_units(std::uint32_t root, std::uint32_t last) {
    const std::uint32_t end = last != kNone ? problem_.edges[entered_by_[last]].source : idle_;
    std::uint32_t units = std::min(left_[root], last != kNone ? room_[last] : kNone);
    for (std::uint32_t s = end; s != root;) {
      units = std::min(units, sent_[freed_[s]]);
      s = problem_.edges[entered_by_[problem_.edges[freed_[s]].destination]].source;
    }
    if (last != kNone) {
      room_[last] -= units;
      send(entered_by_[last], units);
    }
    for (std::uint32_t s = end; s != root;) {
      const std::uint32_t freed = freed_[s];
      const std::uint32_t d = problem_.edges[freed].destination;
      sent_[freed] -= units;
      if (sent_[freed] == 0) std::erase(served_by_[d], freed);
      send(entered_by_[d], units);
      s = problem_.edges[entered_by_[d]].source;
    }
    left_[root] -= units;
    // where a source falls idle its units are done with: its profit is 0 from now on
  }

  void send(std::uint32_t edge, std::uint32_t units) {
    if (sent_[edge] == 0) served_by_[problem_.edges[edge].destination].push_back(edge);
    sent_[edge] += units;
  }

  const TransportProblem& problem_;
  std::vector<std::uint32_t> left_, room_;
  std::vector<double> profit_, price_;
  std::vector<std::uint32_t> sent_;
  std::vector<std::uint32_t> first_, order_;           // edges by source
  std::vector<std::vector<std::uint32_t>> served_by_;  // by destination: edges that send
  // the search
  using Item = std::pair<double, std::uint32_t>;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> queue_;
  std::vector<double> source_distance_, distance_;
  std::vector<std::uint32_t> entered_by_;  // by destination: last edge of its shortest path
  std::vector<std::uint32_t> freed_;       // by source: edge by which the search came
  std::vector<std::uint32_t> touched_sources_, touched_;
  std::uint32_t idle_ = kNone;
  double idle_distance_ = kFar;
};

}  // namespace

TransportPlan best_transport(const TransportProblem& problem) {
  return Augmenter(problem).run();
}

double transport_bound(const TransportProblem& problem, std::span<const double> price) {
  std::vector<double> profit(problem.supply.size(), 0);
  for (const TransportEdge& edge : problem.edges)
    profit[edge.source] = std::max(profit[edge.source], edge.weight - std::max(0.0, price[edge.destination]));
  double bound = 0;
  for (std::size_t s = 0; s < profit.size(); ++s) bound += profit[s] * problem.supply[s];
  for (std::size_t d = 0; d < price.size(); ++d) bound += std::max(0.0, price[d]) * problem.demand[d];
  return bound;
}

}  // namespace unknot
