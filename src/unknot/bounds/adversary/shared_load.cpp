// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <vector>

#include "unknot/bounds/adversary/channel_shares.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot {

std::vector<double> shared_load(const Network& network, const ChannelShares& shares,
                                const RouterDemand& demand, std::uint32_t threads) {
  const std::uint32_t count = demand.endpoints().count();
  std::vector<double> rate(std::size_t{count} * count);  // by destination, then source
  for (std::uint32_t d = 0; d < count; ++d)
    demand.column(d, std::span(rate).subspan(std::size_t{d} * count, count));
  std::vector<double> load(network.channel_count(), 0);
  parallel_blocks(network.channel_count(), 16, threads,
                  [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
                    std::vector<TransportEdge> edges;
                    for (std::uint32_t c = begin; c < end; ++c) {
                      shares.pairs(ChannelId(c), edges);
                      for (const TransportEdge& edge : edges) {
                        load[c] += edge.weight * rate[std::size_t{edge.destination} * count + edge.source];
                      }
                    }
                  });
  return load;
}

}  // namespace unknot
