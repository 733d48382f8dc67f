// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// What a GUID or a LID of a fabric names: a router, a terminal, a service node, or nothing known.
class Device {
 public:
  enum class Kind : std::uint8_t { none, router, terminal, service_node };
  static constexpr std::uint32_t kMaxIndex = (1U << 30) - 1;

  Device() = default;
  Device(Kind kind, std::uint32_t index) : code_(static_cast<std::uint32_t>(kind) << 30 | index) {}
  [[nodiscard]] Kind kind() const { return static_cast<Kind>(code_ >> 30); }
  [[nodiscard]] bool known() const { return kind() != Kind::none; }
  [[nodiscard]] bool is_router() const { return kind() == Kind::router; }
  [[nodiscard]] bool is_terminal() const { return kind() == Kind::terminal; }
  /// Index of the router, the terminal or Labels::service_nodes.
  [[nodiscard]] std::uint32_t index() const { return code_ & kMaxIndex; }
  bool operator==(const Device&) const = default;

 private:
  std::uint32_t code_ = 0;
};

/// Finds the devices of a network by GUID, in O(log devices). The network must outlive it.
class GuidIndex {
 public:
  /// Throws InputError when two devices have the same port GUID.
  explicit GuidIndex(const Network& network);

  /// Device with that port GUID; a switch's is its node GUID: the terminal on its port 0 in a network with
  /// management, else the router.
  [[nodiscard]] Device port(std::uint64_t guid) const;
  /// Router with that GUID; invalid where there is none.
  [[nodiscard]] RouterId router(std::uint64_t guid) const;
  /// Terminals of the adapter with that node GUID, in order; several for the ports of one adapter.
  [[nodiscard]] std::span<const std::pair<std::uint64_t, TerminalId>> node(std::uint64_t guid) const;

 private:
  const Network* network_;
  std::vector<std::pair<std::uint64_t, Device>> ports_;      // by GUID
  std::vector<std::pair<std::uint64_t, TerminalId>> nodes_;  // by GUID, then id
};

}  // namespace unknot
