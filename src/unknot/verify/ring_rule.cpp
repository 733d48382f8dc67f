// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/ring_rule.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "unknot/deadlock/components.hpp"
#include "unknot/deadlock/topological.hpp"

namespace unknot {
namespace {

using Vertex = DependencyGraph::Vertex;
constexpr std::uint64_t kMostArcs = 50'000'000;  // looked at for a short witness

/// The step of a channel: 2 * dimension, + 1 against the coordinate; kNone where its ends are no neighbours
/// on a ring.
std::uint32_t step_of(const Coordinates& at, std::uint32_t from, std::uint32_t to) {
  std::uint32_t step = DirectedRings::kNone;
  for (std::uint32_t d = 0; d < at.dimensions; ++d) {
    const std::uint32_t a = at.value[std::size_t{from} * at.dimensions + d];
    const std::uint32_t b = at.value[std::size_t{to} * at.dimensions + d];
    if (a == b) continue;
    const std::uint32_t size = at.extent[d];
    if (step != DirectedRings::kNone || size < 3) return DirectedRings::kNone;
    if (b == (a + 1) % size) {
      step = 2 * d;
    } else if (a == (b + 1) % size) {
      step = 2 * d + 1;
    } else {
      return DirectedRings::kNone;
    }
  }
  return step;
}

/// Follows a graph in which arcs inside a ring are free: the shortest way from the head of an arc that leaves
/// its ring back to the tail, inside one component.
class WitnessSearch {
 public:
  WitnessSearch(const DependencyGraph& graph, const DirectedRings& rings, const CyclicComponents& components)
      : graph_(graph), rings_(rings), components_(components) {}

  std::vector<Vertex> run() {
    depth_.assign(graph_.vertex_count(), kUnseen);
    parent_.resize(graph_.vertex_count());
    for (Vertex tail = 0; tail < graph_.vertex_count(); ++tail) {
      if (components_.component[tail] == CyclicComponents::kNone) continue;
      for (const Vertex head : graph_.next(tail)) {
        if (components_.component[head] != components_.component[tail] || together(tail, head)) continue;
        if (arcs_ > kMostArcs && !best_.empty()) return std::move(best_);
        search(tail, head);
      }
    }
    return std::move(best_);
  }

 private:
  static constexpr std::uint32_t kUnseen = 0xFFFFFFFFU;

  [[nodiscard]] bool together(Vertex a, Vertex b) const {
    return graph_.lane_of(a) == graph_.lane_of(b) &&
           rings_.together(graph_.channel_of(a), graph_.channel_of(b));
  }

  void search(Vertex tail, Vertex head) {
    queue_.assign(1, head);
    depth_[head] = 1;
    for (std::size_t next = 0; next < queue_.size() && depth_[tail] == kUnseen; ++next) {
      const Vertex v = queue_[next];
      if (!best_.empty() && depth_[v] + 1 >= best_.size()) break;
      for (const Vertex w : graph_.next(v)) {
        ++arcs_;
        if (depth_[w] != kUnseen || components_.component[w] != components_.component[head]) continue;
        depth_[w] = depth_[v] + 1;
        parent_[w] = v;
        queue_.push_back(w);
      }
    }
    if (depth_[tail] != kUnseen) {
      best_.assign(1, tail);
      while (best_.back() != head) best_.push_back(parent_[best_.back()]);
      std::reverse(best_.begin(), best_.end());
    }
    for (const Vertex v : queue_) depth_[v] = kUnseen;
  }

  const DependencyGraph& graph_;
  const DirectedRings& rings_;
  const CyclicComponents& components_;
  std::vector<std::uint32_t> depth_;
  std::vector<Vertex> parent_, queue_, best_;
  std::uint64_t arcs_ = 0;
};

}  // namespace

DirectedRings directed_rings(const Network& network) {
  DirectedRings rings;
  rings.ring.assign(network.channel_count(), DirectedRings::kNone);
  const Coordinates* at = network.coordinates();
  if (at == nullptr || !at->wraps) return rings;
  // Lines by the step and the router with the coordinate along it set to zero.
  std::map<std::pair<std::uint32_t, std::vector<std::uint32_t>>, std::vector<std::uint32_t>> lines;
  for (const ChannelId c : network.channels()) {
    const std::uint32_t from = network.source(c).value;
    const std::uint32_t step = step_of(*at, from, network.target(c).value);
    if (step == DirectedRings::kNone) continue;
    const auto first = at->value.begin() + static_cast<std::ptrdiff_t>(std::size_t{from} * at->dimensions);
    std::vector<std::uint32_t> line(first, first + at->dimensions);
    line[step / 2] = 0;
    lines[{step, std::move(line)}].push_back(c.value);
  }
  for (const auto& [key, channels] : lines) {
    const std::uint32_t size = at->extent[key.first / 2];
    if (channels.size() != size) continue;  // a gap, or a step with several channels
    std::vector<bool> left(size, false);
    for (const std::uint32_t c : channels) {
      const std::uint32_t from = network.source(ChannelId(c)).value;
      left[at->value[std::size_t{from} * at->dimensions + key.first / 2]] = true;
    }
    if (std::find(left.begin(), left.end(), false) != left.end()) continue;
    for (const std::uint32_t c : channels) rings.ring[c] = rings.count;
    ++rings.count;
  }
  return rings;
}

DeadlockProof ring_rule(const DependencyGraph& graph, const DirectedRings& rings) {
  const CyclicComponents components = cyclic_components(graph);
  std::vector<Vertex> first(components.count, CyclicComponents::kNone);  // of each component
  DeadlockProof verdict;
  verdict.deadlock_free = true;
  std::vector<Vertex> stands_for(graph.vertex_count());
  std::iota(stands_for.begin(), stands_for.end(), Vertex{0});
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    const std::uint32_t component = components.component[v];
    if (component == CyclicComponents::kNone) continue;
    if (first[component] == CyclicComponents::kNone) first[component] = v;
    stands_for[v] = first[component];
    if (graph.lane_of(v) != graph.lane_of(first[component]) ||
        !rings.together(graph.channel_of(v), graph.channel_of(first[component])))
      verdict.deadlock_free = false;
  }
  if (!verdict.deadlock_free) {
    verdict.cycle = WitnessSearch(graph, rings, components).run();
    return verdict;
  }
  std::vector<std::uint8_t> used(graph.vertex_count());
  for (Vertex v = 0; v < graph.vertex_count(); ++v) used[v] = graph.used(v) ? 1 : 0;
  const DependencyGraph merged(graph.channel_count(), graph.lane_count(), std::move(used),
                               [&](const auto& visit) {
                                 for (Vertex v = 0; v < graph.vertex_count(); ++v) {
                                   for (const Vertex w : graph.next(v)) {
                                     if (stands_for[v] != stands_for[w]) visit(stands_for[v], stands_for[w]);
                                   }
                                 }
                               });
  const TopologicalNumbers numbers = topological_numbers(merged);
  verdict.number.resize(graph.vertex_count());
  for (Vertex v = 0; v < graph.vertex_count(); ++v) verdict.number[v] = numbers.number[stands_for[v]];
  return verdict;
}

}  // namespace unknot
