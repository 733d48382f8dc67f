// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/paths/max_flow.hpp"

#include <algorithm>

namespace unknot {

std::uint32_t MaxFlow::add_edge(std::uint32_t from, std::uint32_t to) {
  for (const auto& [tail, head] : {std::pair(from, to), std::pair(to, from)}) {
    next_.push_back(first_[tail]);
    first_[tail] = static_cast<std::uint32_t>(head_.size());
    head_.push_back(head);
  }
  capacity_.push_back(0);
  return static_cast<std::uint32_t>(capacity_.size()) - 1;
}

bool MaxFlow::find_layers(std::uint32_t source, std::uint32_t sink) {
  level_.assign(first_.size(), kNone);
  level_[source] = 0;
  queue_.assign(1, source);
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const std::uint32_t v = queue_[i];
    for (std::uint32_t e = first_[v]; e != kNone; e = next_[e]) {
      if (left_[e] == 0 || level_[head_[e]] != kNone) continue;
      level_[head_[e]] = level_[v] + 1;
      queue_.push_back(head_[e]);
    }
  }
  return level_[sink] != kNone;
}

/// One path more through the layers, or 0.
std::uint64_t MaxFlow::augment(std::uint32_t source, std::uint32_t sink) {
  path_.clear();
  std::uint32_t v = source;
  while (v != sink) {
    std::uint32_t& e = at_[v];
    while (e != kNone && (left_[e] == 0 || level_[head_[e]] != level_[v] + 1)) e = next_[e];
    if (e != kNone) {
      path_.push_back(e);
      v = head_[e];
      continue;
    }
    if (path_.empty()) return 0;
    level_[v] = kNone;  // a dead end
    v = head_[path_.back() ^ 1U];
    path_.pop_back();
  }
  std::uint64_t amount = UINT64_MAX;
  for (const std::uint32_t e : path_) amount = std::min(amount, left_[e]);
  for (const std::uint32_t e : path_) {
    left_[e] -= amount;
    left_[e ^ 1U] += amount;
  }
  return amount;
}

std::uint64_t MaxFlow::run(std::uint32_t source, std::uint32_t sink) {
  left_.assign(head_.size(), 0);
  for (std::size_t e = 0; e < capacity_.size(); ++e) left_[2 * e] = capacity_[e];
  std::uint64_t value = 0;
  while (find_layers(source, sink)) {
    at_ = first_;
    while (const std::uint64_t more = augment(source, sink)) value += more;
  }
  return value;
}

}  // namespace unknot
