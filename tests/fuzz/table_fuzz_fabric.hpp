// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <utility>

#include "unknot/network/builder.hpp"
#include "unknot/network/managed_network.hpp"
#include "unknot/network/network.hpp"
#include "unknot/support/error.hpp"

namespace unknot::fuzz {

/// The fabric that the seed files of the table fuzz targets are about: two leaves, a spine, parallel cables,
/// a two-port adapter.
inline const Network& table_fabric() {
  static const Network network = [] {
    NetworkBuilder builder;
    builder.add_routers(3);
    builder.add_cable(RouterId(0), 5, RouterId(2), 1);
    builder.add_cable(RouterId(0), 6, RouterId(2), 2);
    builder.add_cable(RouterId(1), 5, RouterId(2), 3);
    builder.add_cable(RouterId(1), 6, RouterId(2), 4);
    for (const std::uint32_t leaf : {0U, 0U, 1U, 1U}) {
      builder.add_terminal(RouterId(leaf), static_cast<std::uint16_t>(1 + builder.terminal_count() % 2));
    }
    Labels& labels = builder.labels();
    labels.router_guid = {0xa1, 0xa2, 0xa3};
    labels.router_lid = {1, 2, 3};
    labels.router_ports = {8, 8, 8};
    labels.terminal_node_guid = {0xb10, 0xb20, 0xb30, 0xb30};
    labels.terminal_port_guid = {0xb11, 0xb21, 0xb31, 0xb32};
    labels.terminal_lid = {11, 12, 13, 14};
    return std::move(builder).build();
  }();
  return network;
}

/// Calls read(network) for the fabric without and with its management; both may refuse the input.
template <class Read>
void on_both_fabrics(const Read& read) {
  static const Network managed = managed_network(table_fabric()).network;
  for (const Network* network : {&table_fabric(), &managed}) {
    try {
      read(*network);
    } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the expected answer to bad input
    }
  }
}

inline std::string_view text_of(const unsigned char* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace unknot::fuzz
