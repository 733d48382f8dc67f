// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/formats/draft/parts.hpp"
#include "unknot/network/network.hpp"

namespace unknot {

/// What the InfiniBand text formats say, as they say it: records of devices, and of each of their ports the
/// other end of its cable. assemble() checks it and makes a Network. Strings are views into the text that was
/// read.
struct FabricDraft {
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  enum class Kind : std::uint8_t {
    router,
    adapter,
    gateway
  };  ///< InfiniBand: switch, channel adapter, router

  struct Place {
    std::uint32_t file = 0;  ///< index into `files`
    std::uint32_t line = 0;
  };

  struct Device {
    std::string_view id;  ///< unique in the fabric: what the other devices' ports refer to
    std::string_view name;
    std::uint64_t guid = 0;
    std::uint32_t lid = 0;  ///< of a router; 0: not stated
    std::uint16_t ports = 0;
    Kind kind = Kind::router;
    Place place;
    std::uint32_t first_end = 0;  ///< its ports in `ends` are consecutive
    std::uint32_t end_count = 0;
  };

  /// One port of a device as its record states it. 0 means "not stated" in the addresses and the rate.
  struct End {
    std::string_view peer_id;
    std::uint64_t port_guid = 0;
    std::uint64_t peer_port_guid = 0;
    std::uint32_t device = kNone;
    std::uint32_t peer = kNone;  ///< filled by assemble()
    std::uint32_t lid = 0;
    std::uint32_t peer_lid = 0;
    Place place;
    std::uint16_t port = 0;
    std::uint16_t peer_port = 0;
    LinkRate rate = 0;
  };

  std::vector<std::string> files;
  std::vector<Device> devices;
  std::vector<End> ends;
  std::deque<std::string> texts;   ///< text that views point to, beside the one given to the reader
  std::uint8_t lmc = 0;            ///< largest of an adapter's port
  bool one_end_is_enough = false;  ///< false: a link must be stated at both of its ends
};

/// GUIDs for the devices of files that give none, counted up as a Network without addresses has them.
class SystematicGuids {
 public:
  std::uint64_t next(FabricDraft::Kind kind, std::uint16_t ports) {
    if (kind == FabricDraft::Kind::router) return switch_++;
    const std::uint64_t guid = adapter_;
    adapter_ += ports + 1U;  // the GUIDs of its ports count up from its own
    return guid;
  }

 private:
  std::uint64_t switch_ = 0x0002000000000000;
  std::uint64_t adapter_ = 0x0001000000000000;
};

/// The network of a draft. Routers in the order of their records; terminals by router, then by port; devices
/// whose name says "Aggregation Node", and gateways to other subnets, are service nodes. LIDs are kept when
/// every router and terminal has one. Throws InputError, with file and line, for a device described twice, a
/// GUID or LID used twice, an unknown peer, a port beyond the device's number of ports or used twice, a
/// device connected to itself, a link stated differently at its ends, a link between two hosts, a host
/// without a link, and a fabric in several parts, unless these may be. Parts are subnets of their own then: a
/// LID must be used once in each. O(n log n) time for n ports.
Network assemble(FabricDraft draft, Parts parts = Parts::one);

/// For readers that meet ports in another order than their devices, and know `peer` of each: puts the ports
/// of a device side by side, in the order in which they came, and fills what goes by that. O(n log n) time
/// for n ports.
void group_ends(FabricDraft& draft);

/// Throws InputError that names the parts when cables do not join all routers into one fabric.
void require_connected(const Network& network, const std::string& file);

}  // namespace unknot
