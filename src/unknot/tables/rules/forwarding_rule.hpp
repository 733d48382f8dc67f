// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// Forwarding tables of a regular routing that are never written down: a column, what all routers do with
/// packets for one destination, is computed when it is asked for. A million endpoints on fifty thousand
/// routers have tables of 50 GB; their rule takes some megabytes. Immutable, so that threads share it.
class ForwardingRule {
 public:
  ForwardingRule() = default;
  ForwardingRule(const ForwardingRule&) = delete;
  ForwardingRule& operator=(const ForwardingRule&) = delete;
  virtual ~ForwardingRule() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  /// Terminals of a router whose numbers there, from 0, agree modulo this have one column: 1 where all of
  /// them have. Columns are asked for by the first so many terminals of a router alone.
  [[nodiscard]] virtual std::uint32_t kinds() const = 0;
  /// Lanes in use: service level l travels on lane l.
  [[nodiscard]] virtual std::uint32_t lanes() const = 0;
  /// By router: position of the channel among those that leave it. Where the destination is, anything.
  virtual void column(TerminalId destination, std::span<std::uint16_t> position) const = 0;
  /// By router: service level of packets that start there. Asked for where lanes() is above 1.
  virtual void levels(TerminalId destination, std::span<std::uint8_t> level) const;
  /// What it keeps.
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

/// The same as tables and levels, for networks where they fit. O(routers * terminals).
Routing written_down(const Network& network, const ForwardingRule& rule);

}  // namespace unknot
