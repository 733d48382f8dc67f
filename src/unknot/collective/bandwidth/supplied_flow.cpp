// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/bandwidth/supplied_flow.hpp"

#include <algorithm>
#include <cassert>

namespace unknot {

SuppliedFlow::SuppliedFlow(std::uint32_t vertices)
    : halves_(vertices),
      supply_(vertices),
      used_(vertices),
      layer_(vertices),
      next_(vertices),
      seen_(vertices) {}

std::uint32_t SuppliedFlow::add_arc(std::uint32_t from, std::uint32_t to, std::uint64_t capacity) {
  const std::uint32_t arc = arc_count();
  far_.push_back(to);
  far_.push_back(from);
  left_.push_back(capacity);
  left_.push_back(0);
  capacity_.push_back(capacity);
  changed_in_.push_back(0);
  halves_[from].push_back(2 * arc);
  halves_[to].push_back(2 * arc + 1);
  return arc;
}

void SuppliedFlow::set_capacity(std::uint32_t arc, std::uint64_t capacity) {
  take_back();
  capacity_[arc] = capacity;
  left_[2 * std::size_t{arc}] = capacity;
}

void SuppliedFlow::set_supply(std::uint32_t vertex, std::uint64_t supply) {
  take_back();
  supply_[vertex] = supply;
}

void SuppliedFlow::take_back() {
  for (const std::uint32_t arc : changed_) {
    left_[2 * std::size_t{arc}] = capacity_[arc];
    left_[2 * std::size_t{arc} + 1] = 0;
  }
  for (const std::uint32_t vertex : drained_) used_[vertex] = 0;
  changed_.clear();
  drained_.clear();
  ++run_;
}

/// Layers by distance to the sinks, as far as the nearest supply that is left; false where there is none.
bool SuppliedFlow::find_layers(std::span<const std::uint32_t> sinks) {
  ++round_;
  queue_.clear();
  bool found = false;
  for (const std::uint32_t sink : sinks) {
    if (seen_[sink] == round_) continue;
    seen_[sink] = round_;
    layer_[sink] = 0;
    next_[sink] = 0;
    queue_.push_back(sink);
  }
  std::uint32_t last = 0xFFFFFFFFU;
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const std::uint32_t vertex = queue_[i];
    if (layer_[vertex] > last) break;
    if (at_hand(vertex) > 0) {
      found = true;
      last = layer_[vertex];
    }
    if (layer_[vertex] == last) continue;
    for (const std::uint32_t half : halves_[vertex]) {
      const std::uint32_t before = far_[half];
      if (left_[half ^ 1U] == 0 || seen_[before] == round_) continue;
      seen_[before] = round_;
      layer_[before] = layer_[vertex] + 1;
      next_[before] = 0;
      queue_.push_back(before);
    }
  }
  return found;
}

/// `path_` carries `amount` more, from `vertex` on.
void SuppliedFlow::push(std::uint32_t vertex, std::uint64_t amount) {
  if (supply_[vertex] != kEndless) {
    if (used_[vertex] == 0) drained_.push_back(vertex);
    used_[vertex] += amount;
  }
  for (const std::uint32_t half : path_) {
    left_[half ^ 1U] -= amount;
    left_[half] += amount;
    const std::uint32_t arc = half / 2;
    if (changed_in_[arc] != run_) {
      changed_in_[arc] = run_;
      changed_.push_back(arc);
    }
  }
}

/// A blocking flow to one sink in the layers.
std::uint64_t SuppliedFlow::augment(std::uint32_t sink, std::uint64_t needed) {
  std::uint64_t total = 0;
  std::uint32_t vertex = sink;
  path_.clear();
  while (true) {
    if (at_hand(vertex) > 0) {
      std::uint64_t amount = std::min(needed - total, at_hand(vertex));
      for (const std::uint32_t half : path_) amount = std::min(amount, left_[half ^ 1U]);
      push(vertex, amount);
      total += amount;
      if (total == needed) return total;
      const auto full =
          std::find_if(path_.begin(), path_.end(), [&](std::uint32_t half) { return left_[half ^ 1U] == 0; });
      if (full != path_.end()) {
        vertex = far_[*full ^ 1U];
        path_.erase(full, path_.end());
      }
      continue;
    }
    const std::vector<std::uint32_t>& halves = halves_[vertex];
    bool forward = false;
    for (std::uint32_t& i = next_[vertex]; i < halves.size(); ++i) {
      const std::uint32_t half = halves[i];
      const std::uint32_t before = far_[half];
      if (left_[half ^ 1U] > 0 && seen_[before] == round_ && layer_[before] == layer_[vertex] + 1) {
        path_.push_back(half);
        vertex = before;
        forward = true;
        break;
      }
    }
    if (forward) continue;
    if (path_.empty()) return total;
    vertex = far_[path_.back() ^ 1U];
    path_.pop_back();
    ++next_[vertex];
  }
}

std::uint64_t SuppliedFlow::run(std::span<const std::uint32_t> sinks, std::uint64_t needed) {
  assert(needed <= kMostNeeded);
  take_back();
  std::uint64_t total = 0;
  while (total < needed && find_layers(sinks)) {
    for (const std::uint32_t sink : sinks) {
      if (total == needed) break;
      if (layer_[sink] == 0) total += augment(sink, needed - total);
    }
  }
  return total;
}

}  // namespace unknot
