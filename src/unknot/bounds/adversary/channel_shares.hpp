// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "unknot/bounds/path_lists.hpp"
#include "unknot/bounds/transportation.hpp"
#include "unknot/network/network.hpp"
#include "unknot/oblivious/oblivious_load.hpp"
#include "unknot/oblivious/router_demand.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/adaptive/adaptive_routing.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// What part of the packets between two terminals takes a channel, for a routing that does not look at the
/// load. Terminals that a channel cannot tell apart form one group: those of a router, or single ones where
/// tables treat them differently.
class ChannelShares {
 public:
  using Group = IdRange<TerminalId>;

  ChannelShares() = default;
  ChannelShares(const ChannelShares&) = delete;
  ChannelShares& operator=(const ChannelShares&) = delete;
  virtual ~ChannelShares() = default;

  [[nodiscard]] const std::vector<Group>& sources() const { return sources_; }
  [[nodiscard]] const std::vector<Group>& destinations() const { return destinations_; }

  /// Upper bound, by channel, on the load that any permutation of the terminals puts on it.
  [[nodiscard]] virtual std::vector<double> bounds(std::uint32_t threads) const = 0;
  /// False where the pairs of the channel were too many to keep: only its bound is known.
  [[nodiscard]] virtual bool known(ChannelId) const { return true; }
  /// Pairs of groups whose packets take the channel, with the share of one packet; each pair once. Safe to
  /// call from several threads.
  virtual void pairs(ChannelId channel, std::vector<TransportEdge>& edges) const = 0;

 protected:
  std::vector<Group> sources_, destinations_;
};

/// Evenly over all shortest paths, or Valiant's routing, as oblivious_load() has it. Holds MinimalPaths of
/// the network, which must outlive it. InputError beyond kMaxSharePairs, and for Valiant where routers with
/// terminals do not all reach each other. Listing the pairs of a channel takes up to half the square of the
/// routers with terminals, and the network once: where that exceeds `most_looks` over all channels, only
/// those are known that carry most of uniform traffic.
std::unique_ptr<ChannelShares> oblivious_shares(const Network& network, ObliviousPaths paths,
                                                std::uint32_t threads,
                                                std::uint64_t most_looks = 50'000'000'000);
/// Most pairs of a router and a router with terminals that oblivious_shares() takes on: about 1 GB.
inline constexpr std::uint64_t kMaxSharePairs = 50'000'000;

/// What UGAL can do at most, whatever its queues, thresholds and weights, and however late it knows them: in
/// the long run a packet goes by a shortest path, or by shortest paths to one of `indirect` random routers
/// with terminals and on from there, and takes no channel oftener than these shares say. (That a shortest
/// path takes the channel, and that one of those drawn may: the chances added up.) Not for routings that
/// decide again on the way. As oblivious_shares(), which knows Valiant's routing.
std::unique_ptr<ChannelShares> ugal_shares(const Network& network, std::uint32_t indirect,
                                           std::uint32_t threads, std::uint64_t most_looks = 50'000'000'000);

/// Evenly over the listed paths of each pair of routers; a pair that is not listed sends nothing.
/// InputError beyond KeptShares::kMost.
std::unique_ptr<ChannelShares> even_shares(const Network& network, const PathLists& lists);

/// An adaptive routing whose packets take at each router any of the channels they may, with the same chance
/// (GroupSpread). InputError as GroupSpread, and beyond KeptShares::kMost.
std::unique_ptr<ChannelShares> group_shares(const Network& network, const AdaptiveRouting& routing,
                                            Progress& progress);

/// Tables or routes: a pair takes a channel or does not, or with several addresses (Routing::further) by an
/// even share of its packets. Pairs that an address does not deliver are left out. Holds 8 bytes for each hop
/// of each pair, up to `most_hops`: of larger networks it keeps the channels that serve the most
/// destinations. The network must outlive it.
std::unique_ptr<ChannelShares> routing_shares(const Network& network, const Routing& routing,
                                              std::uint64_t most_hops = 100'000'000);

/// Load by channel of a demand, where groups are the routers with terminals: all but routing_shares() and
/// group_shares(). O(channels * pairs of groups) where all pairs have shares. The same bytes at any number of
/// threads.
std::vector<double> shared_load(const Network& network, const ChannelShares& shares,
                                const RouterDemand& demand, std::uint32_t threads);

}  // namespace unknot
