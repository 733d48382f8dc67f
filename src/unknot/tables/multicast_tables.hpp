// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// A port of a router that packets of a group leave by.
struct MulticastPort {
  RouterId router;
  std::uint16_t port = 0;
  auto operator<=>(const MulticastPort&) const = default;  // NOLINT(modernize-use-nullptr): it is the tool's
};

/// Forwarding of one multicast group (a row of each switch's MFT, InfiniBand 18.2.4.3.3): a packet is copied
/// to each port that its router has for the group, but the one that it came in by.
class MulticastGroup {
 public:
  static constexpr std::uint32_t kFirstLid = 0xC000;
  static constexpr std::uint32_t kLastLid = 0xFFFE;

  /// `lid` from kFirstLid to kLastLid. Order and repetition of `ports` do not matter. O(ports log ports).
  MulticastGroup(std::uint16_t lid, std::uint8_t level, std::uint32_t routers,
                 std::vector<MulticastPort> ports);

  [[nodiscard]] std::uint16_t lid() const { return lid_; }
  /// Service level of its packets.
  [[nodiscard]] std::uint8_t level() const { return level_; }
  void set_level(std::uint8_t level) { level_ = level; }
  [[nodiscard]] std::uint32_t router_count() const { return router_count_; }
  /// Those with ports, in order.
  [[nodiscard]] std::span<const RouterId> routers() const { return routers_; }
  /// In ascending order. O(log routers).
  [[nodiscard]] std::span<const std::uint16_t> ports(RouterId r) const;
  bool operator==(const MulticastGroup&) const = default;

 private:
  std::uint16_t lid_;
  std::uint8_t level_;
  std::uint32_t router_count_;
  std::vector<RouterId> routers_;
  std::vector<std::uint32_t> first_;  // by entry of routers_, one more at the end
  std::vector<std::uint16_t> ports_;
};

/// The groups of a fabric, by ascending LID. A value, valid for networks with the routers and ports of that
/// it was made from, with or without management.
struct MulticastTables {
  std::vector<MulticastGroup> groups;
  bool operator==(const MulticastTables&) const = default;
};

/// The terminals that get the packets of a group, in order. O(terminals * log ports).
std::vector<TerminalId> members(const Network& network, const MulticastGroup& group);

/// The rows in force on another network: those of the routers that it has too, told by their GUIDs. O(rows
/// log routers).
MulticastTables carried_over(const Network& before, const MulticastTables& tables, const Network& after);

}  // namespace unknot
