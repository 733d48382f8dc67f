// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <utility>
#include <vector>

#include "unknot/bounds/adversary/channel_shares.hpp"
#include "unknot/bounds/adversary/kept_shares.hpp"
#include "unknot/bounds/group_spread.hpp"
#include "unknot/support/error.hpp"

namespace unknot {

std::unique_ptr<ChannelShares> group_shares(const Network& network, const AdaptiveRouting& routing,
                                            Progress& progress) {
  GroupSpread spread(network, routing);
  std::vector<ChannelShares::Group> sources;
  std::vector<ChannelShares::Group> destinations;
  for (const TerminalId t : network.terminals()) destinations.emplace_back(t.value, t.value + 1);
  if (spread.by_router()) {
    for (const RouterId r : network.routers()) {
      if (!network.terminals_at(r).empty()) sources.push_back(network.terminals_at(r));
    }
  } else {
    sources = destinations;
  }
  auto kept = std::make_unique<KeptShares>(network, std::move(sources), std::move(destinations));
  std::vector<ChannelShare> shares;
  progress.begin("spreading packets", network.terminal_count());
  for (const TerminalId d : network.terminals()) {
    progress.update(d.value);
    if (progress.interrupted()) throw Interrupted();
    for (std::uint32_t s = 0; s < kept->sources().size(); ++s) {
      const TerminalId source = kept->sources()[s][0];
      if (network.router_of(source) == network.router_of(d)) continue;
      shares.clear();
      if (!spread.run(source, d, [&](ChannelId c, double share) { shares.push_back({c, share}); })) {
        throw InputError(fmt::format("{}: packets from {} to {} may be lost, expected that all arrive",
                                     routing.source, network.terminal_name(source),
                                     network.terminal_name(d)));
      }
      kept->add(s, d.value, shares);
    }
  }
  kept->finish();
  return kept;
}

}  // namespace unknot
