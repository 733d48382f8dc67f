// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/exchange/relieve_arcs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

namespace unknot {
namespace {

constexpr double kRounding = 1e-12;
constexpr std::array<std::size_t, 4> kLonger{0, 1, 2, 1'000'000};

class Relief {
 public:
  Relief(const Problem& problem, const Fraction& time, ExchangePlan& plan)
      : graph_(*problem.graph), plan_(plan), room_(graph_.arc_count()), from_(graph_.node_count()) {
    for (const ArcId a : graph_.arcs()) {
      // In whole parts, and no less than that for being rounded: what is reached is counted by others.
      const double parts = time.value() * plan.copies * graph_.capacity(a);
      room_[a.value] = static_cast<std::int64_t>(std::floor(parts * (1 + kRounding)));
    }
    for (std::size_t r = 0; r < plan.routes.size(); ++r) take(plan.way(r), plan.routes[r].copies, -1);
  }

  bool run() {
    over_ = std::count_if(room_.begin(), room_.end(), [](std::int64_t room) { return room < 0; });
    if (over_ == 0) return true;
    // Detours take room from others: ways as long as before first.
    for (const std::size_t longer : kLonger) {
      for (std::size_t r = 0; r < plan_.routes.size() && over_ > 0; ++r) lead_anew(r, longer);
    }
    ExchangePlan result;
    result.copies = plan_.copies;
    result.nodes.reserve(plan_.nodes.size());
    for (std::size_t r = 0; r < plan_.routes.size(); ++r) {
      if (plan_.routes[r].copies > 0) add(result, plan_.way(r), plan_.routes[r].copies);
    }
    for (const std::vector<NodeId>& way : moved_) add(result, way, 1);
    plan_ = std::move(result);
    return over_ == 0;
  }

 private:
  static void add(ExchangePlan& plan, std::span<const NodeId> way, std::uint32_t copies) {
    plan.routes.push_back({copies, static_cast<std::uint32_t>(plan.nodes.size())});
    plan.nodes.insert(plan.nodes.end(), way.begin(), way.end());
  }

  /// Parts of a route that pass arcs without room, as long as there are ways with so many arcs more.
  void lead_anew(std::size_t route, std::size_t longer) {
    const std::span<const NodeId> way = plan_.way(route);
    std::uint32_t& copies = plan_.routes[route].copies;
    while (copies > 0 && is_over(way)) {
      take(way, 1, 1);
      if (!find_way(way.front(), way.back()) || found_.size() > way.size() + longer) {
        take(way, 1, -1);
        return;
      }
      --copies;
      take(found_, 1, -1);
      moved_.push_back(found_);
    }
  }

  /// Room of all arcs on a way changes by so many parts, given (1) or taken (-1).
  void take(std::span<const NodeId> way, std::int64_t parts, std::int64_t sign) {
    for (std::size_t i = 0; i + 1 < way.size(); ++i) {
      std::int64_t& room = room_[graph_.find(way[i], way[i + 1]).value];
      const bool before = room < 0;
      room += sign * parts;
      if (before != (room < 0)) over_ += before ? -1 : 1;
    }
  }

  [[nodiscard]] bool is_over(std::span<const NodeId> way) const {
    for (std::size_t i = 0; i + 1 < way.size(); ++i) {
      if (room_[graph_.find(way[i], way[i + 1]).value] < 0) return true;
    }
    return false;
  }

  /// Of fewest arcs, all of which have room.
  bool find_way(NodeId source, NodeId destination) {
    std::fill(from_.begin(), from_.end(), NodeId());
    queue_.assign(1, source);
    from_[source.value] = source;
    for (std::size_t i = 0; i < queue_.size() && !from_[destination.value].valid(); ++i) {
      const NodeId n = queue_[i];
      if (graph_.is_leaf(n) && n != source) continue;
      for (const ArcId a : graph_.out(n)) {
        const NodeId next = graph_.head(a);
        if (room_[a.value] <= 0 || from_[next.value].valid()) continue;
        from_[next.value] = n;
        queue_.push_back(next);
      }
    }
    if (!from_[destination.value].valid()) return false;
    found_.assign(1, destination);
    while (found_.back() != source) found_.push_back(from_[found_.back().value]);
    std::reverse(found_.begin(), found_.end());
    return true;
  }

  const NodeGraph& graph_;
  ExchangePlan& plan_;
  std::vector<std::int64_t> room_;  // by arc: parts more that it may carry
  std::ptrdiff_t over_ = 0;         // arcs without: less than none
  std::vector<NodeId> from_;        // by node: where the search came from
  std::vector<NodeId> queue_, found_;
  std::vector<std::vector<NodeId>> moved_;
};

}  // namespace

bool relieve_arcs(const Problem& problem, const Fraction& time, ExchangePlan& plan) {
  return Relief(problem, time, plan).run();
}

}  // namespace unknot
