// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/bandwidth/supplied_flow.hpp"

#include <algorithm>
#include <cassert>

namespace unknot {

SuppliedFlow::SuppliedFlow(std::uint32_t vertices) : halves_(vertices), ends_(vertices), states_(vertices) {}

std::uint32_t SuppliedFlow::add_arc(std::uint32_t from, std::uint32_t to, std::uint64_t capacity) {
  const std::uint32_t arc = arc_count();
  const auto at_tail = static_cast<std::uint32_t>(ends_[from].size());
  const auto at_head = static_cast<std::uint32_t>(ends_[to].size()) + (from == to ? 1 : 0);
  arcs_.push_back({from, to, at_tail, at_head, capacity, 0});
  halves_[from].push_back(2 * arc);
  halves_[to].push_back(2 * arc + 1);
  ends_[from].push_back({to, at_head, 0});
  ends_[to].push_back({from, at_tail, capacity});
  return arc;
}

void SuppliedFlow::set_capacity(std::uint32_t arc, std::uint64_t capacity) {
  take_back();
  arcs_[arc].capacity = capacity;
  ends_[arcs_[arc].head][arcs_[arc].at_head].left = capacity;
}

void SuppliedFlow::set_supply(std::uint32_t vertex, std::uint64_t supply) {
  take_back();
  states_[vertex].supply = supply;
}

void SuppliedFlow::take_back() {
  for (const std::uint32_t a : changed_) {
    const Arc& arc = arcs_[a];
    ends_[arc.head][arc.at_head].left = arc.capacity;
    ends_[arc.tail][arc.at_tail].left = 0;
  }
  for (const std::uint32_t vertex : drained_) states_[vertex].used = 0;
  changed_.clear();
  drained_.clear();
  ++run_;
}

/// Layers by distance to the sinks, as far as the nearest supply that is left; false where there is none.
bool SuppliedFlow::find_layers(std::span<const std::uint32_t> sinks) {
  ++round_;
  queue_.clear();
  bool found = false;
  const auto reach = [&](std::uint32_t vertex, std::uint32_t layer) {
    State& state = states_[vertex];
    if (state.seen == round_) return;
    state.seen = round_;
    state.layer = layer;
    state.next = 0;
    queue_.push_back(vertex);
  };
  for (const std::uint32_t sink : sinks) reach(sink, 0);
  std::uint32_t last = 0xFFFFFFFFU;
  for (std::size_t at = 0; at < queue_.size();) {  // it grows
    const std::uint32_t vertex = queue_[at++];
    const std::uint32_t layer = states_[vertex].layer;
    if (layer > last) break;
    if (at_hand(vertex) > 0) {
      found = true;
      last = layer;
    }
    if (layer == last) continue;
    for (const End& end : ends_[vertex]) {
      if (end.left > 0) reach(end.far, layer + 1);
    }
  }
  return found;
}

/// `path_` carries `amount` more, from `vertex` on.
void SuppliedFlow::push(std::uint32_t vertex, std::uint64_t amount) {
  if (states_[vertex].supply != kEndless) {
    if (states_[vertex].used == 0) drained_.push_back(vertex);
    states_[vertex].used += amount;
  }
  for (const Step& step : path_) {
    End& end = ends_[step.vertex][step.end];
    end.left -= amount;
    ends_[end.far][end.mirror].left += amount;
    const std::uint32_t arc = halves_[step.vertex][step.end] / 2;
    if (arcs_[arc].changed_in != run_) {
      arcs_[arc].changed_in = run_;
      changed_.push_back(arc);
    }
  }
}

/// A blocking flow to one sink in the layers.
std::uint64_t SuppliedFlow::augment(std::uint32_t sink, std::uint64_t needed) {
  std::uint64_t total = 0;
  std::uint32_t vertex = sink;
  const auto left = [this](const Step& step) { return ends_[step.vertex][step.end].left; };
  path_.clear();
  while (true) {
    if (at_hand(vertex) > 0) {
      std::uint64_t amount = std::min(needed - total, at_hand(vertex));
      for (const Step& step : path_) amount = std::min(amount, left(step));
      push(vertex, amount);
      total += amount;
      if (total == needed) return total;
      const auto full =
          std::find_if(path_.begin(), path_.end(), [&](const Step& step) { return left(step) == 0; });
      if (full != path_.end()) {
        vertex = full->vertex;
        path_.erase(full, path_.end());
      }
      continue;
    }
    State& state = states_[vertex];
    const std::vector<End>& ends = ends_[vertex];
    bool forward = false;
    for (; state.next < ends.size(); ++state.next) {
      const End& end = ends[state.next];
      if (end.left == 0) continue;
      const State& before = states_[end.far];
      if (before.seen == round_ && before.layer == state.layer + 1) {
        path_.push_back({vertex, state.next});
        vertex = end.far;
        forward = true;
        break;
      }
    }
    if (forward) continue;
    if (path_.empty()) return total;
    vertex = path_.back().vertex;
    path_.pop_back();
    ++states_[vertex].next;
  }
}

std::uint64_t SuppliedFlow::run(std::span<const std::uint32_t> sinks, std::uint64_t needed) {
  assert(needed <= kMostNeeded);
  take_back();
  std::uint64_t total = 0;
  while (total < needed && find_layers(sinks)) {
    for (const std::uint32_t sink : sinks) {
      if (total == needed) break;
      if (states_[sink].layer == 0) total += augment(sink, needed - total);
    }
  }
  return total;
}

}  // namespace unknot
