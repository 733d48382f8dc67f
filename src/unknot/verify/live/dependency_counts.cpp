// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/live/dependency_counts.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace unknot {

DependencyCounts::DependencyCounts(const Network& network, std::uint32_t lanes) : network_(&network) {
  const DependencySlots slots(network);
  if (slots.count() > std::numeric_limits<std::uint32_t>::max())
    throw std::length_error("DependencyCounts: more than 4 billion pairs of channels");
  slots_per_lane_ = slots.count();
  first_.reserve(network.channel_count() + std::size_t{1});
  for (std::uint32_t c = 0; c <= network.channel_count(); ++c)
    first_.push_back(static_cast<std::uint32_t>(slots.first(c)));
  counts_.assign(slots_per_lane_ * lanes, 0);
  const std::uint32_t vertices = network.channel_count() * lanes;
  place_.reserve(vertices);
  for (std::uint32_t v = 0; v < vertices; ++v) place_.push_back(v);
  seen_.assign(vertices, 0);
}

void DependencyCounts::clear() {
  std::fill(counts_.begin(), counts_.end(), 0);
  noted_.clear();
  waiting_.clear();
  arcs_ = 0;
  acyclic_ = true;
}

DependencyCounts::Arc DependencyCounts::arc(std::size_t at) const {
  const auto lane = static_cast<std::uint32_t>(at / slots_per_lane_);
  const auto slot = static_cast<std::uint32_t>(at % slots_per_lane_);
  const auto channel =
      static_cast<std::uint32_t>(std::upper_bound(first_.begin(), first_.end(), slot) - first_.begin() - 1);
  const std::uint32_t base = lane * network_->channel_count();
  const IdRange<ChannelId> out = network_->out(network_->target(ChannelId(channel)));
  return {base + channel, base + out.first() + (slot - first_[channel])};
}

/// Vertices that arcs of the order lead to.
template <class Visit>
void DependencyCounts::for_each_after(std::uint32_t vertex, const Visit& visit) const {
  const std::uint32_t channel = vertex % network_->channel_count();
  const std::uint32_t lane = vertex / network_->channel_count();
  const IdRange<ChannelId> out = network_->out(network_->target(ChannelId(channel)));
  const std::uint32_t* counts = counts_.data() + index(channel, 0, lane);
  for (std::uint32_t i = 0; i < out.size(); ++i) {
    if ((counts[i] & kPlaced) != 0) visit(vertex - channel + out.first() + i);
  }
}

template <class Visit>
void DependencyCounts::for_each_before(std::uint32_t vertex, const Visit& visit) const {
  const std::uint32_t channel = vertex % network_->channel_count();
  const std::uint32_t lane = vertex / network_->channel_count();
  const RouterId router = network_->source(ChannelId(channel));
  const std::uint32_t position = channel - network_->out(router).first();
  for (const ChannelId c : network_->in(router)) {
    if ((counts_[index(c.value, position, lane)] & kPlaced) != 0) visit(vertex - channel + c.value);
  }
}

/// Makes the order one with this arc; false, and nothing changed, where it would close a cycle.
bool DependencyCounts::place(Arc wanted) {
  if (wanted.from == wanted.to) return false;
  const std::uint32_t lowest = place_[wanted.to];
  const std::uint32_t highest = place_[wanted.from];
  if (highest < lowest) return true;
  ++search_;
  high_.assign(1, wanted.to);  // what the head leads to must come after all that leads to the tail
  seen_[wanted.to] = search_;
  bool cycle = false;
  for (std::size_t i = 0; i < high_.size() && !cycle; ++i) {
    for_each_after(high_[i], [&](std::uint32_t v) {
      cycle = cycle || v == wanted.from;
      if (seen_[v] == search_ || place_[v] > highest) return;
      seen_[v] = search_;
      high_.push_back(v);
    });
  }
  if (cycle) return false;
  low_.assign(1, wanted.from);
  seen_[wanted.from] = search_;
  for (std::size_t i = 0; i < low_.size(); ++i) {
    for_each_before(low_[i], [&](std::uint32_t v) {
      if (seen_[v] == search_ || place_[v] < lowest) return;
      seen_[v] = search_;
      low_.push_back(v);
    });
  }
  swap_places();
  return true;
}

void DependencyCounts::swap_places() {
  const auto by_place = [&](std::uint32_t a, std::uint32_t b) { return place_[a] < place_[b]; };
  std::sort(low_.begin(), low_.end(), by_place);
  std::sort(high_.begin(), high_.end(), by_place);
  low_.insert(low_.end(), high_.begin(), high_.end());
  places_.clear();
  places_.reserve(low_.size());
  for (const std::uint32_t v : low_) places_.push_back(place_[v]);
  std::sort(places_.begin(), places_.end());
  for (std::size_t i = 0; i < low_.size(); ++i) place_[low_[i]] = places_[i];
}

void DependencyCounts::settle() {
  bool taken_away = false;
  for (const std::size_t at : noted_) {
    std::uint32_t& count = counts_[at];
    count &= ~kNoted;
    if ((count & kCount) == 0) {
      taken_away = taken_away || (count & kPlaced) != 0;
      count &= ~kPlaced;
    } else if ((count & (kPlaced | kWaits)) == 0) {
      count |= kWaits;
      waiting_.push_back(at);
    }
  }
  noted_.clear();
  if (waiting_.size() > place_.size() / 4) {
    for (const std::size_t at : waiting_) counts_[at] &= ~kWaits;
    order_anew();
    return;
  }
  // The first one that waits has been refused before: so it is still, as long as no arc went.
  const bool refused = !acyclic_ && !taken_away && (counts_[waiting_.front()] & kCount) != 0;
  if (refused) return;
  acyclic_ = true;
  std::size_t kept = 0;
  for (const std::size_t at : waiting_) {
    if ((counts_[at] & kCount) != 0) {
      // One cycle is enough: the rest waits until it is gone.
      if (!acyclic_ || !place(arc(at))) {
        acyclic_ = false;
        waiting_[kept++] = at;
        continue;
      }
      counts_[at] |= kPlaced;
    }
    counts_[at] &= ~kWaits;
  }
  waiting_.resize(kept);
}

/// Vertices without an arc before them first, again and again [Kahn 1962]; what is on a cycle or behind one
/// comes last. Arcs that do not agree wait.
void DependencyCounts::order_anew() {
  const auto vertices = static_cast<std::uint32_t>(place_.size());
  std::vector<std::uint32_t> before(vertices, 0);
  const auto for_each_arc = [&](std::uint32_t vertex, const auto& visit) {
    const std::uint32_t channel = vertex % network_->channel_count();
    const IdRange<ChannelId> out = network_->out(network_->target(ChannelId(channel)));
    const std::size_t first = index(channel, 0, vertex / network_->channel_count());
    for (std::uint32_t i = 0; i < out.size(); ++i) {
      if ((counts_[first + i] & kCount) != 0) visit(first + i, vertex - channel + out.first() + i);
    }
  };
  for (std::uint32_t v = 0; v < vertices; ++v)
    for_each_arc(v, [&](std::size_t, std::uint32_t to) { ++before[to]; });
  std::vector<std::uint32_t> order;
  order.reserve(vertices);
  for (std::uint32_t v = 0; v < vertices; ++v) {
    if (before[v] == 0) order.push_back(v);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    for_each_arc(order[i], [&](std::size_t, std::uint32_t to) {
      if (--before[to] == 0) order.push_back(to);
    });
  }
  acyclic_ = order.size() == vertices;
  for (std::uint32_t v = 0; v < vertices; ++v) {
    if (before[v] != 0) order.push_back(v);
  }
  for (std::uint32_t i = 0; i < vertices; ++i) place_[order[i]] = i;
  waiting_.clear();
  for (std::uint32_t v = 0; v < vertices; ++v) {
    for_each_arc(v, [&](std::size_t at, std::uint32_t to) {
      counts_[at] &= kCount;
      counts_[at] |= place_[v] < place_[to] ? kPlaced : kWaits;
      if (place_[v] >= place_[to]) waiting_.push_back(at);
    });
  }
  if (acyclic_) return;
  // Not every one that waits closes a cycle: the first must be one that does.
  acyclic_ = true;
  std::vector<std::size_t> left;
  for (const std::size_t at : waiting_) {
    if (acyclic_ && place(arc(at))) {
      counts_[at] = (counts_[at] & kCount) | kPlaced;
    } else {
      acyclic_ = false;
      left.push_back(at);
    }
  }
  waiting_ = std::move(left);
}

bool DependencyCounts::places_hold() const {
  for (std::size_t at = 0; at < counts_.size(); ++at) {
    if ((counts_[at] & kCount) == 0) continue;
    const Arc one = arc(at);
    if (place_[one.from] >= place_[one.to]) return false;
  }
  return true;
}

}  // namespace unknot
