// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/support/ids.hpp"

namespace unknot {

/// Width and speed of a cable as diagnostics print it ("4xNDR"), packed in a byte: an index into
/// link_rate_names(). 0 means unknown.
using LinkRate = std::uint8_t;

/// A device on the fabric that is no host: a switch's aggregation node. It owns a router port and an address,
/// but takes no part in traffic, loads or patterns.
struct ServiceNode {
  RouterId router;
  std::uint16_t router_port = 0;  ///< port of the router it is cabled to
  std::uint64_t node_guid = 0;
  std::uint64_t port_guid = 0;
  std::uint32_t lid = 0;  ///< 0: none known
  LinkRate rate = 0;
  std::string name;
};

/// LIDs that belong to a port which is off or gone, and are to be nobody else's: it may come back.
struct KeptLids {
  std::uint64_t port_guid = 0;
  std::uint32_t first = 0, last = 0;  ///< the same where it has one LID
};

/// What a real fabric calls its parts. Every vector is either empty (a generated network: Network's accessors
/// then give systematic values) or has one entry for each router or terminal.
struct Labels {
  std::vector<std::string> router_name;
  std::vector<std::uint64_t> router_guid;
  std::vector<std::uint32_t> router_lid;
  std::vector<std::uint16_t> router_ports;  ///< number of ports of the device, used or not

  std::vector<std::string> terminal_name;
  std::vector<std::uint64_t> terminal_node_guid;  ///< equal for the ports of one adapter
  std::vector<std::uint64_t> terminal_port_guid;
  std::vector<std::uint32_t> terminal_lid;
  /// Each terminal has 2^lmc LIDs, from its own on, as far as no other device has one of them.
  std::uint8_t lmc = 0;
  std::vector<std::uint16_t> terminal_adapter_port;   ///< port of the adapter, from 1
  std::vector<std::uint16_t> terminal_adapter_ports;  ///< number of ports of the adapter
  std::vector<LinkRate> terminal_rate;

  std::vector<LinkRate> channel_rate;  ///< by channel

  // Latencies of links, in cycles of the simulator; 0: not stated.
  std::vector<std::uint32_t> channel_latency;   ///< by channel
  std::vector<std::uint32_t> terminal_latency;  ///< of a terminal's link, the same in both directions

  // Capacities of links, in megabits a second of data; 0: not stated.
  std::vector<std::uint32_t> channel_capacity;   ///< by channel
  std::vector<std::uint32_t> terminal_capacity;  ///< of a terminal's link, the same in both directions

  std::vector<ServiceNode> service_nodes;
  std::vector<KeptLids> kept_lids;  ///< of ports that are no part of the network
};

/// Position of a router in its family, filled by generators (torus coordinates, tree level and position):
/// what engines that need coordinates ask for. `dimensions` values for each router, router-major.
struct Coordinates {
  std::uint32_t dimensions = 0;
  std::vector<std::uint32_t> value;   ///< router_count * dimensions
  std::vector<std::uint32_t> extent;  ///< size of each dimension
  bool wraps = false;                 ///< torus: first and last of a dimension are neighbours
};

/// Text of each LinkRate, "1xSDR" to "12xXDR"; [0] is "".
const std::vector<std::string>& link_rate_names();
/// Rate for a text such as "4xNDR", or 0.
LinkRate link_rate_from(const std::string& text);
/// Data in Gb/s of a cable of that rate (lanes times what encoding leaves of each); 0 for an unknown rate.
double link_rate_gigabits(LinkRate rate);

/// Megabits a second of a capacity in gigabits; nothing for what is no such capacity: 0 or less, more than
/// 4294967.295, or finer than three decimals. Nothing is rounded.
std::optional<std::uint32_t> megabits_from(double gigabits);
/// The same of a decimal number without exponent, "12.5".
std::optional<std::uint32_t> megabits_from(std::string_view gigabits);
/// "12.5" for 12500.
std::string gigabits_text(std::uint32_t megabits);
/// What messages say of such numbers.
inline constexpr std::string_view kCapacityRule =
    "a capacity in Gb/s from 0.001 to 4294967.295, with three decimals at most";

}  // namespace unknot
