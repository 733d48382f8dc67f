// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/faults.hpp"
#include "unknot/network/network.hpp"

namespace unknot {

/// What changes at one moment: parts that die, and parts that come back. Naming what is so already, or one
/// thing twice, does no harm; what is named in both lists is back.
struct LiveChange {
  std::vector<RouterId> dead_routers = {}, back_routers = {};
  std::vector<ChannelId> dead_channels = {}, back_channels = {};  ///< a cable is both its channels
};

/// Throws InputError where a list names one channel of a cable without the other. O(channels named, log).
void require_whole_cables(const Network& network, const LiveChange& change);

/// What is no longer what it was, ascending.
struct LiveEvent {
  std::vector<RouterId> routers;
  std::vector<ChannelId> channels;
  [[nodiscard]] bool empty() const { return routers.empty() && channels.empty(); }
};

/// A network of which parts may be dead for now. All parts keep their numbers, so that what is indexed by
/// them outlives a change; with_faults() numbers anew, in the same order.
///
/// A channel lives when it has not died itself, nor either of its routers; what hangs on a router comes back
/// with it. A dead router has no terminals.
class LiveNetwork {
 public:
  /// All of it lives. The network must outlive this. O(channels).
  LiveNetwork(const Network& network);  // NOLINT(google-explicit-constructor): it is that network
  /// O(channels).
  LiveNetwork(const Network& network, const Faults& dead);

  /// Returns what has died or come back by it. Throws std::out_of_range for ids the network does not have.
  /// O(channels out of the routers that lose or gain one).
  LiveEvent apply(const LiveChange& change);

  [[nodiscard]] const Network& network() const { return *network_; }
  [[nodiscard]] std::uint32_t router_count() const { return network_->router_count(); }
  [[nodiscard]] std::uint32_t channel_count() const { return network_->channel_count(); }
  [[nodiscard]] IdRange<RouterId> routers() const { return network_->routers(); }
  [[nodiscard]] RouterId source(ChannelId c) const { return network_->source(c); }
  [[nodiscard]] RouterId target(ChannelId c) const { return network_->target(c); }
  [[nodiscard]] bool alive(RouterId r) const { return dead_router_[r.value] == 0; }
  [[nodiscard]] bool alive(ChannelId c) const { return alive_[c.value] != 0; }
  /// Channels that live.
  [[nodiscard]] std::uint32_t live_channel_count() const { return live_; }
  /// Living channels that leave the router, in order of port.
  [[nodiscard]] std::span<const ChannelId> out(RouterId r) const {
    return {out_.data() + network_->out(r).first(), degree_[r.value]};
  }
  [[nodiscard]] IdRange<TerminalId> terminals_at(RouterId r) const {
    return alive(r) ? network_->terminals_at(r) : IdRange<TerminalId>();
  }
  /// Position of the channel among all that leave its source, dead ones too: the entry of a table.
  [[nodiscard]] std::uint32_t position(ChannelId c) const {
    return c.value - network_->out(network_->source(c)).first();
  }
  /// What is dead, as with_faults() takes it: routers, and channels that died themselves.
  [[nodiscard]] Faults faults() const;

 private:
  void list(RouterId r);

  const Network* network_;
  std::uint32_t live_ = 0;
  std::vector<std::uint8_t> dead_router_;   // by router
  std::vector<std::uint8_t> dead_channel_;  // by channel: itself, whatever its routers do
  std::vector<std::uint8_t> alive_;         // by channel
  std::vector<ChannelId> out_;              // by channel: a router's living ones first
  std::vector<std::uint32_t> degree_;       // by router: how many
};

}  // namespace unknot
