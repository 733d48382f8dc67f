// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "unknot/bounds/adversary/channel_shares.hpp"
#include "unknot/bounds/transportation.hpp"

namespace unknot {

/// Scratch space for a cheap bound on what a permutation puts on a channel: the smaller of what sources can
/// send and destinations can receive, each on its best pair. O(edges) a call.
class EdgeBound {
 public:
  using Groups = std::vector<ChannelShares::Group>;

  EdgeBound(const Groups& sources, const Groups& destinations)
      : sources_(sources),
        destinations_(destinations),
        out_(sources.size(), 0),
        in_(destinations.size(), 0) {}

  double operator()(const std::vector<TransportEdge>& edges) {
    for (const TransportEdge& edge : edges) {
      out_[edge.source] = std::max(out_[edge.source], edge.weight);
      in_[edge.destination] = std::max(in_[edge.destination], edge.weight);
    }
    double sent = 0;
    double received = 0;
    for (const TransportEdge& edge : edges) {
      sent += out_[edge.source] * sources_[edge.source].size();
      received += in_[edge.destination] * destinations_[edge.destination].size();
      out_[edge.source] = in_[edge.destination] = 0;
    }
    return std::min(sent, received);
  }

 private:
  const Groups& sources_;
  const Groups& destinations_;
  std::vector<double> out_, in_;  // 0 between calls
};

}  // namespace unknot
