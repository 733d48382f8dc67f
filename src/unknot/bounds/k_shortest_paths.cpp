// SPDX-License-Identifier: Apache-2.0
#include "unknot/bounds/k_shortest_paths.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace unknot {
namespace {

constexpr std::uint32_t kFar = 0xFFFFFFFFU;

}  // namespace

bool KShortestPaths::Candidate::operator>(const Candidate& other) const {
  if (path.size() != other.path.size()) return path.size() > other.path.size();
  return path > other.path;
}

KShortestPaths::KShortestPaths(const Network& network)
    : network_(network),
      closed_channel_(network.channel_count(), false),
      closed_router_(network.router_count(), false),
      distance_(network.router_count(), kFar) {}

const std::vector<std::vector<ChannelId>>& KShortestPaths::find(RouterId source, RouterId destination,
                                                                std::uint32_t count) {
  found_.clear();
  candidates_.clear();
  Candidate first;
  if (count > 0 && complete(first.path, 0, source, destination)) candidates_.push_back(std::move(first));
  std::vector<ChannelId> closed;
  while (!candidates_.empty()) {
    std::pop_heap(candidates_.begin(), candidates_.end(), std::greater<>());
    const Candidate taken = std::move(candidates_.back());
    candidates_.pop_back();
    found_.push_back(taken.path);
    if (found_.size() == count) break;
    for (std::size_t branch = taken.branch; branch < taken.path.size(); ++branch) {
      // another way from here on: not on by a channel by which a path with the same beginning went on
      closed.clear();
      for (const std::vector<ChannelId>& other : found_) {
        if (other.size() > branch &&
            std::equal(other.begin(), other.begin() + static_cast<std::ptrdiff_t>(branch),
                       taken.path.begin()))
          closed.push_back(other[branch]);
      }
      for (const ChannelId c : closed) closed_channel_[c.value] = true;
      Candidate next;
      next.branch = branch;
      next.path.assign(taken.path.begin(), taken.path.begin() + static_cast<std::ptrdiff_t>(branch));
      if (complete(next.path, branch, source, destination)) {
        candidates_.push_back(std::move(next));
        std::push_heap(candidates_.begin(), candidates_.end(), std::greater<>());
      }
      for (const ChannelId c : closed) closed_channel_[c.value] = false;
    }
  }
  return found_;
}

/// Appends the shortest way on from the end of `path`, the first in order of channels.
bool KShortestPaths::complete(std::vector<ChannelId>& path, std::size_t branch, RouterId source,
                              RouterId destination) {
  RouterId end = source;
  for (std::size_t i = 0; i < branch; ++i) {
    closed_router_[end.value] = true;
    end = network_.target(path[i]);
  }
  // distances to the destination, until all neighbours from which a path could go on are settled
  queue_.assign(1, destination);
  distance_[destination.value] = 0;
  std::uint32_t nearest = kFar;
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const RouterId r = queue_[i];
    if (distance_[r.value] >= nearest) break;
    for (const ChannelId c : network_.in(r)) {
      const RouterId from = network_.source(c);
      if (from == end) {
        if (!closed_channel_[c.value]) nearest = std::min(nearest, distance_[r.value] + 1);
        continue;
      }
      if (closed_router_[from.value] || distance_[from.value] != kFar) continue;
      distance_[from.value] = distance_[r.value] + 1;
      queue_.push_back(from);
    }
  }
  if (nearest != kFar) {
    RouterId at = end;
    for (std::uint32_t left = nearest; left > 0; --left) {
      for (const ChannelId c : network_.out(at)) {
        if (distance_[network_.target(c).value] != left - 1 || (at == end && closed_channel_[c.value]))
          continue;
        path.push_back(c);
        at = network_.target(c);
        break;
      }
    }
  }
  for (const RouterId r : queue_) distance_[r.value] = kFar;
  end = source;
  for (std::size_t i = 0; i < branch; ++i) {
    closed_router_[end.value] = false;
    end = network_.target(path[i]);
  }
  return nearest != kFar;
}

}  // namespace unknot
