// SPDX-License-Identifier: Apache-2.0
#include "unknot/place/placement_bound.hpp"

#include <algorithm>
#include <functional>
#include <vector>

namespace unknot::place {
namespace {

/// Bytes of one row, the largest first.
void heaviest_first(const CommunicationMatrix& matrix, std::uint32_t row, std::vector<std::uint64_t>& bytes) {
  bytes.clear();
  for (std::uint64_t i = matrix.first[row]; i < matrix.first[row + 1]; ++i)
    bytes.push_back(matrix.entries[i].bytes);
  std::sort(bytes.begin(), bytes.end(), std::greater<>());
}

}  // namespace

PlacementBound placement_bound(const Network& network, const Places& places, const HostDistances& distances,
                               const CommunicationMatrix& sent, const CommunicationMatrix& received) {
  PlacementBound bound;
  std::vector<std::uint64_t> bytes;
  long double hop_bytes = 0;
  std::uint64_t all_sent = 0;
  std::uint64_t all_received = 0;
  for (std::uint32_t rank = 0; rank < sent.ranks; ++rank) {
    for (const CommunicationMatrix* matrix : {&sent, &received}) {
      heaviest_first(*matrix, rank, bytes);
      std::uint64_t leaving = 0;
      for (std::size_t k = places.per_host - 1; k < bytes.size(); ++k) {
        leaving += bytes[k];
        // partner k shares the host, or is on one of the hosts that come next
        if (matrix == &sent)
          hop_bytes += static_cast<long double>(bytes[k]) *
                       distances.least()[(k - (places.per_host - 1)) / places.per_host];
      }
      bound.cables = std::max(bound.cables, leaving);
      (matrix == &sent ? all_sent : all_received) += leaving;
    }
  }
  const std::uint64_t hosts = places.hosts.size();
  bound.cables = std::max(bound.cables, (std::max(all_sent, all_received) + hosts - 1) / hosts);
  if (network.channel_count() > 0)
    bound.channels = static_cast<std::uint64_t>(hop_bytes / network.channel_count());
  return bound;
}

}  // namespace unknot::place
