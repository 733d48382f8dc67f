// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "unknot/network/labels.hpp"
#include "unknot/support/ids.hpp"

namespace unknot {

/// An interconnection network: routers, terminals and directed channels in compressed rows. Immutable; made
/// once by a NetworkBuilder, a reader or a generator. A multigraph: parallel cables are separate channels.
///
/// * Channels are numbered by source router, then by source port: the channels leaving a router are
/// consecutive ids.
/// * A cable is two channels, each the reverse() of the other; a one-way link is a channel without a reverse.
/// * Terminals are numbered by router: those of one router are consecutive ids. Injection and ejection
/// channels are
///   implicit.
/// * Ports are numbered from 1 at each router, as InfiniBand does; channels and terminals share the
/// numbering.
///
///     NetworkBuilder builder;
///     RouterId a = builder.add_router(), b = builder.add_router();
///     builder.add_cable(a, b);
///     builder.add_terminal(a);
///     Network network = std::move(builder).build();
///
/// Memory: 20 bytes a channel and 8 a router, labels aside. Every accessor is O(1). Ids must be the network's
/// own: builds for development assert it.
class Network {
 public:
  Network() = default;

  [[nodiscard]] std::uint32_t router_count() const { return router_count_; }
  [[nodiscard]] std::uint32_t terminal_count() const {
    return static_cast<std::uint32_t>(terminal_router_.size());
  }
  [[nodiscard]] std::uint32_t channel_count() const { return static_cast<std::uint32_t>(source_.size()); }
  [[nodiscard]] IdRange<RouterId> routers() const { return {0, router_count()}; }
  [[nodiscard]] IdRange<TerminalId> terminals() const { return {0, terminal_count()}; }
  [[nodiscard]] IdRange<ChannelId> channels() const { return {0, channel_count()}; }

  /// Channels that leave the router, in order of port.
  [[nodiscard]] IdRange<ChannelId> out(RouterId r) const {
    assert(r.value < router_count_);
    return {out_first_[r.value], out_first_[r.value + 1]};
  }
  /// Channels that enter the router, in order of id.
  [[nodiscard]] std::span<const ChannelId> in(RouterId r) const {
    assert(r.value < router_count_);
    return {in_.data() + in_first_[r.value], in_.data() + in_first_[r.value + 1]};
  }
  [[nodiscard]] RouterId source(ChannelId c) const {
    assert(c.value < channel_count());
    return source_[c.value];
  }
  [[nodiscard]] RouterId target(ChannelId c) const {
    assert(c.value < channel_count());
    return target_[c.value];
  }
  /// The other direction of the same cable; invalid for a one-way channel.
  [[nodiscard]] ChannelId reverse(ChannelId c) const {
    assert(c.value < channel_count());
    return reverse_[c.value];
  }
  [[nodiscard]] std::uint16_t source_port(ChannelId c) const {
    assert(c.value < channel_count());
    return source_port_[c.value];
  }
  [[nodiscard]] std::uint16_t target_port(ChannelId c) const {
    assert(c.value < channel_count());
    return target_port_[c.value];
  }
  /// Channel leaving `r` by `port`; invalid where the port is free or leads to a terminal. O(log degree).
  [[nodiscard]] ChannelId channel_at(RouterId r, std::uint16_t port) const;

  [[nodiscard]] IdRange<TerminalId> terminals_at(RouterId r) const {
    assert(r.value < router_count_);
    return {terminal_first_[r.value], terminal_first_[r.value + 1]};
  }
  /// The routers with terminals, ascending. O(routers) time and memory.
  [[nodiscard]] std::vector<RouterId> endpoint_routers() const;
  [[nodiscard]] RouterId router_of(TerminalId t) const {
    assert(t.value < terminal_count());
    return terminal_router_[t.value];
  }
  /// Port of the terminal's router that leads to it.
  [[nodiscard]] std::uint16_t terminal_port(TerminalId t) const {
    assert(t.value < terminal_count());
    return terminal_port_[t.value];
  }
  /// Whether it stands for a further address of the port that the terminal before it stands for
  /// (addressed_network()).
  [[nodiscard]] bool further_address(TerminalId t) const {
    assert(t.value < terminal_count());
    return t.value > 0 && terminal_router_[t.value - 1] == terminal_router_[t.value] &&
           terminal_port_[t.value - 1] == terminal_port_[t.value];
  }
  /// Terminal behind a port of `r`; invalid where there is none. O(terminals of r).
  [[nodiscard]] TerminalId terminal_at(RouterId r, std::uint16_t port) const;

  /// The terminal on port 0 of the router, which is the router itself (managed_network()); invalid where
  /// there is none.
  [[nodiscard]] TerminalId own_port(RouterId r) const {
    const IdRange<TerminalId> here = terminals_at(r);
    return !here.empty() && terminal_port_[here.last() - 1] == 0 ? TerminalId(here.last() - 1) : TerminalId();
  }

  /// Largest number of channels that leave one router.
  [[nodiscard]] std::uint32_t max_out_degree() const { return max_out_degree_; }
  /// Ports of the router: its label, or the highest port in use.
  [[nodiscard]] std::uint16_t port_count(RouterId r) const;

  // Whole columns, for those who look at all of them.
  [[nodiscard]] std::span<const RouterId> sources() const { return source_; }              ///< by channel
  [[nodiscard]] std::span<const RouterId> targets() const { return target_; }              ///< by channel
  [[nodiscard]] std::span<const ChannelId> reverses() const { return reverse_; }           ///< by channel
  [[nodiscard]] std::span<const RouterId> routers_of() const { return terminal_router_; }  ///< by terminal

  // Names and addresses; systematic ones where the network has no labels. See labels.hpp.
  [[nodiscard]] std::string router_name(RouterId r) const;             ///< default "S-<id>"
  [[nodiscard]] std::uint64_t router_guid(RouterId r) const;           ///< default 0x0002000000000000 + id
  [[nodiscard]] std::uint32_t router_lid(RouterId r) const;            ///< default terminals + 1 + id
  [[nodiscard]] std::string terminal_name(TerminalId t) const;         ///< default "H-<id>"
  [[nodiscard]] std::uint64_t terminal_node_guid(TerminalId t) const;  ///< default 0x0001000000000000 + 2 id
  [[nodiscard]] std::uint64_t terminal_port_guid(TerminalId t) const;  ///< default node guid + 1
  [[nodiscard]] std::uint32_t terminal_lid(TerminalId t) const;        ///< default 1 + id
  [[nodiscard]] std::uint16_t terminal_adapter_port(TerminalId t) const;   ///< default 1
  [[nodiscard]] std::uint16_t terminal_adapter_ports(TerminalId t) const;  ///< default 1
  [[nodiscard]] LinkRate channel_rate(ChannelId c) const;                  ///< default 0, unknown
  [[nodiscard]] LinkRate terminal_rate(TerminalId t) const;                ///< default 0, unknown
  [[nodiscard]] std::uint32_t channel_latency(ChannelId c) const;          ///< cycles; default 0, not stated
  [[nodiscard]] std::uint32_t terminal_latency(TerminalId t) const;        ///< cycles; default 0, not stated
  /// Megabits a second of data; default 0, not stated.
  [[nodiscard]] std::uint32_t channel_capacity(ChannelId c) const;
  [[nodiscard]] std::uint32_t terminal_capacity(TerminalId t) const;
  /// "S-3 port 2 -> S-7 port 1": how messages and witnesses name a channel.
  [[nodiscard]] std::string channel_name(ChannelId c) const;

  [[nodiscard]] const Labels& labels() const { return labels_; }
  /// Null where the family has none.
  [[nodiscard]] const Coordinates* coordinates() const { return coordinates_.get(); }
  /// Tree level of each router, 0 for those that carry terminals; empty where the family has none.
  [[nodiscard]] std::span<const std::uint32_t> levels() const { return levels_; }
  /// Spec or file name the network came from, for messages and reports.
  [[nodiscard]] const std::string& description() const { return description_; }
  /// The same network under another description.
  [[nodiscard]] Network described_as(std::string text) &&;

  /// Hash of structure, ports and addresses: binds tables and certificates to the network they were made for.
  [[nodiscard]] std::uint64_t fingerprint() const;

 private:
  friend class NetworkBuilder;
  std::uint32_t router_count_ = 0;
  std::uint32_t max_out_degree_ = 0;
  std::vector<std::uint32_t> out_first_{0};       // router_count + 1
  std::vector<std::uint32_t> in_first_{0};        // router_count + 1
  std::vector<std::uint32_t> terminal_first_{0};  // router_count + 1
  std::vector<RouterId> source_, target_;         // by channel
  std::vector<ChannelId> reverse_, in_;
  std::vector<std::uint16_t> source_port_, target_port_;
  std::vector<RouterId> terminal_router_;
  std::vector<std::uint16_t> terminal_port_;
  std::vector<std::uint32_t> levels_;
  std::shared_ptr<const Coordinates> coordinates_;
  Labels labels_;
  std::string description_;
};

}  // namespace unknot
