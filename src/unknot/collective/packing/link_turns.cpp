// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/packing/link_turns.hpp"

#include <algorithm>

namespace unknot {
namespace {

constexpr std::uint32_t kMostSweeps = 1000;

}  // namespace

LinkTurns::LinkTurns(const Problem& problem, std::uint32_t steps)
    : problem_(&problem),
      graph_(problem.graph.get()),
      steps_(steps),
      opposite_(graph_->arc_count()),
      turns_(graph_->arc_count(), 0),
      spare_(graph_->node_count(), 0),
      begin_(graph_->link_count(), 0),
      found_by_(graph_->node_count()),
      seen_(graph_->node_count(), 0) {
  for (const ArcId a : graph_->arcs()) opposite_[a.value] = graph_->find(graph_->head(a), graph_->tail(a));
  divide();
  even_out();
  for (const NodeId n : graph_->nodes()) {
    while (enough_ && spare_[n.value] < 0) enough_ = fill_up(n);
  }
}

void LinkTurns::divide() {
  for (const ArcId a : graph_->arcs()) {
    const ArcId back = opposite_[a.value];
    const std::uint64_t all = std::uint64_t{steps_} * graph_->link_capacity(graph_->link(a));
    const std::uint64_t most = std::uint64_t{steps_} * graph_->capacity(a);
    if (!back.valid()) {
      turns_[a.value] = std::min(all, most);
    } else if (a < back) {
      const std::uint64_t most_back = std::uint64_t{steps_} * graph_->capacity(back);
      const std::uint64_t half = (all + graph_->link(a) % 2) / 2;
      turns_[a.value] = std::min(most, std::max(half, all - std::min(all, most_back)));
      turns_[back.value] = std::min(most_back, all - turns_[a.value]);
    }
  }
  for (const ArcId a : graph_->arcs())
    spare_[graph_->head(a).value] += static_cast<std::int64_t>(turns_[a.value]);
  for (const NodeId n : problem_->partner) --spare_[n.value];
}

std::uint64_t LinkTurns::movable(ArcId to) const {
  const ArcId from = opposite_[to.value];
  if (!from.valid()) return 0;
  return std::min(turns_[from.value], std::uint64_t{steps_} * graph_->capacity(to) - turns_[to.value]);
}

void LinkTurns::move(ArcId to, std::uint64_t units) {
  turns_[to.value] += units;
  turns_[opposite_[to.value].value] -= units;
  spare_[graph_->head(to).value] += static_cast<std::int64_t>(units);
  spare_[graph_->tail(to).value] -= static_cast<std::int64_t>(units);
}

/// From the end of each link that has more to spare to the other one.
void LinkTurns::even_out() {
  bool changed = true;
  for (std::uint32_t sweep = 0; changed && sweep < kMostSweeps; ++sweep) {
    changed = false;
    for (const ArcId a : graph_->arcs()) {
      const std::int64_t more = spare_[graph_->tail(a).value] - spare_[graph_->head(a).value];
      if (more < 2) continue;
      const std::uint64_t units = std::min(movable(a), static_cast<std::uint64_t>(more / 2));
      if (units == 0) continue;
      move(a, units);
      changed = true;
    }
  }
}

/// A turn more for a node, from the nearest that has one to spare.
bool LinkTurns::fill_up(NodeId n) {
  ++search_;
  queue_.assign(1, n);
  seen_[n.value] = search_;
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    for (const ArcId a : graph_->in(queue_[i])) {
      const NodeId from = graph_->tail(a);
      if (seen_[from.value] == search_ || movable(a) == 0) continue;
      seen_[from.value] = search_;
      found_by_[from.value] = a;
      queue_.push_back(from);
      if (spare_[from.value] <= 0) continue;
      for (NodeId at = from; at != n;) {
        const ArcId way = found_by_[at.value];
        move(way, 1);
        at = graph_->head(way);
      }
      return true;
    }
  }
  return false;
}

void LinkTurns::draw(Random& random) {
  for (std::uint32_t& begin : begin_) begin = random.below(steps_);
}

std::uint32_t LinkTurns::units(ArcId a, std::uint32_t step) const {
  const ArcId back = opposite_[a.value];
  const std::uint32_t link = graph_->link(a);
  const ArcId first = back.valid() && back < a ? back : a;
  const std::uint64_t turns = turns_[first.value];
  const auto before = [&](std::uint64_t s) { return (s * turns + begin_[link]) / steps_; };
  const auto units = static_cast<std::uint32_t>(before(step + 1) - before(step));
  if (first == a) return units;
  const std::uint32_t left = graph_->link_capacity(link) - units;
  return std::min(left, graph_->capacity(a));
}

}  // namespace unknot
