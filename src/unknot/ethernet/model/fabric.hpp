// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unknot/ethernet/model/parts.hpp"

namespace unknot::ethernet {

inline constexpr std::uint32_t kNone = 0xFFFFFFFFU;

/// One direction of a link between two switches. Its buffers are those of the port at its head.
struct Channel {
  std::uint32_t from = 0, to = 0;  ///< switches
  std::uint32_t reverse = 0;       ///< the channel of the other direction
  std::string out_port, in_port;   ///< at `from`, at `to`
  std::uint32_t out_quality = 0, in_quality = 0;
};

/// Equal-cost next hops: what a switch does with a packet.
struct HopSet {
  std::vector<std::uint32_t> channels;  ///< ascending
  bool leaves = false;                  ///< by a port without a switch behind it: a host, or the outside
  bool local = false;                   ///< it is for the switch itself
  bool tunnel = false;                  ///< into the tunnel of the switch
  bool drop = false;
  bool operator==(const HopSet&) const = default;
};

struct FabricRoute {
  Prefix prefix;
  std::vector<std::uint32_t> choices;  ///< of the switch's hop sets: the best first
};

struct Switch {
  std::string name;
  std::vector<std::uint32_t> in, out;  ///< channels, ascending
  std::vector<HopSet> hop_sets;
  std::vector<FabricRoute> routes;     ///< ascending, each prefix once
  std::vector<std::uint32_t> quality;  ///< all of its ports have, ascending
  std::optional<TunnelConfig> tunnel;
  bool source = false;  ///< packets enter the fabric here: some route leaves it
};

/// A device that LLDP names behind ports of switches and that is none of them. It is taken for a host, and
/// may be a switch whose files are missing.
struct AbsentNeighbour {
  std::string device;
  std::vector<std::pair<std::uint32_t, std::string>> ports;  ///< switch and port, ascending
};

/// A port channel that is down with fewer links than it has.
struct PortChannel {
  std::uint32_t links = 0;      ///< to another switch
  std::uint32_t min_links = 0;  ///< that it needs
};

/// Switches, the links between them, and what each does with packets.
struct Fabric {
  std::vector<Switch> switches;  ///< by name
  std::vector<Channel> channels;
  std::vector<PortQuality> quality;
  /// By name; without those that say that they are hosts, with VLANs whose ports are told nowhere.
  std::vector<AbsentNeighbour> absent;
  /// By switch and name: those that routes take and that say how many links they need.
  std::map<std::pair<std::uint32_t, std::string>, PortChannel> wholes;
};

/// Joins what is known of each switch. A link is what one or both of its ends say; ends without a switch of
/// the folder behind them are hosts or the outside. `lossless` is what ports of switches without a
/// configuration hold (PortQuality::lossless). InputError where two switches have one name, where both ends
/// of a link say different things, where a VLAN spans switches, and where routes go by names that may stand
/// for links that no route takes. O(n log n) of all lines.
Fabric join_fabric(std::vector<SwitchParts> parts, std::uint8_t lossless);

}  // namespace unknot::ethernet
