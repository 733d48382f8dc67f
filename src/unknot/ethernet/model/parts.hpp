// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "unknot/ethernet/model/prefix.hpp"
#include "unknot/ethernet/model/quality.hpp"

namespace unknot::ethernet {

/// A neighbour of a port, as LLDP found it.
struct Neighbour {
  std::string port;
  std::string device;
  std::string device_port;  ///< what the neighbour calls its port; "" where it gave a hardware address
  std::string device_port_description;
  bool host = false;  ///< it says what it does, and that is neither to bridge nor to route
};

/// A route of a switch. Of several to one prefix the lowest rank counts; the next one does when no next hop
/// of it is left.
struct RouteText {
  Prefix prefix;
  std::uint64_t rank = 0;
  std::vector<std::string> interfaces;  ///< equal-cost next hops
  bool local = false;                   ///< an address of the switch itself
  bool drop = false;                    ///< a route that says to drop
};

struct TunnelConfig {
  Prefix peer;  ///< address that the tunnel leads to
  TunnelQuality quality;
};

/// What config_db.json says that matters here.
struct SwitchConfig {
  std::string hostname;
  std::map<std::string, std::string> port_of_alias;
  std::map<std::string, std::vector<std::string>> members;  ///< ports of port channels, maybe none, and VLANs
  std::map<std::string, std::uint32_t> min_links;  ///< of port channels that say it: with fewer they are down
  std::vector<Prefix> loopbacks;
  std::map<std::string, PortQuality> quality;  ///< by port; those that are missing lose packets
  std::optional<TunnelConfig> tunnel;
};

/// All that is known of one switch.
struct SwitchParts {
  std::string name;
  std::string origin;  ///< of messages about it: a file
  std::vector<Neighbour> neighbours;
  std::vector<RouteText> routes;
  std::optional<SwitchConfig> config;
};

}  // namespace unknot::ethernet
