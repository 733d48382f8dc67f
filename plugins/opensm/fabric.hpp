// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fabric.h"

/// The live fabric as OpenSM discovered it. Indices are positions in the two vectors.
struct unknot_fabric {
  enum class Peer : std::uint8_t { none, node, adapter };
  struct Link {
    std::uint32_t index = 0;
    Peer kind = Peer::none;
    std::uint8_t port = 0;   ///< at the other end; between switches only
    std::uint8_t lanes = 0;  ///< between switches only
  };
  struct Switch {
    std::uint64_t guid = 0;
    std::string name;
    std::uint16_t lid = 0, lids = 1;
    std::vector<Link> ports;  ///< by port number; entry 0 is unused
  };
  struct Adapter {
    std::uint64_t node_guid = 0, port_guid = 0;
    std::string name;
    std::uint16_t lid = 0, lids = 1;
    std::uint32_t at_switch = 0;  ///< kNowhere: not behind a switch
    std::uint8_t at_port = 0;
  };
  static constexpr std::uint32_t kNowhere = 0xFFFFFFFFU;

  std::vector<Switch> switches;
  std::vector<Adapter> adapters;

  [[nodiscard]] unsigned highest_lid() const;
};

namespace unknot::opensm {
using Peer = unknot_fabric::Peer;
inline constexpr std::uint32_t kNone = 0xFFFFFFFFU;  ///< no index

/// "switch 'leaf-1' (0x0002000000000000)".
std::string name_of(const unknot_fabric::Switch& s);
/// "adapter 'node01 HCA-1' (port 0x0001000000000001)".
std::string name_of(const unknot_fabric::Adapter& a);
/// Units for reductions inside the network, attached to switches: not hosts, and tables need not know them.
bool is_aggregation_node(const unknot_fabric::Adapter& a);
/// For C: as much as there is room for, and its end.
void copy_text(std::string_view from, char* to, std::size_t size);
}  // namespace unknot::opensm
