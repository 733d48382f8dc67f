// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/packing/receiver_matching.hpp"

#include <algorithm>
#include <bit>
#include <functional>
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
      heads_first_(graph_->node_count() + 1, 0),
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
  for (std::uint32_t l = 0; l < lanes.count(); ++l) ++heads_first_[lanes.lane(l).tail.value + 1];
  std::partial_sum(heads_first_.begin(), heads_first_.end(), heads_first_.begin());
  heads_.resize(lanes.count());
  std::vector<std::uint32_t> at(heads_first_.begin(), heads_first_.end() - 1);
  for (std::uint32_t l = 0; l < lanes.count(); ++l)
    heads_[at[lanes.lane(l).tail.value]++] = lanes.lane(l).head;
  if (problem.extra_hops != Problem::kAnyLength) {
    std::vector<std::uint32_t> hops;
    distance_.resize(nodes * nodes);
    for (const NodeId n : graph_->nodes()) {
      graph_->distances_from(n, hops);
      std::copy(hops.begin(), hops.end(), distance_.begin() + static_cast<std::ptrdiff_t>(n.value * nodes));
    }
  }
}

void ReceiverMatching::keep(const FormerTransfers& former, std::span<const std::uint32_t> messages) {
  kept_.clear();
  kept_arcs_.clear();
  first_due_.assign(first_lacks_.size(), 0);
  for (const std::uint32_t m : messages) {
    const auto path = former.path(m);
    const auto group = static_cast<std::uint32_t>(
        std::upper_bound(problem_->first.begin(), problem_->first.end(), m) - problem_->first.begin() - 1);
    Kept kept{former.step(m), group, static_cast<std::uint32_t>(kept_arcs_.size()), 0};
    for (std::size_t i = 1; i < path.size(); ++i) kept_arcs_.push_back(graph_->find(path[i - 1], path[i]));
    kept.last = static_cast<std::uint32_t>(kept_arcs_.size());
    kept_.push_back(kept);
    row(first_due_, path.back())[group / 64] |= Word{1} << group % 64;
  }
  std::stable_sort(kept_.begin(), kept_.end(), [](const Kept& a, const Kept& b) { return a.step < b.step; });
}

bool ReceiverMatching::can_send(const Kept& kept) const {
  const NodeId from = graph_->tail(kept_arcs_[kept.first]), to = graph_->head(kept_arcs_[kept.last - 1]);
  return test(row(has_, from), kept.group) && send_left_[from.value] > 0 && receive_left_[to.value] > 0 &&
         std::all_of(kept_arcs_.begin() + kept.first, kept_arcs_.begin() + kept.last,
                     [&](ArcId a) { return free(a); });
}

void ReceiverMatching::send_kept(std::uint32_t step) {
  for (; next_kept_ < kept_.size() && kept_[next_kept_].step == step; ++next_kept_) {
    const Kept& kept = kept_[next_kept_];
    const NodeId to = graph_->head(kept_arcs_[kept.last - 1]);
    row(due_, to)[kept.group / 64] &= ~(Word{1} << kept.group % 64);
    if (!can_send(kept)) continue;
    send(kept.group, {kept_arcs_.data() + kept.first, kept_arcs_.data() + kept.last});
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
  due_ = first_due_;
  next_kept_ = 0;
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

/// What the other direction was kept for may go this way now.
void ReceiverMatching::end_turns(std::uint32_t step) {
  if (turns_ == nullptr) return;
  for (const ArcId a : graph_->arcs()) arc_left_[a.value] += graph_->capacity(a) - turns_->units(a, step);
}

void ReceiverMatching::begin_step(std::uint32_t step, Random& random) {
  schedule_.add_step();
  arrivals_.clear();
  arc_left_.clear();
  for (const ArcId a : graph_->arcs())
    arc_left_.push_back(turns_ == nullptr ? graph_->capacity(a) : turns_->units(a, step));
  link_left_.clear();
  for (std::uint32_t l = 0; l < graph_->link_count(); ++l) link_left_.push_back(graph_->link_capacity(l));
  send_left_.assign(graph_->node_count(), problem_->send_ports);
  receive_left_.assign(graph_->node_count(), problem_->receive_ports);
  for (std::uint32_t g = 0; g < problem_->groups(); ++g) {
    key_[g] = std::uint64_t{left_[g]} << 32 | random.next32();
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

/// Adds the rows of what the successors lack, as numbers written across words.
void ReceiverMatching::count_needs(NodeId receiver) {
  digits_ = static_cast<std::uint32_t>(std::bit_width(degree(receiver)));
  needs_.assign(std::size_t{digits_} * words_, 0);
  for (std::uint32_t i = heads_first_[receiver.value]; i < heads_first_[receiver.value + 1]; ++i) {
    const Word* const lacks = row(lacks_, heads_[i]);
    for (std::uint32_t w = 0; w < words_; ++w) {
      Word carry = lacks[w];
      for (std::uint32_t d = 0; carry != 0 && d < digits_; ++d) {
        Word& digit = needs_[std::size_t{d} * words_ + w];
        const Word both = digit & carry;
        digit ^= carry;
        carry = both;
      }
    }
  }
}

/// Of 64 messages, those that just this many successors lack.
ReceiverMatching::Word ReceiverMatching::needed_by(std::uint32_t need, std::uint32_t word) const {
  Word equal = ~Word{0};
  for (std::uint32_t d = 0; d < digits_; ++d) {
    const Word digit = needs_[std::size_t{d} * words_ + word];
    equal &= (need >> d & 1U) != 0 ? digit : ~digit;
  }
  return equal;
}

void ReceiverMatching::match(NodeId receiver, Random& random) {
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
  for (std::uint32_t w = 0; w < words_; ++w) offered_[w] &= wanted(receiver, w);
  random.shuffle(slots_);
  const auto most = std::min(static_cast<std::uint32_t>(slots_.size()), receive_left_[receiver.value]);
  tried_.resize(slots_.size());
  count_needs(receiver);
  std::uint32_t placed = 0;
  for (std::uint32_t need = degree(receiver) + 1; need-- > 0 && placed < most;) {
    candidates_.clear();
    for (std::uint32_t w = 0; w < words_; ++w) {
      for (Word some = offered_[w] & needed_by(need, w); some != 0; some &= some - 1)
        candidates_.push_back(rank_[w * 64 + static_cast<std::uint32_t>(std::countr_zero(some))]);
    }
    // The most urgent has the smallest rank; seldom more are asked for than there are lanes.
    std::make_heap(candidates_.begin(), candidates_.end(), std::greater<>());
    while (!candidates_.empty() && placed < most) {
      std::fill(tried_.begin(), tried_.end(), std::uint8_t{0});
      if (place(order_[candidates_.front()])) ++placed;
      std::pop_heap(candidates_.begin(), candidates_.end(), std::greater<>());
      candidates_.pop_back();
    }
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
        for (Word both = has[w] & wanted(receiver, w); both != 0; both &= both - 1) {
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
  const Word* const lacks = row(lacks_, receiver);
  if (std::all_of(lacks, lacks + words_, [](Word w) { return w == 0; })) return;
  while (receive_left_[receiver.value] > 0 && fill_once(receiver)) {
  }
}

std::uint32_t ReceiverMatching::run(std::uint32_t steps, Random& random) {
  begin_run();
  for (std::uint32_t s = 0; s < steps; ++s) {
    begin_step(s, random);
    send_kept(s);
    for (const NodeId n : receivers_) match(n, random);
    end_turns(s);
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
