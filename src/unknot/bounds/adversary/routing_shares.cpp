// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "unknot/bounds/adversary/channel_shares.hpp"
#include "unknot/bounds/adversary/edge_bound.hpp"
#include "unknot/load/flow_load.hpp"

namespace unknot {
namespace {

class RoutingShares final : public ChannelShares {
 public:
  RoutingShares(const Network& network, const Routing& routing, std::uint64_t most_hops) {
    require_fit(network, routing);
    for (const TerminalId t : network.terminals()) destinations_.emplace_back(t.value, t.value + 1);
    const DeliveredPaths paths(network, routing);
    share_ = 1.0 / paths.addresses();
    // Lanes may keep back the packets of one terminal of a router and not those of another.
    if (routing.routes() != nullptr || paths.may_drop()) {
      sources_ = destinations_;
    } else {
      for (const RouterId r : network.routers()) {
        if (!network.terminals_at(r).empty()) sources_.push_back(network.terminals_at(r));
      }
    }
    const std::uint32_t channels = network.channel_count();
    std::vector<std::uint64_t> count(channels, 0);
    std::vector<std::uint32_t> last(channels, 0xFFFFFFFFU);
    served_.assign(channels, 0);
    for_each_hop(network, paths, [&](std::uint32_t, std::uint32_t d, ChannelId c) {
      ++count[c.value];
      served_[c.value] += last[c.value] != d ? 1 : 0;
      last[c.value] = d;
    });
    choose(count, most_hops);
    first_.assign(channels + std::size_t{1}, 0);
    for (std::uint32_t c = 0; c < channels; ++c)
      first_[c + std::size_t{1}] = first_[c] + (kept_[c] ? count[c] : 0);
    pairs_.resize(first_.back());
    std::vector<std::uint64_t> at(first_.begin(), first_.end() - 1);
    for_each_hop(network, paths, [&](std::uint32_t s, std::uint32_t d, ChannelId c) {
      if (kept_[c.value]) pairs_[at[c.value]++] = {s, d};
    });
  }

  /// Destinations served, or the terminals of the sources, whichever are fewer; with several addresses each
  /// counts with the largest share of any of its pairs.
  [[nodiscard]] std::vector<double> bounds(std::uint32_t) const override {
    std::vector<double> bound(served_.begin(), served_.end());
    EdgeBound bound_of(sources_, destinations_);
    std::vector<TransportEdge> edges;
    for (std::uint32_t c = 0; c < bound.size(); ++c) {
      if (!kept_[c]) continue;
      pairs(ChannelId(c), edges);
      bound[c] = bound_of(edges);
    }
    return bound;
  }

  [[nodiscard]] bool known(ChannelId channel) const override { return kept_[channel.value]; }

  void pairs(ChannelId channel, std::vector<TransportEdge>& edges) const override {
    edges.clear();
    for (std::uint64_t i = first_[channel.value]; i < first_[channel.value + std::size_t{1}]; ++i) {
      const Pair& pair = pairs_[i];
      // hops of a pair to several addresses follow each other
      if (!edges.empty() && edges.back().source == pair.source &&
          edges.back().destination == pair.destination) {
        edges.back().weight += share_;
      } else {
        edges.push_back({pair.source, pair.destination, share_});
      }
    }
  }

 private:
  struct Pair {
    std::uint32_t source, destination;  // groups
  };

  /// Calls visit(source group, destination, channel) along all paths, destination after destination.
  template <class Visit>
  void for_each_hop(const Network& network, const DeliveredPaths& paths, const Visit& visit) const {
    std::vector<ChannelId> path;
    for (const TerminalId d : network.terminals()) {
      for (std::uint32_t s = 0; s < sources_.size(); ++s) {
        const TerminalId source = sources_[s][0];
        path.clear();
        if (network.router_of(source) == network.router_of(d))
          continue;  // no channel, or not the router's own
        if (!paths.append(source, d, path)) continue;
        for (const ChannelId c : path) visit(s, d.value, c);
      }
    }
  }

  void choose(const std::vector<std::uint64_t>& count, std::uint64_t most_hops) {
    std::vector<std::uint32_t> order(count.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return served_[a] > served_[b]; });
    kept_.assign(count.size(), false);
    for (const std::uint32_t c : order) {
      if (count[c] > most_hops) break;
      most_hops -= count[c];
      kept_[c] = true;
    }
  }

  double share_ = 1;                   // of a packet, for each address
  std::vector<std::uint32_t> served_;  // by channel: destinations
  std::vector<bool> kept_;             // by channel
  std::vector<std::uint64_t> first_;   // by channel, in pairs_
  std::vector<Pair> pairs_;
};

}  // namespace

std::unique_ptr<ChannelShares> routing_shares(const Network& network, const Routing& routing,
                                              std::uint64_t most_hops) {
  return std::make_unique<RoutingShares>(network, routing, most_hops);
}

}  // namespace unknot
