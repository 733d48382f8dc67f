// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// What leads out of one port of a router.
struct PortUse {
  enum class Kind : std::uint8_t { cable, terminal, service };
  std::uint16_t port = 0;
  Kind kind = Kind::cable;
  std::uint32_t index = 0;  ///< channel, terminal or service node
};

/// The ports of a router in use, in their order. One-way channels that enter are not listed.
std::vector<PortUse> ports_in_use(const Network& network, RouterId router,
                                  const std::vector<std::uint32_t>& service_nodes);

/// Indices of the service nodes of each router.
std::vector<std::vector<std::uint32_t>> service_nodes_by_router(const Network& network);

/// A device that holds terminals or service nodes, as InfiniBand counts devices: one node GUID, several
/// ports.
struct Adapter {
  struct Port {
    std::uint16_t number = 1;
    std::uint64_t guid = 0;
    std::uint32_t lid = 0;
    LinkRate rate = 0;
    RouterId router;
    std::uint16_t router_port = 0;
  };
  std::uint64_t guid = 0;
  std::string name;
  std::uint16_t port_count = 1;
  std::vector<Port> ports;  ///< by number
};

/// Adapters in the order of the router and port that their first port is on, terminals before service nodes.
/// A service device's ports are numbered in that order too, a Network does not keep their numbers. Throws
/// InputError for terminals that cannot be ports of one adapter.
struct Adapters {
  std::vector<Adapter> all;
  std::vector<std::uint32_t> of_terminal;      ///< index into `all`
  std::vector<std::uint16_t> port_of_service;  ///< port number of each service node
};
Adapters adapters_of(const Network& network);

/// Throws InputError when the network has one-way channels: `format` states cables only.
void require_cables(const Network& network, std::string_view format);

/// A name for a line of text: control characters become blanks.
std::string one_line(std::string_view name);
/// A name as UTF-8 without control characters: other bytes become '?'.
std::string as_utf8(std::string_view name);

}  // namespace unknot
