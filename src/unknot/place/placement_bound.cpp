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
                               const LinkWidths& widths, const CommunicationMatrix& sent,
                               const CommunicationMatrix& received, std::uint32_t threads) {
  PlacementBound bound;
  double widest = 0;
  for (const TerminalId host : places.hosts) widest = std::max(widest, widths.of(host));
  double channels = 0;
  for (const ChannelId c : network.channels()) channels += widths.of(c);
  std::vector<std::uint64_t> bytes;
  long double hop_bytes = 0;
  for (std::uint32_t rank = 0; rank < sent.ranks; ++rank) {
    for (const CommunicationMatrix* matrix : {&sent, &received}) {
      heaviest_first(*matrix, rank, bytes);
      std::uint64_t leaving = 0;
      for (std::size_t k = places.per_host - 1; k < bytes.size(); ++k) {
        leaving += bytes[k];
        // partner k shares the host, or is on one of the hosts that come next
        if (matrix == &sent) {
          hop_bytes += static_cast<long double>(bytes[k]) *
                       distances.least()[(k - (places.per_host - 1)) / places.per_host];
        }
      }
      bound.cables = std::max(bound.cables, static_cast<double>(leaving) / widest);
    }
  }
  if (channels > 0) bound.channels = static_cast<double>(hop_bytes) / channels;
  bound.cuts = cut_bound(network, places, widths, sent, received, threads);
  bound.cables = std::max(bound.cables, bound.cuts.cables);
  return bound;
}

}  // namespace unknot::place
