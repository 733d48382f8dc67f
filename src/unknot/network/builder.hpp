// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// Collects routers, cables and terminals in any order and makes a Network of them.
///
/// Ports: a call without port numbers takes the router's next free port above the highest it has used so far.
/// build() throws InputError for a port used twice, a router connected to itself, or more than 65,535 ports.
class NetworkBuilder {
 public:
  /// Space for what is to come; optional.
  void reserve(std::size_t routers, std::size_t cables, std::size_t terminals);

  RouterId add_router();
  RouterId add_routers(std::uint32_t count);  ///< returns the first of `count` consecutive ids
  void add_cable(RouterId a, RouterId b, LinkRate rate = 0);
  void add_cable(RouterId a, std::uint16_t port_a, RouterId b, std::uint16_t port_b, LinkRate rate = 0);
  /// One-way link. It takes a port at each end, as a cable does.
  void add_channel(RouterId from, RouterId to, LinkRate rate = 0);
  void add_channel(RouterId from, std::uint16_t from_port, RouterId to, std::uint16_t to_port,
                   LinkRate rate = 0);
  /// Latency of the link that was added last, from its first router to the second and back, in cycles; 0: not
  /// stated.
  void set_latency(std::uint32_t there, std::uint32_t back);
  /// Capacity of the link that was added last, in megabits a second of data; 0: not stated.
  void set_capacity(std::uint32_t there, std::uint32_t back);
  /// Latency and capacity of the link that was added last as those of a channel of `network`, and of its
  /// other direction where the link has one.
  void set_as(const Network& network, ChannelId channel);
  /// The id counts calls; build() renumbers terminals by router, keeping their order within one.
  TerminalId add_terminal(RouterId router);
  TerminalId add_terminal(RouterId router, std::uint16_t port);
  /// A further address of the terminal that was added last: another terminal on its port
  /// (addressed_network.hpp).
  TerminalId add_further_address();

  [[nodiscard]] std::uint32_t router_count() const { return static_cast<std::uint32_t>(next_port_.size()); }
  [[nodiscard]] std::uint32_t terminal_count() const { return static_cast<std::uint32_t>(terminals_.size()); }

  /// Names and addresses, indexed by the ids this builder gave; channel_rate, channel_latency and
  /// channel_capacity are filled by build() from those of the cables. Vectors that are left empty stay empty.
  Labels& labels() { return labels_; }
  void set_coordinates(Coordinates coordinates);
  /// A network that is built already, with other coordinates.
  static Network with_coordinates(Network network, Coordinates coordinates);
  /// A network that is built already, with other LIDs; 0 for a device whose LID is not known. `router_lids`
  /// has one for each router, `terminal_lids` one for each terminal, `service_lids` one for each service
  /// node.
  static Network with_lids(Network network, std::vector<std::uint32_t> router_lids,
                           std::vector<std::uint32_t> terminal_lids,
                           const std::vector<std::uint32_t>& service_lids);
  /// A network that is built already, with LIDs kept for ports that are gone.
  static Network with_kept_lids(Network network, std::vector<KeptLids> kept);
  /// A network that is built already, with a terminal more at each router, its last, on port 0: the router
  /// itself, under its own name, GUID and LID. Routers and channels keep their ids. See managed_network.hpp.
  static Network with_router_ports(const Network& network);
  /// A network that is built already, with each terminal `count` times, with its LID and those after it. See
  /// addressed_network.hpp.
  static Network with_addresses(const Network& network, std::uint32_t count);
  void set_levels(std::vector<std::uint32_t> levels) { levels_ = std::move(levels); }
  void set_description(std::string text) { description_ = std::move(text); }

  /// O(channels log degree) time; the builder is spent.
  [[nodiscard]] Network build() &&;

 private:
  struct Link {
    RouterId a, b;
    std::uint16_t port_a, port_b;
    LinkRate rate;
    bool two_way;
  };
  struct Terminal {
    RouterId router;
    std::uint16_t port;
    bool further = false;  // on the port of the one before it
  };
  std::uint16_t take_port(RouterId r);
  void use_port(RouterId r, std::uint16_t port);
  std::vector<std::uint32_t> next_port_;  // by router: next free port
  /// A number for each direction of a link.
  struct BothWays {
    std::uint32_t there = 0, back = 0;
  };
  void set_both(std::vector<BothWays>& numbers, std::uint32_t there, std::uint32_t back) const;
  std::vector<Link> links_;
  std::vector<BothWays> latencies_, capacities_;  // by link, as far as the last one that has any
  std::vector<Terminal> terminals_;
  std::vector<std::uint32_t> levels_;
  std::shared_ptr<const Coordinates> coordinates_;
  Labels labels_;
  std::string description_;
};

}  // namespace unknot
