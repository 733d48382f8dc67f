// SPDX-License-Identifier: Apache-2.0
#include "unknot/bounds/adversary/kept_shares.hpp"

#include <fmt/format.h>

#include <utility>

#include "unknot/bounds/adversary/edge_bound.hpp"
#include "unknot/support/error.hpp"

namespace unknot {

KeptShares::KeptShares(const Network& network, std::vector<Group> sources, std::vector<Group> destinations)
    : first_(network.channel_count() + std::size_t{1}, 0) {
  sources_ = std::move(sources);
  destinations_ = std::move(destinations);
}

void KeptShares::add(std::uint32_t source, std::uint32_t destination, std::span<const ChannelShare> shares) {
  if (given_.size() + shares.size() > kMost) {
    throw InputError(fmt::format(
        "the paths of all pairs take more than {} channels together, too many for the worst permutation",
        kMost));
  }
  for (const ChannelShare& one : shares) {
    given_.push_back({one.channel, {source, destination, one.share}});
    ++first_[one.channel.value + std::size_t{1}];
  }
}

void KeptShares::finish() {
  for (std::size_t c = 1; c < first_.size(); ++c) first_[c] += first_[c - 1];
  std::vector<std::size_t> at(first_.begin(), first_.end() - 1);
  edges_.resize(given_.size());
  for (const Given& one : given_) edges_[at[one.channel.value]++] = one.edge;
  given_ = {};
}

std::vector<double> KeptShares::bounds(std::uint32_t) const {
  std::vector<double> bound(first_.size() - 1);
  EdgeBound bound_of(sources_, destinations_);
  std::vector<TransportEdge> edges;
  for (std::uint32_t c = 0; c < bound.size(); ++c) {
    pairs(ChannelId(c), edges);
    bound[c] = bound_of(edges);
  }
  return bound;
}

void KeptShares::pairs(ChannelId channel, std::vector<TransportEdge>& edges) const {
  const auto begin = edges_.begin() + static_cast<std::ptrdiff_t>(first_[channel.value]);
  const auto end = edges_.begin() + static_cast<std::ptrdiff_t>(first_[channel.value + std::size_t{1}]);
  edges.assign(begin, end);
}

}  // namespace unknot
