// SPDX-License-Identifier: Apache-2.0
#include "unknot/lanes/acyclic_arcs.hpp"

#include <algorithm>

namespace unknot {

ArcSpace::ArcSpace(std::uint32_t vertices, std::vector<std::pair<std::uint32_t, std::uint32_t>> arcs)
    : out_first_(vertices + std::size_t{1}, 0), in_first_(vertices + std::size_t{1}, 0) {
  std::sort(arcs.begin(), arcs.end());
  arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
  tail_.reserve(arcs.size());
  head_.reserve(arcs.size());
  for (const auto& [tail, head] : arcs) {
    tail_.push_back(tail);
    head_.push_back(head);
  }
  index();
}

ArcSpace ArcSpace::of_dependencies(const Network& network) {
  ArcSpace space(network.channel_count(), {});
  for (const ChannelId held : network.channels()) {
    for (const ChannelId wanted : network.out(network.target(held))) {
      space.tail_.push_back(held.value);
      space.head_.push_back(wanted.value);
    }
  }
  space.index();
  return space;
}

void ArcSpace::index() {
  for (std::uint32_t arc = 0; arc < arc_count(); ++arc) {
    ++out_first_[tail_[arc] + std::size_t{1}];
    ++in_first_[head_[arc] + std::size_t{1}];
  }
  for (std::uint32_t v = 0; v < vertex_count(); ++v) {
    out_first_[v + std::size_t{1}] += out_first_[v];
    in_first_[v + std::size_t{1}] += in_first_[v];
  }
}

std::uint32_t ArcSpace::find(std::uint32_t tail, std::uint32_t head) const {
  const auto begin = head_.begin() + out_first_[tail];
  const auto end = head_.begin() + out_first_[tail + std::size_t{1}];
  const auto found = std::lower_bound(begin, end, head);
  return found == end || *found != head ? kNone : static_cast<std::uint32_t>(found - head_.begin());
}

AcyclicArcs::AcyclicArcs(const ArcSpace& space)
    : space_(&space),
      position_(space.vertex_count()),
      out_size_(space.vertex_count(), 0),
      in_size_(space.vertex_count(), 0),
      out_arcs_(space.arc_count()),
      in_arcs_(space.arc_count()),
      out_place_(space.arc_count(), ArcSpace::kNone),
      in_at_(space.arc_count(), ArcSpace::kNone),
      marked_(space.vertex_count(), 0) {
  for (std::uint32_t v = 0; v < space.vertex_count(); ++v) position_[v] = v;
}

void AcyclicArcs::restart(std::span<const std::uint32_t> order) {
  for (std::uint32_t i = 0; i < order.size(); ++i) position_[order[i]] = i;
  std::fill(out_size_.begin(), out_size_.end(), 0);
  std::fill(in_size_.begin(), in_size_.end(), 0);
  std::fill(out_place_.begin(), out_place_.end(), ArcSpace::kNone);
}

bool AcyclicArcs::add(std::uint32_t arc) {
  if (contains(arc)) return true;
  const std::uint32_t tail = space_->tail(arc);
  const std::uint32_t head = space_->head(arc);
  if (tail == head) return false;
  if (position_[tail] > position_[head]) {
    forward_.clear();
    backward_.clear();
    const bool cyclic = reach_forward(head, tail);
    if (!cyclic) {
      reach_backward(tail, position_[head]);
      reorder();
    }
    for (const std::uint32_t v : forward_) marked_[v] = 0;
    for (const std::uint32_t v : backward_) marked_[v] = 0;
    if (cyclic) return false;
  }
  link(arc);
  return true;
}

void AcyclicArcs::link(std::uint32_t arc) {
  const std::uint32_t tail = space_->tail(arc);
  const std::uint32_t head = space_->head(arc);
  out_place_[arc] = space_->out_first(tail) + out_size_[tail]++;
  out_arcs_[out_place_[arc]] = arc;
  in_at_[arc] = space_->in_first(head) + in_size_[head]++;
  in_arcs_[in_at_[arc]] = arc;
}

void AcyclicArcs::remove(std::uint32_t arc) {
  if (!contains(arc)) return;
  const std::uint32_t tail = space_->tail(arc);
  const std::uint32_t head = space_->head(arc);
  // The last arc of each row takes the free place.
  const std::uint32_t last_out = out_arcs_[space_->out_first(tail) + --out_size_[tail]];
  out_arcs_[out_place_[arc]] = last_out;
  out_place_[last_out] = out_place_[arc];
  const std::uint32_t last_in = in_arcs_[space_->in_first(head) + --in_size_[head]];
  in_arcs_[in_at_[arc]] = last_in;
  in_at_[last_in] = in_at_[arc];
  out_place_[arc] = ArcSpace::kNone;
}

/// Marks and lists what can be reached without passing the goal's position; true when the goal is reached.
bool AcyclicArcs::reach_forward(std::uint32_t from, std::uint32_t goal) {
  const std::uint32_t highest = position_[goal];
  marked_[from] = 1;
  forward_.push_back(from);
  stack_.assign(1, from);
  while (!stack_.empty()) {
    const std::uint32_t v = stack_.back();
    stack_.pop_back();
    const std::uint32_t first = space_->out_first(v);
    steps_ += out_size_[v] + 1;
    for (std::uint32_t i = first; i < first + out_size_[v]; ++i) {
      const std::uint32_t next = space_->head(out_arcs_[i]);
      if (next == goal) return true;
      if (marked_[next] != 0 || position_[next] > highest) continue;
      marked_[next] = 1;
      forward_.push_back(next);
      stack_.push_back(next);
    }
  }
  return false;
}

void AcyclicArcs::reach_backward(std::uint32_t from, std::uint32_t lowest) {
  marked_[from] = 1;
  backward_.push_back(from);
  stack_.assign(1, from);
  while (!stack_.empty()) {
    const std::uint32_t v = stack_.back();
    stack_.pop_back();
    const std::uint32_t first = space_->in_first(v);
    steps_ += in_size_[v] + 1;
    for (std::uint32_t i = first; i < first + in_size_[v]; ++i) {
      const std::uint32_t next = space_->tail(in_arcs_[i]);
      if (marked_[next] != 0 || position_[next] < lowest) continue;
      marked_[next] = 1;
      backward_.push_back(next);
      stack_.push_back(next);
    }
  }
}

/// All that leads to the tail comes before all that the head leads to, in the places that both had together.
void AcyclicArcs::reorder() {
  const auto earlier = [this](std::uint32_t a, std::uint32_t b) { return position_[a] < position_[b]; };
  std::sort(forward_.begin(), forward_.end(), earlier);
  std::sort(backward_.begin(), backward_.end(), earlier);
  places_.clear();
  for (const std::uint32_t v : backward_) places_.push_back(position_[v]);
  for (const std::uint32_t v : forward_) places_.push_back(position_[v]);
  std::sort(places_.begin(), places_.end());
  std::size_t at = 0;
  for (const std::uint32_t v : backward_) position_[v] = places_[at++];
  for (const std::uint32_t v : forward_) position_[v] = places_[at++];
}

}  // namespace unknot
