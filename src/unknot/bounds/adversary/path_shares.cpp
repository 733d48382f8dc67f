// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "unknot/bounds/adversary/channel_shares.hpp"
#include "unknot/bounds/adversary/kept_shares.hpp"
#include "unknot/bounds/path_lists.hpp"
#include "unknot/oblivious/endpoint_routers.hpp"

namespace unknot {

std::unique_ptr<ChannelShares> even_shares(const Network& network, const PathLists& lists) {
  const EndpointRouters endpoints(network);
  std::vector<ChannelShares::Group> groups;
  std::vector<std::uint32_t> index(network.router_count(), 0);
  for (std::uint32_t i = 0; i < endpoints.count(); ++i) {
    index[endpoints[i].value] = i;
    groups.push_back(network.terminals_at(endpoints[i]));
  }
  auto kept = std::make_unique<KeptShares>(network, groups, groups);
  std::vector<double> share(network.channel_count(), 0);
  std::vector<ChannelShare> shares;
  for (std::size_t i = 0; i < lists.pairs().size(); ++i) {
    const double each = 1.0 / static_cast<double>(lists.first_path(i + 1) - lists.first_path(i));
    shares.clear();
    for (std::size_t p = lists.first_path(i); p < lists.first_path(i + 1); ++p) {
      for (const ChannelId c : lists.path(p)) {
        if (share[c.value] == 0) shares.push_back({c, 0});
        share[c.value] += each;
      }
    }
    for (ChannelShare& one : shares) {
      one.share = share[one.channel.value];
      share[one.channel.value] = 0;
    }
    const PathLists::Pair& pair = lists.pairs()[i];
    kept->add(index[pair.source.value], index[pair.destination.value], shares);
  }
  kept->finish();
  return kept;
}

}  // namespace unknot
