// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/paths/receiver_centres.hpp"

#include <algorithm>

namespace unknot {
namespace {

constexpr std::uint64_t kMiddles = 300;  // times the arcs, spent on middles at most
constexpr std::uint64_t kGains = 3000;   // times the arcs, spent on places along one-way channels at most
constexpr std::uint32_t kIdle = 40;      // rounds in which nothing gets better, before the last

}  // namespace

ReceiverCentres::ReceiverCentres(const Problem& problem)
    : problem_(problem),
      graph_(*problem.graph),
      receiver_(graph_.node_count(), 0),
      hops_(graph_.node_count(), kNone),
      cell_(graph_.node_count(), kNone),
      seen_(graph_.node_count(), 0),
      far_(graph_.node_count(), 0) {
  for (const NodeId n : problem.partner) receiver_[n.value] = 1;
  for (const ArcId a : graph_.arcs())
    one_way_ = one_way_ || !graph_.find(graph_.head(a), graph_.tail(a)).valid();
}

/// Lowers the distances of all nodes that are nearer to a centre more.
void ReceiverCentres::lower(NodeId centre) {
  hops_[centre.value] = 0;
  queue_.assign(1, centre);
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const NodeId n = queue_[i];
    if (graph_.is_leaf(n) && n != centre) continue;
    work_ += graph_.out(n).size();
    for (const ArcId a : graph_.out(n)) {
      const NodeId to = graph_.head(a);
      if (hops_[to.value] <= hops_[n.value] + 1) continue;
      hops_[to.value] = hops_[n.value] + 1;
      queue_.push_back(to);
    }
  }
}

/// Each node to the cell of the nearest: of the informed, then of the chosen. Those that are as near take
/// precedence in random order, or middles would stay off the middle forever.
void ReceiverCentres::share_out(std::span<const NodeId> informed, Random& random) {
  std::fill(hops_.begin(), hops_.end(), kNone);
  queue_.assign(informed.begin(), informed.end());
  queue_.insert(queue_.end(), chosen_.begin(), chosen_.end());
  for (std::uint32_t i = 0; i < queue_.size(); ++i) {
    hops_[queue_[i].value] = 0;
    cell_[queue_[i].value] = i;
  }
  random.shuffle(queue_);
  size_.assign(queue_.size(), 0);
  work_ += graph_.arc_count();
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const NodeId n = queue_[i];
    ++size_[cell_[n.value]];
    if (graph_.is_leaf(n) && hops_[n.value] > 0) continue;
    for (const ArcId a : graph_.out(n)) {
      const NodeId to = graph_.head(a);
      if (hops_[to.value] != kNone) continue;
      hops_[to.value] = hops_[n.value] + 1;
      cell_[to.value] = cell_[n.value];
      queue_.push_back(to);
    }
  }
}

/// Sum of the squared hops from a node to all of its cell; some number above `enough` when it is larger.
std::uint64_t ReceiverCentres::squares_from(NodeId start, std::uint32_t cell, std::uint64_t enough) {
  ++search_;
  seen_[start.value] = search_;
  far_[start.value] = 0;
  queue_.assign(1, start);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const NodeId n = queue_[i];
    sum += std::uint64_t{far_[n.value]} * far_[n.value];
    if (sum > enough) return sum;
    work_ += graph_.out(n).size();
    for (const ArcId a : graph_.out(n)) {
      const NodeId to = graph_.head(a);
      if (cell_[to.value] != cell || seen_[to.value] == search_) continue;
      seen_[to.value] = search_;
      far_[to.value] = far_[n.value] + 1;
      queue_.push_back(to);
    }
  }
  return queue_.size() == size_[cell] ? sum : UINT64_MAX;  // one-way channels need not lead to all of it
}

/// To where the nodes of the cell are nearest, neighbour by neighbour; at the end perhaps to one that is as
/// good. True when it got better.
bool ReceiverCentres::settle(NodeId& centre, Random& random) {
  bool improved = false;
  const std::uint32_t cell = cell_[centre.value];
  std::uint64_t least = squares_from(centre, cell, UINT64_MAX);
  for (bool moved = true; moved;) {
    moved = false;
    NodeId equal = centre;
    std::uint32_t equals = 1;
    for (const ArcId a : graph_.out(centre)) {
      const NodeId to = graph_.head(a);
      if (cell_[to.value] != cell || receiver_[to.value] == 0) continue;
      const std::uint64_t squares = squares_from(to, cell, least);
      if (squares == least && random.below(++equals) == 0) equal = to;
      if (squares >= least) continue;
      least = squares;
      centre = to;
      moved = improved = true;
      break;
    }
    if (!moved) centre = equal;
  }
  return improved;
}

/// In the cell of each that has the message the farthest, as many as it can send.
void ReceiverCentres::choose_by_cells(std::span<const NodeId> informed, Random& random) {
  share_out(informed, random);
  first_.assign(informed.size() + 1, 0);
  for (const NodeId n : receivers_) ++first_[cell_[n.value] + 1];
  for (std::size_t i = 0; i < informed.size(); ++i) first_[i + 1] += first_[i];
  members_.resize(receivers_.size());
  next_.assign(first_.begin(), first_.end() - 1);
  for (const NodeId n : receivers_) members_[next_[cell_[n.value]]++] = n;
  for (std::uint32_t i = 0; i < informed.size(); ++i) {
    const std::span<const NodeId> members{members_.data() + first_[i], members_.data() + first_[i + 1]};
    for (std::uint32_t sent = problem_.send_limit(informed[i]); sent > 0 && !members.empty(); --sent) {
      work_ += members.size();
      const NodeId n = *std::max_element(members.begin(), members.end(),
                                         [&](NodeId a, NodeId b) { return hops_[a.value] < hops_[b.value]; });
      if (hops_[n.value] == 0) break;
      chosen_.push_back(n);
      lower(n);
    }
  }
}

/// The farthest of all, until there are this many. Distances only fall: a node that came nearer since is put
/// off until its turn comes.
void ReceiverCentres::choose_farthest(std::uint32_t count) {
  for (auto& nodes : waiting_) nodes.clear();
  const auto wait = [&](NodeId n) {
    if (hops_[n.value] >= waiting_.size()) waiting_.resize(hops_[n.value] + 1);
    waiting_[hops_[n.value]].push_back(n);
  };
  for (const NodeId n : receivers_) wait(n);
  for (std::size_t hops = waiting_.size(); hops-- > 1 && chosen_.size() < count;) {
    while (!waiting_[hops].empty() && chosen_.size() < count) {
      const NodeId n = waiting_[hops].back();
      waiting_[hops].pop_back();
      if (hops_[n.value] < hops) {
        wait(n);
        continue;
      }
      chosen_.push_back(n);
      lower(n);
    }
  }
}

/// By how much the squared hops of all nodes fall when one more has the message.
std::uint64_t ReceiverCentres::gain_of(NodeId start) {
  ++search_;
  seen_[start.value] = search_;
  far_[start.value] = 0;
  queue_.assign(1, start);
  std::uint64_t gain = 0;
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const NodeId n = queue_[i];
    gain += std::uint64_t{hops_[n.value]} * hops_[n.value] - std::uint64_t{far_[n.value]} * far_[n.value];
    work_ += graph_.out(n).size();
    for (const ArcId a : graph_.out(n)) {
      const NodeId to = graph_.head(a);
      if (seen_[to.value] == search_ || hops_[to.value] <= far_[n.value] + 1) continue;
      seen_[to.value] = search_;
      far_[to.value] = far_[n.value] + 1;
      queue_.push_back(to);
    }
  }
  return gain;
}

/// From neighbour to neighbour to where one more lowers the squared hops most.
NodeId ReceiverCentres::climb(NodeId at, std::uint64_t& gain) {
  gain = gain_of(at);
  for (bool better = true; better;) {
    better = false;
    const NodeId from = at;
    const auto look = [&](NodeId n) {
      if (receiver_[n.value] == 0 || hops_[n.value] == 0) return;
      const std::uint64_t found = gain_of(n);
      if (found <= gain) return;
      at = n;
      gain = found;
      better = true;
    };
    for (const ArcId a : graph_.in(from)) look(graph_.tail(a));
    for (const ArcId a : graph_.out(from)) look(graph_.head(a));
  }
  return at;
}

/// Where one more lowers the squared hops most, as far as is found from the farthest receiver and any other;
/// until there are this many.
void ReceiverCentres::choose_by_gain(std::uint32_t count, Random& random) {
  const std::uint64_t most = work_ + kGains * graph_.arc_count();
  while (chosen_.size() < count && work_ < most) {
    work_ += receivers_.size();
    const NodeId farthest = *std::max_element(receivers_.begin(), receivers_.end(), [&](NodeId a, NodeId b) {
      return hops_[a.value] < hops_[b.value];
    });
    if (hops_[farthest.value] == 0) break;
    std::uint64_t gain = 0, other_gain = 0;
    NodeId best = climb(farthest, gain);
    const NodeId any = receivers_[random.below(problem_.messages())];
    const NodeId other = hops_[any.value] == 0 ? best : climb(any, other_gain);
    if (other_gain > gain) best = other;
    chosen_.push_back(best);
    lower(best);
  }
}

std::span<const NodeId> ReceiverCentres::choose(std::span<const NodeId> informed, bool by_cells,
                                                Random& random) {
  std::fill(hops_.begin(), hops_.end(), kNone);
  for (const NodeId n : informed) lower(n);
  receivers_ = problem_.partner;
  random.shuffle(receivers_);
  chosen_.clear();
  std::uint64_t count = 0;
  for (const NodeId n : informed) count += problem_.send_limit(n);
  const auto most = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, kNone));
  if (by_cells && !graph_.has_terminal_nodes() && !one_way_) choose_by_cells(informed, random);
  if (!by_cells && one_way_) choose_by_gain(most, random);
  choose_farthest(most);
  // terminals have no neighbours to move to, and along one-way channels the middle is no good place
  if (graph_.has_terminal_nodes() || one_way_) return chosen_;
  const std::uint64_t end = work_ + kMiddles * graph_.arc_count();
  for (std::uint32_t idle = 0; idle < kIdle && work_ < end; ++idle) {
    share_out(informed, random);
    for (NodeId& centre : chosen_) {
      if (settle(centre, random)) idle = 0;
    }
  }
  return chosen_;
}

}  // namespace unknot
