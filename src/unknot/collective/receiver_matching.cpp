// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/receiver_matching.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace unknot {

ReceiverMatching::ReceiverMatching(const Problem& problem, const BroadcastLanes& lanes)
    : problem_(&problem),
      graph_(problem.graph.get()),
      lanes_(&lanes),
      words_((problem.groups() + 63) / 64),
      lacking_(graph_->node_count(), 0),
      order_(problem.groups()),
      rank_(problem.groups()),
      key_(problem.groups()),
      offered_(words_),
      stamp_(graph_->node_count(), 0),
      hops_(graph_->node_count(), 0),
      next_(graph_->node_count()) {
  const std::size_t nodes = graph_->node_count();
  first_has_.assign(nodes * words_, 0);
  first_lacks_.assign(nodes * words_, 0);
  for (std::uint32_t g = 0; g < problem.groups(); ++g) {
    const Word bit = Word{1} << g % 64;
    row(first_has_, problem.owner[g])[g / 64] |= bit;
    for (const NodeId n : problem.partners(g)) {
      row(first_lacks_, n)[g / 64] |= bit;
      ++lacking_[n.value];
    }
  }
  for (const NodeId n : graph_->nodes()) {
    if (lacking_[n.value] > 0) receivers_.push_back(n);
  }
  if (problem.extra_hops != Problem::kAnyLength) {
    std::vector<std::uint32_t> hops;
    distance_.resize(nodes * nodes);
    for (const NodeId n : graph_->nodes()) {
      graph_->distances_from(n, hops);
      std::copy(hops.begin(), hops.end(), distance_.begin() + static_cast<std::ptrdiff_t>(n.value * nodes));
    }
  }
}

bool ReceiverMatching::near_enough(NodeId from, NodeId to, std::uint32_t hops) const {
  if (distance_.empty()) return true;
  return hops <= distance_[std::size_t{from.value} * graph_->node_count() + to.value] + problem_->extra_hops;
}

void ReceiverMatching::begin_run() {
  schedule_ = Schedule();
  has_ = first_has_;
  lacks_ = first_lacks_;
  left_.assign(problem_->groups(), 0);
  for (std::uint32_t g = 0; g < problem_->groups(); ++g)
    left_[g] = static_cast<std::uint32_t>(problem_->partners(g).size());
  for (const NodeId n : receivers_) {
    const Word* const lacks = row(lacks_, n);
    lacking_[n.value] = 0;
    for (std::uint32_t w = 0; w < words_; ++w)
      lacking_[n.value] += static_cast<std::uint32_t>(std::popcount(lacks[w]));
  }
}

void ReceiverMatching::begin_step(std::span<const std::uint32_t> urgency, Random& random) {
  schedule_.add_step();
  arrivals_.clear();
  arc_left_.clear();
  for (const ArcId a : graph_->arcs()) arc_left_.push_back(graph_->capacity(a));
  link_left_.clear();
  for (std::uint32_t l = 0; l < graph_->link_count(); ++l) link_left_.push_back(graph_->link_capacity(l));
  send_left_.assign(graph_->node_count(), problem_->send_ports);
  receive_left_.assign(graph_->node_count(), problem_->receive_ports);
  for (std::uint32_t g = 0; g < problem_->groups(); ++g) {
    key_[g] = std::uint64_t{urgency[g] + left_[g]} << 32 | random.next32();
    order_[g] = g;
  }
  std::sort(order_.begin(), order_.end(),
            [&](std::uint32_t a, std::uint32_t b) { return key_[a] > key_[b]; });
  for (std::uint32_t i = 0; i < order_.size(); ++i) rank_[order_[i]] = i;
  random.shuffle(receivers_);
  if (problem_->send_ports != Problem::kAllPorts || graph_->link_class() == LinkClass::half_duplex) {
    std::stable_sort(receivers_.begin(), receivers_.end(),
                     [&](NodeId a, NodeId b) { return lacking_[a.value] > lacking_[b.value]; });
  }
}

bool ReceiverMatching::place(std::uint32_t group) {
  for (Slot& slot : slots_) {
    if (slot.group != kNone || !test(row(has_, lanes_->lane(slot.lane).tail), group)) continue;
    slot.group = group;
    return true;
  }
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    if (tried_[i] != 0 || !test(row(has_, lanes_->lane(slot.lane).tail), group)) continue;
    tried_[i] = 1;
    if (!place(slot.group)) continue;
    slot.group = group;
    return true;
  }
  return false;
}

void ReceiverMatching::match(NodeId receiver, Random& random) {
  Word* const lacks = row(lacks_, receiver);
  slots_.clear();
  std::fill(offered_.begin(), offered_.end(), Word{0});
  for (std::uint32_t l = lanes_->in_begin(receiver); l < lanes_->in_end(receiver); ++l) {
    const BroadcastLanes::Lane& lane = lanes_->lane(l);
    std::uint32_t units = std::min(lane.units, send_left_[lane.tail.value]);
    for (const ArcId a : lanes_->arcs(l))
      units = std::min({units, arc_left_[a.value], link_left_[graph_->link(a)]});
    if (units == 0) continue;
    const Word* const has = row(has_, lane.tail);
    for (std::uint32_t w = 0; w < words_; ++w) offered_[w] |= has[w];
    for (std::uint32_t u = 0; u < units; ++u) slots_.push_back({l, kNone});
  }
  std::uint32_t candidates = 0;
  for (std::uint32_t w = 0; w < words_; ++w)
    candidates += static_cast<std::uint32_t>(std::popcount(offered_[w] &= lacks[w]));
  random.shuffle(slots_);
  const auto most = std::min(static_cast<std::uint32_t>(slots_.size()), receive_left_[receiver.value]);
  std::uint32_t placed = 0;
  tried_.resize(slots_.size());
  for (std::size_t i = 0; candidates > 0 && placed < most; ++i) {
    const std::uint32_t g = order_[i];
    if (!test(offered_.data(), g)) continue;
    --candidates;
    std::fill(tried_.begin(), tried_.end(), std::uint8_t{0});
    if (place(g)) ++placed;
  }
  for (const Slot& slot : slots_) {
    if (slot.group != kNone) send(slot.group, lanes_->arcs(slot.lane));
  }
}

void ReceiverMatching::send(std::uint32_t group, std::span<const ArcId> path) {
  path_nodes_.clear();
  const NodeId from = graph_->tail(path.front()), to = graph_->head(path.back());
  path_nodes_.push_back(from);
  for (const ArcId a : path) {
    path_nodes_.push_back(graph_->head(a));
    --arc_left_[a.value];
    --link_left_[graph_->link(a)];
  }
  --send_left_[from.value];
  --receive_left_[to.value];
  schedule_.add(problem_->owner[group], path_nodes_);
  row(lacks_, to)[group / 64] &= ~(Word{1} << group % 64);
  arrivals_.push_back({group, to});
}

/// Backwards from the receiver along what is free, to the nearest node that has something for it.
bool ReceiverMatching::fill_once(NodeId receiver) {
  const Word* const lacks = row(lacks_, receiver);
  ++search_;
  queue_.assign(1, receiver);
  stamp_[receiver.value] = search_;
  hops_[receiver.value] = 0;
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const NodeId n = queue_[i];
    if (n != receiver && graph_->is_leaf(n)) continue;
    for (const ArcId a : graph_->in(n)) {
      const NodeId from = graph_->tail(a);
      if (stamp_[from.value] == search_ || !free(a)) continue;
      stamp_[from.value] = search_;
      hops_[from.value] = hops_[n.value] + 1;
      next_[from.value] = a;
      queue_.push_back(from);
      if (send_left_[from.value] == 0 || !near_enough(from, receiver, hops_[from.value])) continue;
      const Word* const has = row(has_, from);
      std::uint32_t best = kNone;
      for (std::uint32_t w = 0; w < words_; ++w) {
        for (Word both = has[w] & lacks[w]; both != 0; both &= both - 1) {
          const std::uint32_t g = w * 64 + static_cast<std::uint32_t>(std::countr_zero(both));
          if (best == kNone || rank_[g] < rank_[best]) best = g;
        }
      }
      if (best == kNone) continue;
      path_.clear();
      for (NodeId at = from; at != receiver; at = graph_->head(path_.back()))
        path_.push_back(next_[at.value]);
      send(best, path_);
      return true;
    }
  }
  return false;
}

void ReceiverMatching::fill(NodeId receiver) {
  while (receive_left_[receiver.value] > 0 && fill_once(receiver)) {
  }
}

std::uint32_t ReceiverMatching::run(std::uint32_t steps, std::span<const std::uint32_t> urgency,
                                    Random& random) {
  begin_run();
  for (std::uint32_t s = 0; s < steps; ++s) {
    begin_step(urgency, random);
    for (const NodeId n : receivers_) match(n, random);
    for (const NodeId n : receivers_) fill(n);
    for (const Arrival& arrival : arrivals_) {
      row(has_, arrival.node)[arrival.group / 64] |= Word{1} << arrival.group % 64;
      --left_[arrival.group];
      --lacking_[arrival.node.value];
    }
  }
  return std::accumulate(left_.begin(), left_.end(), 0U);
}

}  // namespace unknot
