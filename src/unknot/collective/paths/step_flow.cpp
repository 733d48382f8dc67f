// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/paths/step_flow.hpp"

#include <algorithm>

namespace unknot {

// Halves are the arcs, then an opposite of no capacity for each arc that has none.
StepFlow::StepFlow(const Problem& problem)
    : graph_(*problem.graph),
      first_(graph_.node_count() + 1, 0),
      spare_(graph_.node_count(), 0),
      cut_off_(graph_.node_count(), 0),
      seen_(graph_.node_count(), 0),
      towards_(graph_.node_count(), 0) {
  for (const NodeId n : graph_.nodes()) limit_.push_back(problem.send_limit(n));
  for (const ArcId a : graph_.arcs()) {
    tail_.push_back(graph_.tail(a).value);
    head_.push_back(graph_.head(a).value);
    capacity_.push_back(graph_.capacity(a));
  }
  opposite_.resize(graph_.arc_count());
  for (const ArcId a : graph_.arcs()) {
    const ArcId back = graph_.find(graph_.head(a), graph_.tail(a));
    if (back.valid()) {
      opposite_[a.value] = back.value;
      continue;
    }
    opposite_[a.value] = static_cast<std::uint32_t>(tail_.size());
    opposite_.push_back(a.value);
    tail_.push_back(head_[a.value]);
    head_.push_back(tail_[a.value]);
    capacity_.push_back(0);
  }
  for (const std::uint32_t to : head_) ++first_[to + 1];
  for (std::uint32_t n = 0; n < graph_.node_count(); ++n) first_[n + 1] += first_[n];
  entering_.resize(head_.size());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t half = 0; half < head_.size(); ++half)
    entering_[next[head_[half]]++] = {tail_[half], half};
  clear();
}

void StepFlow::clear() {
  left_ = capacity_;
  std::fill(spare_.begin(), spare_.end(), 0U);
  std::fill(cut_off_.begin(), cut_off_.end(), std::uint8_t{0});
  spare_sum_ = 0;
  work_ += graph_.node_count();
}

void StepFlow::add_sender(NodeId n) {
  spare_[n.value] = limit_[n.value];
  spare_sum_ += limit_[n.value];
}

void StepFlow::save(State& state) const {
  state.left = left_;
  state.spare = spare_;
  state.cut_off = cut_off_;
  state.spare_sum = spare_sum_;
}

void StepFlow::restore(const State& state) {
  left_ = state.left;
  spare_ = state.spare;
  cut_off_ = state.cut_off;
  spare_sum_ = state.spare_sum;
  work_ += graph_.node_count();
}

bool StepFlow::inform(NodeId n) {
  if (cut_off_[n.value] != 0 || spare_sum_ == 0) return false;
  ++search_;
  seen_[n.value] = search_;
  queue_.assign(1, n.value);
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const std::uint32_t at = queue_[i];
    work_ += first_[at + 1] - first_[at];
    for (std::uint32_t e = first_[at]; e < first_[at + 1]; ++e) {
      const auto [from, half] = entering_[e];
      if (left_[half] == 0 || seen_[from] == search_ || cut_off_[from] != 0) continue;
      seen_[from] = search_;
      towards_[from] = half;
      if (spare_[from] == 0) {
        queue_.push_back(from);
        continue;
      }
      --spare_[from];
      --spare_sum_;
      for (std::uint32_t v = from; v != n.value; v = head_[towards_[v]]) {
        --left_[towards_[v]];
        ++left_[opposite_[towards_[v]]];
      }
      return true;
    }
  }
  for (const std::uint32_t v : queue_) cut_off_[v] = 1;
  return false;
}

}  // namespace unknot
